"""Ludo as people play it: tables are opened by typing, turns played by pressing what is offered."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from itertools import takewhile
from random import choice, randbytes
from typing import Final

import discord

from bot.sandbox import Answer, Button, Channel, Interaction, Message
from bot.table.actions import Action
from bot.table.seats import Occupant
from bot.table.session import SessionId
from bot.table.table import Table
from tests.bot.english import like, mover_in, pattern, says
from tests.bot.people import Person, Value
from tests.bot.stand_in import Sandbox
from tests.bot.ui.conftest import RunningBot, control

OFFER: Final = re.compile(r"p1:\d+:\d+:(?:roll|m\d+)")
ABOUT_TO_ROLL: Final = says("board.rolls")
NO_TURN_OF_PEOPLE: Final = re.compile(
    "|".join((pattern("board.rolls"), pattern("board.thinking", emblem=r"\S+", player=".*")))
)
SIGNS: Final = "🔴🟢🟡🔵⚪"
TABLE: Final = says("menu.table")
RULES: Final = says("menu.change_rule")
NAMES: Final = ("Ann", "Ben", "Cleo", "Dan")
MOST_PRESSES: Final = 2_000

Choose = Callable[[Sequence[Button]], Button]


async def typed(sandbox: Sandbox, person: Person, **options: Value) -> Interaction:
    """`/ludo` in the channel, answered; dice are rolled by hand unless it says otherwise."""
    given: dict[str, Value] = {"roll": "hand", **options}
    return await (await person.type(sandbox.channel("games"), "ludo", **given)).answered()


async def opened(sandbox: Sandbox, person: Person, **options: Value) -> Message:
    """The table that `/ludo` opens, as soon as people can do something there."""
    message = (await typed(sandbox, person, **options)).message
    assert not message.ephemeral, message.text
    await bound(sandbox, message)
    return message


async def bound(sandbox: Sandbox, board: Message) -> None:
    """Waits until a new table's dice are bound and have rolled, so that a person has the turn."""
    await sandbox.until(lambda: not NO_TURN_OF_PEOPLE.search(board.text))


def public(person: Person, channel: Channel) -> list[Message]:
    """The messages of a channel that all see."""
    return [each for each in person.sees(channel) if not each.ephemeral]


async def seated(sandbox: Sandbox, people: Sequence[Person], **options: Value) -> Message:
    """A table, not begun yet, that the first person opened and the others have joined."""
    host, *others = people
    invited = {f"player{number}": person for number, person in enumerate(others, 2)}
    board = await opened(sandbox, host, **invited, **options)
    for person in others:
        await press(person, board, says("control.join"))
    return board


async def begun(sandbox: Sandbox, people: Sequence[Person], **options: Value) -> Message:
    """The same, begun, with dice that everybody rolls by pressing."""
    board = await seated(sandbox, people, **options)
    if len(people) > 1 or not options.get("computers"):
        await press(people[0], board, says("control.start"))
    return board


def labels(message: Message) -> list[str]:
    """The labels of the buttons."""
    return [button.label for button in message.buttons]


def over(board: Message) -> bool:
    """Whether the game has its result."""
    return says("control.rematch") in labels(board)


def winners(board: Message) -> list[str]:
    """The colours that have won."""
    won = (
        pattern(key, emblem="(🔴|🟢|🟡|🔵)", winner=".*", player=".*")
        for key in ("won.played", "place.first")
    )
    found = re.finditer(f"^(?:{'|'.join(won)})$", board.text, re.MULTILINE)
    return [str(each[1] or each[2]) for each in found]


def mover(sandbox: Sandbox, board: Message) -> Person | None:
    """The person to move by the message, if it is a person's turn."""
    found = mover_in(board.text)
    if found is None:
        return None
    return next(person for person in map(sandbox.person, NAMES) if str(person.id) == found)


def offers(board: Message) -> list[Button]:
    """The buttons that play and can be pressed: Roll, or one for each token that can move."""
    playing = (button for button in board.buttons if OFFER.fullmatch(button.custom_id))
    return [button for button in playing if not button.disabled]


async def take(sandbox: Sandbox, board: Message, choose: Choose) -> Interaction:
    """Presses what `choose` picks, as whoever's turn it is, and waits until the board shows it."""
    person = mover(sandbox, board)
    assert person is not None, board.text
    pressed = await person.press(board, custom_id=choose(offers(board)).custom_id)
    before = board.edits
    await pressed.answered()
    if pressed.response is Answer.LATER_UPDATE:
        await sandbox.until(lambda: board.edits > before)
    assert pressed.message is board, pressed.message.text
    return pressed


async def until(
    sandbox: Sandbox, board: Message, wanted: Callable[[], bool], choose: Choose | None = None
) -> int:
    """Plays people's turns, at random unless `choose` says, until something is so."""
    for presses in range(MOST_PRESSES):
        if wanted():
            return presses
        await take(sandbox, board, choose or choice)
    raise AssertionError(f"Not so after {MOST_PRESSES} presses: {board.text}")


async def to_the_end(sandbox: Sandbox, board: Message, choose: Choose | None = None) -> int:
    """Plays to the end, and gives how often people pressed."""
    return await until(sandbox, board, lambda: over(board), choose)


async def press(person: Person, message: Message, label: str) -> Interaction:
    """A button pressed by its label, behind *More* if it is not on the message, and answered."""
    if label not in labels(message) and (more := control(message, Action.MORE)):
        message = (await (await person.press(message, custom_id=more)).answered()).message
    return await (await person.press(message, label)).answered()


async def pick(person: Person, message: Message, choice: str, *, menu: str) -> Interaction:
    """A choice made in a menu, and answered."""
    return await (await person.pick(message, choice, placeholder=menu)).answered()


async def set_up(person: Person, board: Message, choice: str) -> Interaction:
    """A choice made in the menu of a table, and answered."""
    return await pick(person, board, choice, menu=TABLE)


async def commitment(person: Person, board: Message) -> str:
    """The seal of a game's dice without its version, by what a person is told of them."""
    told = (await ask_of_dice(person, board)).message.text
    found = re.search("`3:([0-9a-f]{64})`", told)
    assert found is not None, told
    assert found[1][:8] not in board.text, "a board says nothing of the seal"
    return found[1]


async def proof(person: Person, board: Message) -> list[str]:
    """The options of the file from which anybody checks the dice of a finished game."""
    [file] = (await ask_of_dice(person, board)).message.attachments
    return shlex.split(file.data.decode())


async def ask_of_dice(person: Person, board: Message) -> Interaction:
    """The button of the dice pressed: behind *More* in a running game, in the menu of a replay."""
    if more := control(board, Action.MORE):
        board = (await (await person.press(board, custom_id=more)).answered()).message
    if not control(board, Action.PROOF):
        return await (await person.pick(board, Action.PROOF)).answered()
    pressed = await person.press(board, custom_id=control(board, Action.PROOF))
    return await pressed.answered()


def secret_in(proof: Sequence[str]) -> bytes:
    """The secret of the dice, by the file from which anybody checks them."""
    return bytes.fromhex(proof[proof.index("--secret") + 1])


def number_of(board: Message) -> SessionId:
    """The number of the game that a message shows."""
    ids = (control.custom_id.split(":") for control in board.controls)
    return SessionId(next(int(parts[1]) for parts in ids if parts[0] == "p1"))


async def table_of(running_bot: RunningBot, board: Message) -> Table:
    """The stored session of a game."""
    return await running_bot.store.table(number_of(board))


def seats(board: Message) -> list[str]:
    """A line for each seat, that says who has which colour, without what isolates names."""
    lines = board.text.translate({0x2068: None, 0x2069: None}).split("\n")
    listed = next((line for line in lines if re.match(f"-# [{SIGNS}]", line)), None)
    if listed is None:  # the game has not begun
        title = like("board.title", game=says("game.ludo"))
        below = next(row for row, line in enumerate(lines) if title.fullmatch(line)) + 1
        return [*takewhile(lambda line: line.startswith(tuple(SIGNS)), lines[below:])]
    sides = re.findall(f"([{SIGNS}]+) ([^{SIGNS}]+?)(?: · |$)", listed)
    return [f"{sign} {who}" for signs, who in sides for sign in signs]


def title(preset: str) -> str:
    """The first words of a message of a table that plays by a preset's rules."""
    return says("board.title", game=says("game.ludo"), rules=says(f"preset.ludo.{preset}"))


def computer(sign: str, level: str) -> str:
    """A seat that a computer holds, as `seats` gives it."""
    name = says("player.computer", level=says(f"choice.level.{level}"))
    return says("board.side", emblem=sign, player=name)


def invited(sign: str, person: Person) -> str:
    """A seat of a person who has not joined yet, as `seats` gives it."""
    return says("gathering.invited", emblem=sign, player=person.mention)


async def occupants(running_bot: RunningBot, board: Message) -> tuple[Occupant, ...]:
    """The holder of each seat, as stored: a board names them only where several people play."""
    return (await table_of(running_bot, board)).session.seats


def opposite(board: Message, person: Person) -> str:
    """The person opposite somebody at a table of four."""
    names = [line[2:] for line in seats(board)]
    return names[(names.index(person.mention) + 2) % 4]


def ply_of(board: Message) -> int:
    """The ply that a board was drawn for."""
    return int(board.buttons[0].custom_id.split(":")[2])


async def forged(
    running_bot: RunningBot, board: Message, action: str, *, ply: int | None = None
) -> Message:
    """A message with a button that does something on a board, as it may have offered or not."""
    number, drawn = number_of(board), ply_of(board) if ply is None else ply
    button: discord.ui.Button[discord.ui.LayoutView] = discord.ui.Button(
        label=action, custom_id=f"p1:{number}:{drawn}:{action}"
    )
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.ActionRow(button))
    view.stop()
    await running_bot.client.get_partial_messageable(int(board.channel.id)).send(
        view=view, nonce=randbytes(12).hex()
    )
    return running_bot.sandbox.person("Ann").sees(board.channel)[-1]


async def forge(running_bot: RunningBot, person: Person, board: Message, action: str) -> str:
    """Do something that the board does not offer; return the private answer."""
    return await running_bot.told(person, await forged(running_bot, board, action), action)

"""Tries at finished games: played on from one's own choice, in private, and counted nowhere."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from random import choice
from typing import Any, Final

import pytest

from bot.games.catalogue import explainer_of
from bot.sandbox import Interaction, Message
from bot.screens.lesson import trial
from bot.service.variations import Trial
from bot.table.actions import Action
from bot.table.refusals import Refusal
from bot.table.seats import Computer, Human, Level, PersonId
from bot.table.session import Session
from bot.table.variation import Variation
from bot.ui.custom_ids import VariationControl, read
from bot.ui.render import variation_view
from engine.game import Move
from tests.bot.databases import faults
from tests.bot.english import ENGLISH_WORDS, like, piece, says
from tests.bot.games.ludo.ludo_tables import table
from tests.bot.kit import stored
from tests.bot.people import Person
from tests.bot.process import kill
from tests.bot.stand_in import Sandbox
from tests.bot.ui import ludo, panels, test_connectfour
from tests.bot.ui.conftest import Open, RunningBot, marked, marks
from tests.bot.ui.test_looking_back import finished
from tests.bot.ui.test_ludo_games import TEAMS, Setting, begun
from tests.bot.ui.test_recovery import friends, process
from tests.bot.ui.test_replay import replay

MOST_PRESSES: Final = 300
PLAYED_ON: Final = says("control.play_on")


async def tictactoe(bot: RunningBot) -> Message:
    return await finished(bot)


async def connectfour(bot: RunningBot) -> Message:
    board = await test_connectfour.friends(bot)
    await test_connectfour.drop(bot, board, "4433552")
    return board


async def alone(bot: RunningBot) -> Message:
    """Ludo against two computers."""
    board = await begun(bot, Setting("quick", 1, (Level.EASY, Level.HARD)))
    await ludo.to_the_end(bot.sandbox, board)
    return board


async def teams(bot: RunningBot) -> Message:
    board = await begun(bot, Setting("quick", 2, (Level.MEDIUM, Level.HARD), TEAMS))
    await ludo.to_the_end(bot.sandbox, board)
    return board


def _shown_instead(asked: Interaction, of: Message) -> list[Message]:
    """The answers to a press that are not on the message pressed; they may be deferred first."""
    found = (asked.original, *asked.followups)
    return [each for each in found if each not in {None, of} and not each.thinking]


async def what_if(sandbox: Sandbox, person: Person, shown: Message, ply: int) -> Message:
    """*What if?* at the last choice before a ply of the game of a replay."""
    found = re.match(r"p1:\d+", shown.buttons[0].custom_id)
    assert found is not None
    custom_id = f"{found[0]}:{ply}:{Action.WHAT_IF}"
    asked = await person.press_drawn(shown, custom_id).answered()
    first, *_ = await sandbox.until(lambda: _shown_instead(asked, shown))
    return first


async def press(sandbox: Sandbox, person: Person, message: Message, **button: Any) -> None:
    """A button of a try pressed, again if need be, until the message shows what came of it."""
    edits = message.edits
    while message.edits == edits:
        await (await person.press(message, **button)).answered()
        with suppress(TimeoutError):  # as of a process that is too busy to answer in time
            await sandbox.until(lambda: message.edits > edits, within=20)


def controls(message: Message) -> Mapping[str, VariationControl]:
    """The controls of a try that can be pressed, but for squares that are taken."""
    pressable = (each for each in message.buttons if not marked(each) and not each.disabled)
    found = {button.custom_id: read(button.custom_id) for button in pressable}
    return {key: ids for key, ids in found.items() if isinstance(ids, VariationControl)}


def line(message: Message) -> Variation:
    """The line of moves that the buttons of a try carry."""
    [found] = {ids.variation for ids in controls(message).values()}
    return found


def is_over(message: Message) -> bool:
    return like("variation.try").search(message.text) is not None


async def to_the_end(sandbox: Sandbox, person: Person, message: Message) -> Message:
    """A try played to its end at random."""
    for _ in range(MOST_PRESSES):
        if is_over(message):
            return message
        offered = [i for i, ids in controls(message).items() if ids.action != Action.WHAT_IF]
        await press(sandbox, person, message, custom_id=choice(offered))
    raise AssertionError(message.text)


async def agreeing_rows(bot: RunningBot) -> Mapping[str, object]:
    """The rows of the database, in which everything agrees."""
    assert await bot.store.database.run(faults) == []
    return await bot.rows()


GAMES: Final[Mapping[str, tuple[Callable[[RunningBot], Awaitable[Message]], int, int | None]]] = {
    "tictactoe": (tictactoe, 1, 2),
    "connectfour": (connectfour, 1, 4),
    "ludo": (alone, 0, None),
    "teams": (teams, 0, None),
}
"""A finished game, who tries again there, and a ply after their choice if it stays the same."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", GAMES)
async def test_a_try_is_played_to_its_end_twice_from_one_choice_and_counted_nowhere(
    running_bot: RunningBot, game: str
) -> None:
    play, seat, ply = GAMES[game]
    board, person, sandbox = await play(running_bot), running_bot.people[seat], running_bot.sandbox
    session = (await ludo.table_of(running_bot, board)).session
    ply = ply or first_choice(session, PersonId(person.id)) + 1
    asked = await what_if(sandbox, person, await replay(person, running_bot.games), ply)
    before, seeds = await agreeing_rows(running_bot), set[int]()
    for _ in range(2):
        await press(sandbox, person, asked, label=PLAYED_ON)
        assert asked.ephemeral
        begun = line(asked)
        assert (begun.ply, begun.plies) == (ply - 1, 0)
        assert like("variation.with_dice", "variation.alone").search(asked.text)
        await to_the_end(sandbox, person, asked)
        assert is_over(asked)
        assert like("variation.game").search(asked.text)
        assert line(asked).plies > 0
        seeds.add(line(asked).seed)
        await press(sandbox, person, asked, label=says("control.back_to_more"))
        assert like("why.move").search(asked.text)
    assert len(seeds) == 2, "each try has dice of its own"
    assert await agreeing_rows(running_bot) == before


def first_choice(session: Session, person: PersonId) -> int:
    """The ply of a person's first choice in a game."""
    seat = session.seat_of(person)
    return next(
        ply
        for ply in range(session.ply)
        if (there := session.at(ply).position).turn == seat and len(there.moves()) > 1
    )


async def test_a_move_tried_instead_is_where_a_try_goes_on(running_bot: RunningBot) -> None:
    ben, sandbox = running_bot.people[1], running_bot.sandbox
    await finished(running_bot)
    asked = await what_if(sandbox, ben, await replay(ben, running_bot.games), 2)
    await ben.pick(asked, "4")
    await sandbox.until(lambda: like("why.drawn").search(asked.text))
    await press(sandbox, ben, asked, label=PLAYED_ON)
    assert marks(asked) | {(0, 0): "❌", (1, 1): "⭕"} == marks(asked)
    assert len(marks(asked)) == 3, "the computer has answered"


async def test_a_die_on_a_board_leads_to_the_choice_that_was_made_with_it(
    running_bot: RunningBot,
) -> None:
    board, ann, sandbox = await alone(running_bot), running_bot.people[0], running_bot.sandbox
    session = (await ludo.table_of(running_bot, board)).session
    ply = first_choice(session, PersonId(ann.id))
    asked = await what_if(sandbox, ann, await replay(ann, running_bot.games), ply)
    chosen = explainer_of(session).move(session.at(ply).position, session.moves[ply])
    assert like("why.move", move=ENGLISH_WORDS.of(chosen)).search(asked.text)
    await press(sandbox, ann, asked, label=PLAYED_ON)
    assert line(asked).ply == ply


async def test_only_ones_own_choice_can_be_played_on_from(running_bot: RunningBot) -> None:
    ann, ben, cleo, _ = running_bot.people
    board, sandbox = await finished(running_bot), running_bot.sandbox
    number = ludo.number_of(board)
    for person, ply in ((ann, 2), (ben, 1), (cleo, 2)):
        asked = await what_if(sandbox, person, await replay(person, running_bot.games), ply)
        assert PLAYED_ON not in [button.label for button in asked.buttons]
        forged = await person.press_drawn(asked, f"p1:{number}:{ply}:{Action.PLAY_ON}").answered()
        refused = like("refusal.not_your_turn", "refusal.not_at_table")
        assert refused.search(await running_bot.sentence(forged))


async def test_a_try_that_cannot_go_on_is_refused_in_a_sentence(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board, sandbox = await finished(running_bot), running_bot.sandbox
    number = ludo.number_of(board)
    asked = await what_if(sandbox, ben, await replay(ben, running_bot.games), 2)
    await press(sandbox, ben, asked, label=PLAYED_ON)
    other = (await ann.type(running_bot.games, "tictactoe")).answered()
    running = ludo.number_of((await other).message)
    for session, ply, plies, action, key in (
        (number, 1, 99, "m4", "refusal.variation_over"),
        (number, 99, 0, "m4", "refusal.variation_over"),
        (number, 1, 0, "m0", "refusal.illegal_move"),
        (number, 7, 0, "m5", "refusal.variation_over"),
        (number, 1, 0, "roll", "refusal.not_your_turn"),
        (number, 0, 0, "m4", "refusal.not_your_turn"),
        (number, 1, 0, "rematch", "refusal.illegal_move"),
        (running, 0, 0, "m4", "refusal.not_over"),
        (999_999, 1, 0, "m4", "refusal.unknown_control"),
    ):
        forged = f"v1:{session}:{Variation(ply, plies, 7, 0).line}:{action}"
        said = await running_bot.sentence(await ben.press_drawn(asked, forged).answered())
        assert piece(key) in said, forged
    for garbage in ("", "A" * 13):
        said = await running_bot.sentence(
            await ben.press_drawn(asked, f"v1:{number}:{garbage}:m4").answered()
        )
        assert piece("refusal.unknown_control") in said
    await to_the_end(sandbox, ben, asked)
    ended = f"v1:{number}:{line(asked).line}:m8"
    assert piece("refusal.variation_over") in await running_bot.sentence(
        await ben.press_drawn(asked, ended).answered()
    )
    public = await ben.forge(board, f"v1:{number}:{Variation(1, 0, 7, 0).line}:m4").answered()
    assert piece("refusal.unknown_control") in await running_bot.sentence(public)


def test_a_try_whose_line_fits_no_id_is_over() -> None:
    game = stored(table(2, {}))
    tried = Trial(game, Variation(0, 9_999, 7, 1 << 2_000), game.session)
    with pytest.raises(Refusal, match="variation_over"):
        variation_view(trial(tried), tried, ENGLISH_WORDS)


async def test_a_try_is_read_and_played_in_words(running_bot: RunningBot) -> None:
    ben, sandbox = running_bot.people[1], running_bot.sandbox
    await finished(running_bot)
    await panels.choose(running_bot, ben, "me boards", "words")
    asked = await what_if(sandbox, ben, await replay(ben, running_bot.games), 2)
    await press(sandbox, ben, asked, label=PLAYED_ON)
    assert like("board.words.turn").search(asked.text)
    await press(sandbox, ben, asked, label="b2")
    assert like("since.turn").search(asked.text), "the rival's reply"
    assert is_over(await to_the_end(sandbox, ben, asked))


class Noting:
    """A thinker that plays the first move and notes the seats that it plays for."""

    def __init__(self) -> None:
        self.seats: set[tuple[Any, ...]] = set()

    def quick(self, session: Session) -> Move | None:
        self.seats.add(session.seats)
        move: Move = session.position.moves()[0]
        return move

    async def move(self, session: Session) -> Move:
        raise AssertionError(f"every move is quick: {session}")


@pytest.mark.parametrize(
    ("computers", "expected"),
    [((Level.EASY,), Level.EASY), ((), Level.HARD)],
    ids=["as at the table", "hard"],
)
async def test_computers_are_as_strong_as_at_the_table(
    open_bot: Open, computers: tuple[Level, ...], expected: Level
) -> None:
    thinker = Noting()
    async with open_bot(thinker=thinker) as bot:
        ben = bot.people[1]
        while True:
            board = await begun(bot, Setting("quick", 2, computers))
            await ludo.to_the_end(bot.sandbox, board)
            thinker.seats.clear()
            session = (await ludo.table_of(bot, board)).session
            ply = first_choice(session, PersonId(ben.id)) + 1
            asked = await what_if(bot.sandbox, ben, await replay(ben, bot.games), ply)
            await press(bot.sandbox, ben, asked, label=PLAYED_ON)
            await to_the_end(bot.sandbox, ben, asked)
            if thinker.seats:
                break  # else the try has ended before a computer had a choice
        others = len(session.seats) - 1
        [seats] = thinker.seats
        assert sorted(seats, key=str) == [*(Computer(expected),) * others, Human(PersonId(ben.id))]


async def test_a_try_goes_on_after_the_bot_was_killed(sandbox: Sandbox, tmp_path: Path) -> None:
    async with process(sandbox, tmp_path) as first:
        ann, ben, board = await friends(sandbox)
        for turn, square in enumerate(((0, 0), (0, 1), (1, 1), (2, 2), (1, 0), (1, 2), (2, 0))):
            await (await (ann, ben)[turn % 2].press(board, position=square)).answered()
        asked = await what_if(sandbox, ben, await replay(ben, sandbox.channel("games")), 2)
        await press(sandbox, ben, asked, label=PLAYED_ON)
        await press(sandbox, ben, asked, position=(1, 1))
        await kill(first)
        await sandbox.bot_gone()
    so_far = marks(asked)
    assert len(so_far) == 3
    async with process(sandbox, tmp_path):
        await sandbox.bot_ready()
        await press(sandbox, ben, asked, custom_id=next(iter(controls(asked))))
        assert so_far.items() < marks(asked).items()
        assert is_over(await to_the_end(sandbox, ben, asked))

"""Every text that reaches Discord comes from the catalogues.

A catalogue is made here in which every message stands between ⟦ and ⟧. Whatever the bot then sends
with a letter outside of them was written somewhere else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from bot import locales
from bot.locales import Language
from bot.sandbox import Message
from bot.screens.board import AWAY
from bot.screens.pager import RecordKind
from tests.bot.catalogues import languages
from tests.bot.english import like, says
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import ludo, panels
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.scripted_dice import ScriptedDice

ENGLISH = Path(locales.__file__).parent / "en-US.po"
READ = {"content", "label", "placeholder", "title", "description", "text"}
NOT_WORDS = re.compile(r"<[@#/t][^>]*>|https?://[^\s⟧]+|/\w+|⟧,? and (?=\w*⟦)")
"""Mentions, links, commands, and the "and" of a list, which every language has from Babel."""


@pytest.fixture
def bracketed() -> Mapping[str, Language]:
    """English, each message between brackets, but for what Discord allows no brackets in."""
    catalogue = read_po(BytesIO(ENGLISH.read_bytes()))
    for message in catalogue:
        name = re.fullmatch(r"(command|field)(\.(?!description)[^.]+)+", str(message.id))
        if message.id and not name and isinstance(message.string, str):
            message.string = f"⟦{message.string}⟧"
        elif message.id and not name:
            message.string = tuple(f"⟦{form}⟧" for form in message.string or ())
    return languages({locales.ENGLISH: catalogue})


def framed(key: str) -> str:
    """The message of a key, between its brackets."""
    return f"⟦{says(key)}⟧"


def texts(body: Any, key: str = "") -> Iterator[str]:
    """The readable texts of a request's body."""
    if isinstance(body, Mapping):
        for name, value in body.items():
            yield from texts(value, str(name))
    elif isinstance(body, list):
        for value in body:
            yield from texts(value, key)
    elif isinstance(body, str) and key in READ:
        yield body


def unbracketed(text: str) -> str:
    """The text outside the brackets, the innermost removed first."""
    text = NOT_WORDS.sub("", text)
    while "⟦" in text:
        text, before = re.sub(r"⟦[^⟦⟧]*⟧", "", text), text
        if text == before:
            return text
    return text


@pytest.fixture
def said(sandbox: Sandbox) -> list[str]:
    """Every text that the bot sends."""
    said: list[str] = []

    def listen(seen: Observed) -> None:
        if isinstance(seen, Exchange) and seen.method in {"POST", "PATCH", "PUT"}:
            said.extend(texts(seen.request))

    sandbox.observe(listen)
    return said


def assert_from_the_catalogues(said: list[str]) -> None:
    assert len(said) > 70
    assert not [text for text in said if re.search(r"[^\W\d_]", unbracketed(text))]


@pytest.fixture
def registered(sandbox: Sandbox) -> list[Any]:
    """The commands that are registered from now on, as they are sent to Discord."""
    found: list[Any] = []

    def listen(seen: Observed) -> None:
        if isinstance(seen, Exchange) and isinstance(seen.request, list):
            found.extend(seen.request)

    sandbox.observe(listen)
    return found


async def test_commands_are_registered_in_arabic_which_discord_py_does_not_know(
    registered: list[Any], open_bot: Open
) -> None:
    arabic = Catalog()
    arabic.add("command.me", "أنا")
    arabic.add("field.player.description", "اللاعب")
    english = read_po(BytesIO(ENGLISH.read_bytes()))
    async with open_bot(languages=languages({locales.ENGLISH: english, "ar": arabic})):
        [me] = [command for command in registered if command["name"] == "me"]
    assert me["name_localizations"] == {"en-US": "me", "ar": "أنا"}
    [games] = [command for command in registered if command["name"] == "games"]
    [player] = games["options"]
    assert player["description_localizations"]["ar"] == "اللاعب"


async def test_each_command_says_which_game_is_its_default(
    registered: list[Any], open_bot: Open
) -> None:
    """A history is of all games; nothing else is."""
    async with open_bot():
        pass
    told = {
        command["name"]: option["description"]
        for command in registered
        for option in command.get("options", ())
        if command["name"] in {*RecordKind} and option["name"] == says("field.which")
    }
    last = says("field.which.description")
    of_all = says("field.which.history.description")
    assert told == {"stats": last, "leaderboard": last, "history": of_all}


async def test_nothing_is_said_at_tic_tac_toe_that_is_not_in_the_catalogues(
    open_bot: Open, said: list[str], bracketed: Mapping[str, Language]
) -> None:
    async with open_bot(languages=bracketed) as running_bot:
        ann, ben, cleo, _ = running_bot.people
        await (await ann.type(running_bot.games, "help")).answered()
        for command in ("games", "replay"):
            await (await ann.type(running_bot.games, command)).answered()
        await (await ann.type(running_bot.games, "games", player=ben)).answered()
        board = await running_bot.opened(ann, opponent=ben, size=5, pace="correspondence")
        await running_bot.press(ben, board, framed("control.accept"))
        for by in (ben, cleo, ann):
            await running_bot.mark(by, board, (0, 0))
        await running_bot.later(timedelta(hours=2))
        for label in (says("control.offer"), says("control.agree"), says("control.refuse")):
            await running_bot.press(ben, board, f"⟦{label}⟧")
        await running_bot.mark(ben, board, (0, 1))
        await running_bot.later(timedelta(days=3))
        await running_bot.sandbox.until(lambda: like("board.lapsed", "won.time").search(board.text))
        await running_bot.press(ben, board, f"⟦{says('control.claim')}⟧")
        await running_bot.press(ben, board, framed("control.rematch"))
        await running_bot.press(ann, board, framed("control.rematch"))
        await (await ann.type(running_bot.games, "games")).answered()
        shown = (await running_bot.press(ann, board, framed("control.replay"))).message
        for label in (
            says("control.next"),
            says("control.last"),
            says("control.as_files"),
        ):
            await running_bot.press(ann, shown, f"⟦{label}⟧")
        await running_bot.opened(ann, level="easy")
        await running_bot.opened(ann, anyone=True)
        await running_bot.type(ann, opponent=ann)
        await running_bot.type(ann, size=3, line=5)
        for command in ("stats", "leaderboard", "history"):
            await (await ann.type(running_bot.games, command)).answered()
            await (await cleo.type(running_bot.games, command, game="ludo")).answered()
        await running_bot.later(timedelta(minutes=15))
        await running_bot.sandbox.until(
            lambda: says("closed.expired") in str([m.text for m in ann.sees(running_bot.games)])
        )
    assert_from_the_catalogues(said)


async def test_nothing_is_said_of_choices_that_is_not_in_the_catalogues(
    open_bot: Open, said: list[str], bracketed: Mapping[str, Language]
) -> None:
    async with open_bot(languages=bracketed) as running_bot:
        await choose(running_bot)
    assert_from_the_catalogues(said)


async def choose(running_bot: RunningBot) -> None:
    """All that one can choose for oneself or the server, and what that forbids."""
    ann, ben, *_ = running_bot.people
    for language in ("en-US", "automatic"):
        await panels.choose(running_bot, ann, "me language", language)
        await panels.choose(running_bot, ann, "settings language", language)
    for accept in ("off", "on"):
        await panels.choose(running_bot, ben, "me challenges", accept)
        if accept == "off":
            await running_bot.say(ann, "tictactoe", opponent=ben)
    await panels.use(running_bot, ann, "me blocked", ann)
    await panels.choose(running_bot, ann, "me blocked", ben)
    await running_bot.say(ann, "tictactoe", opponent=ben)
    await running_bot.say(ben, "tictactoe", opponent=ann)
    await panels.choose(running_bot, ann, "me blocked")
    lounge = running_bot.sandbox.channel("lounge")
    await panels.choose(running_bot, ann, "settings channels", lounge)
    await running_bot.say(ann, "tictactoe")
    await panels.choose(running_bot, ann, "settings channels")
    await panels.choose(running_bot, ann, "settings games", "1")
    await running_bot.press(
        ann, await running_bot.opened(ann, anyone=True), framed("control.withdraw")
    )
    await running_bot.opened(ben, anyone=True)
    await running_bot.say(ann, "tictactoe", anyone=True)
    await panels.choose(running_bot, ann, "settings games", "50")
    for reminders in ("on", "off", "direct"):
        await panels.choose(running_bot, ann, "me reminders", reminders)
    for look in ("picture", "emoji"):
        await panels.choose(running_bot, ann, "settings boards", look)
    await keep_or_forget(running_bot)


def edited(board: Message, since: int) -> bool:
    """Whether a board has been drawn again since it had been so often."""
    return board.edits > since


async def keep_or_forget(running_bot: RunningBot) -> None:
    """All that somebody is told who asks what is kept about them, and then to be forgotten."""
    ann, ben, cleo, dan = running_bot.people
    for what in ("me export", "me forget"):
        await panels.use(running_bot, dan, what)
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben, player3=cleo)
    for person, label in (
        (ben, says("control.join")),
        (cleo, says("control.join")),
        (ann, says("control.start")),
    ):
        await running_bot.press(person, board, f"⟦{label}⟧")
    await panels.use(running_bot, ann, "me export")
    for label in (says("control.keep"), says("control.forget")):
        asked = (await panels.use(running_bot, ann, "me forget")).message
        await running_bot.press(ann, asked, f"⟦{label}⟧")
    for person in (ben, cleo):
        more = await running_bot.more(person, board)
        label = next(
            label
            for label in (framed("control.resign"), framed("control.cancel"))
            if label in ludo.labels(more)
        )
        edits, asked = board.edits, (await running_bot.press(person, more, label)).message
        if asked.buttons:
            await running_bot.press(person, asked, asked.buttons[0].label)
        await running_bot.sandbox.until(partial(edited, board, edits))
    await (await ben.type(running_bot.games, "stats", game="ludo")).answered()
    if framed("control.replay") in ludo.labels(board):
        await running_bot.press(ben, board, framed("control.replay"))


async def test_nothing_is_said_at_ludo_that_is_not_in_the_catalogues(
    open_bot: Open, said: list[str], bracketed: Mapping[str, Language], dice: ScriptedDice
) -> None:
    dice.fall(6, 1, 1, 2, 2, 2)  # Ann begins, and nobody leaves a yard at first
    async with open_bot(languages=bracketed) as running_bot:
        board = await around_a_table(running_bot)
        await around_a_game(running_bot, board)
        ann, ben, *_ = running_bot.people
        for options in ({"player2": ann}, {"player2": ben, "computers": 3}):
            await ludo.typed(running_bot.sandbox, ann, **options)
        await ludo.opened(running_bot.sandbox, ann, pace="relaxed")
        await running_bot.later(timedelta(minutes=30))
        await running_bot.sandbox.until(
            lambda: (
                says("closed.gathering.expired")
                in str([m.text for m in ann.sees(running_bot.games)])
            )
        )
    assert_from_the_catalogues(said)


async def around_a_table(running_bot: RunningBot) -> Message:
    """All that can be done before a game, and its start with Ann, Ben and a computer."""
    ann, ben, cleo, dan = running_bot.people
    board = await ludo.opened(running_bot.sandbox, ann, player2=ben, player3=cleo)
    for person, label in (
        (ben, says("control.join")),
        (cleo, says("control.decline")),
        (dan, says("control.start")),
    ):
        await running_bot.press(person, board, f"⟦{label}⟧")
    menu = framed("menu.table")
    for person, value in (
        *((ann, "add:easy"), (ann, "add:expert"), (ben, "rules")),
        *((ann, "board:picture"), (ann, "board:emoji"), (ann, "auto"), (ann, "auto")),
    ):
        await ludo.pick(person, board, value, menu=menu)
    rules = (await ludo.pick(ann, board, "rules", menu=menu)).message
    for value in ("teams:yes", "finish:places", "lane:slots"):
        await ludo.pick(ann, rules, value, menu=framed("menu.change_rule"))
    await running_bot.sandbox.until(lambda: like("ludo.option.teams.yes").search(board.text))
    for value in ("partners", "remove", "preset:damascus", "preset:quick"):
        await ludo.pick(ann, board, value, menu=menu)
    await running_bot.press(ann, board, framed("control.start"))
    return board


async def around_a_game(running_bot: RunningBot, board: Message) -> None:
    """All that can be done in a game: leaving, coming back, looking, asking, playing again."""
    ann, ben, cleo, _ = running_bot.people
    for form in ("words", "image"):
        await panels.choose(running_bot, ann, "me boards", form)
        await running_bot.press(ann, board, f"⟦{says('control.view')}⟧")
    for key in ("rules", "proof", "auto_roll.on", "auto_roll.off"):
        await running_bot.press(ben, board, framed(f"control.{key}"))
    await running_bot.more(cleo, board)
    asked = (await running_bot.press(ann, board, framed("control.resign"))).message
    await running_bot.press(ann, asked, framed("control.resign"))
    await running_bot.sandbox.until(lambda: AWAY in board.text)
    for person in (cleo, ann):
        await running_bot.press(person, board, framed("control.come_back"))
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: AWAY in board.text)
    await running_bot.press(ann, board, framed("control.come_back"))
    await (await cleo.type(running_bot.games, "board")).answered()
    board = (await (await ben.type(running_bot.games, "board")).answered()).message
    await ludo.until(
        running_bot.sandbox, board, lambda: framed("control.rematch") in ludo.labels(board)
    )
    for label in (says("control.proof"), says("control.rematch"), says("control.rematch")):
        await running_bot.press(ann, board, f"⟦{label}⟧")
    await (await cleo.type(running_bot.games, "board", game="77")).answered()


def first_letter(line: str) -> str:
    """The way of the first letter outside of what is isolated; it decides that of the line."""
    inside = 0
    for character in re.sub("<[^>]*>", "", line):
        way = unicodedata.bidirectional(character)
        inside += (way in {"LRI", "RLI", "FSI"}) - (way == "PDI")
        if not inside and way in {"L", "R", "AL"}:
            return way
    return ""


async def test_every_line_of_an_arabic_board_goes_from_the_right_but_for_its_squares(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    ann.locale = "ar"
    await ludo.opened(running_bot.sandbox, ann, player2=ben)
    board = await ludo.opened(running_bot.sandbox, ann, computers=3)
    for _ in range(6):
        await running_bot.sandbox.until(lambda: bool(ludo.offers(board)))
        pressed = await ann.press(board, custom_id=ludo.offers(board)[0].custom_id)
        await pressed.answered()
    lines = [
        line
        for message in ann.sees(running_bot.games)
        for line in message.text.split("\n")
        if line.strip("\u200b")  # one with nothing else keeps the board's height
    ]
    ways = {line: first_letter(line) for line in lines}
    squares = [line for line in lines if re.fullmatch(r"\u2066(?:\W\ufe0f?)+\u2069", line)]
    assert len(squares) > 10
    assert not [line for line in squares if ways[line]]
    assert not [line for line in {*lines} - {*squares} if ways[line] not in {"R", "AL"}]

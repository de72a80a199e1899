"""The real bot, with its database, connected to a sandbox."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import shutil
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import pytest
from discord.app_commands import Command, ContextMenu
from sqlalchemy import Connection, select

from bot import app
from bot.app import Parlour
from bot.locales import Language
from bot.sandbox import Answer, Button, Channel, Interaction, Message
from bot.sandbox.model import registry
from bot.service.ports import Meter, Thinker
from bot.service.tables import TableService
from bot.settings import read_settings
from bot.storage.privacy.guilds import GuildData
from bot.storage.schema.base import metadata
from bot.storage.tables import Tables
from bot.table.actions import Action
from bot.table.rights import may_cancel
from bot.table.session import Session, SessionId
from bot.table.table import Table
from bot.ui import discord_internals, registration, response, router
from bot.ui.client import ParlourClient
from bot.ui.commands import slash
from bot.ui.emojis import Sprites
from tests import samples
from tests.bot.clock import ManualClock
from tests.bot.databases import Files, NewDatabase, template
from tests.bot.english import mover_in, says
from tests.bot.lent_processes import Lender
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.ui.every_language import EveryLanguage, others
from tests.bot.ui.limits import Limits
from tests.bot.ui.scripted_dice import ScriptedDice
from tests.conftest import WRITTEN
from tests.simulation.loop import Pace, VirtualLoop
from tests.simulation.seeded import MachineClock, seeded
from tests.simulation.threads import Disk, LoopProcesses

Square: TypeAlias = tuple[int, int]
"""A square of tic-tac-toe, as the row and the column of its button."""

UPDATES: Final = (Answer.UPDATE, Answer.LATER_UPDATE)
"""The answers of a press that draws its board: on a machine that is slow the later one."""

A, B, C, D, E, F = (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)
K = (2, 2)
"""The squares of 3x3 from the top left, and the last one."""

SOME_LANGUAGES: Final = 2
"""The other languages that everything is drawn in; in an exhaustive run it is in all."""

OFFER: Final = re.compile(r"p1:\d+:\d+:(?:roll|m\d+)")


@dataclass
class RunningBot:
    """The bot at work, and the people who play there."""

    sandbox: Sandbox
    parlour: Parlour
    clock: ManualClock

    @property
    def client(self) -> ParlourClient:
        return self.parlour.client

    @property
    def service(self) -> TableService:
        return self.parlour.use_cases.tables

    @property
    def store(self) -> Tables:
        return self.parlour.stores.tables

    @property
    def guild_data(self) -> GuildData:
        return self.parlour.stores.guild_data

    @property
    def games(self) -> Channel:
        return self.sandbox.channel("games")

    @property
    def people(self) -> tuple[Person, Person, Person, Person]:
        ann, ben, cleo, dan = map(self.sandbox.person, ("Ann", "Ben", "Cleo", "Dan"))
        return ann, ben, cleo, dan

    async def done(self, act: Interaction) -> Interaction:
        """A press or a command once its handler is done, which may have deferred it first."""
        await act.answered()
        await self.client.router.closed()
        return act

    async def type(self, person: Person, **options: object) -> Interaction:
        """`/tictactoe` in the channel, answered; whoever types it has X unless they say."""
        given = {"mark": "x", **options}
        return await (await person.type(self.games, "tictactoe", **given)).answered()  # type: ignore[arg-type]

    async def opened(self, person: Person, **options: object) -> Message:
        """The board that `/tictactoe` opens."""
        typed = await self.type(person, **options)
        # A slow answer is deferred first, and then there is nothing to read yet.
        await self.sandbox.until(lambda: bool(typed.message.text))
        message = typed.message
        assert message is not None
        assert not message.ephemeral, message.text
        return message

    async def friends(self, **options: object) -> Message:
        """A board on which Ann, with X, plays Ben."""
        ann, ben, *_ = self.people
        board = await self.opened(ann, opponent=ben, **options)
        await self.press(ben, board, says("control.accept"))
        return board

    async def won(self) -> Message:
        """The board of a game that Ann has won against Ben."""
        board = await self.friends()
        await self.play(board, A, D, B, E, C)
        return board

    async def say(
        self, person: Person, command: str, at: Channel | None = None, /, **options: object
    ) -> str:
        """Type a command, in the channel unless said otherwise; return the private answer."""
        typed = await person.type(at or self.games, command, **options)  # type: ignore[arg-type]
        message = (await typed.answered()).message
        assert message.ephemeral, message.text
        return message.text

    async def press(self, person: Person, board: Message, label: str) -> Interaction:
        """A button pressed by its label, behind *More* if it is not on the board, and answered."""
        if label not in [button.label for button in board.buttons] and control(board, Action.MORE):
            board = await self.more(person, board)
        return await (await person.press(board, label)).answered()

    async def more(self, person: Person, board: Message) -> Message:
        """The panel that *More* opens."""
        opened = await person.press(board, custom_id=control(board, Action.MORE))
        return (await opened.answered()).message

    async def mark(self, person: Person, board: Message, square: Square) -> Interaction:
        """A square pressed, and answered."""
        return await (await person.press(board, position=square)).answered()

    async def told(self, person: Person, board: Message, press: str | Square) -> str:
        """Press a button; return the private answer."""
        if isinstance(press, str):
            pressed = await self.press(person, board, press)
        else:
            pressed = await self.mark(person, board, press)
        return await self.sentence(pressed)

    async def sentence(self, pressed: Interaction) -> str:
        """The private answer to a press: at once, or after the board was drawn again."""
        message = pressed.message
        if message is pressed.source:
            await self.sandbox.until(lambda: pressed.followups)
            message = pressed.followups[-1]
        assert message.ephemeral, message.text
        return message.text

    async def turn(self, board: Message) -> None:
        """One turn of the next person to move, with the first thing that the board offers."""
        found = await self.sandbox.until(lambda: mover_in(board.text))
        mover = next(person for person in self.people if str(person.id) == found)
        offered = [
            button.custom_id
            for button in board.buttons
            if OFFER.fullmatch(button.custom_id) and not marked(button)
        ]
        await (await mover.press(board, custom_id=offered[0])).answered()

    async def both_moved(self, board: Message) -> None:
        """Turns played until the game can be resigned, and until one of tic-tac-toe is rated."""
        cells = (button for button in board.buttons if not button.label)
        squares = [cell for cell in cells if OFFER.fullmatch(cell.custom_id)]
        while may_cancel(await self.session(board)) or (squares and len(played(board)) < 4):
            await self.turn(board)

    async def session(self, board: Message) -> Session:
        """The stored session of a board."""
        number = SessionId(int(board.buttons[0].custom_id.split(":")[1]))
        return (await self.store.table(number)).session

    async def rows(self) -> Mapping[str, object]:
        """The rows of all tables of the database, but for what messages show by now."""

        def read(connection: Connection) -> Mapping[str, object]:
            kept = {
                name: [column for column in table.columns if column.name != "shown"]
                for name, table in metadata.tables.items()
            }
            return {name: connection.execute(select(*own)).all() for name, own in kept.items()}

        return await self.store.database.run(read)

    async def resign(self, person: Person, board: Message) -> None:
        """A game given up and seen to be over, which takes a move of each side first."""
        await self.both_moved(board)
        asked = (await self.press(person, board, says("control.resign"))).message
        assert asked.ephemeral
        before = board.edits
        await self.done(await self.press(person, asked, says("control.resign")))
        await self.sandbox.until(lambda: board.edits > before)

    async def later(self, by: timedelta) -> None:
        """Lets time pass, when all presses are done with and no round is under way.

        A round leaves a board that is being pressed to the press, and has the time it began with.
        """
        await self.client.router.closed()
        await self.clock.waited_for()
        self.clock.advance(by)

    async def play(self, board: Message, *squares: Square) -> None:
        """Squares pressed by Ann and Ben in turn."""
        ann, ben, *_ = self.people
        for turn, square in enumerate(squares):
            await self.mark((ann, ben)[turn % 2], board, square)


def control(board: Message, action: Action) -> str:
    """The id of a board's control; empty if there is none."""
    ids = (button.custom_id for button in board.buttons)
    return next((each for each in ids if each.endswith(f":{action}")), "")


MARKS: Final = {"❌": "❌", "❎": "❌", "⭕": "⭕", "🔘": "⭕", "🟢": "⭕"}
"""The marks of common emoji, while there are no others: the second of each is the last move."""


OWN_MARKS: Final = {"_x": "❌", "_o": "⭕"}
"""The marks of Parlour's own emoji, by the ends of their names."""


def mark_on(button: Button) -> str | None:
    """The mark on a square, drawn with the bot's own emoji or with a common one."""
    name = button.emoji.name if button.emoji else ""
    return MARKS.get(name) or OWN_MARKS.get(name[-2:])


def marks(board: Message) -> dict[tuple[int, int] | None, str]:
    """The marks on a board of tic-tac-toe, by row and column."""
    return {each.position: found for each in board.buttons if (found := mark_on(each))}


def marked(button: Button) -> bool:
    """Whether a mark stands on a square."""
    return mark_on(button) is not None


def played(board: Message) -> list[tuple[int, int] | None]:
    """The squares of a board of tic-tac-toe with marks on them."""
    return [*marks(board)]


async def first_of(awaited: Coroutine[Any, Any, None], running: asyncio.Task[None]) -> None:
    """Waits for something to happen while a task runs; if the task fails, so does the wait."""
    waiting = asyncio.create_task(awaited)
    await asyncio.wait({waiting, running}, return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        waiting.cancel()
        running.result()


Open = Callable[..., AbstractAsyncContextManager[RunningBot]]


def pytest_asyncio_loop_factories(
    item: pytest.Item,
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The event loop of a test: in virtual time where it uses that, on SQLite alone."""
    used = {name for each in item.iter_markers("usefixtures") for name in each.args}
    if "virtual_time" not in used or item.get_closest_marker("both_databases"):
        return {"real": asyncio.new_event_loop}
    return {"virtual": partial(VirtualLoop, Pace(None))}


@pytest.fixture
async def virtual_time(rng: Random) -> AsyncIterator[None]:
    """Waiting that takes no time, since the clock jumps to the next timer.

    Bot, discord.py and sandbox are as they are; connections are in memory, and the loop carries out
    what threads and processes do otherwise. Tests of both databases go on in real time.
    """
    loop = asyncio.get_running_loop()
    if isinstance(loop, VirtualLoop):
        with seeded(loop, MachineClock(loop), rng):
            yield
    else:
        yield


@pytest.fixture(scope="session")
def every_language(pytestconfig: pytest.Config) -> EveryLanguage:
    """The languages in which everything is drawn that a test of this folder has written."""
    choose = samples.of_loop(pytestconfig, "languages")
    every = EveryLanguage(choose(others(), SOME_LANGUAGES))
    pytestconfig.stash[WRITTEN] = every.keys
    gc.freeze()  # the catalogues stay
    return every


@pytest.fixture(autouse=True)
def said_in_every_language(every_language: EveryLanguage) -> Iterator[None]:
    """Whatever a test makes the bot write can be written in every language."""
    with pytest.MonkeyPatch.context() as watched:
        every_language.watch(watched)
        yield
    assert [*every_language.faults()] == []


PATIENCE: Final = 30.0
"""Seconds that people wait for an answer, instead of three."""


def hurry_nobody(patched: pytest.MonkeyPatch) -> None:
    """Have no answer be late or deferred, however busy the machine is."""
    patched.setattr(response, "DEFER_AFTER", 20.0)
    patched.setattr(response, "ANSWERED_WITHIN", 28.0)
    patched.setattr(router, "LAST_ANSWERS", 28.0)
    patched.setattr(registry, "TIME_TO_ANSWER", PATIENCE)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer is late or deferred but where a test says so."""
    hurry_nobody(monkeypatch)


@pytest.fixture(scope="session", autouse=True)
def commands_translated_once() -> Iterator[None]:
    """discord.py is asked once which texts a command has, and they are translated once.

    Commands are registered in English and one more language, since in all it takes a while.
    Processes of the bot that tests start register them in all.
    """
    payloads: dict[tuple[object, ...], Any] = {}

    def asked_once(kind: type[Any]) -> Callable[..., Coroutine[Any, Any, Any]]:
        ask, known = kind.get_translated_payload, dict[str, Any]()

        async def once(command: Any, tree: Any, translator: Any) -> Any:
            key = json.dumps(command.to_dict(tree))
            if key not in known:
                known[key] = await ask(command, tree, translator)
            return known[key]

        return once

    def translated(payload: Any, languages: Mapping[str, Language]) -> Any:
        two = dict(islice(languages.items(), 2))
        key = (*map(id, payload), *two.values())
        if key not in payloads:
            payloads[key] = slash.translated(payload, two)
        return payloads[key]

    with pytest.MonkeyPatch.context() as patched:
        for kind in (Command, ContextMenu):
            patched.setattr(kind, "get_translated_payload", asked_once(kind))
        patched.setattr(registration, "translated", translated)
        yield


@pytest.fixture
def connected_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shard whose connection was cut finds another without discord.py's pauses."""

    async def at_once(*_: object, **__: object) -> None:
        return

    monkeypatch.setattr(ParlourClient, "before_identify_hook", at_once)
    monkeypatch.setattr(discord_internals, "CONNECTING_AGAIN", (0.0, 0.02))


@pytest.fixture
def a_round_before_the_gateway(monkeypatch: pytest.MonkeyPatch) -> None:
    """A start whose first round is over before the gateway names any server."""
    rests, until, login = asyncio.Event(), ManualClock.until, ParlourClient.login

    async def anew(client: ParlourClient, token: str) -> None:
        rests.clear()
        await login(client, token)

    async def noted(clock: ManualClock, moment: datetime) -> None:
        rests.set()
        await until(clock, moment)

    async def after_a_round(*_: object, **__: object) -> None:
        await rests.wait()

    monkeypatch.setattr(ParlourClient, "login", anew)
    monkeypatch.setattr(ManualClock, "until", noted)
    monkeypatch.setattr(ParlourClient, "before_identify_hook", after_a_round)


@pytest.fixture
def database(new_database: NewDatabase, tmp_path: Path) -> Iterator[str]:
    """The URL of a database, in the test's own folder if it is a file."""
    if isinstance(new_database, Files):
        shutil.copy(template(), tmp_path / "parlour.db")
        yield f"sqlite:///{tmp_path}/parlour.db"
    else:
        address = new_database()
        yield address
        new_database.drop(address)


@pytest.fixture(scope="session")
def lender() -> Iterator[Lender]:
    """The processes that think in all tests of this folder."""
    with closing(Lender()) as lender:
        yield lender


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> ScriptedDice:
    """Dice whose next rolls the test gives."""
    dice = ScriptedDice(Table.pips)
    monkeypatch.setattr(Table, "pips", lambda table, ply: dice.pips(table, ply))  # noqa: PLW0108 - binds the table
    return dice


@pytest.fixture
def open_bot(sandbox: Sandbox, database: str, lender: Lender, rng: Random) -> Iterator[Open]:
    """Opens the bot on the test's database, as often as a test wants to."""
    limits = Limits()
    sandbox.observe(limits)
    yield opening(sandbox, database, lender, rng)
    assert not limits.faults, limits.faults[0]


def opening(sandbox: Sandbox, database: str, lender: Lender, rng: Random) -> Open:
    """Opens the bot on a database and a sandbox, whose time it has.

    Its first round is over, unless it is not to be waited for: else that would meet what the test
    does first, at the very moment of the start.
    """
    given = {"DATABASE_URL": database, "PARLOUR_SEARCH_WORKERS": "1", "PARLOUR_PRESS_LIMIT": "0"}

    @asynccontextmanager
    async def open_bot(
        *,
        thinker: Thinker | None = None,
        languages: Mapping[str, Language] | None = None,
        sprites: Sprites | None = None,
        new_sandbox: bool = False,
        later: timedelta = timedelta(),
        meter: Meter | None = None,
        settling: float = 0.0,
        first_round: bool = True,
        checker: Callable[[], str | None] = lambda: f"{sandbox.url}/verify.html",
        **chosen: str,
    ) -> AsyncIterator[RunningBot]:
        settings = read_settings({**given, **chosen}, dotenv=Path("there is none"))
        clock = ManualClock(sandbox.clock.now() + later)
        loop, beside = asyncio.get_running_loop(), dict[str, Any](processes=lender)
        if isinstance(loop, VirtualLoop):
            beside["processes"] = LoopProcesses(loop.pace)
            beside["new_database"] = Disk(loop.pace, time.time).database
        async with app.open(
            settings,
            clock=clock,
            rng=rng,
            thinker=thinker,
            **beside,
            languages=languages,
            sprites=sprites or {},
            new_sandbox=sandbox.world.bot.id if new_sandbox else None,
            checker=checker,
            meter=meter,
            settling=settling,
        ) as parlour:
            # The clock jumps far in tests, and the bot is awake all the while.
            parlour.use_cases.absences.asleep_after = timedelta.max
            running = asyncio.create_task(parlour.connect(sandbox.token, sandbox.url))
            try:
                await first_of(sandbox.bot_ready(), running)
                if not sprites:
                    await parlour.client.emoji_ready.wait()
                if first_round:
                    await clock.waited_for()
                yield RunningBot(sandbox, parlour, clock)
            finally:
                await parlour.client.close()
                await running
                await sandbox.bot_gone()

    return open_bot


@pytest.fixture
async def running_bot(open_bot: Open) -> AsyncIterator[RunningBot]:
    """The bot at work on the test's database."""
    async with open_bot() as running_bot:
        yield running_bot

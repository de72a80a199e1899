"""Events that came while the database was away are found by comparing, once it is back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TypeAlias

import pytest

from bot.sandbox import Membership, Message
from bot.storage import database as storage
from bot.table.session import SessionId
from bot.ui import router
from tests.bot.english import like, says
from tests.bot.heard import heard
from tests.bot.postgres import Server
from tests.bot.stand_in import Sandbox
from tests.bot.storage.test_storage_faults import away
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import panels
from tests.bot.ui.conftest import Open, RunningBot, marks
from tests.bot.ui.test_departures import removed, server

pytestmark = pytest.mark.both_databases

Happens: TypeAlias = Callable[[RunningBot, Message], None]
Known: TypeAlias = Callable[[RunningBot, SessionId], Awaitable[bool]]
Outage: TypeAlias = Callable[[], AbstractContextManager[None]]

A = (0, 0)


@pytest.fixture
def missed() -> Iterator[asyncio.Event]:
    """Set once an event has met a database that was away."""
    with heard("bot.ui.reach", "event left to the comparison") as noted:
        yield noted


@pytest.fixture
def outage(
    database: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Outage:
    """The database is away meanwhile: its file, or its server."""
    monkeypatch.setattr(storage, "PATIENCE", 0.0)
    if database.startswith("sqlite"):
        return lambda: away(Path(database.removeprefix("sqlite:///")))
    server: Server = request.getfixturevalue("postgres_server")

    @contextmanager
    def stopped() -> Iterator[None]:
        server.stop("immediate")
        try:
            yield
        finally:
            server.start()

    return stopped


def channel_deleted(running_bot: RunningBot, board: Message) -> None:
    running_bot.sandbox.remove_channel(board.channel)


def server_left(running_bot: RunningBot, _: Message) -> None:
    running_bot.sandbox.move(Membership.LEFT)


def message_deleted(running_bot: RunningBot, board: Message) -> None:
    running_bot.people[0].delete(board)


def labels(board: Message) -> list[str]:
    return [button.label for button in board.buttons]


async def closed(running_bot: RunningBot, table: SessionId) -> bool:
    return (await running_bot.store.table(table)).session.ending is not None


async def lost(running_bot: RunningBot, table: SessionId) -> bool:
    return (await running_bot.store.table(table)).place.lost


async def compared(running_bot: RunningBot) -> None:
    """The next round is through."""
    await running_bot.later(timedelta(seconds=5))
    await running_bot.clock.waited_for()


async def opened(running_bot: RunningBot, channel: str) -> tuple[Message, SessionId]:
    """A game of Ann's and Ben's in a channel."""
    ann, ben, *_ = running_bot.people
    at = running_bot.sandbox.channel(channel)
    board = (await (await ann.type(at, "tictactoe", opponent=ben)).answered()).message
    await running_bot.press(ben, board, says("control.accept"))
    [table] = await running_bot.service.boards(at.id)
    return board, table.id


@pytest.mark.parametrize(
    "case",
    [
        ("lounge", channel_deleted, closed),
        ("games-thread", channel_deleted, closed),
        ("games", server_left, closed),
        ("games", message_deleted, lost),
    ],
)
async def test_what_goes_while_the_database_is_away_is_known_soon_after(
    running_bot: RunningBot,
    outage: Outage,
    missed: asyncio.Event,
    case: tuple[str, Happens, Known],
    caplog: pytest.LogCaptureFixture,
) -> None:
    channel, happens, known = case
    board, table = await opened(running_bot, channel)
    with outage():
        happens(running_bot, board)
        await missed.wait()
    assert not await known(running_bot, table)
    await compared(running_bot)
    assert await known(running_bot, table)
    assert "Traceback" not in caplog.text


async def test_a_channel_that_goes_while_the_database_is_away_leaves_the_list(
    running_bot: RunningBot, outage: Outage, missed: asyncio.Event
) -> None:
    ann, *_ = running_bot.people
    lounge = running_bot.sandbox.channel("lounge")
    await panels.choose(running_bot, ann, "settings channels", lounge)
    with outage():
        running_bot.sandbox.remove_channel(lounge)
        await missed.wait()
    await compared(running_bot)
    await running_bot.friends()


async def test_a_server_that_takes_the_bot_back_while_the_database_is_away_keeps_its_data(
    running_bot: RunningBot, outage: Outage, missed: asyncio.Event
) -> None:
    board, _ = await opened(running_bot, "games")
    await removed(running_bot)
    with outage():
        running_bot.sandbox.move(Membership.JOINED)
        await missed.wait()
    await compared(running_bot)
    assert await running_bot.guild_data.known() == {server(running_bot): None}
    assert like("refusal.closed").search(await running_bot.told(running_bot.people[0], board, A))


@pytest.mark.parametrize("answers", [404, 503])
async def test_channels_are_compared_once_an_hour_although_no_event_came(
    running_bot: RunningBot, answers: int
) -> None:
    """Discord's own trouble puts it off to the next round."""
    _, table = await opened(running_bot, "games-thread")
    await compared(running_bot)
    thread = running_bot.sandbox.channel("games-thread")
    there = running_bot.client.get_guild(server(running_bot))
    assert there is not None
    there._remove_threads_by_channel(thread.parent_id or 0)
    del running_bot.sandbox.world.channels[thread.id]
    if answers == 503:
        running_bot.sandbox.fail_next("GET", "/channels/*", 503)
    await running_bot.later(timedelta(minutes=4))
    await running_bot.clock.waited_for()
    assert not await closed(running_bot, table)
    await running_bot.later(timedelta(hours=1))
    await running_bot.clock.waited_for()
    assert await closed(running_bot, table) is (answers == 404)
    await compared(running_bot)
    assert await closed(running_bot, table)


async def test_a_thread_that_is_archived_is_asked_about_and_keeps_its_games(
    running_bot: RunningBot,
) -> None:
    asked: list[str] = []

    def listen(observed: Observed) -> None:
        if isinstance(observed, Exchange) and observed.path == "/channels/{channel_id}":
            asked.append(observed.method)

    running_bot.sandbox.observe(listen)
    _, table = await opened(running_bot, "games-thread")
    await compared(running_bot)
    await running_bot.later(timedelta(minutes=5))  # after which nothing is to be drawn
    await running_bot.clock.waited_for()
    running_bot.sandbox.archive(running_bot.sandbox.channel("games-thread"))
    await running_bot.later(timedelta(hours=1))
    await running_bot.clock.waited_for()
    await compared(running_bot)
    assert asked == ["GET"]
    assert not await closed(running_bot, table)


async def test_channels_that_went_while_the_bot_was_off_are_found_at_its_start(
    open_bot: Open, sandbox: Sandbox
) -> None:
    async with open_bot() as running_bot:
        _, table = await opened(running_bot, "lounge")
    sandbox.remove_channel(sandbox.channel("lounge"))
    async with open_bot() as running_bot:
        await running_bot.client.wait_until_ready()
        await compared(running_bot)
        assert await closed(running_bot, table)


@pytest.mark.parametrize("deferred", [False, True])
async def test_a_board_posted_when_the_database_goes_away_stands_and_nobody_is_told_otherwise(
    running_bot: RunningBot,
    outage: Outage,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    *,
    deferred: bool,
) -> None:
    ann, ben, *_ = running_bot.people
    method, path = ("PATCH", "/webhooks/**") if deferred else ("POST", "/interactions/*/*/callback")
    if deferred:
        monkeypatch.setattr(router, "AT_ONCE", 0)
    gate = running_bot.sandbox.hold_next(method, path)
    typed = await ann.type(running_bot.games, "tictactoe", opponent=ben, mark="x")
    await gate.reached()
    with outage():
        gate.open()
        await running_bot.done(typed)
    assert not typed.followups
    board = typed.message
    await compared(running_bot)
    await running_bot.press(ben, board, says("control.accept"))
    await running_bot.sandbox.until(lambda: says("control.accept") not in labels(board))
    await running_bot.mark(ann, board, A)
    await running_bot.sandbox.until(lambda: marks(board) == {A: "❌"})
    assert [each for each in ann.sees(running_bot.games) if each.controls] == [board]
    assert "Traceback" not in caplog.text

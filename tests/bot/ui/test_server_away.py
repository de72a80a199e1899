"""A PostgreSQL server that goes away and comes back: each press is answered, nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from sqlalchemy import Connection, Engine, event, func, select

from bot.storage import database as storage
from bot.storage.opening import reading_transaction
from bot.storage.schema.game_tables import moves, sessions
from tests.bot.databases import faults
from tests.bot.english import like, says
from tests.bot.postgres import Server
from tests.bot.thinkers import Gated
from tests.bot.ui.conftest import A, B, C, D, E, Open, marks

if TYPE_CHECKING:
    from psycopg import AsyncConnection

psycopg = pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")

Break: TypeAlias = Callable[[Connection], None]

AWAY = says("unavailable")
LATE = like("board.lapsed")
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'move'::regclass"


@pytest.fixture
def database(postgres_address: str) -> str:
    return postgres_address


def stored(address: str) -> tuple[int, int]:
    """Count the tables and moves of a database that agrees with itself."""
    with reading_transaction(address) as connection:
        assert faults(connection) == []
        tables = connection.execute(select(func.count()).select_from(sessions)).scalar_one()
        made = connection.execute(select(func.count()).select_from(moves)).scalar_one()
    return tables, made


@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_presses_are_answered_with_a_sentence_and_the_game_goes_on_when_it_is_back(
    open_bot: Open, postgres_server: Server, mode: str
) -> None:
    async with open_bot() as running_bot:
        ann, ben, *_ = running_bot.people
        board = await running_bot.friends()
        await running_bot.play(board, A, D)
        postgres_server.stop(mode)
        try:
            assert AWAY in await running_bot.told(ann, board, B)
            assert AWAY in await running_bot.say(ben, "stats", game="tictactoe")
        finally:
            postgres_server.start()
        await running_bot.play(board, B, E, C)
        assert len(marks(board)) == 5
    async with open_bot() as running_bot:
        assert "1\u20110\u20110" in await running_bot.say(ann, "stats", game="tictactoe")


@pytest.fixture
def restart(postgres_server: Server, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Restarts the server after a crash, for which work waits however long the start takes."""
    monkeypatch.setattr(storage, "PATIENCE", 20.0)

    def restart() -> None:
        postgres_server.stop("immediate")
        postgres_server.start()

    return restart


@contextmanager
def broken_off(insert: str, happens: Break, number: int = 1) -> Iterator[None]:
    """Has something happen when the transaction that inserts such a row is about to be committed.

    It happens to the `number`th of them, counted from 1.
    """
    seen: list[Connection] = []

    def note(connection: Connection, _: object, statement: str, *__: Any) -> None:
        if statement.startswith(f"INSERT INTO {insert} "):
            seen.append(connection)

    def commit(connection: Connection) -> None:
        if len(seen) == number and seen[-1] is connection:
            seen.append(connection)
            happens(connection)

    event.listen(Engine, "before_cursor_execute", note)
    event.listen(Engine, "commit", commit)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", note)
        event.remove(Engine, "commit", commit)
    assert len(seen) > number


def commit_and(then: Callable[[], None], connection: Connection) -> None:
    """Commits, so that only the word of it is lost by what comes then."""
    connection.connection.commit()
    then()


@pytest.fixture(params=["before its commit", "before the word of its commit"])
def breaking(request: pytest.FixtureRequest, restart: Callable[[], None]) -> Break:
    """Breaks a transaction off by a restart."""
    if request.param == "before its commit":
        return lambda _: restart()
    return partial(commit_and, restart)


@pytest.mark.parametrize("number", [1, 2])
async def test_a_move_that_a_restart_breaks_off_is_made_once_by_person_and_computer(
    open_bot: Open, database: str, breaking: Break, number: int
) -> None:
    thinker = Gated()
    thinker.allowed.set()
    async with open_bot(thinker=thinker) as running_bot:
        ann, *_ = running_bot.people
        board = await running_bot.opened(ann, level="perfect")
        with broken_off("move", breaking, number):
            await running_bot.mark(ann, board, E)
            await running_bot.sandbox.until(lambda: len(marks(board)) == 2, within=60)
        assert marks(board)[E] == "❌"
        left = next(square for square in (A, B, C) if square not in marks(board))
        await running_bot.mark(ann, board, left)
        await running_bot.sandbox.until(lambda: len(marks(board)) == 4)
    assert stored(database) == (1, 4)


async def test_a_game_whose_start_a_restart_breaks_off_begins_once(
    open_bot: Open, database: str, breaking: Break
) -> None:
    async with open_bot() as running_bot:
        with broken_off("session", breaking):
            board = await running_bot.friends()
        await running_bot.play(board, A)
        assert marks(board) == {A: "❌"}
        assert [
            each for each in running_bot.people[0].sees(running_bot.games) if each.controls
        ] == [board]
    assert stored(database) == (1, 1)


async def test_a_move_that_waits_for_a_lock_when_the_server_crashes_is_made_once(
    open_bot: Open, database: str, restart: Callable[[], None]
) -> None:
    async with open_bot() as running_bot:
        ann, ben, *_ = running_bot.people
        board = await running_bot.friends()
        async with await psycopg.AsyncConnection.connect(database) as other:
            await other.execute("LOCK TABLE move IN EXCLUSIVE MODE")
            await ann.press(board, position=A)
            async with asyncio.timeout(60):
                while await waiting(other) == 0:
                    pass
            assert marks(board) == {}
            restart()
            await running_bot.sandbox.until(lambda: marks(board) == {A: "❌"}, within=60)
            await other.close()
        await running_bot.mark(ben, board, B)
        assert marks(board) == {A: "❌", B: "⭕"}
    assert stored(database) == (1, 2)


async def waiting(connection: AsyncConnection) -> int:
    """Count the transactions that wait for a lock on the moves."""
    row = await (await connection.execute(WAITING)).fetchone()
    return 0 if row is None else int(row[0])


async def test_a_minute_without_the_server_is_answered_and_made_up_for_by_itself(
    open_bot: Open, postgres_server: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python -m tests.benchmarks.server_away` does it in real time."""
    monkeypatch.setattr(storage, "PATIENCE", 0.0)
    thinker = Gated()
    async with open_bot(thinker=thinker) as running_bot:
        ann, ben, cleo, _ = running_bot.people
        board, idle = await running_bot.friends(), await running_bot.friends()
        await running_bot.play(board, A)
        alone = await running_bot.opened(cleo, level="perfect")
        pressed = await cleo.press(alone, position=E)
        await thinker.asked.wait()
        postgres_server.stop("immediate")
        try:
            thinker.allowed.set()
            await running_bot.sandbox.until(lambda: marks(alone) == {E: "❌"})
            assert not (await pressed.answered()).followups, "her own move is saved"
            for _ in range(12):
                assert AWAY in await running_bot.told(ben, board, B)
                await running_bot.later(timedelta(seconds=5))
            assert AWAY in await running_bot.say(ann, "games")
            assert AWAY in (await running_bot.type(cleo, level="easy")).message.text
            await running_bot.later(timedelta(minutes=1))
        finally:
            postgres_server.start()
        await running_bot.mark(ben, board, B)
        assert marks(board) == {A: "❌", B: "⭕"}
        await running_bot.later(timedelta(minutes=5))
        await running_bot.sandbox.until(lambda: len(marks(alone)) == 2)
        await running_bot.sandbox.until(lambda: LATE.search(idle.text) is not None)
    assert stored(database) == (3, 4)

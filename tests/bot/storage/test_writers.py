"""Several processes that write to one PostgreSQL database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, delete, event, func, insert, make_url, select, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import Pool

from bot.storage import database as storage
from bot.storage import postgres_server
from bot.storage.dialect import FINISHING, advisory_lock, lock_tables
from bot.storage.errors import Unavailable
from bot.storage.opening import opened
from bot.storage.postgres_server import VACUUMING, Guard, PostgresServer
from bot.storage.processes import Processes
from bot.storage.records.write import record_missing
from bot.storage.schema.choice_tables import people
from bot.storage.schema.game_tables import sessions
from bot.storage.shards import WHOLE
from bot.storage.tables import Tables
from bot.table.lobby import join
from bot.table.seats import Human, Vacant
from bot.table.table import InteractionId
from tests.benchmarks.writers import written
from tests.bot.clock import ManualClock
from tests.bot.databases import raw
from tests.bot.postgres import Server
from tests.bot.storage.test_database import failure
from tests.bot.storage.test_tables import ANN, BEN, draft, moved

GAMES = 60
PATIENCE = 30
"""The seconds after which work is taken for never done."""


@contextmanager
def listening(target: Any, name: str, listener: Callable[..., None]) -> Iterator[None]:
    event.listen(target, name, listener)
    try:
        yield
    finally:
        event.remove(target, name, listener)


async def test_games_that_two_processes_end_at_once_get_each_a_place_without_gaps(
    postgres_address: str,
) -> None:
    recorded = await written(postgres_address, processes=2, games=GAMES)
    assert [*recorded.finishes] == [*range(1, GAMES + 1)]
    assert (recorded.results, recorded.tallied) == (2 * GAMES, 2 * GAMES)


async def test_a_second_parlour_is_kept_off_the_database_until_the_first_has_ended(
    postgres_address: str,
) -> None:
    async with opened(postgres_address):
        assert "Another Parlour is running" in await failure(postgres_address)
    async with opened(postgres_address):
        pass


async def test_work_that_a_restart_breaks_off_is_carried_out_once_when_the_server_is_back(
    postgres_server: Server, postgres_address: str
) -> None:
    tries: list[int] = []

    def work(connection: Connection) -> int:
        connection.exec_driver_sql("INSERT INTO person (id) VALUES (5)")
        tries.append(5)
        if len(tries) == 1:
            postgres_server.stop("immediate")
            postgres_server.start()
        return connection.execute(select(func.count()).select_from(people)).scalar_one()

    async with opened(postgres_address) as database:
        assert await database.run(work) == 1
        assert len(tries) == 2
        assert await database.run(lambda c: c.execute(select(people.c.id)).all()) == [(5,)]
        assert "Another Parlour is running" in await failure(postgres_address), (
            "it is kept off again"
        )


async def test_work_is_told_that_the_server_is_away_and_later_work_is_carried_out(
    postgres_server: Server, postgres_address: str
) -> None:
    async with opened(postgres_address) as database:
        postgres_server.stop()
        try:
            with pytest.raises(Unavailable):
                await database.run(lambda c: c.execute(insert(people), {"id": 6}))
        finally:
            postgres_server.start()
        assert await database.run(lambda c: c.execute(select(people.c.id)).all()) == []


async def test_work_goes_on_while_another_has_a_table_that_is_to_be_vacuumed(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hurried = (*postgres_server.SETTINGS, "SET lock_timeout = '1ms'")
    monkeypatch.setattr(postgres_server, "SETTINGS", hurried)
    with raw(postgres_address) as other:
        other.execute(text("LOCK TABLE person IN SHARE MODE"))
        async with opened(postgres_address) as database, asyncio.timeout(PATIENCE):
            for _ in range(2 * PostgresServer.writers):
                await database.run(lambda _: None, erasing={b"the bytes of a person"})
    assert "deleted rows may be left on the disk" in caplog.text


async def test_a_process_that_starts_waits_while_another_makes_the_records_anew(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried = (*postgres_server.SETTINGS, "SET lock_timeout = '1ms'")
    monkeypatch.setattr(postgres_server, "SETTINGS", hurried)
    monkeypatch.setattr(storage, "PATIENCE", 0.0)
    waits = text("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    async with opened(postgres_address) as database, asyncio.timeout(PATIENCE):
        with raw(postgres_address) as other:
            advisory_lock(other, FINISHING)
            starting = asyncio.create_task(database.run(record_missing))
            while not other.execute(waits).first():
                assert not starting.done(), starting
                await asyncio.to_thread(other.execute, text("SELECT 1"))
        await starting


async def test_moves_go_on_while_a_forgetting_waits_for_a_vacuum(
    postgres_address: str, clock: ManualClock
) -> None:
    waits = text("SELECT 1 FROM pg_locks WHERE NOT granted AND locktype <> 'tuple'")
    async with opened(postgres_address) as database, asyncio.timeout(PATIENCE):
        store = Tables(database, clock)
        table = await store.open(draft(clock), InteractionId(1))
        with raw(postgres_address) as vacuum:
            advisory_lock(vacuum, VACUUMING)
            vacuum.execute(text("LOCK TABLE session IN SHARE UPDATE EXCLUSIVE MODE"))
            forgetting = asyncio.create_task(database.run(lock_tables))
            while not vacuum.execute(waits).first():
                await asyncio.to_thread(vacuum.execute, text("SELECT 1"))
            await store.save(table, moved(table, 0), None)
            assert not forgetting.done()
        await forgetting


async def test_who_hears_of_others_has_a_session_with_the_options_of_all_sessions(
    postgres_address: str,
) -> None:
    """A server that vanishes without a word is given up after seconds, not after hours."""
    hearing = text("SELECT application_name FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
    async with aclosing(Processes(postgres_address).news()) as news:
        assert await anext(news) is None
        with raw(postgres_address) as other:
            names = other.execute(hearing).scalars().all()
    assert names == [postgres_server.CONNECTING["application_name"]]


async def test_the_server_ends_a_session_with_locks_soon_when_its_process_has_vanished(
    postgres_address: str,
) -> None:
    """And no other: another Parlour would come in, or nobody for two hours."""
    asked = text("SELECT name, setting, source FROM pg_settings WHERE name = ANY(:names)")
    names = [f"tcp_keepalives_{each}" for each in ("idle", "interval", "count")]
    made: list[DBAPIConnection] = []
    with raw(postgres_address) as other:
        database = make_url(postgres_address).database
        other.exec_driver_sql(f"ALTER DATABASE {database} SET idle_session_timeout = '1h'")
    with listening(Pool, "connect", lambda connection, _: made.append(connection)):
        guard = Guard(make_url(postgres_address).set(drivername="postgresql+psycopg"), "parlour")
        guard.stand(WHOLE, "")
    (session,) = made
    cursor = session.cursor()
    cursor.execute(asked.text.replace(":names", "%s"), ([*names, "idle_session_timeout"],))
    found = {name: (setting, source) for name, setting, source in cursor.fetchall()}
    assert {found[name][1] for name in names} == {"session"}
    assert found["idle_session_timeout"][0] == "0"
    guard.leave()


async def test_a_table_is_read_as_it_was_at_one_moment_while_somebody_joins(
    postgres_address: str, clock: ManualClock
) -> None:
    loop = asyncio.get_running_loop()
    async with opened(postgres_address) as database:
        before = await Tables(database, clock).open(
            draft(clock, Vacant(), Human(ANN)), InteractionId(1)
        )
        session = join(before.session, BEN)
        joined = replace(before, revision=before.revision + 1, session=session)
        joining = Tables(database, clock).save(before, joined, None)
        changes = iter((joining,))

        def between(_: Connection, __: object, statement: str, *___: object) -> None:
            if statement.startswith("SELECT seat.") and (change := next(changes, None)):
                asyncio.run_coroutine_threadsafe(change, loop).result(PATIENCE)

        with listening(Engine, "before_cursor_execute", between):
            read = await Tables(database, clock).table(before.id)
        assert next(changes, None) is None, "the change came between two statements"
        assert read == before
        assert (await Tables(database, clock).table(before.id)).session == session


async def test_what_was_read_before_a_change_does_not_replace_it_in_memory(
    postgres_address: str, clock: ManualClock
) -> None:
    loop = asyncio.get_running_loop()
    async with opened(postgres_address) as database:
        before = await Tables(database, clock).open(draft(clock), InteractionId(1))
        store = Tables(database, clock)
        changes = iter((store.save(before, moved(before, 0), None),))

        def afterwards(_: Connection, __: object, statement: str, *___: object) -> None:
            if statement.startswith("SELECT move.") and (change := next(changes, None)):
                asyncio.run_coroutine_threadsafe(change, loop).result(PATIENCE)

        with listening(Engine, "after_cursor_execute", afterwards):
            await store.table(before.id)
        assert next(changes, None) is None, "the change came after the last statement"
        assert (await store.table(before.id)).session.ply == 1


async def test_games_are_numbered_without_a_gap_after_a_crash_of_the_server(
    postgres_server: Server, postgres_address: str, clock: ManualClock
) -> None:
    async with opened(postgres_address) as database:
        store = Tables(database, clock)
        before = [await store.open(draft(clock), InteractionId(each)) for each in (1, 2)]
        postgres_server.stop("immediate")
        postgres_server.start()
        await database.run(lambda c: c.execute(delete(sessions).where(sessions.c.id == 2)))
        after = [await store.open(draft(clock), InteractionId(each)) for each in (3, 4)]
    assert [table.id for table in (*before, *after)] == [1, 2, 3, 4]


async def test_games_that_many_open_at_once_get_each_a_number_without_gaps(
    postgres_address: str, clock: ManualClock
) -> None:
    async with opened(postgres_address) as database:
        store = Tables(database, clock)
        opening = (store.open(draft(clock), InteractionId(each)) for each in range(1, GAMES + 1))
        found = await asyncio.gather(*opening)
    assert sorted(table.id for table in found) == [*range(1, GAMES + 1)]


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
async def test_a_database_that_cannot_keep_every_word_is_refused(
    postgres_server: Server, encoding: str
) -> None:
    """As of a server that was made on a machine without a language."""
    address = postgres_server.empty(encoding)
    assert f"is encoded in {encoding}" in await failure(address)
    postgres_server.drop(address)


async def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    sentence = await failure("postgresql://parlour:secret@127.0.0.1:1/parlour")
    assert "parlour on 127.0.0.1" in sentence
    assert "secret" not in sentence

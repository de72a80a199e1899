"""Whatever happens to the process, the disk or the file: an acknowledged move is never lost.

Each fault has its end: what is acknowledged is there, what is not is there whole or not at all, and
when the fault is over the game goes on.
"""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import timedelta
from pathlib import Path
from queue import SimpleQueue
from random import Random
from shutil import copy
from threading import Event
from typing import TypeAlias

import pytest
from sqlalchemy import Connection, Engine, event, select

from bot.storage import database as storage
from bot.storage.database import Database
from bot.storage.errors import FileGone, StorageAway, Unavailable
from bot.storage.opening import opened
from bot.storage.schema.game_tables import moves
from bot.storage.sqlite_file import ANYTHING
from bot.storage.tables import Tables
from bot.table.table import InteractionId, Place, Table
from tests.bot.clock import ManualClock
from tests.bot.databases import faults
from tests.bot.kit import ANN, BEN, new_game, table_of
from tests.bot.storage.power import acknowledged_before_a_kill, copied, moved, torn
from tests.samples import Sample

Fault: TypeAlias = Callable[[Path], AbstractContextManager[None]]

KILLS, SOME_KILLS = 6, 1
CUTS, SOME_CUTS = 60, 8
PATIENCE = 30
"""The seconds after which work is taken for never done."""


async def found(file: Path) -> set[tuple[int, int]]:
    """The moves in a database that opens again and agrees with itself."""

    def read(connection: Connection) -> set[tuple[int, int]]:
        assert faults(connection) == []
        rows = connection.execute(select(moves.c.session, moves.c.ply)).all()
        return {(session, ply) for session, ply in rows}

    async with opened(f"sqlite:///{file}") as database:
        return await database.run(read)


async def test_no_acknowledged_move_is_lost_when_the_process_is_killed(
    file: Path, sample: Sample
) -> None:
    """`python -m tests.benchmarks.kills` does it a hundred times."""
    kills, acknowledged = sample(range(KILLS), SOME_KILLS), set[tuple[int, int]]()
    for kill in kills:
        rng = Random(f"kill {kill}")
        acknowledged |= acknowledged_before_a_kill(file, rng, first=1_000_000 * kill + 1)
        assert acknowledged <= await found(file)
    assert len(acknowledged) > 10 * len(kills)


async def test_no_acknowledged_move_is_lost_when_the_power_goes_in_the_middle_of_a_commit(
    tmp_path: Path, clock: ManualClock, sample: Sample
) -> None:
    file = tmp_path / "parlour.db"
    async with opened(f"sqlite:///{file}") as database:
        store = Tables(database, clock)
        table = await new(store, clock)
        for number in range(3):
            table = await store.save(table, moved(table), InteractionId(100 + number))
        copied(file, tmp_path / "before")
        await database.run(lambda c: c.exec_driver_sql("SELECT 1"))
        await unsynced(database)
        table = await store.save(table, moved(table), InteractionId(200))
        copied(file, tmp_path / "after")
    kept, seen = {(int(table.id), ply) for ply in range(3)}, set()
    for cut in sample(range(CUTS), SOME_CUTS):
        rng = Random(f"cut {cut}")
        torn(tmp_path / "before", tmp_path / "after", tmp_path / f"cut{cut}", rng)
        stored = await found(tmp_path / f"cut{cut}" / file.name)
        assert stored in (kept, kept | {(int(table.id), 3)}), "whole or not at all"
        seen.add(len(stored))
    assert 3 in seen, "some of them have torn the commit"


async def unsynced(database: Database) -> None:
    """From now on nothing is forced to the disk, so that nothing says what the disk has of it."""
    await database.run(lambda _: None)
    with closing(database._engine.raw_connection()) as connection:
        connection.cursor().execute("PRAGMA synchronous=OFF")


async def new(store: Tables, clock: ManualClock, interaction: int = 1) -> Table:
    """A game that has begun."""
    draft = table_of(new_game("tictactoe", ANN, BEN), clock.now(), Place(7, 8))
    return await store.open(draft, InteractionId(interaction))


@pytest.fixture
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is tried again for a fifth of a second while the file is away."""
    monkeypatch.setattr(storage, "PATIENCE", 0.2)


async def test_what_waited_too_long_for_a_database_that_is_away_is_not_tried(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server whose machine vanished is silent: each try lasts for seconds."""
    tried = 0

    def fails(_: Connection) -> None:
        nonlocal tried
        tried += 1
        raise FileGone

    for patience in (0.0, -1.0):
        monkeypatch.setattr(storage, "PATIENCE", patience)
        with pytest.raises(Unavailable):
            await database.run(fails)
        assert tried == 1
    monkeypatch.undo()
    assert await database.run(lambda _: tried) == 1


@contextmanager
def disk_full(file: Path) -> Iterator[None]:
    """No file can grow beyond what the log has now; the system says so as an I/O error."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = file.with_name(f"{file.name}-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another program writes."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def away(file: Path) -> Iterator[None]:
    """The file is taken away, and put back."""
    file.rename(file.with_suffix(".away"))
    yield
    file.with_suffix(".away").rename(file)


@contextmanager
def replaced(file: Path) -> Iterator[None]:
    """Another file is in its place for a while."""
    file.rename(file.with_suffix(".away"))
    file.write_bytes(b"")
    yield
    file.with_suffix(".away").replace(file)


@pytest.mark.parametrize("fault", [disk_full, locked])
async def test_a_move_that_the_disk_does_not_take_is_not_acknowledged_and_can_be_made_later(
    file: Path, clock: ManualClock, fault: Fault
) -> None:
    async with opened(f"sqlite:///{file}") as database:
        store = Tables(database, clock)
        table = await new(store, clock)
        table = await store.save(table, moved(table), InteractionId(2))
        await database.run(lambda c: c.exec_driver_sql("PRAGMA busy_timeout=0").all())
        with fault(file), pytest.raises(Unavailable):
            await store.save(table, moved(table), InteractionId(3))
        assert (await Tables(database, clock).table(table.id)).session.ply == 1
        again = await store.save(table, moved(table), InteractionId(3))
        assert again.session.ply == 2
    assert await found(file) == {(int(table.id), 0), (int(table.id), 1)}


async def test_a_disk_that_is_full_during_the_start_ends_it_with_a_sentence_until_it_has_room(
    file: Path,
) -> None:
    """The start goes on after the database is opened: it notes what it has registered."""

    def fill(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE big AS SELECT zeroblob(1000000) AS bytes")

    async def start() -> None:
        async with opened(f"sqlite:///{file}") as database:
            with disk_full(file):
                await database.run(fill)

    with pytest.raises(StorageAway, match="belong to this user and the disk is not full"):
        await start()


@pytest.mark.usefixtures("little_patience")
@pytest.mark.parametrize("fault", [away, replaced])
async def test_a_move_is_refused_while_another_file_or_none_is_in_its_place_and_made_afterwards(
    file: Path, clock: ManualClock, fault: Fault
) -> None:
    async with opened(f"sqlite:///{file}") as database:
        store = Tables(database, clock)
        table = await new(store, clock)
        with fault(file), pytest.raises(Unavailable):
            await store.save(table, moved(table), InteractionId(2))
        table = await store.save(await store.table(table.id), moved(table), InteractionId(2))
        await store.save(table, moved(table), InteractionId(3))
    assert await found(file) == {(int(table.id), 0), (int(table.id), 1)}


@pytest.mark.usefixtures("little_patience")
async def test_nothing_is_acknowledged_after_the_log_was_deleted_and_all_before_is_kept(
    file: Path, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(f"sqlite:///{file}") as database:
        store = Tables(database, clock)
        table = await new(store, clock)
        table = await store.save(table, moved(table), InteractionId(2))
        file.with_name(f"{file.name}-wal").unlink()
        with pytest.raises(Unavailable):
            await store.save(table, moved(table), InteractionId(3))
    assert f"{file}-wal was deleted or replaced" in caplog.text
    assert await found(file) == {(int(table.id), 0)}


READS = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM note').fetchall()"


async def test_erasing_takes_no_lock_from_a_copy_that_is_being_made(
    file: Path, clock: ManualClock
) -> None:
    """Else another process takes itself for the last one there, and deletes the log."""
    async with opened(f"sqlite:///{file}") as database:
        await database.run(lambda _: None, erasing=[b"nowhere"])
        with closing(sqlite3.connect(file)) as copying:
            copying.execute("BEGIN")
            copying.execute("SELECT count(*) FROM session").fetchone()
            await database.run(lambda _: None, erasing=[b"nowhere"])
            other = await asyncio.create_subprocess_exec(sys.executable, "-c", READS, str(file))
            assert await other.wait() == 0
            assert file.with_name(f"{file.name}-wal").exists()
        table = await new(Tables(database, clock), clock)
    assert table.id


@pytest.mark.usefixtures("little_patience")
@pytest.mark.parametrize("backup", [False, True])
async def test_nothing_is_acknowledged_after_the_file_was_deleted_or_a_backup_put_in_its_place(
    file: Path, clock: ManualClock, caplog: pytest.LogCaptureFixture, backup: bool
) -> None:
    async with opened(f"sqlite:///{file}") as database:
        store = Tables(database, clock)
        table = await new(store, clock)
        table = await store.save(table, moved(table), InteractionId(2))
        with closing(sqlite3.connect(file)) as other:
            other.execute("VACUUM INTO ?", (str(file.with_suffix(".backup")),))
        table = await store.save(table, moved(table), InteractionId(3))
        file.unlink()
        if backup:
            file.with_suffix(".backup").rename(file)
        for _ in range(2):
            with pytest.raises(Unavailable):
                await store.save(table, moved(table), InteractionId(4))
        with pytest.raises(Unavailable):
            await database.run(lambda _: None, erasing=[b"someone"])
    said = [each.getMessage() for each in caplog.records if "unavailable" in each.getMessage()]
    assert len(said) == 1
    assert f"The database file {file} was deleted or replaced" in said[0]
    assert file.exists() is backup
    if backup:
        assert await found(file) == {(int(table.id), 0)}


async def test_work_goes_on_after_deleted_rows_could_not_be_removed_from_the_disk(
    file: Path, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """As a copy was put in the file's place in that moment."""
    aside = file.with_suffix(".aside")

    def replaced(_: Connection) -> None:
        file.rename(aside)
        copy(aside, file)

    async with opened(f"sqlite:///{file}") as database, asyncio.timeout(PATIENCE):
        store = Tables(database, clock)
        table = await new(store, clock)
        await database.run(replaced, erasing={ANYTHING})
        aside.rename(file)
        await store.save(table, moved(table), InteractionId(2))
    assert "deleted rows may be left on the disk" in caplog.text
    assert await found(file) == {(int(table.id), 0)}


async def test_moves_that_a_slow_disk_holds_up_are_acknowledged_with_their_commit_and_share_it(
    file: Path, clock: ManualClock
) -> None:
    async with opened(f"sqlite:///{file}") as database:
        store = Tables(database, clock)
        tables = [await new(store, clock, number) for number in range(1, 21)]
        with slow_commits() as (reached, done):
            saving = [
                asyncio.ensure_future(store.save(table, moved(table), InteractionId(100 + number)))
                for number, table in enumerate(tables)
            ]
            await asyncio.to_thread(reached.get)
            with closing(sqlite3.connect(file)) as other:
                assert other.execute("SELECT count(*) FROM move").fetchone() == (0,)
            assert not [each for each in saving if each.done()]
            done.set()
            assert [table.session.ply for table in await asyncio.gather(*saving)] == [1] * 20
            assert reached.qsize() <= 2
    assert len(await found(file)) == 20


@contextmanager
def slow_commits() -> Iterator[tuple[SimpleQueue[None], Event]]:
    """Each commit is announced in the queue, and reaches the disk once the event is set."""
    reached: SimpleQueue[None] = SimpleQueue()
    done = Event()

    def hold(_: Connection) -> None:
        reached.put(None)
        done.wait()

    event.listen(Engine, "commit", hold)
    try:
        yield reached, done
    finally:
        done.set()
        event.remove(Engine, "commit", hold)


@pytest.mark.parametrize("jump", [timedelta(days=-400), timedelta(days=400)])
async def test_games_go_on_when_the_clock_is_set(
    file: Path, clock: ManualClock, jump: timedelta
) -> None:
    async with opened(f"sqlite:///{file}") as database:
        store = Tables(database, clock)
        table = await new(store, clock)
        for number in range(8):
            clock.advance(jump if number == 3 else timedelta(seconds=1))
            table = await store.save(table, moved(table), InteractionId(2 + number))
    assert len(await found(file)) == 8

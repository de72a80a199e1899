"""A backup has all that was there at one moment; whoever writes meanwhile does not notice."""

from __future__ import annotations

import asyncio
import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select

from bot import app
from bot.settings import read_settings
from bot.storage.backup import DailyBackups, backup, restore
from bot.storage.errors import StorageError
from bot.storage.messages import Messages
from bot.storage.opening import opened, sole_transaction
from bot.storage.processes import Notes
from bot.storage.schema.tournament_tables import LIVE, NOT_SHOWN
from bot.storage.tables import Tables
from bot.table.actions import Action, press
from bot.table.session import SessionId
from bot.table.table import InteractionId, Place, Table
from engine.game import Move
from tests.bot.clock import ManualClock
from tests.bot.databases import faults
from tests.bot.kit import ANN, BEN, new_game
from tests.bot.storage.everything import filled
from tests.bot.storage.killed import COPY, NOW, killed

POSTGRESQL = "postgresql+psycopg://parlour:secret@localhost/parlour"
ITS_OWN = "pg_dump .* pg_restore; PARLOUR_BACKUP is for SQLite"

BACKUPS = 5
"""The backups that are made, one after the other, while games are written."""


async def play(store: Tables, number: int) -> None:
    """Two commits: a game is opened, then moved in and resigned."""
    session = new_game("tictactoe", ANN, BEN)
    at = ManualClock().now()
    table = Table(SessionId(0), 1, session, Place(7, 8), "en-US", at, due=None)
    table = await store.open(table, InteractionId(2 * number))
    over = press(session.play(ANN, Move(4), ply=0), Action.RESIGN, BEN, ply=1)
    await store.save(table, replace(table, revision=2, session=over), InteractionId(2 * number + 1))


def states(file: Path) -> list[tuple[int, str, int, int, int]]:
    """Each game's number and phase, and how many seats, moves and results it has."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        return connection.execute(
            """SELECT id, phase,
                (SELECT count(*) FROM seat WHERE seat.session = id),
                (SELECT count(*) FROM move WHERE move.session = id),
                (SELECT count(*) FROM result WHERE result.session = id)
            FROM session ORDER BY id"""
        ).fetchall()


async def test_a_backup_beside_a_writer_has_all_up_to_one_commit_and_none_after(
    file: Path, tmp_path: Path
) -> None:
    played = [0]
    made = asyncio.Event()

    async with opened(f"sqlite:///{file}") as database:
        store = Tables(database, ManualClock())

        async def write() -> None:
            while not made.is_set():
                await play(store, played[0] + 1)
                played[0] += 1

        async def copy(name: str) -> tuple[int, int]:
            """Count the games that were over before and after."""
            before = played[0]
            await asyncio.to_thread(backup, f"sqlite:///{file}", tmp_path / name)
            return before, played[0]

        writing = asyncio.create_task(write())
        spans = [await copy(f"{number}.db") for number in range(BACKUPS)]
        made.set()
        await writing
    assert any(before < after for before, after in spans), "something was written meanwhile"
    for number, (before, after) in enumerate(spans):
        found = states(tmp_path / f"{number}.db")
        over = [state for state in found if state[1] == "finished"]
        assert over == [(game, "finished", 2, 1, 2) for game in range(1, len(over) + 1)]
        assert found[len(over) :] in ([], [(len(over) + 1, "running", 2, 0, 0)])
        assert before <= len(over) <= after + 1


async def test_a_backup_waits_for_no_writer_nor_takes_the_lock_of_the_bot(
    file: Path, tmp_path: Path
) -> None:
    async with opened(f"sqlite:///{file}") as database:
        await play(Tables(database, ManualClock()), 1)
        with closing(sqlite3.connect(file, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            writer.execute("DELETE FROM session")
            assert backup(f"sqlite:///{file}", tmp_path / "copy.db") == 1
            writer.execute("ROLLBACK")


async def test_a_backup_is_opened_like_the_database_and_gives_no_number_twice(
    file: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    async with opened(f"sqlite:///{file}") as database:
        store = Tables(database, ManualClock())
        for number in (1, 2):
            await play(store, number)
        await database.run(lambda c: c.exec_driver_sql("DELETE FROM session WHERE id = 2"))
        assert backup(f"sqlite:///{file}", copy) == 1
        first = await store.table(SessionId(1))
    async with opened(f"sqlite:///{copy}") as database:
        store = Tables(database, ManualClock())
        assert await store.table(SessionId(1)) == first
        await play(store, 3)
        assert (await store.table(SessionId(3))).session.ending == "resigned"


async def test_nothing_that_was_deleted_is_in_a_backup(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    async with opened(f"sqlite:///{file}") as database:
        store = Tables(database, ManualClock())
        await Notes(store.database).write("a", "memoirs of somebody forgotten" * 99)
        await database.run(lambda c: c.exec_driver_sql("DELETE FROM note"))
        backup(f"sqlite:///{file}", copy)
    assert b"memoirs" not in copy.read_bytes()


def test_a_damaged_database_is_not_copied(file: Path, tmp_path: Path) -> None:
    filled(f"sqlite:///{file}", 10)
    with file.open("r+b") as database:
        database.seek(40_000)
        database.write(bytes(40_000))
    with pytest.raises(StorageError, match="damaged"):
        backup(f"sqlite:///{file}", tmp_path / "copy.db")
    assert [*tmp_path.glob("*copy*")] == []


FIRST_DAY = date(2026, 11, 2)
"""A Monday."""


def named(days: Iterable[int]) -> set[str]:
    """The names of the copies of some days, counted from the first."""
    return {f"parlour-{FIRST_DAY + timedelta(day)}.db" for day in days}


def test_a_copy_a_day_is_kept_of_seven_days_and_of_four_weeks_before(
    before: Path, tmp_path: Path
) -> None:
    shutil.copy(before / "parlour.db", tmp_path)
    backups = DailyBackups(f"sqlite:///{tmp_path}/parlour.db")
    held = []
    for day in range(50):
        backups.make(FIRST_DAY + timedelta(day))
        held.append({each.name for each in tmp_path.glob("parlour-*")})
    assert held[6] == named(range(7))
    assert held[-1] == named([*range(43, 50), 42, 41, 34, 27])


def test_of_more_weeks_than_are_kept_all_that_are_older_go_at_once(
    before: Path, tmp_path: Path
) -> None:
    shutil.copy(before / "parlour.db", tmp_path)
    for name in named([*range(0, 56, 7), *range(57, 63)]):
        tmp_path.joinpath(name).touch()
    DailyBackups(f"sqlite:///{tmp_path}/parlour.db").make(FIRST_DAY + timedelta(63))
    kept = {each.name for each in tmp_path.glob("parlour-*")}
    assert kept == named([28, 35, 42, 49, *range(57, 64)])


def ids(file: Path) -> list[int]:
    """The numbers of the games in a sound database."""
    return [game for game, *_ in states(file)]


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database of two games, and the copy of the day before, which has one."""
    folder, written = tmp_path_factory.mktemp("before"), tmp_path_factory.mktemp("written")
    address = f"sqlite:///{written}/parlour.db"

    async def write() -> None:
        async with opened(address) as database:
            for number, name in enumerate((COPY, "parlour.db"), 1):
                await play(Tables(database, ManualClock()), number)
                backup(address, folder / name)

    asyncio.run(write())
    return folder


@pytest.fixture(scope="module")
def remains(before: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[Path]]:
    return killed(before, tmp_path_factory.mktemp("remains"))


def test_a_kill_at_any_step_of_a_daily_backup_leaves_whole_copies_and_the_next_one_tidies_up(
    before: Path, remains: Mapping[str, list[Path]]
) -> None:
    *broken_off, done = remains["backup"]
    assert len(broken_off) > 5
    today = done / "parlour-2026-11-26.db"
    assert ids(today) == ids(before / "parlour.db")
    for folder in broken_off:
        for copy in folder.glob("parlour*.db"):
            assert ids(copy)
        assert (folder / COPY).exists()
        DailyBackups(f"sqlite:///{folder}/parlour.db").make(date(2026, 11, 26))
        assert ids(folder / today.name) == ids(today)
        assert {each.name for each in folder.iterdir()} == {each.name for each in done.iterdir()}


def test_a_kill_at_any_step_of_restoring_leaves_the_old_database_or_the_copy(
    before: Path, remains: Mapping[str, list[Path]]
) -> None:
    *broken_off, done = remains["restore"]
    assert len(broken_off) > 5
    old, copied = ids(before / "parlour.db"), ids(before / COPY)
    assert old != copied
    assert ids(done / "parlour.db") == copied
    assert ids(done / "parlour-replaced-20261126-120000.db") == old
    seen = [ids(folder / "parlour.db") for folder in broken_off]
    assert seen == sorted(seen, key=lambda each: each == copied)
    for folder in broken_off:
        restore(f"sqlite:///{folder}/parlour.db", folder / COPY, NOW + timedelta(minutes=1))
        assert ids(folder / "parlour.db") == copied
        DailyBackups(f"sqlite:///{folder}/parlour.db").make(date(2026, 11, 26))
        assert not [*folder.glob(".*")]


async def test_what_the_log_has_is_kept_with_the_database_that_a_copy_replaces(
    file: Path, tmp_path: Path
) -> None:
    address = f"sqlite:///{file}"
    async with opened(address) as database:
        await play(Tables(database, ManualClock()), 1)
        backup(address, tmp_path / "copy.db")
        await play(Tables(database, ManualClock()), 2)
        for suffix in ("", "-wal", "-shm"):  # as a kill leaves them
            shutil.copy(f"{file}{suffix}", tmp_path / f"parlour.db{suffix}")
    before = restore(f"sqlite:///{tmp_path}/parlour.db", tmp_path / "copy.db", NOW)
    assert before is not None
    assert [ids(tmp_path / "parlour.db"), ids(before)] == [[1], [1, 2]]
    assert not [*tmp_path.glob("parlour.db-*")]


def test_what_two_copies_replace_in_one_second_is_kept_of_both(
    before: Path, tmp_path: Path
) -> None:
    file = Path(shutil.copy(before / "parlour.db", tmp_path))
    kept = [restore(f"sqlite:///{file}", before / COPY, NOW) for _ in range(3)]
    assert [ids(each) for each in kept if each is not None] == [[1, 2], [1], [1]]


async def test_the_log_of_a_file_that_is_gone_is_kept_apart_from_the_copy_in_its_place(
    file: Path, tmp_path: Path
) -> None:
    """SQLite would take its pages for those of the copy."""
    async with opened(f"sqlite:///{file}") as database:
        await play(Tables(database, ManualClock()), 1)
        backup(f"sqlite:///{file}", tmp_path / "copy.db")
        await play(Tables(database, ManualClock()), 2)
        left = Path(shutil.copy(f"{file}-wal", tmp_path / "parlour.db-wal")).read_bytes()
    assert restore(f"sqlite:///{tmp_path}/parlour.db", tmp_path / "copy.db", NOW) is None
    async with opened(f"sqlite:///{tmp_path}/parlour.db") as database:
        assert await database.run(faults) == []
    assert ids(tmp_path / "parlour.db") == [1]
    assert (tmp_path / "parlour-replaced-20261126-120000.db-wal").read_bytes() == left


def test_nothing_is_imported_beside_the_log_of_a_file_that_is_gone(tmp_path: Path) -> None:
    log = tmp_path / "parlour.db-wal"
    log.write_bytes(b"games")
    with (
        pytest.raises(StorageError, match=r"its log parlour\.db-wal has games"),
        sole_transaction(f"sqlite:///{tmp_path}/parlour.db"),
    ):
        pytest.fail("SQLite has deleted the log")
    assert log.read_bytes() == b"games"


async def test_a_copy_is_put_in_the_place_of_a_damaged_database_and_never_of_one_in_use(
    before: Path, tmp_path: Path
) -> None:
    address, copy = f"sqlite:///{tmp_path}/parlour.db", before / COPY
    (tmp_path / "parlour.db").write_bytes(copy.read_bytes()[:50_000] + bytes(50_000))
    assert restore(address, copy, NOW) is not None
    assert ids(tmp_path / "parlour.db") == ids(copy)
    async with opened(address):
        with pytest.raises(StorageError, match="Another Parlour is running"):
            restore(address, copy, NOW)
    (tmp_path / "half.db").write_bytes(copy.read_bytes()[:50_000])
    with pytest.raises(StorageError, match="no whole copy"):
        restore(address, tmp_path / "half.db", NOW)
    with pytest.raises(StorageError, match="the database itself"):
        restore(address, tmp_path / "parlour.db", NOW)
    assert ids(tmp_path / "parlour.db") == ids(copy)


async def test_what_is_unfinished_in_a_restored_copy_is_drawn_again(
    everything: str, file: Path, tmp_path: Path
) -> None:
    """Its messages may show what came after the copy."""
    copy = tmp_path / "copy.db"
    backup(everything, copy)
    with closing(sqlite3.connect(copy)) as raw, raw:
        for table in ("session", "tournament"):
            raw.execute(f"UPDATE {table} SET shown = revision, message = id")  # noqa: S608
    restore(f"sqlite:///{file}", copy, NOW)
    async with opened(f"sqlite:///{file}") as database:
        messages = Messages(Tables(database, ManualClock()))
        assert await messages.shown() == []
        assert await messages.behind() != []
        live = select(NOT_SHOWN).where(LIVE)
        assert {*await database.run(lambda c: c.execute(live).scalars().all())} == {True}


@pytest.fixture
def limited() -> Iterator[Callable[[int], None]]:
    """Lets no file grow beyond a size from then on."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_is_full_once_a_copy_is_there_is_said_and_leaves_the_old_database(
    before: Path, tmp_path: Path, limited: Callable[[int], None]
) -> None:
    """The copy itself has room, but what marks its messages to be drawn again has none."""
    file = Path(shutil.copy(before / "parlour.db", tmp_path))
    copy = Path(shutil.copy(before / COPY, tmp_path))
    with closing(sqlite3.connect(copy)) as raw, raw:
        raw.execute("UPDATE session SET ending = NULL")
        raw.execute("CREATE TABLE big (bytes)")
        raw.execute(
            "CREATE TRIGGER grows AFTER UPDATE OF shown ON session "
            "BEGIN INSERT INTO big VALUES (zeroblob(10000000)); END"
        )
    held = {each.name: each.read_bytes() for each in (file, copy)}
    limited(2 * len(held[copy.name]))
    with pytest.raises(StorageError, match=r"parlour\.db cannot be written .* the disk has room"):
        restore(f"sqlite:///{file}", copy, NOW)
    left = {each.name: each.read_bytes() for each in tmp_path.iterdir() if each.suffix == ".db"}
    assert left == held
    assert {each.suffix for each in tmp_path.iterdir()} == {".db", ".lock"}


@pytest.mark.parametrize(
    ("schema", "said"), [("9999", "newer version"), ("0001", r"before version 0\.4\.0")]
)
def test_a_copy_that_this_version_cannot_open_is_not_put_in_place(
    before: Path, tmp_path: Path, schema: str, said: str
) -> None:
    file = Path(shutil.copy(before / "parlour.db", tmp_path))
    copy = Path(shutil.copy(before / COPY, tmp_path))
    with closing(sqlite3.connect(copy)) as raw, raw:
        raw.execute("UPDATE alembic_version SET version_num = ?", (schema,))
    with pytest.raises(StorageError, match=said):
        restore(f"sqlite:///{file}", copy, NOW)
    assert ids(file) == ids(before / "parlour.db")
    assert {each.suffix for each in tmp_path.iterdir()} == {".db", ".lock"}


def test_postgresql_is_left_to_its_own_tools_and_the_sentence_names_them(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    for refused in (
        lambda: backup(POSTGRESQL, tmp_path / "copy.db"),
        lambda: restore(POSTGRESQL, tmp_path / "copy.db", NOW),
    ):
        with pytest.raises(StorageError, match=ITS_OWN) as said:
            refused()
        assert "secret" not in str(said.value)
    assert list(tmp_path.iterdir()) == []


async def test_a_start_with_daily_backups_of_postgresql_ends_with_that_sentence(
    tmp_path: Path,
) -> None:
    """It ends before anything is opened: nothing answers at the address."""
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    settings = {"DATABASE_URL": POSTGRESQL, "PARLOUR_BACKUP": "daily"}
    with pytest.raises(StorageError, match=ITS_OWN):
        async with app.open(
            read_settings(settings, tmp_path / ".env"), clock=ManualClock(), rng=Random(1)
        ):
            pass

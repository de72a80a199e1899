"""A backup has all that was there at one moment; whoever writes meanwhile does not notice."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.storage.backup import backup
from bot.storage.errors import StorageError
from bot.storage.notes import Notes
from bot.storage.opening import opened
from bot.storage.tables import Tables
from bot.table.actions import Action, press
from bot.table.seats import Human, Pace, PersonId
from bot.table.session import Session, SessionId
from bot.table.table import InteractionId, Place, Table
from engine.game import Move
from engine.games.tictactoe import GAME
from tests.bot.clock import ManualClock
from tests.bot.storage.everything import filled

ANN, BEN = PersonId(1), PersonId(2)

BACKUPS = 5
"""So many are made, one after the other, while games are written."""


async def play(store: Tables, number: int) -> None:
    """Two commits: a game is opened, then moved in and resigned."""
    session = Session(GAME, GAME.settled({}), Pace.LIVE, ANN, (Human(ANN), Human(BEN))).start()
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

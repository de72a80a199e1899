"""A finished game is entered into the records once, together with its end or not at all."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import sys
import threading
from dataclasses import replace
from pathlib import Path
from random import getrandbits
from typing import Any, Final

import pytest
from sqlalchemy import Connection
from sqlalchemy.engine import make_url

from bot.records.reviewed import ReviewedGame, SeatReview
from bot.records.standings import Tally
from bot.records.summaries import ReviewedPlay
from bot.storage.database import Database
from bot.storage.errors import Conflict, Repeated
from bot.storage.migrate import upgrade
from bot.storage.opening import opened
from bot.storage.records.queries import Records
from bot.storage.sqlite_file import sqlite_engine
from bot.storage.tables import Tables
from bot.table.actions import Action, press
from bot.table.seats import Computer, Human, Level, Occupant, PersonId
from bot.table.session import Ending, Phase
from bot.table.table import InteractionId, Place, Table
from tests.bot.clock import ManualClock
from tests.bot.kit import ANN, BEN, CLEO, after_moves, new_game, table_of
from tests.bot.process import environment
from tests.bot.storage.record_tables import dump

pytestmark = pytest.mark.both_databases

LOST, WON = Tally(losses=1), Tally(wins=1)


def table(clock: ManualClock, *seats: Occupant) -> Table:
    """Ann against Ben, or whoever sits there, after two moves of each."""
    session = after_moves(new_game("tictactoe", *(seats or (ANN, BEN))), 0, 3, 1, 4)
    return table_of(session, clock.now(), Place(7, 8))


def resigned(before: Table, by: PersonId = ANN) -> Table:
    session = press(before.session, Action.RESIGN, by, ply=before.session.ply)
    return replace(before, revision=before.revision + 1, session=session)


@pytest.fixture
def records(database: Database) -> Records:
    return Records(database)


async def tallies(records: Records) -> list[Tally]:
    return [(await records.stats(person, "tictactoe")).tally for person in (ANN, BEN)]


async def test_a_game_counts_from_the_moment_it_is_over(
    store: Tables, records: Records, clock: ManualClock
) -> None:
    begun = await store.open(table(clock), InteractionId(1))
    assert await tallies(records) == [Tally(), Tally()]
    await store.save(begun, resigned(begun), InteractionId(2))
    assert await tallies(records) == [LOST, WON]


async def test_a_game_counts_in_its_own_server_and_everywhere(
    store: Tables, records: Records, clock: ManualClock
) -> None:
    other = await store.open(table(clock, Human(ANN), Human(CLEO)), InteractionId(5))
    await store.save(other, resigned(other), InteractionId(6))
    begun = await store.open(table(clock), InteractionId(1))
    await store.save(begun, resigned(begun), InteractionId(2))
    direct = await store.open(replace(table(clock), place=Place(None, 9)), InteractionId(3))
    await store.save(direct, resigned(direct), InteractionId(4))
    here, elsewhere = [await records.stats(BEN, "tictactoe", guild) for guild in (7, 6)]
    everywhere = await records.stats(BEN, "tictactoe")
    assert (here.tally, elsewhere.tally, everywhere.tally) == (WON, Tally(), Tally(wins=2))
    assert here.rating == here.curve[-1].rating == everywhere.curve[0].rating
    assert everywhere.rating == everywhere.curve[1].rating != here.rating
    board = await records.leaderboard("tictactoe", 7, asking=ANN)
    assert [(line.place, line.person, line.tally) for line in board.lines] == [
        (1, BEN, WON),
        (2, CLEO, WON),
        (3, ANN, Tally(losses=2)),
    ]


async def test_a_game_against_the_computer_counts_at_its_level_alone(
    store: Tables, records: Records, clock: ManualClock
) -> None:
    hard = Computer(Level.HARD)
    begun = await store.open(table(clock, Human(ANN), hard), InteractionId(1))
    await store.save(begun, resigned(begun), InteractionId(2))
    stats = await records.stats(ANN, "tictactoe", 7)
    assert (stats.tally, stats.rating, stats.curve, stats.favourites) == (Tally(), None, (), ())
    assert [(each.level, each.tally) for each in stats.levels] == [(Level.HARD, LOST)]
    assert not stats.empty
    assert (await records.leaderboard("tictactoe", asking=ANN)).people == 0
    (entry,) = (await records.history(ANN)).entries
    assert [entry.finished.occupants[seat] for seat in entry.opponents] == [hard]


async def test_the_accuracy_leaves_out_games_with_hints_and_moves_taken_back(
    store: Tables, records: Records, clock: ManualClock
) -> None:
    new = table(clock, Human(ANN), Computer(Level.EASY))
    hints, tried = replace(new.session, hints=True), replace(new.session, tried=True)
    for session, accuracy in ((new.session, 0.5), (hints, 1.0), (tried, 1.0)):
        begun = await store.open(replace(new, session=session), InteractionId(getrandbits(62)))
        over = await store.save(begun, resigned(begun), None)
        seat = SeatReview(accuracy, slips=0, lost=0.0, luck=0.0, adjusted=0.5)
        await records.keep_review(over.id, ReviewedGame(0, (), (seat, seat), ()))
    stats = await records.stats(ANN, "tictactoe")
    assert stats.played == ReviewedPlay(games=1, accuracy=0.5, luck=0.0)


async def test_an_abandoned_game_counts_for_nothing(
    store: Tables, database: Database, clock: ManualClock
) -> None:
    begun = await store.open(table(clock), InteractionId(1))
    closed = replace(begun, revision=2, session=begun.session.abandon(Ending.CLOSED))
    await store.save(begun, closed, None)
    rows = await database.run(dump)
    assert rows.pop("finish") == [(begun.id, None)]
    assert not any(rows.values())


async def test_a_press_delivered_twice_counts_once(
    store: Tables, records: Records, clock: ManualClock
) -> None:
    begun = await store.open(table(clock), InteractionId(1))
    over = await store.save(begun, resigned(begun), InteractionId(2))
    for before in (begun, over):
        with pytest.raises(Repeated):
            await store.save(before, resigned(begun), InteractionId(2))
    assert await tallies(records) == [LOST, WON]


async def test_of_two_ends_at_once_one_counts(
    store: Tables, records: Records, clock: ManualClock
) -> None:
    begun = await store.open(table(clock), InteractionId(1))
    outcomes = await asyncio.gather(
        store.save(begun, resigned(begun, by=ANN), InteractionId(2)),
        store.save(begun, resigned(begun, by=BEN), InteractionId(3)),
        return_exceptions=True,
    )
    kinds = [type(outcome) for outcome in outcomes]
    assert {*kinds} == {Table, Conflict}
    assert await tallies(records) == ([LOST, WON] if kinds[0] is Table else [WON, LOST])


async def test_a_change_after_the_end_does_not_count_again(
    store: Tables, records: Records, clock: ManualClock
) -> None:
    begun = await store.open(table(clock), InteractionId(1))
    over = await store.save(begun, resigned(begun), InteractionId(2))
    await store.open(table(clock), InteractionId(3), follows=over)
    followed = await store.table(over.id)
    await store.save(followed, replace(followed, revision=followed.revision + 1), None)
    assert await tallies(records) == [LOST, WON]


@pytest.mark.sqlite_alone
async def test_an_end_counts_once_although_its_transaction_was_tried_twice(
    store: Tables, records: Records, database: Database, clock: ManualClock
) -> None:
    begun = await store.open(table(clock), InteractionId(1))
    tries = []

    def counts_tries(connection: Connection) -> None:
        tries.append(connection.exec_driver_sql("SELECT count(*) FROM result").scalar())
        raise LookupError

    together = threading.Event()
    work = asyncio.gather(
        database.run(lambda _: together.wait(10)),
        store.save(begun, resigned(begun), InteractionId(2)),
        database.run(counts_tries),
        return_exceptions=True,
    )
    await asyncio.sleep(0)  # all three are in the queue
    together.set()
    waited, over, failed = await work
    assert waited is True
    assert isinstance(over, Table)
    assert isinstance(failed, LookupError)
    assert tries == [2, 2]
    assert await tallies(records) == [LOST, WON]


KILLED_AT_THE_COMMIT = """
import asyncio, os, signal, sys
from datetime import UTC, datetime
from dataclasses import replace
from sqlalchemy import event
from bot.storage.opening import opened
from bot.storage.tables import Tables
from bot.table.actions import Action, press
from bot.table.session import SessionId
from bot.table.table import InteractionId
from tests.bot.clock import ManualClock

async def main(address, session):
    async with opened(address) as database:
        store = Tables(database, ManualClock())
        before = await store.table(SessionId(session))
        after = press(before.session, Action.RESIGN, before.session.people[0], ply=4)

        def kill(connection):
            written = connection.exec_driver_sql("SELECT count(*) FROM standing").scalar()
            print(written, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)

        event.listen(database._engine, "commit", kill)
        await store.save(before, replace(before, revision=2, session=after), InteractionId(2))

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


async def test_a_crash_before_the_commit_leaves_neither_the_end_nor_its_records(
    address: str, clock: ManualClock
) -> None:
    async with opened(address) as database:
        begun = await Tables(database, clock).open(table(clock), InteractionId(1))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        KILLED_AT_THE_COMMIT,
        address,
        str(begun.id),
        env=environment(),
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    assert (process.returncode, out) == (-signal.SIGKILL, b"8\n")
    async with opened(address) as database:
        store, records = Tables(database, clock), Records(database)
        assert (await store.table(begun.id)).session.phase is Phase.RUNNING
        assert await tallies(records) == [Tally(), Tally()]
        await store.save(begun, resigned(begun), InteractionId(2))
        assert await tallies(records) == [LOST, WON]


OLD_GAMES: Final[tuple[tuple[int, str, str, int, dict[str, object]], ...]] = (
    # Ben won the first to end, which was the second to begin; the other was closed.
    (1, "finished", "played", 2000, {"payoff": (0.0, 0.0)}),
    (2, "finished", "resigned", 1000, {"payoff": (-1.0, 1.0)}),
    (3, "abandoned", "closed", 500, {}),
)
CHOSEN: Final = {"options": {"size": 3, "line": 3}, "pace": "live"}
STATE: Final = {"locale": "en-US", "seats": [{}, {}], "feats": [[], []]}


def write_old_games(file: Path) -> None:
    """A database with two finished games that are in no records yet."""
    engine = sqlite_engine(make_url(f"sqlite:///{file}"))
    with engine.begin() as connection:
        upgrade(connection)
        for number, phase, ending, at, payoff in OLD_GAMES:
            connection.exec_driver_sql(
                """INSERT INTO session (id, game, host, phase, ending, plies, revision, shown,
                unattended, guild, channel, moved_at, state) VALUES
                (?, 'tictactoe', 1, ?, ?, 1, 2, 2, 0, 7, 8, ?, ?)""",
                (number, phase, ending, at, json.dumps(STATE | {"session": CHOSEN | payoff})),
            )
            for seat in range(2):
                connection.exec_driver_sql(
                    "INSERT INTO seat (session, seat, kind, person) VALUES (?, ?, 'human', ?)",
                    (number, seat, seat + 1),
                )
            connection.exec_driver_sql("INSERT INTO move VALUES (?, 0, 4, ?)", (number, at))
    engine.dispose()


async def test_games_that_are_in_no_records_are_entered_in_the_order_of_their_ends(
    empty: Path,
) -> None:
    write_old_games(empty)
    seen: list[dict[str, list[Any]]] = []
    for _ in range(2):
        async with opened(f"sqlite:///{empty}") as database:
            records = Records(database)
            ann = await records.stats(ANN, "tictactoe", 7)
            assert (ann.tally, ann.standing.streak) == (Tally(losses=1, draws=1), 0)
            entries = (await records.history(BEN)).entries
            assert [entry.finished.session for entry in entries] == [1, 2]
            seen.append(await database.run(dump))
    assert seen[0]["finish"] == [(1, 2), (2, 1), (3, None)]
    assert seen[0] == seen[1]
    with sqlite3.connect(empty) as connection:
        assert connection.execute("SELECT count(*) FROM move").fetchone() == (3,)
    connection.close()

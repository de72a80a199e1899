"""The time to read records, and a game's bytes on the disk, with very many games finished.

    python -m tests.benchmarks.records [--games N] [--people N] [--asked N] [--database FILE]

Writes a database of finished games (see `finished_games`; a million take about a quarter of an
hour), or uses one written before, and asks each question as the bot does, of people as they play:
who plays much is asked about often. The last line ends a game, with all that it writes.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from random import Random

from bot.clock import SystemClock
from bot.message.blocks import Screen
from bot.records.summaries import PAGE
from bot.screens.replay import Replay
from bot.screens.stats import stats_picture
from bot.storage.privacy.read import Attachment, written
from bot.storage.privacy.store import PersonalDataStore
from bot.storage.records.queries import Records
from bot.storage.stores import stores
from bot.storage.tables import Tables
from bot.table.actions import Action, press
from bot.table.seats import Human, Pace, PersonId
from bot.table.session import Session, SessionId
from bot.table.table import InteractionId, Place, Table
from engine.games.tictactoe import GAME
from tests.benchmarks.finished_games import write
from tests.benchmarks.forgetting import LARGEST_FILE
from tests.bot.english import ENGLISH_WORDS

Question = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Sample:
    """The subjects of the queries: seats of finished games at random, and their places.

    `anybody` are people at random, whether they play much or not.
    """

    seats: list[tuple[SessionId, PersonId, int | None, int]]
    anybody: list[PersonId]
    games: int
    people: int


def sampled(file: Path, size: int, rng: Random) -> Sample:
    """Seats of games at random; people who play much are among them often."""
    with closing(sqlite3.connect(file)) as raw:
        (games,) = raw.execute("SELECT count(*) FROM session").fetchone()
        (people,) = raw.execute("SELECT count(DISTINCT person) FROM result").fetchone()
        numbers = [rng.randint(1, games) for _ in range(size)]
        query = """SELECT session, result.person, result.guild, session.channel
            FROM result JOIN session ON session.id = result.session WHERE session = ? LIMIT 1"""
        known = [person for (person,) in raw.execute("SELECT DISTINCT person FROM result")]
        seats = [raw.execute(query, (number,)).fetchone() for number in numbers]
        return Sample(seats, rng.sample(known, size), games, people)


def busiest(file: Path) -> PersonId:
    """Whoever has played most."""
    with closing(sqlite3.connect(file)) as raw:
        query = "SELECT person FROM result GROUP BY person ORDER BY count(*) DESC LIMIT 1"
        return PersonId(raw.execute(query).fetchone()[0])


async def timed(what: str, questions: Iterable[Question]) -> None:
    """Asks one after the other and prints the median and the 95th percentile."""
    took = []
    for question in questions:
        begun = time.perf_counter()
        await question()
        took.append(time.perf_counter() - begun)
    cuts = statistics.quantiles(took, n=20)
    print(f"| {what} | {cuts[9] * 1e3:.1f} | {cuts[18] * 1e3:.1f} |", flush=True)


async def measure(
    records: Records, store: Tables, sample: Sample, most: PersonId, rng: Random
) -> None:
    """Asks every question of the protocol, and what is asked of the games themselves."""
    people = [person for _, person, _, _ in sample.seats]
    here = [(person, guild) for _, person, guild, _ in sample.seats if guild is not None]
    pages = [rng.randrange(sample.people // PAGE) for _ in people]
    stats, board, history = records.stats, records.leaderboard, records.history
    questions: dict[str, Iterable[Question]] = {
        "`stats`": (partial(stats, person, "tictactoe") for person in people),
        "`stats`, one server": (partial(stats, person, "ludo", guild) for person, guild in here),
        "`stats` of the busiest": (partial(stats, most, "tictactoe") for _ in people),
        "`leaderboard`": (partial(board, "tictactoe", asking=person) for person in people),
        "`leaderboard`, one server": (
            partial(board, "ludo", guild, asking=person) for person, guild in here
        ),
        "`leaderboard`, any page": (
            partial(board, "tictactoe", asking=most, page=page) for page in pages
        ),
        "`leaderboard`, its last page": (
            partial(board, "tictactoe", asking=person, page=sample.people) for person in people
        ),
        "`history`": (partial(history, person) for person in people),
        "`history`, one game": (partial(history, person, "ludo") for person in people),
        "`history`, one server": (
            partial(history, person, "ludo", guild) for person, guild in here
        ),
        "`history` of the busiest, any page": (
            partial(history, most, page=rng.randrange(1000)) for _ in people
        ),
        "the picture of `stats`": (partial(pictured, records, person) for person in people),
        "`games`": (partial(store.unfinished, channel) for *_, channel in sample.seats),
        "`replay`, what is offered": (
            partial(store.finished, channel, person) for _, person, _, channel in sample.seats
        ),
        "`replay`, a game": (partial(replayed, store, session) for session, *_ in sample.seats),
    }
    for what, asked in questions.items():
        await timed(what, asked)


async def pictured(records: Records, person: PersonId) -> bytes:
    """Somebody's statistics, drawn."""
    return stats_picture(await records.stats(person, "tictactoe"), ENGLISH_WORDS)


async def replayed(store: Tables, session: SessionId) -> Screen:
    """The end of a finished game that nobody has looked at since the start."""
    replay = Replay(await store.table(session))
    return replay.screen(replay.led(Action.LAST, 0))


async def exported(personal_data: PersonalDataStore, person: PersonId) -> Attachment | None:
    """Everything about a person, as they get it."""
    data = await personal_data.personal_data(person)
    return written(data, SystemClock().now(), {}, most=LARGEST_FILE)


async def privately(personal_data: PersonalDataStore, sample: Sample) -> None:
    """Asks what is kept about people, and whether anything is: what forgetting asks first."""
    await timed("`me export`", (partial(exported, personal_data, each) for each in sample.anybody))
    await timed(
        "`me forget`, asked", (partial(personal_data.knows, each) for each in sample.anybody)
    )


async def ends(store: Tables, sample: Sample) -> list[Question]:
    """Games between two people of a server, about to end by resignation."""
    clock, interactions = SystemClock(), map(InteractionId, count(time.time_ns()))
    found: list[Question] = []
    for (_, one, guild, _), (_, other, _, _) in pairwise(sample.seats):
        if one == other:
            continue
        seats = (Human(one), Human(other))
        session = Session(GAME, GAME.settled({}), Pace.LIVE, one, seats).start()
        place = Place(guild, 1)
        table = Table(SessionId(0), 1, session, place, "en-US", clock.now(), due=None)
        begun = await store.open(table, next(interactions))
        over = press(session, Action.RESIGN, one, ply=0)
        after = replace(begun, revision=2, session=over)
        found.append(partial(store.save, begun, after, None))
    return found


def sizes(file: Path) -> None:
    """Prints what a game takes, table by table with its indexes."""
    with closing(sqlite3.connect(file)) as raw:
        games = dict(raw.execute("SELECT game, count(*) FROM session GROUP BY game"))
        total = sum(games.values())
        rows = raw.execute(
            """SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name)
            GROUP BY tbl_name HAVING sum(pgsize) > 100000 ORDER BY 2 DESC"""
        ).fetchall()
        print("\n| table, with its indexes | bytes a game | bytes a row |\n|---|---|---|")
        for table, size in rows:
            (count,) = raw.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608
            print(f"| {table} | {size / total:.0f} | {size / count:.0f} |")
        print(f"| all | {sum(size for _, size in rows) / total:.0f} | |")
        plies = raw.execute("SELECT game, avg(plies) FROM session GROUP BY game").fetchall()
        print("\n" + ", ".join(f"{games[g]:,} games of {g} with {n:.0f} plies" for g, n in plies))


def progress(file: Path, games: int, people: int) -> None:
    """Writes the database, telling how far it is."""
    begun = time.perf_counter()
    for done in write(file, games, people, Random(5)):
        seconds = time.perf_counter() - begun
        print(f"\r{done:,} games in {seconds:.0f} s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


async def main() -> None:
    """Writes, asks, weighs."""
    parser = argparse.ArgumentParser(description="Records of very many finished games.")
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--people", type=int, default=50_000)
    parser.add_argument("--asked", type=int, default=300, help="how often each question is asked")
    parser.add_argument("--database", type=Path, help="written if it is not there, and kept")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = arguments.database or Path(folder) / "parlour.db"
        if not file.exists():
            progress(file, arguments.games, arguments.people)
        rng = Random(7)
        sample, most = sampled(file, arguments.asked, rng), busiest(file)
        print(f"{sample.games:,} games of {sample.people:,} people\n")
        print("| asked | p50 ms | p95 ms |\n|---|---|---|")
        async with stores(f"sqlite:///{file.absolute()}", SystemClock()) as kept:
            await measure(kept.records, kept.tables, sample, most, rng)
            await privately(kept.personal_data, sample)
            await timed("a game ends", await ends(kept.tables, sample))
        sizes(file)


if __name__ == "__main__":
    asyncio.run(main())

"""Pages of leaderboards, and one's own place, among very many standings, on both databases.

python -m tests.benchmarks.leaderboard [standings] [folder]

Half of the standings are of all time, a quarter each of two seasons. The puzzle's league has a
person for every 200 standings, with an answer on each day of a month.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from sqlalchemy import Connection, Engine, text

from bot.records.rating import ALL_TIME, Season, first_day
from bot.records.standings import EVERYWHERE
from bot.records.summaries import PAGE
from bot.storage.dialect import backend_at
from bot.storage.opening import sole_transaction
from bot.storage.records.puzzles import league
from bot.storage.records.puzzles import recount as recount_points
from bot.storage.records.statistics import Ranking, leaderboard
from bot.storage.values import number_of
from bot.table.seats import PersonId
from tests.bot.postgres import missing_postgres, postgres

STANDINGS: Final = 1_000_000
ROUNDS: Final = 200

LAST, THIS = Season(202610), Season(202611)
SHARES: Final = {ALL_TIME: 2, LAST: 4, THIS: 4}
"""The seasons, each with one in so many of the standings."""

A_SOLVER: Final = 200
"""The standings for each person who solves puzzles."""

APART: Final = 5_000_000_011
"""Between two ids, so that the accounts are of the years that Discord has been there."""

_FILL: Final = """INSERT INTO standing
    SELECT i * {apart}, 'ludo', {season}, 0, 25, 8,
        CASE WHEN i % 4 = 0 THEN (i / 4) % 3 ELSE ({chance} + {chance} + {chance}) * 10 END,
        1, 0, 0, 0, 0, 0, 0
    FROM ({numbers}) AS numbers"""
"""A quarter has played but once and has one of three ratings; the others' lie about a middle."""

_SOLVE: Final = """INSERT INTO puzzle_answer
    SELECT people.i * {apart}, {first} + days.i, {true}, 1,
        CASE WHEN {chance} < 0.3 THEN 2 END, NULL
    FROM ({people}) AS people, ({days}) AS days"""

_DIALECTS: Final = {
    "sqlite": {
        "chance": "(abs(random() % 1000000007) / 1000000007.0)",
        "true": "1",
        "numbers": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT {many}) "
        "SELECT i FROM n",
    },
    "postgresql": {
        "chance": "random()",
        "true": "true",
        "numbers": "SELECT i FROM generate_series(CAST(1 AS bigint), {many}) AS i",
    },
}
_INDEX: Final = (
    "CREATE INDEX ix_standing_ordinal ON standing (game, scope, season, ordinal, person)"
)


def fill(address: str, many: int) -> None:
    """Makes as many standings and their answers to puzzles, and counts them."""
    with sole_transaction(address) as connection:
        own = _DIALECTS[connection.dialect.name]
        connection.exec_driver_sql("DROP INDEX ix_standing_ordinal")
        for season, share in SHARES.items():
            numbers = own["numbers"].format(many=many // share)
            filled = _FILL.format(apart=APART, season=season, **own | {"numbers": numbers})
            connection.execute(text(filled))
        connection.exec_driver_sql(_INDEX)
        people, days = (own["numbers"].format(many=each) for each in (many // A_SOLVER, 30))
        first = number_of(first_day(THIS)) - 1
        solved = _SOLVE.format(apart=APART, first=first, people=people, days=days, **own)
        connection.execute(text(solved))
        connection.exec_driver_sql("ANALYZE")
    vacuum(address)
    with sole_transaction(address) as connection:
        recount_points(connection)


def vacuum(address: str) -> None:
    """Tidies up as PostgreSQL does by itself, but for the server of tests: indexes then suffice."""
    engine = backend_at(address).engine()
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("SET statement_timeout = 0")
            connection.exec_driver_sql("VACUUM ANALYZE standing, puzzle_answer")
    engine.dispose()


def asked(season: Season, people: int, rng: Random) -> dict[str, Callable[[Connection], object]]:
    """The queries of a season's board, by name."""
    board, last = Ranking("ludo", EVERYWHERE, season), (people - 1) // PAGE

    def page(number: Callable[[], int], asking: int = 1) -> Callable[[Connection], object]:
        return lambda c: leaderboard(c, board, PersonId(asking), number())

    def own(connection: Connection) -> object:
        return leaderboard(connection, board, somebody(people, rng), 0)

    return {
        "first page": page(lambda: 0),
        "middle page": page(lambda: last // 2),
        "any page": page(lambda: rng.randrange(last + 1)),
        "last page": page(lambda: last),
        "own place": own,
    }


def asked_of_league(people: int, rng: Random) -> dict[str, Callable[[Connection], object]]:
    """The queries of the puzzle's league, by name."""
    last = (people - 1) // PAGE
    return {
        "first page": lambda c: league(c, None, THIS, somebody(people, rng), 0),
        "any page": lambda c: league(c, None, THIS, somebody(people, rng), rng.randrange(last + 1)),
    }


def somebody(people: int, rng: Random) -> PersonId:
    """A person at random."""
    return PersonId(rng.randrange(1, people + 1) * APART)


def measured(engine: Engine, ask: Callable[[Connection], object]) -> tuple[float, float]:
    """The median and the 95th percentile in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        begun = perf_counter()
        with engine.begin() as connection:
            ask(connection)
        times.append(1000 * (perf_counter() - begun))
    cuts = quantiles(times, n=20)
    return cuts[9], cuts[18]


@contextmanager
def addresses(folder: Path) -> Iterator[list[str]]:
    """A database of each kind that there is."""
    file = f"sqlite:///{folder}/parlour.db"
    folder.chmod(0o755)  # which a server of another user has to pass through
    if missing_postgres():
        yield [file]
    else:
        with postgres(folder) as server:
            yield [file, server()]


def main(many: int, within: str | None) -> None:
    """Prints a line for what is asked of each."""
    rng = Random(1)
    questions = {
        **{
            ("season" if s else "all time"): asked(s, many // SHARES[s], rng)
            for s in (ALL_TIME, THIS)
        },
        "league": asked_of_league(many // A_SOLVER, rng),
    }
    print(f"{many:,} standings, {ROUNDS} rounds             p50 ms   p95 ms")
    with TemporaryDirectory(dir=within) as folder, addresses(Path(folder)) as found:
        for address in found:
            begun = perf_counter()
            fill(address, many)
            engine = backend_at(address).engine()
            kind = engine.dialect.name
            print(f"{kind:11} filled in {perf_counter() - begun:.0f} s", flush=True)
            for board, its in questions.items():
                for name, ask in its.items():
                    p50, p95 = measured(engine, ask)
                    print(f"{kind:11} {board:9} {name:12} {p50:12.1f} {p95:8.1f}", flush=True)
            engine.dispose()


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else STANDINGS,
        sys.argv[2] if len(sys.argv) > 2 else None,
    )

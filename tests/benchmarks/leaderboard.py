"""Pages of a leaderboard, and one's own place, among very many people, on both databases.

python -m tests.benchmarks.leaderboard [people] [folder]
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

from sqlalchemy import Connection, Engine, select, text

from bot.records.standings import EVERYWHERE
from bot.records.summaries import PAGE
from bot.storage.dialect import backend_at
from bot.storage.opening import sole_transaction
from bot.storage.records.leaderboard import leaderboard
from bot.storage.records.places import Ranking, recount
from bot.storage.schema.record_tables import standings
from bot.table.seats import PersonId
from tests.bot.postgres import missing_postgres, postgres

PEOPLE: Final = 1_000_000
ROUNDS: Final = 200

BOARD: Final = Ranking("ludo", EVERYWHERE)

APART: Final = 5_000_000_011
"""Between two ids, so that the accounts are of the years that Discord has been there."""

_FILL: Final = """INSERT INTO standing
    SELECT i * {apart}, 'ludo', 0, 0, 25, 8,
        CASE WHEN i % 4 = 0 THEN (i / 4) % 3 ELSE ({chance} + {chance} + {chance}) * 10 END,
        1, 0, 0, 0, 0
    FROM ({numbers}) AS numbers"""
"""A quarter has played but once and has one of three ratings; the others' lie about a middle."""

_DIALECTS: Final = {
    "sqlite": {
        "chance": "(abs(random() % 1000000007) / 1000000007.0)",
        "numbers": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT {people}) "
        "SELECT i FROM n",
    },
    "postgresql": {
        "chance": "random()",
        "numbers": "SELECT i FROM generate_series(CAST(1 AS bigint), {people}) AS i",
    },
}
_INDEX: Final = (
    "CREATE INDEX ix_standing_ordinal ON standing (game, scope, season, ordinal, person)"
)


def fill(address: str, people: int) -> None:
    """Makes as many standings, and counts them."""
    with sole_transaction(address) as connection:
        own = _DIALECTS[connection.dialect.name]
        numbers = own["numbers"].format(people=people)
        connection.exec_driver_sql("DROP INDEX ix_standing_ordinal")
        connection.execute(text(_FILL.format(apart=APART, **own | {"numbers": numbers})))
        connection.exec_driver_sql(_INDEX)
        connection.exec_driver_sql("ANALYZE")
    vacuum(address)
    with sole_transaction(address) as connection:
        recount(connection)


def vacuum(address: str) -> None:
    """Tidies up as PostgreSQL does by itself, but for the server of tests: indexes then suffice."""
    engine = backend_at(address).engine()
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("SET statement_timeout = 0")
            connection.exec_driver_sql("VACUUM ANALYZE standing")
    engine.dispose()


def asked(people: int, rng: Random) -> dict[str, Callable[[Connection], object]]:
    """What is asked, by its name."""
    last = (people - 1) // PAGE

    def page(number: Callable[[], int], asking: int = 1) -> Callable[[Connection], object]:
        return lambda c: leaderboard(c, BOARD, PersonId(asking), number())

    def own(connection: Connection) -> object:
        asking = PersonId(rng.randrange(1, people + 1) * APART)
        return leaderboard(connection, BOARD, asking, 0)

    return {
        "first page": page(lambda: 0),
        "middle page": page(lambda: last // 2),
        "any page": page(lambda: rng.randrange(last + 1)),
        "last page": page(lambda: last),
        "own place": own,
    }


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


def main(people: int, within: str | None) -> None:
    """Prints a line for what is asked of each."""
    print(f"{people:,} people, {ROUNDS} rounds       p50 ms   p95 ms")
    with TemporaryDirectory(dir=within) as folder, addresses(Path(folder)) as found:
        for address in found:
            begun = perf_counter()
            fill(address, people)
            engine = backend_at(address).engine()
            kind = engine.dialect.name
            print(f"{kind:11} filled in {perf_counter() - begun:.0f} s", flush=True)
            with engine.begin() as connection:
                assert connection.execute(select(standings.c.person).limit(1)).first()
            for name, ask in asked(people, Random(1)).items():
                p50, p95 = measured(engine, ask)
                print(f"{kind:11} {name:20} {p50:12.1f} {p95:8.1f}", flush=True)
            engine.dispose()


if __name__ == "__main__":
    main(
        int(sys.argv[1]) if len(sys.argv) > 1 else PEOPLE,
        sys.argv[2] if len(sys.argv) > 2 else None,
    )

"""Migrations of a database to the schema of this version.

Alembic, which takes 9 MB of memory, is imported only if there is a migration to carry out.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from functools import cache
from importlib.resources import files
from time import perf_counter
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, column, inspect, select, table

from bot.storage.dialect import MIGRATING, advisory_lock, unhurried
from bot.storage.errors import StorageError

if TYPE_CHECKING:
    from alembic.config import Config

log = logging.getLogger(__name__)

BASELINE: Final = "0032"
"""The schema with which the migrations begin."""

LAST_OF_OLD: Final = "57142c1e"
"""The commit whose migrations bring older databases up to the baseline."""

TOLD_EVERY: Final = 2.0
"""Seconds between two lines of the log about the progress."""

APPLIED: Final = table("alembic_version", column("version_num"))
"""The table with the revision of a database."""


def configuration(connection: Connection | None = None) -> Config:
    """Alembic's configuration, whose commands run on `connection` if one is given."""
    from alembic.config import Config  # noqa: PLC0415 - seldom needed

    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection, allow: Callable[[Connection], None] = lambda _: None) -> None:
    """Carry out the migrations that the database lacks.

    `allow` is called first, unless it is new, and raises an error if it is to be left as it is.

    Raises:
        StorageError: The database is newer than this version, or older than `BASELINE`.
    """
    unhurried(connection)
    advisory_lock(connection, MIGRATING)
    if known := _known_revisions(connection):
        allow(connection)
    if known != {head()}:
        from alembic import command  # noqa: PLC0415 - seldom needed

        if known:
            log.info("Upgrading the database: to schema %s", head())
        command.upgrade(configuration(connection), "head")


def downgrade(connection: Connection, revision: str) -> None:
    """Take back the migrations after a revision."""
    if revision != head():
        from alembic import command  # noqa: PLC0415 - seldom needed

        command.downgrade(configuration(connection), revision)


@cache
def revisions() -> tuple[str, ...]:
    """The schemas that this version knows, the latest first, such as `("0044", …, "0032")`."""
    scripts = files("migrations").joinpath("versions").iterdir()
    names = (script.name.partition("_")[0] for script in scripts)
    return tuple(sorted(filter(str.isdecimal, names), reverse=True))


def predates_baseline(schema: str) -> bool:
    """Whether a schema is older than the first migration of this version."""
    return schema.isdecimal() and schema < BASELINE


def head() -> str:
    """The schema of this version."""
    return revisions()[0]


def check_version(connection: Connection) -> None:
    """Check that a database has the schema of this version.

    Raises:
        StorageError: It has another schema, or is not a database of Parlour's.
    """
    found = _known_revisions(connection)
    if not found:
        raise StorageError("The database of DATABASE_URL has nothing of Parlour's in it.")
    if found != {head()}:
        raise StorageError(
            "The database was written by an older version of Parlour; "
            "start Parlour once, which brings it up to date."
        )


def progress(done: str) -> Callable[[int], None]:
    """A function that takes the number of games done, and logs it every `TOLD_EVERY` seconds."""
    last = perf_counter()

    def passed(games: int) -> None:
        nonlocal last
        if (now := perf_counter()) - last >= TOLD_EVERY:
            last = now
            log.info("Upgrading the database: %s games=%s", done, games)

    return passed


def _known_revisions(connection: Connection) -> set[str]:
    found: set[str] = set()
    if inspect(connection).has_table(APPLIED.name):
        found.update(connection.execute(select(APPLIED.c.version_num)).scalars())
    check_known(found)
    return found


def check_known(found: Collection[str]) -> None:
    """Check that this version can bring a database with these revisions up to date.

    Raises:
        StorageError: The database is newer than this version, or older than `BASELINE`.
    """
    if any(map(predates_baseline, found)):
        raise StorageError(
            "The database was written before version 0.4.0 of Parlour; start Parlour of commit "
            f"{LAST_OF_OLD} on it once, which brings it up to date, then this one."
        )
    if not {*found} <= {*revisions()}:
        raise StorageError(
            "The database was written by a newer version of Parlour; "
            "update Parlour, or name another database in DATABASE_URL."
        )

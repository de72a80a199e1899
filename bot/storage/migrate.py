"""Brings a database to the schema of this version."""

from __future__ import annotations

from importlib.resources import files

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from bot.storage.errors import StorageError


def configuration(connection: Connection | None = None) -> Config:
    """Alembic's configuration; with a connection, its commands run there."""
    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Carries out the migrations that the database lacks.

    Raises:
        StorageError: The database is of a newer version than this one.
    """
    _known_revisions(connection)
    command.upgrade(configuration(connection), "head")


def check_version(connection: Connection) -> None:
    """Does nothing where a database has the schema of this version.

    Raises:
        StorageError: It is of another version, or none of Parlour's.
    """
    revisions = _known_revisions(connection)
    if not revisions:
        raise StorageError("The database of DATABASE_URL has nothing of Parlour's in it.")
    if revisions != set(_scripts().get_heads()):
        raise StorageError(
            "The database was written by an older version of Parlour; "
            "start Parlour once, which brings it up to date."
        )


def _known_revisions(connection: Connection) -> set[str]:
    """The revisions that a database is at."""
    revisions = MigrationContext.configure(connection).get_current_heads()
    try:
        _scripts().get_revisions(revisions)
    except CommandError:
        raise StorageError(
            "The database was written by a newer version of Parlour; "
            "update Parlour, or name another database in DATABASE_URL."
        ) from None
    return set(revisions)


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(configuration())

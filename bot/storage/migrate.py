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
    config = configuration(connection)
    try:
        ScriptDirectory.from_config(config).get_revisions(
            MigrationContext.configure(connection).get_current_heads()
        )
    except CommandError:
        raise StorageError(
            "The database was written by a newer version of Parlour; "
            "update Parlour, or name another database in DATABASE_URL."
        ) from None
    command.upgrade(config, "head")

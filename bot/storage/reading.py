"""A database as it is at one moment, beside the bot that writes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from bot.storage.database import parsed
from bot.storage.migrate import check_version
from bot.storage.sqlite import database_file, existing, reading_engine, transaction


@contextmanager
def reading(address: str) -> Iterator[Connection]:
    """The database at a URL; whatever is written meanwhile is not seen, and nobody waits.

    Raises:
        StorageError: It is not there, cannot be read, or has the schema of another version.
    """
    url = parsed(address)
    file = existing(database_file(url))
    with transaction(reading_engine(url), file) as connection:
        check_version(connection)
        yield connection

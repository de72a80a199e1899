"""A database for this process alone, in one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection

from bot.storage.database import parsed
from bot.storage.migrate import upgrade
from bot.storage.sqlite import database_file, sole_user, sqlite_engine, transaction


@contextmanager
def filling(address: str) -> Iterator[Connection]:
    """The database at a URL, at this version's schema; all that is done there is kept, or nothing.

    Raises:
        StorageError: It cannot be used, or another process uses it.
    """
    url = parsed(address)
    file = database_file(url)
    with sole_user(file), transaction(sqlite_engine(url), file) as connection:
        upgrade(connection)
        yield connection

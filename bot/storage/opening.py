"""Open a database by its URL at this version's schema, for the bot or for one transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DatabaseError

from bot.storage.backup import check_not_lost
from bot.storage.database import Backend, Database, NewDatabase
from bot.storage.dialect import backend_at
from bot.storage.errors import StorageError, Unavailable
from bot.storage.migrate import check_version, head, upgrade
from bot.storage.records.write import record_missing
from bot.storage.shards import WHOLE, Share


@asynccontextmanager
async def opened(
    address: str,
    share: Share = WHOLE,
    timed: Callable[[float], None] = lambda _: None,
    *,
    new_database: NewDatabase = Database,
    allow: Callable[[Connection], None] = lambda _: None,
) -> AsyncIterator[Database]:
    """Open the database at a URL for a process with this share, and upgrade it.

    `timed` is called with the seconds that each piece of work took, including its wait. `allow`
    is as in `upgrade`.

    Raises:
        StorageError: It cannot be used, now or in the block, such as with a full disk;
            `StorageAway` if that passes by itself.
    """
    backend = backend_at(address)
    check_not_lost(backend)
    async with AsyncExitStack() as stack:
        stack.enter_context(backend.sole_user(share, head()))
        database = new_database(backend, timed)
        stack.push_async_callback(database.close)
        try:
            await database.run(partial(upgrade, allow=allow))
            await database.run(record_missing)
            yield database
        except (DatabaseError, Unavailable) as error:
            raise _explained(backend, error) from None


@contextmanager
def sole_transaction(address: str, *, there: bool = False) -> Iterator[Connection]:
    """Upgrade the database at a URL and yield a transaction that no other process can disturb.

    With `there` the database has to exist.

    Raises:
        StorageError: It cannot be used, or another process uses it.
    """
    backend = backend_at(address)
    if there:
        backend.check_there()
    check_not_lost(backend)
    with backend.sole_user(), _transaction(backend, backend.engine()) as connection:
        upgrade(connection)
        record_missing(connection)
        yield connection


@contextmanager
def reading_transaction(address: str) -> Iterator[Connection]:
    """Yield a transaction that reads a snapshot of the database, even while the bot writes.

    Raises:
        StorageError: It does not exist, cannot be read, or has the schema of another version.
    """
    backend = backend_at(address)
    backend.check_there()
    with _transaction(backend, backend.reading_engine()) as connection:
        check_version(connection)
        yield connection


@contextmanager
def _transaction(backend: Backend, engine: Engine) -> Iterator[Connection]:
    try:
        with engine.begin() as connection:
            yield connection
    except DatabaseError as error:
        raise backend.explained(error) from None
    finally:
        engine.dispose()


def _explained(backend: Backend, error: DatabaseError | Unavailable) -> StorageError:
    cause = error.__cause__ if isinstance(error, Unavailable) else error
    if isinstance(cause, DatabaseError):
        return backend.explained(cause)
    return cause if isinstance(cause, StorageError) else StorageError(f"{cause}")

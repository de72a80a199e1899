"""Databases of both kinds for tests, and a way past everything that Parlour does with them."""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final, Protocol

from sqlalchemy import Connection, Dialect, create_engine, select, update
from sqlalchemy.engine import make_url

from bot.storage.check.database import check
from bot.storage.opening import reading_transaction, sole_transaction
from bot.storage.schema.game_tables import sessions

KINDS: Final = ("sqlite", "postgres")


class NewDatabase(Protocol):
    """Makes databases of a kind, and takes them away."""

    def __call__(self, of: str | None = None) -> str:
        """The URL of a database with nothing in it but perhaps the schema, or of a copy of one."""

    def drop(self, address: str) -> None:
        """Removes one that is done with."""


class Files:
    """Databases in files of a folder, copies of a template of this version's schema."""

    def __init__(self, folder: Path) -> None:
        self._folders = (folder / str(number) for number in count())

    def __call__(self, of: str | None = None) -> str:
        """The URL of a new file with this version's schema, or a copy of one."""
        folder = next(self._folders)
        folder.mkdir()
        shutil.copy(template() if of is None else file_of(of), folder / "parlour.db")
        return f"sqlite:///{folder}/parlour.db"

    def drop(self, address: str) -> None:
        """Remove a file with its folder."""
        shutil.rmtree(file_of(address).parent)


class Compiled(dict[tuple[object, ...], Any]):
    """The statements that SQLAlchemy has compiled, shared by all engines of a kind of database.

    Each engine has its own otherwise, by its own dialect, so that each test compiles all of them.
    """

    def get(self, key: tuple[object, ...], default: Any = None) -> Any:
        return super().get(_by_kind(key), default)

    def __setitem__(self, key: tuple[object, ...], compiled: Any) -> None:
        super().__setitem__(_by_kind(key), compiled)


def _by_kind(key: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(type(part) if isinstance(part, Dialect) else part for part in key)


@cache
def template() -> Path:
    """A file with this version's schema, to be copied: migrations take a while."""
    folder = mkdtemp(prefix="parlour-")  # a folder object would clean up in forks too
    atexit.register(shutil.rmtree, folder)
    file = Path(folder) / "parlour.db"
    with sole_transaction(f"sqlite:///{file}"):
        pass
    return file


def file_of(address: str) -> Path:
    """The file of an SQLite database."""
    name = make_url(address).database
    assert name is not None
    return Path(name)


@contextmanager
def raw(address: str) -> Iterator[Connection]:
    """A transaction that nothing of Parlour's sees, and in which no reference is held to."""
    engine = create_engine(make_url(address.replace("postgresql:", "postgresql+psycopg:")))
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
            yield connection
    finally:
        engine.dispose()


def faults(of: Connection | str) -> list[str]:
    """What `parlour check` finds wrong in a database, in a transaction or at a URL."""
    if isinstance(of, str):
        with reading_transaction(of) as connection:
            return faults(connection)
    told: list[str] = []
    check(of, told.append, lambda *_: None)
    return told


def spoil(connection: Connection, session: int, field: str, value: object) -> None:
    """Put a value into the state of a session, at a field such as `session.pace`."""
    its = sessions.c.id == session
    state = connection.execute(select(sessions.c.state).where(its)).scalar_one()
    put(state, field, value)
    connection.execute(update(sessions).where(its).values(state=state))


def put(state: Any, field: str, value: object) -> None:
    """Put a value into a state, at a field such as `session.pace` or `seats.0.level`."""
    *outer, name = (int(part) if part.isdecimal() else part for part in field.split("."))
    for part in outer:
        state = state[part]
    state[name] = value

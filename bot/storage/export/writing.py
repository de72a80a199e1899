"""Writes an export: everything in the order of its keys, read some hundred tables at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    RowMapping,
    bindparam,
    select,
    type_coerce,
)

from bot.storage.errors import StorageError
from bot.storage.export import FORMAT, VERSION, Counts
from bot.storage.export.chain import Chain, body
from bot.storage.export.choices import person_line, server_line
from bot.storage.export.games import game_line
from bot.storage.schema import (
    UtcMoment,
    blocks,
    moves,
    people,
    seats,
    server_channels,
    servers,
    sessions,
)
from bot.storage.sqlite import last_session
from bot.storage.table_rows import Values

TOGETHER: Final = 500
"""How many tables, people or servers are read at a time."""

Line: TypeAlias = tuple[Values, Counts]
"""What a line says, and what it adds to the counts."""


class Range(NamedTuple):
    """Keys that follow each other, from the first to the last."""

    first: int
    last: int


def _raw(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A column as it is stored, which for times is milliseconds."""
    if isinstance(column.type, UtcMoment):
        return type_coerce(column, BigInteger).label(column.key)
    return column


_MOVES = (
    select(moves.c.session, moves.c.move, _raw(moves.c.played_at))
    .where(moves.c.session.between(bindparam("first"), bindparam("last")))
    .order_by(moves.c.session, moves.c.ply)
)


def write(connection: Connection, file: BinaryIO) -> Counts:
    """Writes all of a database that an export has, and says how much that is."""
    chain, counts = Chain(), Counts()
    following = last_session(connection) + 1
    file.write(chain.line(body({"format": FORMAT, "version": VERSION, "next_session": following})))
    for lines in (_people(connection), _servers(connection), _games(connection)):
        for line, more in lines:
            file.write(chain.line(body(line)))
            counts += more
    file.write(chain.line(body({"end": asdict(counts)})))
    return counts


def _people(connection: Connection) -> Iterator[Line]:
    for keys, numbers in _pages(connection, people.c.id, blocks.c.person):
        rows = {row["id"]: row for row in _read(connection, people.c.id, keys)}
        blocked = _listed(_read(connection, blocks.c.person, keys), by="person", what="blocked")
        for person in numbers:
            if line := person_line(person, rows.get(person), blocked[person]):
                yield line, Counts(people=1)


def _servers(connection: Connection) -> Iterator[Line]:
    for keys, _ in _pages(connection, servers.c.id):
        channels = _listed(
            _read(connection, server_channels.c.server, keys), by="server", what="channel"
        )
        for row in _read(connection, servers.c.id, keys):
            yield server_line(row, channels[row["id"]]), Counts(servers=1)


def _games(connection: Connection) -> Iterator[Line]:
    for keys, _ in _pages(connection, sessions.c.id):
        occupants: defaultdict[int, list[RowMapping]] = defaultdict(list)
        for seat in _read(connection, seats.c.session, keys):
            occupants[seat["session"]].append(seat)
        played: defaultdict[int, list[int]] = defaultdict(list)
        times: defaultdict[int, list[int]] = defaultdict(list)
        for session, move, time in connection.execute(_MOVES, keys._asdict()):
            played[session].append(move)
            times[session].append(time)
        for row in _read(connection, sessions.c.id, keys):
            number = row["id"]
            if len(played[number]) != row["plies"]:
                raise _damaged(number)
            line = game_line(row, occupants[number], played[number], times[number])
            yield line, Counts(sessions=1, moves=len(played[number]))


def _damaged(number: int) -> StorageError:
    return StorageError(
        f"The database is damaged, since moves of game {number} are missing; "
        "move it away and put your latest backup in its place."
    )


def _pages(connection: Connection, *columns: Column[int]) -> Iterator[tuple[Range, Sequence[int]]]:
    """The numbers that are in any of some columns, ascending, some hundred at a time."""
    last: int | None = None
    while True:
        found: set[int] = set()
        for column in columns:
            query = select(column).distinct().order_by(column).limit(TOGETHER)
            if last is not None:
                query = query.where(column > last)
            found.update(connection.execute(query).scalars())
        numbers = sorted(found)[:TOGETHER]
        if not numbers:
            return
        last = numbers[-1]
        yield Range(numbers[0], last), numbers


def _read(connection: Connection, key: Column[Any], keys: Range) -> Sequence[RowMapping]:
    """The rows of a table with a key in a range, in the order of its primary key."""
    table = key.table
    within = key.between(keys.first, keys.last)
    query = select(*map(_raw, table.columns)).where(within).order_by(*table.primary_key)
    return connection.execute(query).mappings().all()


def _listed(rows: Sequence[RowMapping], *, by: str, what: str) -> defaultdict[int, list[int]]:
    """One column of rows, in their order, by another."""
    listed: defaultdict[int, list[int]] = defaultdict(list)
    for row in rows:
        listed[row[by]].append(row[what])
    return listed

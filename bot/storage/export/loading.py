"""Reads an export into an empty database: its lines in order, and what one says of another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, BinaryIO, Final

from sqlalchemy import Connection, select

from bot.storage.errors import StorageError
from bot.storage.export import FORMAT, VERSION, Counts, WrongExport
from bot.storage.export.batches import Batches
from bot.storage.export.chain import unchained
from bot.storage.export.choices import person_rows, server_rows
from bot.storage.export.games import Rows, game_rows
from bot.storage.export.members import COUNT, NUMBER, Members, Wrong, shown
from bot.storage.records.write import rebuild
from bot.storage.schema import RECORDS, blocks, people, server_channels, servers, sessions
from bot.storage.sqlite import last_session, number_on

ORDER: Final = ("format", "person", "server", "session", "end")
"""The first members of lines, which say what a line is, in the order in which they come."""


def load(connection: Connection, file: BinaryIO) -> Counts:
    """Fills an empty database with an export, makes the records, and says how much there was.

    Raises:
        StorageError: The database has something in it.
        WrongExport: A line is wrong; what has been written is to be rolled back.
    """
    if _occupied(connection):
        raise StorageError(
            "The database is not empty, and two histories cannot be mixed; "
            "name a new one in DATABASE_URL."
        )
    loading = Loading(connection)
    number = 0
    for number, values in enumerate(unchained(file), 1):
        try:
            loading.take(values, number)
        except Wrong as error:
            raise WrongExport(f"line {number} is wrong: {error}") from None
    if loading.counts is None:
        ends = f"the file ends after line {number}, without its last line."
        raise WrongExport(ends if number else "the file is empty.")
    rebuild(connection)
    return loading.counts


def _occupied(connection: Connection) -> bool:
    """Whether a database has anything of what an export has, or what follows from it."""
    return any(
        connection.execute(select(table).limit(1)).first() is not None
        for table in (people, blocks, servers, server_channels, sessions, *RECORDS)
    )


class Loading:
    """An export as far as it has been read."""

    def __init__(self, connection: Connection) -> None:
        self.counts: Counts | None = None
        self._connection = connection
        self._batches = Batches(connection)
        self._before: tuple[int, int] | None = None
        self._next_session = 1
        self._finishes: set[int] = set()
        self._awaited: dict[int, tuple[int, int]] = {}
        """Rematches that are still to come: whose each is, and in which line."""

    def take(self, values: Mapping[str, Any], number: int) -> None:
        """Reads the line of a number.

        Raises:
            Wrong: It says what cannot be, there or at all.
        """
        kind = next(iter(values), "")
        self._follow(kind, values)
        match kind:
            case "format":
                self._begin(values)
            case "person":
                self._batches.add_person(*person_rows(values))
            case "server":
                self._batches.add_server(*server_rows(values))
            case "session":
                self._game(game_rows(values), number)
            case _:
                self._end(values)

    def _follow(self, kind: str, values: Mapping[str, Any]) -> None:
        """Holds a line against the one before: all are in the order of their keys."""
        if kind not in ORDER:
            raise Wrong(f"it begins with {shown(kind)}, which is not known here.")
        key = values[kind]
        place = (ORDER.index(kind), key if type(key) is int else 0)
        if self._before is None and kind != "format":
            raise Wrong("the first line names the format.")
        if self._before is not None and place <= self._before:
            raise Wrong(f"{kind} {shown(key)} does not come after what the line before has.")
        self._before = place

    def _begin(self, values: Mapping[str, Any]) -> None:
        written = values["format"], values.get("version")
        if written != (FORMAT, VERSION):
            raise Wrong(
                f"it names the format {shown(written[0])} of version {shown(written[1])}, but this "
                f"version of Parlour reads {shown(FORMAT)} of version {VERSION}."
            )
        read = Members(values, ("format", "version", "next_session"))
        self._next_session = read("next_session", NUMBER)

    def _game(self, rows: Rows, line: int) -> None:
        number, finish = rows.session["id"], rows.session["finish"]
        if number >= self._next_session:
            raise Wrong(f"session is {number}, but next_session was {self._next_session}.")
        if finish in self._finishes:
            raise Wrong(f"finish is {finish}, which another session has.")
        if finish is not None:
            self._finishes.add(finish)
        self._batches.add_game(rows, self._awaited.pop(number, (None, 0))[0])
        rematch = rows.session["rematch"]
        if rematch in self._awaited:
            raise Wrong(f"rematch is {rematch}, which another session has.")
        if rematch is not None:
            self._awaited[rematch] = number, line

    def _end(self, values: Mapping[str, Any]) -> None:
        self._batches.write()
        for rematch, (_, line) in self._awaited.items():
            raise WrongExport(f"line {line} is wrong: there is no session {rematch}, its rematch.")
        had = self._batches.counts
        written = Members(values, ("end",))("end", _counts)
        if written != had:
            raise Wrong(f"it counts {shown(asdict(written))}, but there were {shown(asdict(had))}.")
        number_on(self._connection, max(last_session(self._connection), self._next_session - 1))
        self.counts = had


def _counts(value: object) -> Counts:
    if not isinstance(value, dict):
        raise Wrong("an object of counts")
    names = tuple(asdict(Counts()))
    read = Members(value, names)
    return Counts(**{name: read(name, COUNT) for name in names})

"""Errors of storage: a database that cannot be used, and changes that cannot be stored."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.session import SessionId


class StorageError(Exception):
    """The database cannot be used; the message is a sentence that says what to do about it."""


class StorageAway(StorageError):
    """It passes: the server is away, the disk is full, or others are in the way."""


class FileGone(StorageError):
    """Another file, or none, is at the path of the database file, so writes would be lost."""


class Unavailable(Exception):
    """The database is away for now; the change was made completely or not at all."""


class UnknownTable(LookupError):
    """No table has this id."""


class UnknownGame(LookupError):
    """This version does not know the game."""


class UnknownTournament(LookupError):
    """No tournament has this id."""


class Unreadable(UnknownTable, UnknownTournament):
    """This version cannot read the row; callers treat it like a missing one."""

    def __init__(self, table: str, key: tuple[object, ...]) -> None:
        super().__init__(table, key)
        self.table = table
        self.key = key


class Conflict(Exception):
    """The table or tournament has changed since it was read."""


class Crowded(Exception):
    """The channel has no room for another table; `unfinished` are those in the way, oldest first.

    A game against computers alone is limited only by the host's other games of that kind.
    """

    def __init__(self, unfinished: Sequence[SessionId]) -> None:
        super().__init__(unfinished)
        self.unfinished = unfinished


class Repeated(Exception):
    """The interaction was carried out before, and led to `table`."""

    def __init__(self, table: SessionId) -> None:
        super().__init__(table)
        self.table = table


class StillSeated(Exception):
    """The person has a seat at a table that waits or runs."""

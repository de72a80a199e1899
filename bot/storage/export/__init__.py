"""Everything that Parlour keeps, as lines of JSON that no database owns, and back.

The README has the format. An export is written from a database as it is at one moment (`writing`)
and read into an empty one (`loading`, `batches`). Each line carries a check (`chain`), and what it
says is held against types and ranges (`members`, `choices`, `games`) and the rules of its game.
Whatever is taken would be written again byte for byte.

Left out: the records, which follow from the games; the interactions, which Discord repeats for some
minutes at most; and the notes, which say what Discord has last been told, and are made anew at the
first start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.storage.errors import StorageError

FORMAT: Final = "Parlour export"
VERSION: Final = 1


class WrongExport(StorageError):
    """A file is no whole export; the message says which of its lines is the first to be wrong."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How much an export has: its last line."""

    people: int = 0
    servers: int = 0
    sessions: int = 0
    moves: int = 0

    def __add__(self, more: Counts) -> Counts:
        return Counts(
            self.people + more.people,
            self.servers + more.servers,
            self.sessions + more.sessions,
            self.moves + more.moves,
        )

"""Holds all that is stored of games against their moves.

Every game is replayed, and its dice are rolled again from their secret. Where the rules ended it,
its result is what the moves lead to; where people did, one that somebody's leaving there gives. The
records then have to be those of these results, in the order in which the games finished.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, RowMapping, select

from bot.storage.integrity import broken_pages, impossible_values, lost_rows
from bot.storage.replayed import StoredGame, examined
from bot.storage.schema import moves, seats, sessions
from bot.storage.second_books import SecondBooks, Tell, second_books

TOGETHER: Final = 500
"""How many games are read at a time."""


@dataclass(frozen=True, slots=True)
class Checked:
    """How much was checked, and how much is wrong with what the records are made of."""

    games: int = 0
    moves: int = 0
    rolls: int = 0
    records: int = 0
    damages: int = 0


def check(connection: Connection, tell: Tell, passed: Callable[[int], None]) -> Checked:
    """Checks a database, telling of all that is wrong; `passed` is told how many games were seen.

    What is found there may be anything: it is the owner's database, but perhaps damaged. Where a
    value cannot be read for what it should be, that is told, and nothing else is looked at.
    """
    unreadable = _told([*broken_pages(connection), *impossible_values(connection)], tell)
    if unreadable:
        return Checked(damages=unreadable)
    lost = _told(lost_rows(connection), tell)
    with second_books() as books:
        replays = Replays(books, tell)
        for games in _batches(connection):
            replays.add(games)
            passed(replays.games)
        for key, uncounted in replays.uncounted.items():
            tell(
                f"The records of {key} were not compared: they follow from all its finished games, "
                f"and {uncounted} cannot be counted."
            )
        records = books.compare(connection, tell, without=replays.uncounted)
    return Checked(
        replays.games, replays.moves, replays.rolls, records, damages=lost + replays.damages
    )


class Replays:
    """Replays games, enters them into other books, and keeps count."""

    def __init__(self, books: SecondBooks, tell: Tell) -> None:
        self._books = books
        self._tell = tell
        self.games = self.moves = self.rolls = self.damages = 0
        self.uncounted: Counter[str] = Counter()
        """How many finished games are too damaged for records to follow from, by kind of game."""

    def add(self, games: list[StoredGame]) -> None:
        """Takes the next games, in the order of their numbers."""
        for game in games:
            seen = examined(game)
            sentences = (f"Game {game.row['id']}: {fault}" for fault in seen.faults)
            self.damages += _told(sentences, self._tell)
            self.moves += len(game.moves)
            self.rolls += seen.rolls
            if seen.seats is not None:
                self._books.add(game.row, seen.seats)
            elif game.counts:
                self.uncounted[game.row["game"]] += 1
        self.games += len(games)


def _told(sentences: Iterable[str], tell: Tell) -> int:
    """How many sentences there are, which are told."""
    told = [*sentences]
    for sentence in told:
        tell(sentence)
    return len(told)


def _batches(connection: Connection) -> Iterator[list[StoredGame]]:
    """All games by their numbers, some at a time."""
    last = 0
    numbered = select(sessions.c.id).order_by(sessions.c.id).limit(TOGETHER)
    while numbers := connection.execute(numbered.where(sessions.c.id > last)).scalars().all():
        first, last = numbers[0], numbers[-1]
        seated: defaultdict[int, list[RowMapping]] = defaultdict(list)
        played: defaultdict[int, list[RowMapping]] = defaultdict(list)
        for table, found in ((seats, seated), (moves, played)):
            own = select(table).where(table.c.session.between(first, last))
            for row in connection.execute(own.order_by(*table.primary_key)).mappings():
                found[row["session"]].append(row)
        own = select(sessions).where(sessions.c.id.between(first, last)).order_by(sessions.c.id)
        rows = connection.execute(own).mappings()
        yield [StoredGame(row, seated[row["id"]], played[row["id"]]) for row in rows]

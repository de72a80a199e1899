"""The check of a whole database: what is stored of games is compared with their moves.

Every game is replayed, and its dice are rolled again from their secret. A game that the rules ended
must have the result of its moves; one that people ended (resigned, agreed, out of time) a result
that is possible there. The records must follow from the results in the order of finishing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from sqlalchemy import Connection, Integer, bindparam, select

from bot.records.summaries import Finished
from bot.storage.check.games import StoredGame, examined, false_tournaments
from bot.storage.check.records import Tell, compare_records, impossible_values, lost_rows
from bot.storage.dialect import broken_pages
from bot.storage.schema.game_tables import moves, seats, sessions, taken_back
from bot.table.session import SessionId

Passed: TypeAlias = Callable[[str, int], None]
"""Takes the kind of work, `replayed` or `counted`, and the number of games done."""

BATCH: Final = 500
"""The most games read at a time."""

_FIRST: Final = bindparam("first", type_=Integer)
_LAST: Final = bindparam("last", type_=Integer)
_GAMES = select(sessions).where(sessions.c.id.between(_FIRST, _LAST)).order_by(sessions.c.id)
_SEATS = select(seats).where(seats.c.session.between(_FIRST, _LAST)).order_by(*seats.primary_key)
_MOVES = (
    select(moves.c.session, moves.c.ply, moves.c.move)
    .where(moves.c.session.between(_FIRST, _LAST))
    .order_by(*moves.primary_key)
)
_TAKEN_BACK = (
    select(taken_back.c.session, taken_back.c.number, taken_back.c.ply, taken_back.c.move)
    .where(taken_back.c.session.between(_FIRST, _LAST))
    .order_by(*taken_back.primary_key)
)


@dataclass(frozen=True, slots=True)
class Checked:
    """The amounts checked, and in `damages` the number of faults besides those of records."""

    games: int = 0
    moves: int = 0
    rolls: int = 0
    records: int = 0
    damages: int = 0


def check(connection: Connection, tell: Tell, passed: Passed) -> Checked:
    """Check a database, report every fault by `tell`, and the progress by `passed`.

    The database may be damaged in any way. If its pages are broken or a value cannot be in its
    column, only these faults are reported, and nothing else is checked.
    """
    broken = broken_pages(connection)
    unreadable = _told([*broken, *impossible_values(connection)], tell)
    if unreadable:
        return Checked(damages=unreadable)
    lost = _told(lost_rows(connection), tell)
    replays = ReplayCheck(tell)
    replays.add_all(connection, partial(passed, "replayed"))
    lost += _told(false_tournaments(connection), tell)
    for key, uncounted in replays.uncounted.items():
        tell(
            f"The records of {key} were not compared: they follow from all its finished games, "
            f"and {uncounted} cannot be counted."
        )
    compared = compare_records(
        connection,
        tell,
        partial(passed, "counted"),
        without=replays.uncounted,
        instead=replays.mended,
    )
    return Checked(
        replays.games, replays.moves, replays.rolls, compared, damages=lost + replays.damages
    )


def damages(connection: Connection) -> Sequence[str]:
    """The faults of games and tournaments, without those of records, a sentence each."""
    told = [*impossible_values(connection)]
    if not told:
        told += lost_rows(connection)
        ReplayCheck(told.append).add_all(connection, lambda _: None)
        told += false_tournaments(connection)
    return told


class ReplayCheck:
    """A check that replays games, and counts them and their faults."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self.games = self.moves = self.rolls = self.damages = 0
        self.uncounted: Counter[str] = Counter()
        """The number of finished games too damaged to be recorded, by kind of game."""
        self.mended: dict[SessionId, Finished] = {}
        """Games whose stored result is wrong, with the result that their moves give."""

    def add_all(self, connection: Connection, passed: Callable[[int], None]) -> None:
        """Replay all games of a database, calling `passed` with the number done so far."""
        for games in _batches(connection):
            for game in games:
                self._add(game)
            passed(self.games)

    def _add(self, game: StoredGame) -> None:
        seen = examined(game)
        sentences = (f"Game {game.row['id']}: {fault}" for fault in seen.faults)
        self.damages += _told(sentences, self._tell)
        self.moves += len(game.moves)
        self.rolls += seen.rolls
        if seen.mended is not None:
            self.mended[seen.mended.session] = seen.mended
        if game.counts and not seen.countable:
            self.uncounted[game.row["game"]] += 1
        self.games += 1


def _told(sentences: Iterable[str], tell: Tell) -> int:
    """Pass each sentence to `tell`; return how many there were."""
    told = [*sentences]
    for sentence in told:
        tell(sentence)
    return len(told)


def _batches(connection: Connection) -> Iterator[list[StoredGame]]:
    last = 0
    numbered = select(sessions.c.id).order_by(sessions.c.id).limit(BATCH)
    while numbers := connection.execute(numbered.where(sessions.c.id > last)).scalars().all():
        last = numbers[-1]
        these = {"first": numbers[0], "last": last}
        rows = connection.execute(_GAMES, these).mappings()
        games = {row["id"]: StoredGame({**row}, [], [], []) for row in rows}
        for row in connection.execute(_SEATS, these).mappings():
            if row["session"] in games:
                games[row["session"]].seats.append({**row})
        for session, ply, move in connection.execute(_MOVES, these):
            if session in games:
                games[session].plies.append(ply)
                games[session].moves.append(move)
        for session, number, ply, move in connection.execute(_TAKEN_BACK, these):
            if session in games:
                games[session].taken_back.setdefault(number, []).append((ply, move))
        yield [*games.values()]

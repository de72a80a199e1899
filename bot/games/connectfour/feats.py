"""Feats of connect four that its discs show, and the badges that they earn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.records.badges import Badge
from engine.game import Seat
from engine.games.connectfour.position import ConnectFourPosition, winning_cells, winning_line

DOUBLE_THREAT, LAST_ROW, WAS_LOST, TWO_FOURS = "double_threat", "last_row", "was_lost", "two_fours"
A_FOUR: Final = 4

BADGES: Final = (
    Badge(DOUBLE_THREAT, "🔱", lambda part: part.won and part.did(DOUBLE_THREAT)),
    Badge(LAST_ROW, "🧗", lambda part: part.won and part.did(LAST_ROW)),
    Badge(WAS_LOST, "🪂", lambda part: part.won and part.did(WAS_LOST)),
    Badge(TWO_FOURS, "🎇", lambda part: part.won and part.did(TWO_FOURS), hidden=True),
)


def feats(path: Sequence[ConnectFourPosition]) -> tuple[frozenset[str], ...]:
    """The feats of each seat in a game that is over, by its positions from the first to the last.

    The winner's are a four that no answer could stop, a four in the highest row, a win although
    the rival could have won before, and more than four discs in the fours at once.
    """
    found: tuple[set[str], set[str]] = set(), set()
    end = path[-1]
    if not end.won:
        return frozenset(), frozenset()
    winner = Seat(1 - end.turn)
    own, line = found[winner], winning_line(end)
    if len(line) > A_FOUR:
        own.add(TWO_FOURS)
    if any(end.place(cell)[1] == end.rows - 1 for cell in line):
        own.add(LAST_ROW)
    if _lost(path[-3]):
        own.add(DOUBLE_THREAT)
    if any(position.turn != winner and winning_cells(position) for position in path[:-1]):
        own.add(WAS_LOST)
    return frozenset(found[0]), frozenset(found[1])


def _lost(position: ConnectFourPosition) -> bool:
    """Whether the seat to move cannot win at once, and its rival does after any disc of it."""
    answers = (winning_cells(position.play(move)) for move in position.moves())
    return not winning_cells(position) and all(answers)

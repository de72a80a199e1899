"""The reasons for a mark in the words of the game, the strongest first, and the puzzles.

A threat is a line that lacks one own mark, on a free cell; a fork is a mark after which threats lie
on two cells at least, so that one answer does not stop them. A puzzle is a proven win, or a proven
draw where all else loses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from engine.game import Move, Options, Reason
from engine.games.tictactoe.agents import block_fork, centre, corners, forks, named, opposite_corner
from engine.games.tictactoe.position import TicTacToePosition, stones, winning_line, wins
from engine.games.tictactoe.solver import symmetry


class MarkReason(StrEnum):
    """A kind of reason; each comment says which cells `about` has, ascending."""

    WINS = "wins"  # the cells of the line
    BLOCKS = "blocks"  # nothing: the cell itself would have completed a line of the rival
    FORKS = "forks"  # the cells that complete a line next
    BLOCKS_FORK = "blocks fork"  # the cells where the rival could have forked
    THREATENS = "threatens"  # the cell that completes a line next
    CENTRE = "centre"
    OPPOSITE_CORNER = "opposite corner"
    CORNER = "corner"
    EDGE = "edge"
    INSIDE = "inside"
    MISSES_WIN = "misses win"  # the cells that would have won
    LETS_WIN = "lets win"  # the cells where the rival now wins
    LETS_FORK = "lets fork"  # the cells where the rival now forks and wins with its next mark


def reasons(position: TicTacToePosition, move: Move) -> Iterator[Reason]:
    """The reasons for a mark on `move`, a free cell."""
    own, other = stones(position)
    after = position.play(move)
    if after.won:
        yield Reason(MarkReason.WINS, winning_line(after))
        return
    dangers, chances = wins(other, own, position), wins(own, other, position)
    if dangers >> move & 1:
        yield Reason(MarkReason.BLOCKS)
    threats = named(wins(own | 1 << move, other, position), position)
    if len(threats) > 1:
        yield Reason(MarkReason.FORKS, tuple(threats))
    if not dangers and move in block_fork(position):
        yield Reason(MarkReason.BLOCKS_FORK, tuple(forks(other, own, position)))
    if len(threats) == 1:
        yield Reason(MarkReason.THREATENS, tuple(threats))
    yield Reason(_place(position, move))
    if chances:
        yield Reason(MarkReason.MISSES_WIN, tuple(named(chances, position)))
    if answers := wins(other, own | 1 << move, after):
        yield Reason(MarkReason.LETS_WIN, tuple(named(answers, after)))
    elif let := _lets_fork(position, move, threats):
        yield Reason(MarkReason.LETS_FORK, tuple(let))


def _lets_fork(position: TicTacToePosition, move: Move, threats: Sequence[Move]) -> list[Move]:
    """The cells where the rival can fork after a mark.

    If the mark threatens to win, the rival has only the cell that stops it.
    """
    own, other = stones(position)
    found = forks(other, own | 1 << move, position.play(move))
    return [cell for cell in found if not threats or list(threats) == [cell]]


def _place(position: TicTacToePosition, move: Move) -> MarkReason:
    if move in centre(position):
        return MarkReason.CENTRE
    if move in opposite_corner(position):
        return MarkReason.OPPOSITE_CORNER
    if move in corners(position.size):
        return MarkReason.CORNER
    row, column = divmod(move, position.size)
    last = position.size - 1
    return MarkReason.EDGE if row in {0, last} or column in {0, last} else MarkReason.INSIDE


DAYS: Final[Mapping[int, tuple[tuple[str, Options], ...]]] = {
    0: (("win", {"size": 4, "line": 3}),),
    1: (("win", {"size": 4, "line": 4}),),
    3: (("win", {"size": 4, "line": 4}),),
    4: (("win", {"size": 5, "line": 4}),),
    5: (("win", {"size": 4, "line": 4}), ("win", {"size": 5, "line": 4})),
    6: (("hold", {"size": 5, "line": 4}),),
}
"""The tasks and boards of each day of the week, Monday is 0."""

CARELESS: Final = "rules-corner"
"""The agent that plays a game until a puzzle is found, with random moves in between."""

LEVELS: Final = ("rules-corner", "alphabeta:2")
"""The agents of Parlour's middle levels, between random and perfect play."""


def fits(position: TicTacToePosition) -> bool:
    """Whether enough marks are on the board for a puzzle: at least two more than its size."""
    return len(position.moves()) <= position.size * (position.size - 1) - 2


def canonical(position: TicTacToePosition) -> object:
    """A key of the position, the same for its rotations and mirror images."""
    return position.size, position.line, symmetry(position.size).canonical(*stones(position))

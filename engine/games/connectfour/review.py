"""The reasons for a disc in the words of the game, the strongest first; chances; puzzles.

A threat is a free cell that completes a four; it is near if the next disc can lie there. A fork is
a disc after which one answer does not stop all near threats: two of them, or one below another.

The numbers by which winning chances come true are fitted to games of rules and of alpha-beta three
and four plies deep, on 7x6, from the empty board and after random moves, so that no span of ten
points is far off. With few discs the seat that moved first wins more often than the search tells,
above all if it began in the middle. Of later positions that are still not proven it wins fewer, as
many of its own wins are proven by then.

A puzzle is a proven win, or a proven draw where all else loses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise
from math import exp
from typing import Final, TypeAlias

from engine.game import Move, Options, Reason
from engine.games.connectfour.agents import forks, most_central
from engine.games.connectfour.position import (
    FIRST,
    ConnectFourPosition,
    discs,
    next_cells,
    numbers,
    winning_cells,
    winning_line,
    wins,
)


class DiscReason(StrEnum):
    """A kind of reason; behind each kind is the meaning of the cells in `about`, ascending."""

    WINS = "wins"  # the cells of the four
    BLOCKS = "blocks"  # nothing: the cell itself would have completed a four of the rival
    FORKS = "forks"  # the near threats it makes, and those on them
    BLOCKS_FORK = "blocks fork"  # the cells where the rival could have forked
    THREATENS = "threatens"  # the near threat it makes
    PREPARES = "prepares"  # the threats it makes that are not near
    CENTRE = "centre"
    MISSES_WIN = "misses win"  # the cells that would have won
    LETS_WIN = "lets win"  # the cells where the rival now wins
    LETS_FORK = "lets fork"  # the cells where the rival now forks and wins with its next disc
    GIVES_UP = "gives up"  # the own threat that the rival can now stop


def reasons(position: ConnectFourPosition, move: Move) -> Iterator[Reason]:
    """The reasons for a disc in the column `move`, which has room."""
    after = position.play(move)
    if after.won:
        yield Reason(DiscReason.WINS, winning_line(after))
        return
    own, other = discs(position)
    taken, empty = own | other, position.board
    near = next_cells(taken, empty)
    disc = 1 << position.cell(move, position.height(move))
    chances, dangers = wins(own, taken, empty), wins(other, taken, empty)
    if dangers & disc:
        yield Reason(DiscReason.BLOCKS)
    threats = wins(own | disc, taken | disc, empty)
    missed = chances & near
    if not missed:
        yield from _gains(threats, threats & ~chances, next_cells(taken | disc, empty))
    rival_forks = forks(other, own, near, empty)
    if rival_forks and not dangers & near and not (winning_cells(after) or _lets_fork(after)):
        yield _about(DiscReason.BLOCKS_FORK, rival_forks)
    if most_central(position, near) & most_central(position, empty.every) & disc:
        yield Reason(DiscReason.CENTRE)
    if missed:
        yield _about(DiscReason.MISSES_WIN, missed)
    yield from _costs(after, disc, chances)


def _gains(threats: int, new: int, near: int) -> Iterator[Reason]:
    """The forks that a disc makes, or the `new` ones of the threats that its seat then has."""
    pressing = threats & near
    if pressing & (pressing - 1) or pressing << 1 & threats:
        yield _about(DiscReason.FORKS, pressing | pressing << 1 & threats)
        return
    if pressing & new:
        yield _about(DiscReason.THREATENS, pressing & new)
    if later := new & ~near:
        yield _about(DiscReason.PREPARES, later)


def _costs(after: ConnectFourPosition, disc: int, chances: int) -> Iterator[Reason]:
    """The costs of the disc: chances of the rival, who is to move in `after`."""
    near = next_cells(after.first | after.second, after.board)
    if answers := winning_cells(after):
        yield _about(DiscReason.LETS_WIN, answers)
    elif let := _lets_fork(after):
        yield _about(DiscReason.LETS_FORK, let)
    if given := disc << 1 & chances & near:
        yield _about(DiscReason.GIVES_UP, given)


def _lets_fork(after: ConnectFourPosition) -> int:
    """The cells where the rival, who is to move, can fork.

    A threat leaves it one cell, which may be a fork as well; below a threat it cannot fork.
    """
    rival, own = discs(after)
    taken, empty = rival | own, after.board
    near = next_cells(taken, empty)
    threats = wins(own, taken, empty)
    pressing = threats & near
    if pressing & (pressing - 1):
        return 0
    return forks(rival, own, (pressing or near) & ~(threats >> 1), empty)


def _about(kind: DiscReason, cells: int) -> Reason:
    return Reason(kind, tuple(numbers(cells)))


Curve: TypeAlias = Sequence[tuple[int, float]]
"""Values by discs on the board, ascending; between two of them on a straight line."""

FITTED: Final = "7x6"
LEAD: Final = ((0, 1.3), (3, 1.0), (4, 0.46), (6, 0.58), (8, 0.17), (12, -0.22), (24, -0.54))
"""The log odds that the first seat is ahead of what the search tells."""
AWAY: Final = ((4, -0.82), (12, 0.44))
"""The log odds added if the other seat has the lowest cell in the middle; half if nobody has."""
STEEP: Final = ((8, 1.4), (16, 2.04))
"""The log odds of a win that the search is sure of, in proportion less of a smaller advantage."""
HOPE: Final = 0.09
"""The log odds by which the search tells too much to who is to move: it is the best of many."""


def corrected(position: ConnectFourPosition, chance: float) -> float:
    """The chance of the seat to move as it comes true, by what a search tells; an end is sure."""
    if not 0 < chance < 1:
        return chance
    discs = (position.first | position.second).bit_count()
    lead = at(LEAD, discs) + _away(position) * at(AWAY, discs)
    odds = at(STEEP, discs) * (2 * chance - 1) - HOPE
    return 1 / (1 + exp(-odds - lead if position.turn == FIRST else lead - odds))


def _away(position: ConnectFourPosition) -> float:
    """Tell who has the lowest cell in the middle: 0 the first seat, 1 the other, else a half.

    On an empty board it is the first seat's, whose turn it is.
    """
    if not position.first:
        return 0.0
    holder = position.at(position.columns // 2, 0)
    return 0.5 if holder is None else float(holder != FIRST)


def at(curve: Curve, discs: int) -> float:
    """The value of a curve at a number of discs, beyond its ends that of the end."""
    for (left, low), (right, high) in pairwise(curve):
        if discs <= right:
            return low + (high - low) * max(0, discs - left) / (right - left)
    return curve[-1][1]


def checked(options: Options) -> bool:
    """Whether chances were checked against games on such a board."""
    return options.get("size", FITTED) == FITTED


BOARD: Final = {"size": "7x6"}

DAYS: Final[Mapping[int, tuple[tuple[str, Options, int], ...]]] = {
    1: (("win", BOARD, 2),),
    5: (("win", BOARD, 3), ("win", BOARD, 4)),
    6: (("hold", BOARD, 0),),
}
"""The puzzles of a day of the week, 0 being Monday: task, board, own discs that a win takes."""

CARELESS: Final = "rules"
"""The agent that plays to a puzzle, with random moves in between."""

LEVELS: Final = ("rules", "alphabeta:4")
"""The computers of Parlour between one that is random and one that knows, as agents."""

FEWEST, MOST = 8, 20
"""The cells left to fill: more would take too long to prove."""


def fits(position: ConnectFourPosition) -> bool:
    """Whether few enough cells are left, and enough for a plan."""
    taken = (position.first | position.second).bit_count()
    return FEWEST <= position.board.cells - taken <= MOST


def canonical(position: ConnectFourPosition) -> object:
    """The position, the same for one that mirrors into it."""
    lines = [line.split() for line in str(position).splitlines()]
    return min(lines, [line[::-1] for line in lines])

"""The reasons for a disc in the words of the game, the strongest first; chances; puzzles.

A threat is a free cell that completes a four; it is near if the next disc can lie there. A fork is
a disc after which one answer does not stop all near threats: two of them, or one below another.

The numbers that correct winning chances are fitted to games of the agents `rules` and `alphabeta`,
three and four plies deep, on 7x6, from the empty board and after random moves. They bring every
range of ten points near the share really won. With few discs the first seat wins more often than
the search estimates, above all if it began in the middle; later less often, as by then many of its
wins are proven and not corrected.

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
    """A kind of reason; each comment says which cells `about` has, ascending."""

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
    """The reasons for a disc: the fork that it makes, or else its `new` threats."""
    pressing = threats & near
    if pressing & (pressing - 1) or pressing << 1 & threats:
        yield _about(DiscReason.FORKS, pressing | pressing << 1 & threats)
        return
    if pressing & new:
        yield _about(DiscReason.THREATENS, pressing & new)
    if later := new & ~near:
        yield _about(DiscReason.PREPARES, later)


def _costs(after: ConnectFourPosition, disc: int, chances: int) -> Iterator[Reason]:
    """The reasons against a disc: what the rival, to move in `after`, can do."""
    near = next_cells(after.first | after.second, after.board)
    if answers := winning_cells(after):
        yield _about(DiscReason.LETS_WIN, answers)
    elif let := _lets_fork(after):
        yield _about(DiscReason.LETS_FORK, let)
    if given := disc << 1 & chances & near:
        yield _about(DiscReason.GIVES_UP, given)


def _lets_fork(after: ConnectFourPosition) -> int:
    """The cells where the rival, who is to move, can fork.

    If it has to stop a threat, only that cell counts; the cell below a threat never does.
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
"""Points (discs on the board, value), ascending, with straight lines between them."""

FITTED: Final = "7x6"
LEAD: Final = ((0, 1.3), (3, 1.0), (4, 0.46), (6, 0.58), (8, 0.17), (12, -0.22), (24, -0.54))
"""The log odds to add for the first seat to what the search estimates."""
AWAY: Final = ((4, -0.82), (12, 0.44))
"""The log odds to add to `LEAD` if the second seat has the lowest cell of the middle column; half
of them if it is free."""
STEEP: Final = ((8, 1.4), (16, 2.04))
"""The log odds of a sure win by the search; a smaller advantage has proportionally less."""
HOPE: Final = 0.09
"""The log odds to take from the seat to move: the best of many estimates is too high."""


def corrected(position: ConnectFourPosition, chance: float) -> float:
    """The real winning chance of the seat to move, by a search's estimate; 0 and 1 stay."""
    if not 0 < chance < 1:
        return chance
    discs = (position.first | position.second).bit_count()
    lead = at(LEAD, discs) + _away(position) * at(AWAY, discs)
    odds = at(STEEP, discs) * (2 * chance - 1) - HOPE
    return 1 / (1 + exp(-odds - lead if position.turn == FIRST else lead - odds))


def _away(position: ConnectFourPosition) -> float:
    """0 if the first seat has the lowest cell of the middle column, 1 if the second, else 0.5.

    On an empty board it is 0, as the first seat may take it.
    """
    if not position.first:
        return 0.0
    holder = position.at(position.columns // 2, 0)
    return 0.5 if holder is None else float(holder != FIRST)


def at(curve: Curve, discs: int) -> float:
    """The value of a curve at a number of discs; beyond an end, the value at that end."""
    for (left, low), (right, high) in pairwise(curve):
        if discs <= right:
            return low + (high - low) * max(0, discs - left) / (right - left)
    return curve[-1][1]


def checked(options: Options) -> bool:
    """Whether chances on such a board were checked against real results."""
    return options.get("size", FITTED) == FITTED


BOARD: Final = {"size": "7x6"}

DAYS: Final[Mapping[int, tuple[tuple[str, Options, int], ...]]] = {
    1: (("win", BOARD, 2),),
    5: (("win", BOARD, 3), ("win", BOARD, 4)),
    6: (("hold", BOARD, 0),),
}
"""The puzzles of a day of the week (0 is Monday): task, options, own discs to a win (or 0)."""

CARELESS: Final = "rules"
"""The agent that plays a game until a puzzle is found, with random moves in between."""

LEVELS: Final = ("rules", "alphabeta:4")
"""The agents of Parlour's middle levels, between random and perfect play."""

FEWEST, MOST = 8, 20
"""The range of free cells of a puzzle: with more, proofs would take too long."""


def fits(position: ConnectFourPosition) -> bool:
    """Whether the number of free cells suits a puzzle."""
    taken = (position.first | position.second).bit_count()
    return FEWEST <= position.board.cells - taken <= MOST


def canonical(position: ConnectFourPosition) -> object:
    """A key of the position that its mirror image shares."""
    lines = [line.split() for line in str(position).splitlines()]
    return min(lines, [line[::-1] for line in lines])

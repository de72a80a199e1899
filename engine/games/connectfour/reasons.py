"""The reasons for a disc, in the words of the game; the strongest comes first.

A threat is a free cell that completes a four; it is near if the next disc can lie there. A fork is
a disc after which one answer does not stop all near threats: two of them, or one below another.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from engine.game import Move, Reason
from engine.games.connectfour.position import (
    ConnectFourPosition,
    discs,
    next_cells,
    numbers,
    winning_line,
    wins,
)
from engine.games.connectfour.rules_agent import forks, most_central


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
    if rival_forks and not dangers & near and not (_lets_win(after) or _lets_fork(after)):
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
    if answers := _lets_win(after):
        yield _about(DiscReason.LETS_WIN, answers)
    elif let := _lets_fork(after):
        yield _about(DiscReason.LETS_FORK, let)
    if given := disc << 1 & chances & near:
        yield _about(DiscReason.GIVES_UP, given)


def _lets_win(after: ConnectFourPosition) -> int:
    """The cells where the rival, who is to move, wins."""
    rival, own = discs(after)
    taken, empty = rival | own, after.board
    return wins(rival, taken, empty) & next_cells(taken, empty)


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

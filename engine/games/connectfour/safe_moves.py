"""The moves that do not lose at once, the most promising first, as every search here plays them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from engine.games.connectfour.position import EmptyBoard

SafeMove: TypeAlias = tuple[int, int, int, int]
"""The number, negated, of cells that then complete a four; the rank from the middle; the cell of
the move, and those cells, as bits."""


def safe_cells(empty: EmptyBoard, taken: int, dangers: int) -> int:
    """The cells, as bits, after which the other seat does not win with its next disc.

    `dangers` are the cells that complete a four for the other seat.
    """
    playable = taken + empty.bottom & empty.every
    if forced := playable & dangers:
        if forced & (forced - 1):
            return 0
        playable = forced
    return playable & ~(dangers >> 1)


def ordered(empty: EmptyBoard, own: int, taken: int, cells: int) -> Sequence[SafeMove]:
    """The moves to `cells` of the seat with the cells `own`, the most promising first.

    Moves that make more cells complete a four come first, then those nearer to the middle: Pascal
    Pons, "Solving Connect Four: how to build a perfect AI", 2016.
    """
    _, high, every, _, inside_out, _ = empty
    free = every & ~taken
    found = []
    for rank, column in enumerate(inside_out):
        if cell := cells & column:
            discs = own | cell
            wins = discs << 1 & discs << 2 & discs << 3
            for step in (high - 1, high, high + 1):  # as `wins` does, where a call would cost
                up, down = discs << step, discs >> step
                pairs = up & discs << 2 * step
                wins |= pairs & (discs << 3 * step | down)
                pairs = down & discs >> 2 * step
                wins |= pairs & (discs >> 3 * step | up)
            wins &= free ^ cell
            found.append((-wins.bit_count(), rank, cell, wins))
    found.sort()
    return found


def first_of(moves: Sequence[SafeMove], cell: int) -> Sequence[SafeMove]:
    """The moves, with that to `cell` first."""
    return sorted(moves, key=lambda move: move[2] != cell) if cell else moves

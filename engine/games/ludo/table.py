"""The rules of single squares and steps, worked out once for each kind of table."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from engine.game import Seat
from engine.games.ludo.board import (
    HOME,
    LAST_ON_RING,
    RING,
    STARS,
    START,
    STARTS,
    YARD,
    Square,
    corners,
    progress_on,
    ring_square,
)
from engine.games.ludo.rules import Blocks, Home, Lane, Rules

PIPS = range(1, 7)


class LudoTable:
    """One kind of table: its seats, its rules, and lookup tables for steps.

    Two are equal if their seats and rules are.

    `home_from`: the progress from which a token is home.
    `steps[homes][die][progress]`: the progress after the step, 0 if it is impossible; `homes` own
    tokens are home.
    `paths[seat][die][progress]`: the ring squares, as bits, on which a rival's block forbids it.
    `prey[seat][progress]`: each rival that is captured by landing there, and its progress there.
    """

    def __init__(self, seats: int, rules: Rules) -> None:
        self.seats = seats
        self.rules = rules
        self._hash = hash((seats, rules))  # kept, as positions are hashed often
        self.corners = corners(seats)
        self.safe = STARTS | STARS if rules.stars_safe else STARTS
        self.home_from = LAST_ON_RING + 1 if rules.lane is Lane.SLOTS else HOME
        self.partners = tuple(
            Seat((seat + 2) % 4) if rules.teams else None for seat in range(seats)
        )
        self.rivals = tuple(
            tuple(Seat(o) for o in range(seats) if o not in {seat, self.partners[seat]})
            for seat in range(seats)
        )
        self.has_blocks = rules.blocks is not Blocks.OFF
        self.steps = tuple(
            tuple(
                tuple(self._step(homes, die, progress) for progress in range(HOME + 1))
                for die in range(7)
            )
            for homes in range(rules.tokens + 1)
        )
        self.paths = tuple(_paths(corner, rules.blocks, self.safe) for corner in self.corners)
        self.prey = tuple(
            tuple(self._prey(seat, progress) for progress in range(HOME + 1))
            for seat in range(seats)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LudoTable):
            return NotImplemented
        return (self.seats, self.rules) == (other.seats, other.rules)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Callable[[int, Rules], LudoTable], tuple[int, Rules]]:
        return table, (self.seats, self.rules)

    def _step(self, homes: int, die: int, progress: int) -> int:
        if die not in PIPS or progress >= self.home_from:
            return 0
        if progress == YARD:
            return START if die in self.rules.leave_on else 0
        target = progress + die
        if target <= LAST_ON_RING:
            return target
        if self.rules.lane is Lane.SLOTS:
            deepest_free = LAST_ON_RING + self.rules.tokens - homes
            return target if target == deepest_free else 0
        if self.rules.home is Home.OVERSHOOTING:
            return min(target, HOME)
        return target if target <= HOME else 0

    def _prey(self, seat: int, progress: int) -> tuple[tuple[Seat, int], ...]:
        square = ring_square(self.corners[seat], progress)
        if square is None or square in self.safe:
            return ()
        there = ((rival, progress_on(self.corners[rival], square)) for rival in self.rivals[seat])
        return tuple((rival, theirs) for rival, theirs in there if theirs is not None)


@lru_cache(maxsize=64)
def table(seats: int, rules: Rules) -> LudoTable:
    """The table of this kind."""
    return LudoTable(seats, rules)


@lru_cache(maxsize=1 << 13)
def blocks(corner: int, tokens: tuple[int, ...]) -> int:
    """The ring squares, as bits, where two or more of one seat's `tokens` stand together."""
    squares = 0
    for token, progress in enumerate(tokens):
        if START <= progress <= LAST_ON_RING and progress in tokens[:token]:
            squares |= 1 << (13 * corner + progress - 1) % RING
    return squares


@lru_cache(maxsize=32)
def _paths(corner: int, house: Blocks, safe: frozenset[Square]) -> tuple[tuple[int, ...], ...]:
    """The paths of a seat, by die and progress, which many tables share."""

    def path(die: int, progress: int) -> int:
        entered = [START] if progress == YARD else list(range(progress + 1, progress + die + 1))
        if house is Blocks.WALLS and entered:
            landing = ring_square(corner, entered[-1])
            if landing not in safe:
                entered.pop()
        squares = (ring_square(corner, step) for step in entered)
        return sum(1 << square for square in squares if square is not None)

    return tuple(tuple(path(die, progress) for progress in range(HOME + 1)) for die in range(7))

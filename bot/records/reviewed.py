"""The stored part of a game's review: how each seat played, its luck, the turning points.

It is small, and stored as JSON. Chances are winning chances in [0, 1], with three decimals.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Final

from engine.game import Move, Seat
from engine.review import Grade, MoveReview, PlyReview, Review, RollReview

DECIMALS: Final = 3
TURNING_POINTS: Final = 3


@dataclass(frozen=True, slots=True)
class SeatReview:
    """A seat's play, in winning chances: what it `lost` by its own moves, its `luck` by all rolls.

    `adjusted` is its chance with average dice. `slips` is the number of its inaccuracies, mistakes
    and blunders; `accuracy` is the share of its other choices, or None without choices.
    """

    accuracy: float | None
    slips: int
    lost: float
    luck: float
    adjusted: float


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A ply that changed its seat's chance by `change`: a roll, or a move that lost some.

    `best` is a better move; None for a roll. If `about`, a move's change is only an estimate.
    """

    ply: int
    seat: Seat
    move: Move
    change: float
    best: Move | None
    about: bool = False


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """A reviewed game from the ply `first` on; `chances` are per ply and seat."""

    first: int
    chances: tuple[tuple[float, ...], ...]
    seats: tuple[SeatReview, ...]
    turning_points: tuple[TurningPoint, ...]

    @classmethod
    def of(cls, review: Review) -> ReviewedGame:
        """The short form of a review."""
        seats = range(len(review.chances[0]))
        return cls(
            first=review.first,
            chances=tuple(tuple(round(c, DECIMALS) for c in each) for each in review.chances),
            seats=tuple(_seat(review, Seat(seat)) for seat in seats),
            turning_points=tuple(map(_turning_point, review.turning_points(TURNING_POINTS))),
        )

    def written(self) -> dict[str, Any]:
        """The game as JSON."""
        return asdict(self)


def _seat(review: Review, seat: Seat) -> SeatReview:
    grades = Counter(move.grade for move in review.moves if move.seat == seat)
    accuracy = review.accuracy(seat)
    return SeatReview(
        accuracy=None if accuracy is None else round(accuracy, DECIMALS),
        slips=sum(grades[slip] for slip in (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)),
        lost=round(review.lost(seat), DECIMALS),
        luck=round(review.luck(seat), DECIMALS),
        adjusted=round(review.adjusted(seat), DECIMALS),
    )


def _turning_point(ply: PlyReview) -> TurningPoint:
    match ply:
        case RollReview(number, seat, pips, luck):
            return TurningPoint(number, seat, pips, round(luck[seat], DECIMALS), None)
        case MoveReview():
            change = round(-ply.loss, DECIMALS)
            best, about = ply.best.move, not ply.sure
            return TurningPoint(ply.ply, ply.seat, ply.move, change, best, about)

"""The results of a review: the value and loss of every move, and the luck of every roll.

Chances are winning chances, a draw counting half: one for each seat, in [0, 1]. They change during
a game by luck and by play; where all is proven, only by what moves lose.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from engine.game import Move, Reason, Seat

Chances: TypeAlias = tuple[float, ...]
"""The winning chance of each seat."""


class Grade(StrEnum):
    """The grade of a move, by the winning chance that it lost."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


LIMITS: Final = ((0.1, Grade.BLUNDER), (0.05, Grade.MISTAKE), (0.02, Grade.INACCURACY))
"""The smallest loss of each grade."""
LEAST: Final = LIMITS[-1][0]


@dataclass(frozen=True, slots=True)
class WeighedMove:
    """A possible move: the chances after it, whether they are `proven`, and its reasons.

    `plies` is the number of plies to a proven win or loss, this move included; None otherwise, and
    where it is not known.
    """

    move: Move
    chances: Chances
    plies: int | None
    proven: bool
    reasons: tuple[Reason, ...]

    @property
    def moves(self) -> int | None:
        """The seat's own moves among the `plies` of two seats: 3 of 5; None without `plies`."""
        return None if self.plies is None else (self.plies + 1) // 2


@dataclass(frozen=True, slots=True)
class MoveReview:
    """A move: `choices` has all possible moves, the best (of equal ones, the clearest) first.

    `calibrated` says that chances at such a table are exact or were checked against real results;
    `dice` that they cannot be proven there. `line` is the expected play from here, beginning with
    the best move; `reply` the expected answer to the move played. With dice, both end with the roll
    that is worst for this seat, and the move that the roller makes with it.
    """

    ply: int
    seat: Seat
    move: Move
    choices: tuple[WeighedMove, ...]
    line: tuple[Move, ...]
    reply: tuple[Move, ...]
    calibrated: bool = True
    dice: bool = False

    @property
    def exact(self) -> bool:
        """Whether all choices are proven."""
        return all(choice.proven for choice in self.choices)

    @property
    def best(self) -> WeighedMove:
        """The choice to recommend."""
        return self.choices[0]

    @property
    def bests(self) -> tuple[Move, ...]:
        """All moves that are as good as the best one, ascending."""
        top = self.best.chances[self.seat], self.best.plies
        return tuple(sorted(c.move for c in self.choices if (c.chances[self.seat], c.plies) == top))

    @property
    def played(self) -> WeighedMove:
        """The choice that was played."""
        return next(choice for choice in self.choices if choice.move == self.move)

    @property
    def loss(self) -> float:
        """The winning chance that the move lost for its seat, at least 0.

        It is 0 where only one of the two moves is proven: an estimate is not compared with a proof.
        """
        if self.best.proven != self.played.proven:
            return 0.0
        return self.best.chances[self.seat] - self.played.chances[self.seat]

    @property
    def sure(self) -> bool:
        """Whether the loss is proven; always so with dice, where it is as sure as can be."""
        return self.dice or (self.best.proven and self.played.proven)

    @property
    def turned(self) -> bool:
        """Whether the move gave away a proven win or draw."""
        return self.best.proven and self.played.proven and self.loss > 0

    @property
    def grade(self) -> Grade:
        """The grade of the move played; at worst an inaccuracy if its loss is not `sure`."""
        found = (grade for limit, grade in LIMITS if self.loss >= limit)
        grade = next(found, Grade.BEST if self.move in self.bests else Grade.GOOD)
        if self.sure:
            return grade
        seat, best, played = self.seat, self.best, self.played
        missed = best.proven and best.chances[seat] == 1
        lost = played.proven and played.chances[seat] == 0
        doubtful = best.proven != played.proven and (missed or lost)
        return Grade.INACCURACY if doubtful or self.loss >= LEAST else grade


@dataclass(frozen=True, slots=True)
class RollReview:
    """A roll: its luck is each seat's chance after it, less the mean over all faces.

    All faces are judged by the same search, so that luck is 0 on average. A roll-off for who begins
    counts as one roll: all its luck comes with its last die.
    """

    ply: int
    seat: Seat
    pips: Move
    luck: Chances


PlyReview: TypeAlias = MoveReview | RollReview


@dataclass(frozen=True, slots=True)
class Review:
    """The plies of a game from `first` on, as many as the budget allowed, and the chances.

    `chances` has the chances before each ply and after the last one; at the end of a game they are
    its result, 1 for a win. `won` is the ply from which on a seat has won while the others play on.
    """

    game: str
    first: int
    plies: tuple[PlyReview, ...]
    chances: tuple[Chances, ...]
    won: int | None = None

    @property
    def moves(self) -> tuple[MoveReview, ...]:
        """The moves at which there was a choice."""
        return tuple(
            ply for ply in self.plies if isinstance(ply, MoveReview) and len(ply.choices) > 1
        )

    @property
    def rolls(self) -> tuple[RollReview, ...]:
        """The rolls."""
        return tuple(ply for ply in self.plies if isinstance(ply, RollReview))

    def luck(self, seat: Seat) -> float:
        """The sum of a seat's luck over the rolls of all seats."""
        return sum(roll.luck[seat] for roll in self.rolls)

    def lost(self, seat: Seat) -> float:
        """The sum of the losses of a seat's moves, at most the best chance it ever had.

        So a chance that was lost, given back by others and lost again counts once.
        """
        losses = sum(move.loss for move in self.moves if move.seat == seat)
        return min(losses, max(chances[seat] for chances in self.chances))

    def without_luck(self, seat: Seat) -> float:
        """The luck-adjusted result; outside [0, 1] at times, so that its mean has no bias."""
        return self.chances[-1][seat] - self.luck(seat)

    def adjusted(self, seat: Seat) -> float:
        """The luck-adjusted result, limited to [0, 1]."""
        return min(1.0, max(0.0, self.without_luck(seat)))

    def accuracy(self, seat: Seat) -> float | None:
        """The share of a seat's choices graded best or good; None if it had no choice.

        Choices after another seat has won do not count, as no move loses anything there.
        """
        counted = (move for move in self.moves if self.won is None or move.ply < self.won)
        grades = [move.grade for move in counted if move.seat == seat]
        fine = sum(grade in {Grade.BEST, Grade.GOOD} for grade in grades)
        return fine / len(grades) if grades else None

    def turning_points(self, count: int = 3) -> tuple[PlyReview, ...]:
        """The plies that changed the chances most by luck or error, in the order of play.

        They are at most `count`.
        """
        changing = [ply for ply in self.plies if _weight(ply) > 1e-9]
        changing.sort(key=_weight, reverse=True)
        return tuple(sorted(changing[:count], key=lambda ply: ply.ply))


def _weight(ply: PlyReview) -> float:
    return max(map(abs, ply.luck)) if isinstance(ply, RollReview) else ply.loss

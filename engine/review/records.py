"""The results of a review: the worth of every move, its loss, and the luck of every roll.

Chances are winning chances, a draw counting half: one for each seat, in [0, 1]. From the start to
the end they change by luck and by play: where all is proven, by nothing but what moves lost.
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

    `plies` is the length of a proven win or loss from here; None where that is not known, nothing
    is proven, or a draw is.
    """

    move: Move
    chances: Chances
    plies: int | None
    proven: bool
    reasons: tuple[Reason, ...]

    @property
    def moves(self) -> int | None:
        """The seat's own moves among the `plies`, where seats alternate; None where those are."""
        return None if self.plies is None else (self.plies + 1) // 2


@dataclass(frozen=True, slots=True)
class MoveReview:
    """A move: `choices` has all possible moves, the best first, of equals the one to recommend.

    `calibrated` says that chances come true at such a table, `dice` that nothing can be proven
    there and chances are all there is to know.
    `line` is the play expected from here, beginning with the best move; `reply` is the answer to
    the move played. Where dice decide, both end with the roll that hurts most, and the move played
    with it.
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
        """The best choice; the one to recommend, if there are several."""
        return self.choices[0]

    @property
    def bests(self) -> tuple[Move, ...]:
        """The best move, and those that are just as good, ascending."""
        top = self.best.chances[self.seat], self.best.plies
        return tuple(sorted(c.move for c in self.choices if (c.chances[self.seat], c.plies) == top))

    @property
    def played(self) -> WeighedMove:
        """The choice that was played."""
        return next(choice for choice in self.choices if choice.move == self.move)

    @property
    def loss(self) -> float:
        """The winning chance that the move lost for its seat, at least 0.

        A proven result and an estimate are not compared: where one of the two moves has the one and
        the other the other, no loss is known.
        """
        if self.best.proven != self.played.proven:
            return 0.0
        return self.best.chances[self.seat] - self.played.chances[self.seat]

    @property
    def sure(self) -> bool:
        """Whether the loss is proven, or as sure as a game with dice allows."""
        return self.dice or (self.best.proven and self.played.proven)

    @property
    def turned(self) -> bool:
        """Whether the move gave away a proven result: a win, or a draw."""
        return self.best.proven and self.played.proven and self.loss > 0

    @property
    def grade(self) -> Grade:
        """The grade of the move played; what is not `sure` is an inaccuracy at most."""
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
    """A roll: its luck is the chance of each seat after it, less the mean over all that can fall.

    All faces are judged by the same search, so that luck is nothing on average. A roll-off for who
    begins is one roll: all its luck comes with its last die.
    """

    ply: int
    seat: Seat
    pips: Move
    luck: Chances


PlyReview: TypeAlias = MoveReview | RollReview


@dataclass(frozen=True, slots=True)
class Review:
    """The plies of a game from `first` on, as many as the budget allowed, and the chances.

    `chances` has those before each ply and, last, those after the last one: of a game that is over
    its result, where a win counts 1.
    """

    game: str
    first: int
    plies: tuple[PlyReview, ...]
    chances: tuple[Chances, ...]

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
        """The chance that the dice brought a seat, all seats' rolls together."""
        return sum(roll.luck[seat] for roll in self.rolls)

    def lost(self, seat: Seat) -> float:
        """The chance that a seat's own moves lost for it, at least 0.

        It is at most the best chance that the seat ever had: what others gave back and was lost
        again counts once.
        """
        losses = sum(move.loss for move in self.moves if move.seat == seat)
        return min(losses, max(chances[seat] for chances in self.chances))

    def without_luck(self, seat: Seat) -> float:
        """The luck-adjusted result; it may leave [0, 1], so that its mean over games is true."""
        return self.chances[-1][seat] - self.luck(seat)

    def adjusted(self, seat: Seat) -> float:
        """The luck-adjusted result as a chance, in [0, 1]."""
        return min(1.0, max(0.0, self.without_luck(seat)))

    def accuracy(self, seat: Seat) -> float | None:
        """The share of a seat's choices that were no inaccuracy or worse; None if it had none."""
        grades = [move.grade for move in self.moves if move.seat == seat]
        fine = sum(grade in {Grade.BEST, Grade.GOOD} for grade in grades)
        return fine / len(grades) if grades else None

    def turning_points(self, count: int = 3) -> tuple[PlyReview, ...]:
        """The `count` plies that changed most by luck or by error, in the order of play.

        They are fewer if fewer changed anything.
        """
        changing = [ply for ply in self.plies if _weight(ply) > 1e-9]
        changing.sort(key=_weight, reverse=True)
        return tuple(sorted(changing[:count], key=lambda ply: ply.ply))


def _weight(ply: PlyReview) -> float:
    return max(map(abs, ply.luck)) if isinstance(ply, RollReview) else ply.loss

"""The evaluation named `trained`: linear in features, with weights learned by playing itself.

A seat's score is the weighted sum of its features (see `features`), divided by the turns that the
race still takes, since the shorter the race, the more a lead decides: that alone took the squared
error of predicted results from 0.193 to 0.188. The chance that a seat wins is the share of its
score's exponential among all (softmax; with two seats the logistic function of the difference), and
its worth is what it wins on average. Partners add up their scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import NamedTuple

from engine.evaluations.evaluation import Worth
from engine.evaluations.features import NAMES, RANKED, exposed, ranked, seen_from
from engine.evaluations.race import race
from engine.evaluations.weights import weights_for
from engine.game import Seat
from engine.games.ludo.board import HOME, LAST_ON_RING, START, YARD
from engine.games.ludo.position import Position
from engine.games.ludo.table import Table, blocks


class Target(NamedTuple):
    """A token that a rival may capture: where it comes from, as bits, and what each way costs."""

    near: int
    far: int
    now_price: float
    later_price: float
    far_price: float


class Side(NamedTuple):
    """What the tokens of one seat alone say.

    `standing` has their progress as bits, `targets[quarters]` the exposed ones as seen by a rival
    whose corner lies so many quarters of the ring before.
    """

    score: float
    turns: float
    standing: int
    targets: tuple[tuple[Target, ...], ...]


class Judge:
    """Judges the positions of one kind of table by one set of weights.

    What one seat's tokens alone say is worked out once and kept, so that to judge a position of two
    seats takes 2 µs.
    """

    def __init__(self, table: Table, weights: Sequence[float]) -> None:
        self.table = table
        self.weights = dict(zip(NAMES, weights, strict=True))
        self._race = race(table.rules)
        self._side = lru_cache(maxsize=1 << 16)(self._side_of)
        self._targets = [
            [self._target(progress, quarters) for progress in range(HOME + 1)]
            for quarters in range(4)
        ]
        self._rivals = tuple(
            tuple((rival, (table.corners[seat] - table.corners[rival]) % 4) for rival in rivals)
            for seat, rivals in enumerate(table.rivals)
        )

    def worth(self, position: Position) -> Sequence[float]:
        """What each seat wins on average, in [-1, 1], as far as this evaluation can tell."""
        payoff = position.payoff()
        if payoff is not None:
            return payoff
        scores = self.scores(position)
        if len(scores) == 2:
            lead = 2 / (1 + exp(scores[1] - scores[0])) - 1
            return lead, -lead
        if self.table.rules.teams:
            lead = 2 / (1 + exp(scores[1] + scores[3] - scores[0] - scores[2])) - 1
            return lead, -lead, lead, -lead
        others = len(scores) - 1
        return [chance - (1 - chance) / others for chance in softmax(scores)]

    def scores(self, position: Position) -> list[float]:
        """The score of each seat."""
        sides = [self._side(own) for own in position.tokens]
        scale = sharpness(sum([side.turns for side in sides]) / len(sides))
        rolling = position.seat
        scores = [
            side.score - self._losses(sides, seat, rolling) for seat, side in enumerate(sides)
        ]
        scores[rolling] += self.weights["to roll"]
        return [score * scale for score in scores]

    def _losses(self, sides: list[Side], seat: int, rolling: Seat) -> float:
        """What the threats to the tokens of a seat cost it."""
        cost = 0.0
        targets = sides[seat].targets
        for rival, quarters in self._rivals[seat]:
            standing = sides[rival].standing
            for near, far, now, later, distant in targets[quarters]:
                if standing & near:
                    price = later if seat == rolling else now
                    cost += price * (standing & near).bit_count()
                if standing & far:
                    cost += distant * (standing & far).bit_count()
        return cost

    def _side_of(self, own: tuple[int, ...]) -> Side:
        weights = self.weights
        turns = self._race.expected(own)
        score = weights["race"] * turns / 10
        standing = 0
        for progress in own:
            standing |= 1 << progress
            score += weights[f"at {progress}"]
        homes = sum(progress >= self.table.home_from for progress in own)
        score += weights.get(f"{own.count(YARD)} in yard", 0.0) + weights.get(f"{homes} home", 0.0)
        for rank, share in zip(RANKED, ranked(self.table, own), strict=False):
            score += (weights[rank] + weights[f"{rank} squared"] * share) * share
        if self.table.has_blocks:
            score += weights["blocks"] * blocks(0, own).bit_count()
        loose = exposed(self.table, own)
        targets = tuple(tuple([seen[progress] for progress in loose]) for seen in self._targets)
        return Side(score, turns, standing, targets)

    def _target(self, progress: int, quarters: int) -> Target:
        at = seen_from(quarters, progress)
        near = far = 0
        if at <= LAST_ON_RING:
            near = sum(1 << at - pips for pips in range(1, 7) if at - pips >= START)
            far = sum(1 << at - pips for pips in range(7, 13) if at - pips >= START)
            far |= 1 << YARD if 1 <= at - START <= 6 else 0
        return Target(
            near,
            far,
            self._price("near now", progress) / 6,
            self._price("near later", progress) / 6,
            self._price("far", progress) / 36,
        )

    def _price(self, threat: str, progress: int) -> float:
        steps = progress / LAST_ON_RING
        return -self.weights[threat] - self.weights[f"{threat} steps"] * steps


class Trained:
    """The evaluation named `trained`, with the weights shipped for the rules of the table."""

    def begin(self, state: Position) -> tuple[Position, Worth[Position]]:
        """The position itself, and the judge of its kind of table."""
        return state, judge(state.table).worth


@lru_cache(maxsize=8)
def judge(table: Table) -> Judge:
    """The judge of a kind of table, by the weights shipped for its rules or the nearest to them."""
    return Judge(table, weights_for(table.rules).values)


def sharpness(turns: float) -> float:
    """What a score counts for when the seats need so many turns on average."""
    return 5 / (turns + 0.5)


def softmax(scores: Sequence[float]) -> list[float]:
    """The share of each score's exponential; they sum to 1."""
    highest = max(scores)
    powers = [exp(score - highest) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]

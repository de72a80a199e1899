"""The evaluation named `trained`: linear in features, with weights learned by playing itself.

A seat's score is the weighted sum of its features (see `features`), divided by the turns that the
race still takes, since the shorter the race, the more a lead decides: that alone took the squared
error of predicted results from 0.193 to 0.188. The chance that a seat wins is the share of its
score's exponential among all (softmax; with two seats the logistic function of the difference), and
its worth is what it wins on average. Partners add up their scores. The weights are a file for each
preset and number of seats, with the record of how they were made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from math import exp
from typing import Any, Final, NamedTuple, TypeAlias

from engine.games.ludo.board import HOME, YARD
from engine.games.ludo.evaluation.features import (
    COUNT,
    FIRST,
    SIZES,
    VERSION,
    Hunt,
    hunted,
    pair,
    preys,
    seen_from,
)
from engine.games.ludo.evaluation.race import nearest, race
from engine.games.ludo.position import LudoPosition
from engine.games.ludo.rules import PRESETS, Rules, rules, settle
from engine.games.ludo.table import LudoTable
from engine.search.expectiminimax import Worth


class WrongFeatures(ValueError):
    """The weights were learned for another version of the features."""


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """The record of how weights were made.

    `generations` of `games` each, with `seats` at the table; `trace` is λ. `positions` were learned
    from in the last generation, whose squared error, summed over the seats, is `error` on average.
    """

    command: str
    preset: str
    seats: int
    generations: int
    games: int
    trace: float
    rate: float
    seed: int
    positions: int
    error: float
    date: str
    features: int = VERSION


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights in the order of the features; `exact` if they were learned by a table's own rules."""

    preset: str
    values: Sequence[float]
    exact: bool

    def __str__(self) -> str:
        if self.exact:
            return f"trained for {self.preset}"
        return f"trained for {self.preset}, the preset nearest to these rules"


def weights_for(house: Rules, *, seats: int) -> Weights:
    """The weights learned for the preset nearest to these rules."""
    preset = nearest(house, list(PRESETS))
    exact = house == rules(settle(PRESETS[preset]))
    return Weights(preset, shipped(preset, seats), exact)


FEWER: Final = {("classic", 4): 3}
"""Tables (preset, seats) that use the weights of a smaller one, with its number of seats."""


@lru_cache(maxsize=9)
def shipped(preset: str, seats: int) -> tuple[float, ...]:
    """The weights learned for a preset and a number of seats, in the order of the features."""
    seats = FEWER.get((preset, seats), seats)
    file = files("engine.games.ludo.evaluation") / "data" / f"trained-{preset}-{seats}.json"
    return read(file.read_text(encoding="utf-8"))


def written(values: Sequence[float], record: TrainingRecord) -> str:
    """A file of weights, by the kind of their features, and how they were made, as JSON."""
    kinds = {
        kind: [round(value, 3) for value in values[first : first + SIZES[kind]]]
        for kind, first in FIRST.items()
    }
    lines = [json.dumps(kind) + ": " + json.dumps(kinds[kind]) for kind in kinds]
    weights = ",\n".join(lines)
    return f'{{"made": {json.dumps(asdict(record), indent=1)},\n"weights": {{\n{weights}\n}}}}\n'


def read(text: str) -> tuple[float, ...]:
    """The weights of a file, in the order of the features.

    Raises:
        WrongFeatures: They were learned for other features.
    """
    content: Mapping[str, Any] = json.loads(text)
    version, kinds = content["made"]["features"], content["weights"]
    if version != VERSION or {kind: len(kinds[kind]) for kind in kinds} != SIZES:
        raise WrongFeatures(f"weights for features {version}, but these are {VERSION}")
    values = tuple(float(value) for kind in SIZES for value in kinds[kind])
    assert len(values) == COUNT
    return values


SIDES_KEPT: Final = 1 << 10
"""The most sides that a judge keeps, about 1 MB; with more no search is faster."""

JUDGES_KEPT: Final = 8
"""The number of last used judges that are kept, which limits a process's memory, whatever house
rules people play by (`python -m tests.benchmarks.search_memory`).
"""

Row: TypeAlias = Sequence[float]
"""For one prey: the score that a rival's token adds to the prey's seat, by the progress of that
token."""


class Side(NamedTuple):
    """The part of a judgement that depends on one seat's tokens alone.

    `now` and `later` have the rows of its preys for a rival whose corner lies one of the judge's
    `quarters` before: for when the rival, or this seat itself, rolls next.
    """

    score: float
    turns: float
    now: tuple[tuple[Row, ...], ...]
    later: tuple[tuple[Row, ...], ...]


class Judge:
    """A judge of positions at one kind of table, by one set of weights.

    `quarters` are the distances of seats from their rivals, in quarters of the ring.
    The part of one seat's tokens alone is worked out once and kept, so that to judge a position of
    two seats takes 3 µs.
    """

    def __init__(self, table: LudoTable, weights: Sequence[float]) -> None:
        assert len(weights) == COUNT
        self.table = table
        self.weights = weights
        self._race = race(table.rules)
        self.side = lru_cache(maxsize=SIDES_KEPT)(self._side_of)
        apart = [
            [(rival, (table.corners[seat] - table.corners[rival]) % 4) for rival in rivals]
            for seat, rivals in enumerate(table.rivals)
        ]
        self.quarters = sorted({quarters for rivals in apart for _, quarters in rivals})
        self._rivals = [
            [(rival, self.quarters.index(quarters)) for rival, quarters in rivals]
            for rivals in apart
        ]
        everywhere = range(HOME + 1)
        self._pairs = [[weights[pair(one, other)] for other in everywhere] for one in everywhere]
        self._now, self._later = (
            [
                [self._row(prey, quarters, later=later) for prey in everywhere]
                for quarters in self.quarters
            ]
            for later in (False, True)
        )

    def worth(self, position: LudoPosition) -> Sequence[float]:
        """The payoff of each seat on average, in [-1, 1], as far as this evaluation can tell."""
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

    def scores(self, position: LudoPosition) -> list[float]:
        """The score of each seat."""
        tokens, rolling = position.tokens, position.seat
        sides = [self.side(own) for own in tokens]
        scale = sharpness(sum([side.turns for side in sides]) / len(sides))
        scores = []
        for seat, side in enumerate(sides):
            score = side.score
            rows = side.later if seat == rolling else side.now
            for rival, place in self._rivals[seat]:
                if of_preys := rows[place]:
                    theirs = tokens[rival]
                    score += sum([row[hunter] for row in of_preys for hunter in theirs])
            scores.append(score * scale)
        scores[rolling] += self.weights[FIRST["to roll"]] * scale
        return scores

    def _side_of(self, own: tuple[int, ...]) -> Side:
        weights = self.weights
        turns = self._race.expected(own)
        homes = sum([progress >= self.table.home_from for progress in own])
        score = weights[FIRST["race"]] * turns / 10
        score += weights[FIRST["in yard"] + own.count(YARD)] + weights[FIRST["home"] + homes]
        score += sum([weights[FIRST["at"] + progress] for progress in own])
        score += sum([self._pairs[one][other] for one, other in combinations(own, 2)])
        prey = preys(self.table, own)
        now, later = (
            tuple([tuple([rows[progress] for progress in prey]) for rows in by_quarters])
            for by_quarters in (self._now, self._later)
        )
        return Side(score, turns, now, later)

    def _row(self, prey: int, quarters: int, *, later: bool) -> Row:
        """The row of a prey: the score that a rival's token adds, by its progress."""
        if not preys(self.table, (prey,)):
            return ()
        target = seen_from(quarters, prey)
        behind = [
            sum(
                self.weights[feature] * value
                for feature, value in hunted(self.table, Hunt(prey, hunter, quarters), later=later)
            )
            for hunter in range(target)
        ]
        return behind + [0.0] * (HOME + 1 - target)


class Trained:
    """The evaluation named `trained`, with the weights shipped for the rules of the table."""

    def begin(self, state: LudoPosition) -> tuple[LudoPosition, Worth[LudoPosition]]:
        """The position itself, and the judge of its kind of table."""
        return state, judge(state.table).worth


@lru_cache(maxsize=JUDGES_KEPT)
def judge(table: LudoTable) -> Judge:
    """The judge of a kind of table, with the weights of the preset nearest to its rules."""
    return Judge(table, weights_for(table.rules, seats=table.seats).values)


def sharpness(turns: float) -> float:
    """The factor of a score, higher the fewer `turns` the seats still need on average."""
    return 5 / (turns + 0.5)


def softmax(scores: Sequence[float]) -> list[float]:
    """The softmax of scores: chances that sum to 1."""
    highest = max(scores)
    powers = [exp(score - highest) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]

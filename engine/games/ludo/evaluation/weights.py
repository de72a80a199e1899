"""The weights of the trained evaluation: a file for each preset and number of seats.

Each has the record of how it was made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from engine.games.ludo.evaluation.features import COUNT, FIRST, SIZES, VERSION
from engine.games.ludo.evaluation.race import nearest
from engine.games.ludo.rules import PRESETS, Rules, rules, settle


class WrongFeatures(ValueError):
    """The weights were learned for other features than there are now."""


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
    """Weights by the order of the features; `exact` if they were learned under these very rules."""

    preset: str
    values: Sequence[float]
    exact: bool

    def __str__(self) -> str:
        if self.exact:
            return f"trained for {self.preset}"
        return f"trained for {self.preset}, the preset nearest to these rules"


def weights_for(house: Rules, *, seats: int) -> Weights:
    """The weights learned under these rules, or under those of the preset nearest to them."""
    preset = nearest(house, list(PRESETS))
    exact = house == rules(settle(PRESETS[preset]))
    return Weights(preset, shipped(preset, seats), exact)


FEWER: Final = {("classic", 4): 3}
"""The seats of the tables whose weights serve at a larger one."""


@lru_cache(maxsize=9)
def shipped(preset: str, seats: int) -> tuple[float, ...]:
    """The weights learned for a preset with so many seats, in the order of the features."""
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

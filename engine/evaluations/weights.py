"""The weights of the trained evaluation: one file a preset, with the record of how it was made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files

from engine.evaluations.features import NAMES, VERSION
from engine.evaluations.race import nearest
from engine.games.ludo.rules import PRESETS, Rules, rules, settle


class WrongFeatures(ValueError):
    """The weights were learned for other features than there are now."""


@dataclass(frozen=True, slots=True)
class Record:
    """How weights were made.

    `generations` of `games` each, with `seats` at the table; `trace` is λ. `positions` were learned
    from in the last generation, whose squared error, the sum over the seats, is `error` on average.
    """

    command: str
    preset: str
    seats: int
    generations: int
    games: int
    trace: float
    ridge: float
    seed: int
    positions: int
    error: float
    date: str
    features: int = VERSION


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights by the order of `NAMES`; `exact` if they were learned under these very rules."""

    preset: str
    values: Sequence[float]
    exact: bool

    def __str__(self) -> str:
        if self.exact:
            return f"trained for {self.preset}"
        return f"trained for {self.preset}, the preset nearest to these rules"


def weights_for(house: Rules) -> Weights:
    """The weights learned under these rules, or under those of the preset nearest to them."""
    preset = nearest(house, list(PRESETS))
    exact = house == rules(settle(PRESETS[preset]))
    return Weights(preset, shipped(preset), exact)


@lru_cache(maxsize=8)
def shipped(preset: str) -> tuple[float, ...]:
    """The weights that were learned for a preset, in the order of `NAMES`."""
    file = files("engine.evaluations") / "data" / f"trained-{preset}.json"
    return read(file.read_text(encoding="utf-8"))


def written(values: Sequence[float], record: Record) -> str:
    """A file of weights and how they were made, as JSON."""
    rounded = {name: round(value, 4) for name, value in zip(NAMES, values, strict=True)}
    return json.dumps({"made": asdict(record), "weights": rounded}, indent=1) + "\n"


def read(text: str) -> tuple[float, ...]:
    """The weights of a file, in the order of `NAMES`.

    Raises:
        WrongFeatures: They were learned for other features.
    """
    content: Mapping[str, Mapping[str, float]] = json.loads(text)
    version, values = content["made"]["features"], content["weights"]
    if version != VERSION or set(values) != set(NAMES):
        raise WrongFeatures(f"weights for features {version}, but these are {VERSION}")
    return tuple(float(values[name]) for name in NAMES)

"""The seed of a run, and samples of what would take too long to try in every run.

The seed stands in the header of a run, and `--seed` repeats it. Everything random in a test follows
from the seed and the test's own name, so that the test alone repeats what it did among others: the
fixture `rng`, the functions of `random`, Hypothesis, and the moment at which all tests take place.

All that is sampled is tried with `--exhaustive`. A parametrized test marked
`sampled(3)` runs with three of its cases on each database, one marked `exhaustive` in an exhaustive
run alone; `sample` chooses among what a test tries in a loop.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random, SystemRandom
from typing import Final, Protocol, TypeVar

import pytest

T = TypeVar("T")


class Sample(Protocol):
    """Chooses so many of some things, in their order."""

    def __call__(self, values: Iterable[T], most: int, /) -> list[T]: ...


SEED: Final = "TESTS_SEED"
"""The variable that has the seed, for processes too that tests start."""

MOST_SEEDS: Final = 1_000_000
BEGINNING: Final = datetime(2026, 1, 1, tzinfo=UTC)
DAYS: Final = 1461
"""The moments at which tests take place: any of four years, with a leap day."""
EXAMPLES: Final = 25
MANY_EXAMPLES: Final = 300
"""The examples that Hypothesis tries of a property, and with `--exhaustive`."""


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("samples", "what is random, and what is tried in samples")
    group.addoption("--exhaustive", action="store_true", help="try all of it instead of a sample")
    group.addoption("--seed", type=int, help="repeat the run that had this seed")


def choose_seed(config: pytest.Config) -> None:
    """Gives the run a seed, Hypothesis too; workers take that of the process that began them.

    They take the order of sets from it as well, which is settled before a process begins.
    """
    if config.option.seed is None:
        begun: dict[str, int] = getattr(config, "workerinput", {})
        config.option.seed = begun.get("seed", SystemRandom().randrange(MOST_SEEDS))
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = config.option.seed
    os.environ[SEED] = str(config.option.seed)
    os.environ["PYTHONHASHSEED"] = str(config.option.seed % (1 << 32))


def source(name: str) -> Random:
    """The randomness of a test, by its name and the seed of the run."""
    return Random(f"{os.environ[SEED]} {name}")


@cache
def moment() -> datetime:
    """The time at which the tests of this run take place, to the second."""
    rng = source("moment")
    return BEGINNING + timedelta(days=rng.randrange(DAYS), seconds=rng.randrange(86_400))


def load_profile(*, exhaustive: bool) -> None:
    """Tells Hypothesis how many examples to try where a test does not say it."""
    from hypothesis import HealthCheck, settings  # noqa: PLC0415 - it takes a second

    many = MANY_EXAMPLES if exhaustive else EXAMPLES
    settings.register_profile(
        "run",
        max_examples=many,
        deadline=None,
        database=None,  # examples that failed before would come before those of the seed
        suppress_health_check=[HealthCheck.too_slow],  # as everything is on a busy machine
    )
    settings.load_profile("run")


def header(config: pytest.Config) -> str:
    """The line that says how to repeat a run."""
    if config.option.exhaustive:
        return f"--seed {config.option.seed}; everything is tried, since the run is exhaustive"
    return f"--seed {config.option.seed}; --exhaustive tries everything"


def of_loop(config: pytest.Config, test: str) -> Sample:
    """The choice for what the test of this name tries in a loop."""
    rng = source(test)

    def sample(values: Iterable[T], most: int, /) -> list[T]:
        every = [*values]
        if config.option.exhaustive or len(every) <= most:
            return every
        return [every[place] for place in sorted(rng.sample(range(len(every)), most))]

    return sample


def of_cases(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects the cases of marked tests that are not in the sample."""
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if mark := item.get_closest_marker("sampled"):
            (most,) = mark.args
            database = "postgres" if "postgres" in item.nodeid else ""
            cases[f"{item.nodeid.partition('[')[0]} {database} {most}"].append(item)
    dropped = {item for item in items if item.get_closest_marker("exhaustive")}
    if config.option.exhaustive:
        dropped = set()
    for name, every in cases.items():
        most = int(name.rpartition(" ")[2])
        kept: list[pytest.Item] = of_loop(config, name)(every, most)
        dropped |= {*every} - {*kept}
    if dropped:
        config.hook.pytest_deselected(items=[*dropped])
        items[:] = [item for item in items if item not in dropped]

"""`python -m engine train PRESET`: learn the weights of Ludo's trained evaluation by playing."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from engine.games.ludo import GAME
from engine.games.ludo.evaluation.trained import TrainingRecord, written
from engine.games.ludo.training import Generation, Plan, course
from engine.terminal.console import BadCommand, Outside, above_zero, counted, preset, writable

USUAL: Final = Plan(preset="classic")
NUMBERS: Final = {
    "seats": "how many sit at the table",
    "generations": "how often the weights get better",
    "games": "games that each generation plays",
    "trace": "lambda: 1 believes results alone, 0 the next position",
    "rate": "the size of a step at first",
    "seed": "other games",
}
"""The numbers of a plan, each with its help."""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("preset", metavar="PRESET", help=", ".join(GAME.presets))
    for name, what in NUMBERS.items():
        usual = getattr(USUAL, name)
        told = f"{what} (default %(default)s)"
        parser.add_argument(f"--{name}", type=type(usual), default=usual, help=told)
    told = "how many processes (default: all cores)"
    parser.add_argument("--cores", type=above_zero(int), help=told)
    parser.add_argument("--date", default="", help="a date to note in the file")
    parser.add_argument(
        "--out", type=Path, help="the file to write (default trained-PRESET-SEATS.json)"
    )


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Train, report each generation, and write the weights with their record."""
    plan = _plan(arguments)
    GAME.start(plan.seats, GAME.presets[plan.preset])
    out = writable(arguments.out or Path(f"trained-{plan.preset}-{plan.seats}.json"))
    say, began = outside.console.say, outside.clock()
    say(
        f"{counted(plan.generations, 'generation')} of {counted(plan.games, 'game')}: "
        f"{plan.preset}, {plan.seats} seats"
    )
    for generation in course(plan, cores=arguments.cores or outside.cores):
        seconds = outside.clock() - began
        say(
            f"  {generation.number + 1:3}  {counted(generation.positions, 'position')}, "
            f"error {generation.error:.6f}, {seconds:.0f} s"
        )
        out.write_text(written(generation.weights, _record(plan, generation, arguments)), "utf-8")
    say(f"written to {out}")


def _plan(arguments: argparse.Namespace) -> Plan:
    preset(GAME, arguments.preset)
    if arguments.generations < 1 or arguments.games < 1:
        raise BadCommand("a course is at least one generation of one game")
    if not 0 <= arguments.trace <= 1:
        raise BadCommand(f"the trace lies between 0 and 1, not at {arguments.trace}")
    if not 0 < arguments.rate <= 1:
        raise BadCommand(f"the rate lies above 0 and up to 1, not at {arguments.rate}")
    return Plan(arguments.preset, **{name: getattr(arguments, name) for name in NUMBERS})


def _record(plan: Plan, reached: Generation, arguments: argparse.Namespace) -> TrainingRecord:
    made = asdict(replace(plan, generations=reached.number + 1))
    words = [*("python", "-m", "engine", "train", plan.preset)]
    for name in NUMBERS:
        words += [f"--{name}", str(made[name])]
    return TrainingRecord(
        **made,
        command=shlex.join(words),
        positions=reached.positions,
        error=round(reached.error, 6),
        date=arguments.date,
    )

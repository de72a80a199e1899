"""`python -m engine race PRESET`: solve Ludo's race under a preset, and write its table."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.games.ludo import GAME
from engine.games.ludo.evaluation.race import packed, solve
from engine.games.ludo.rules import rules
from engine.terminal.console import Outside, preset, writable


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("preset", metavar="PRESET", help=", ".join(GAME.presets))
    parser.add_argument("--out", type=Path, help="the file to write (default race-PRESET.z)")


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Solve the race and write its table."""
    house = rules(GAME.settled(preset(GAME, arguments.preset)))
    out = writable(arguments.out or Path(f"race-{arguments.preset}.z"))
    began = outside.clock()
    solved = solve(house)
    out.write_bytes(packed(solved))
    start, seconds = solved.expected((0,) * house.tokens), outside.clock() - began
    outside.console.say(
        f"{len(solved.turns):,} placings, {start:.2f} turns from the yard, {seconds:.0f} s"
    )
    outside.console.say(f"written to {out}")

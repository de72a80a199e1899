"""The engine in a terminal: `python -m engine`, and one of `COMMANDS` with its own `--help`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from io import TextIOWrapper
from random import SystemRandom
from typing import Final

from engine.arena import NoLuck, WrongNumberOfAgents
from engine.files.record import NotARecord
from engine.game import InvalidOptions
from engine.isolation import NotImportable
from engine.roster import Unknown
from engine.search.depth_first import NotForTwo
from engine.terminal import arena, compare, play, puzzles, race, replay, review, train, tree
from engine.terminal.console import BadCommand, InputEnded, Outside
from engine.workers import NoCluster

COMMANDS = {
    "play": play,
    "replay": replay,
    "arena": arena,
    "compare": compare,
    "tree": tree,
    "review": review,
    "train": train,
    "race": race,
    "puzzles": puzzles,
}
REFUSALS = (
    BadCommand,
    Unknown,
    NotARecord,
    InvalidOptions,
    NoLuck,
    NotImportable,
    WrongNumberOfAgents,
    NotForTwo,
    NoCluster,
)


USUAL_COLUMNS: Final = 80
"""The width of a terminal that does not tell its own."""


class _StandardStreams:
    """The console of the process: standard output, and standard error for passing lines."""

    def say(self, line: str = "") -> None:
        print(line, flush=True)

    def ask(self, prompt: str) -> str:
        try:
            return input(prompt).strip()
        except EOFError:
            raise InputEnded from None

    def note(self, line: str) -> None:
        if sys.stderr.isatty():
            columns = os.get_terminal_size(sys.stderr.fileno()).columns or USUAL_COLUMNS
            print(f"\r\x1b[K{line[: columns - 1]}", end="", file=sys.stderr, flush=True)


def parser() -> argparse.ArgumentParser:
    """Make the parser of the command line."""
    root = argparse.ArgumentParser(prog="python -m engine", description="Games and players.")
    commands = root.add_subparsers(dest="command", required=True)
    for name, module in COMMANDS.items():
        summary = (module.__doc__ or "").partition(": ")[2].strip()
        module.add(commands.add_parser(name, help=summary, description=summary))
    return root


def main(words: Sequence[str]) -> int:
    """Carry out a command line; return the exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # not every byte or character has a counterpart
    arguments = parser().parse_args(words)
    outside = Outside(_StandardStreams(), time.perf_counter, SystemRandom(), os.cpu_count() or 1)
    try:
        COMMANDS[arguments.command].run(arguments, outside)
    except REFUSALS as error:
        print(f"{error}", file=sys.stderr)
        return 2
    except (InputEnded, KeyboardInterrupt):
        print()
        return 130
    except BrokenPipeError:
        # The reader of the output has gone: the rest of the buffer goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

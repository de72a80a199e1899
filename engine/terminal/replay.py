"""`python -m engine replay FILE`: a finished game, turn by turn or its end."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from engine.files import text as game_text
from engine.files.record import PLAYED, Record
from engine.files.text import turns
from engine.notation import Notation, notation, outcome
from engine.terminal.console import BadCommand, Console, Outside

QUESTION: Final = "Enter: next, b: back, e: the end, q: enough. "


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a game that Parlour gave, as text or JSON"
    )
    parser.add_argument("--end", action="store_true", help="show how it ended, and ask nothing")


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Step through a game, or show its end."""
    record = read(arguments.file)
    outside.console.say(heading(record))
    show = Stepper(record, outside.console)
    if arguments.end:
        show.turn(show.last)
    else:
        show.step_through()


def read(file: Path) -> Record:
    """Read the finished game in a file."""
    try:
        written = file.read_text(encoding="utf-8-sig")  # as Windows writes some
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise BadCommand(f"{file} cannot be read: {why}") from None
    return game_text.read(written)


class Stepper:
    """A record on a console, turn by turn: 0 is the start, `last` the number of the last turn."""

    def __init__(self, record: Record, console: Console) -> None:
        self._record = record
        self._console = console
        self._notation: Notation = notation(record.game)
        self._turns = [*turns(record.game, record.seats, record.options, record.moves)]
        self.last = len(self._turns)

    def turn(self, number: int) -> None:
        """Show a turn and the board after it."""
        if number:
            turn = self._turns[number - 1]
            state = turn.after
            name = turn.named(self._notation)
            self._console.say(f"\n{number}. {self._notation.seat(turn.seat)} {name}")
        else:
            state = self._record.game.start(self._record.seats, self._record.options)
        self._console.say(f"\n{self._notation.drawing(state)}\n")
        if number == self.last:
            self._console.say(result(self._record, self._notation))

    def step_through(self) -> None:
        """Show the turns that the answers ask for, until the last or a quit."""
        number = 0
        self.turn(number)
        while True:
            match self._console.ask(QUESTION).lower():
                case "" | "n" | "next" if number < self.last:
                    number += 1
                case "b" | "back" if number:
                    number -= 1
                case "e" | "end":
                    number = self.last
                case "" | "n" | "next" | "q" | "quit":
                    return
                case "b" | "back":
                    pass
                case other:
                    self._console.say(f"{other!r} is none of these.")
                    continue
            self.turn(number)


def heading(record: Record) -> str:
    """The game's number, its rules and its seats."""
    rules = ", ".join(f"{key}={value}" for key, value in record.options.items())
    number = "" if record.number is None else f" {record.number}"
    return f"Game{number}: {record.game.key} ({rules}), {record.seats} seats"


def result(record: Record, notes: Notation) -> str:
    """A sentence on the end of a game."""
    if not record.is_over:
        return "The game is not over."
    return outcome(record.result, notes, "" if record.ending == PLAYED else f" ({record.ending})")

"""`python -m engine review FILE`: the worth of the moves of a finished game, in words."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.files.record import Record
from engine.game import Reason, Seat
from engine.notation import Notation, move_names, notation
from engine.review import (
    Grade,
    MoveReview,
    PlyReview,
    Review,
    RollReview,
    WeighedMove,
    calibrated,
    review,
)
from engine.search.agent import Budget, OutOfBudget
from engine.terminal.console import BadCommand, Outside, above_zero, counted
from engine.terminal.replay import heading, read, result
from engine.terminal.translation import Translation, language


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a game that Parlour gave, as text or JSON"
    )
    parser.add_argument("--all", action="store_true", help="tell of every move, good ones as well")
    parser.add_argument(
        "--seconds", type=above_zero(float), default=math.inf, help="the longest it may take"
    )
    parser.add_argument("--language", help="such as ar or zh-CN (default: English)")


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Review a game.

    Raises:
        BadCommand: The time does not suffice for the future of a game that goes on.
    """
    record = read(arguments.file)
    spoken, notes = language(arguments.language), notation(record.game)
    words = Translation(spoken, record.game, notes) if spoken else English(notes)
    say = outside.console.say
    say(words.heading(record))
    budget = Budget.within(arguments.seconds, outside.clock)
    try:
        found = review(record.game.key, record.seats, record.options, record.moves, budget)
    except OutOfBudget:
        short = f"{arguments.seconds:g} s do not suffice to judge how this game would go on"
        raise BadCommand(f"{short}; give it more --seconds") from None
    if found.first:
        say(words.skipped(found.first))
    for line in sentences(record, found, words, every=arguments.all):
        say(line)


def sentences(
    record: Record, found: Review, words: English | Translation, *, every: bool
) -> Iterator[str]:
    """Sentences on the moves that lost something and the luckiest rolls; a sum for each seat."""
    turning = found.turning_points()
    state = record.game.replay(record.seats, record.options, record.moves[: found.first])
    for ply in found.plies:
        graded = isinstance(ply, MoveReview) and (
            ply.grade not in {Grade.BEST, Grade.GOOD} or (every and len(ply.choices) > 1)
        )
        if graded or ply in turning:
            yield words.ply(ply, state)
        state = state.play(ply.move if isinstance(ply, MoveReview) else ply.pips)
    if not calibrated(record.game, record.options):
        yield words.about()
    yield from words.outcome(record)
    for seat in map(Seat, range(record.seats)):
        own = [move for move in found.moves if move.seat == seat]
        faults = sum(move.grade not in {Grade.BEST, Grade.GOOD} for move in own)
        yield from words.summary(found, seat, faults)


LEAST_TOLD: Final = 0.0005
"""The smallest loss that is not written as nothing."""


@dataclass(frozen=True, slots=True)
class English:
    """A review in English."""

    notes: Notation

    def heading(self, record: Record) -> str:
        """The game's number and rules."""
        return heading(record)

    def skipped(self, plies: int) -> str:
        """A sentence on plies without a review."""
        return f"There was no time for the first {counted(plies, 'ply', 'plies')}."

    def ply(self, ply: PlyReview, state: Any) -> str:  # noqa: ANN401 - any game's position
        """A move or a roll, in a sentence or three."""
        number, notes = ply.ply + 1, self.notes
        if isinstance(ply, RollReview):
            name = notes.names(state, ply.pips)[0]
            return f"{number}. {name}: {percent(ply.luck[ply.seat])} by luck."
        names = {choice.move: notes.names(state, choice.move)[0] for choice in ply.choices}
        why = self._in_brackets(state, ply.played.reasons)
        cost = (
            f", {'' if ply.sure else 'about '}{percent(-ply.loss)}"
            if ply.loss >= LEAST_TOLD
            else ""
        )
        outcome = self._outcome(ply, ply.played)
        words = f"{number}. {notes.seat(ply.seat)} plays {names[ply.move]}{why}: {ply.grade}"
        words += f"{cost}{outcome}."
        if ply.move in ply.bests:
            return words
        better = self._in_brackets(state, ply.best.reasons) + self._outcome(ply, ply.best)
        words += f" {'Best was' if ply.sure else 'Perhaps better:'} {names[ply.best.move]}{better}."
        if not ply.reply:
            return words
        reply = move_names(ply.reply, state.play(ply.move), notes)
        return f"{words} Expect {reply}."

    @staticmethod
    def _outcome(ply: MoveReview, choice: WeighedMove) -> str:
        """The proven result of a choice for its seat, unless it ends the game."""
        if not choice.proven or choice.plies == 1:
            return ""
        result = {0.0: "loses", 0.5: "holds the draw", 1.0: "wins"}[choice.chances[ply.seat]]
        return f", {result} in {choice.plies}" if choice.plies else f", {result}"

    def _in_brackets(self, state: Any, reasons: tuple[Reason, ...]) -> str:  # noqa: ANN401
        words = ", ".join(self.notes.reason(state, reason) for reason in reasons)
        return f" ({words})" if words else ""

    def about(self) -> str:
        """A sentence on a table where chances do not come true."""
        return "Chances at this table are only about right."

    def outcome(self, record: Record) -> Iterable[str]:
        """A sentence on the end of the game."""
        return (result(record, self.notes),)

    def summary(self, found: Review, seat: Seat, faults: int) -> Iterable[str]:
        """A seat's play and luck in numbers."""
        parts = [f"play lost {100 * found.lost(seat):.1f} %, {counted(faults, 'fault')}"]
        accuracy = found.accuracy(seat)
        if accuracy is not None:
            parts.append(f"accuracy {accuracy:.0%}")
        if found.rolls:
            parts.append(f"luck {percent(found.luck(seat))}")
            wins = round(100 * found.adjusted(seat))
            parts.append(f"would win {wins} of 100 with average dice")
        return (f"{self.notes.seat(seat)}: {', '.join(parts)}",)


def percent(change: float) -> str:
    """A change of a winning chance, with its sign."""
    return f"{100 * change:+.1f} %"

"""`python -m engine review FILE`: what the moves of a finished game were worth, in words."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.files.record import Record
from engine.game import Move, Reason, Seat
from engine.games.ludo.reasons import TokenReason
from engine.games.tictactoe.reasons import MarkReason
from engine.notation import Notation, move_names, notation
from engine.review import Grade, MoveReview, PlyReview, Review, RollReview, review
from engine.search.budget import Budget
from engine.terminal.console import Outside, counted
from engine.terminal.language import add_language, language
from engine.terminal.replay import heading, read, result
from engine.terminal.translation import Translation


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a game that Parlour gave as JSON")
    parser.add_argument("--all", action="store_true", help="tell of every move, good ones as well")
    parser.add_argument("--seconds", type=float, default=math.inf, help="the longest it may take")
    add_language(parser)


def run(arguments: argparse.Namespace, outside: Outside) -> None:
    """Review a game.

    Raises:
        BadCommand: The file cannot be read.
        NotARecord: There is no finished game in it.
    """
    record = read(arguments.file)
    spoken, notes = language(arguments.language), notation(record.game)
    words = Translation(spoken, record.game.key, notes) if spoken else English(notes)
    say = outside.console.say
    say(words.heading(record))
    budget = Budget.within(arguments.seconds, outside.clock)
    found = review(record.game.key, record.seats, record.options, record.moves, budget)
    if found.first:
        say(words.skipped(found.first))
    for line in told(record, found, words, every=arguments.all):
        say(line)


def told(
    record: Record, found: Review, words: English | Translation, *, every: bool
) -> Iterator[str]:
    """The moves that lost something, the luckiest rolls, and a sum for each seat."""
    turning = found.turning_points()
    state = record.game.replay(record.seats, record.options, record.moves[: found.first])
    for ply in found.plies:
        graded = isinstance(ply, MoveReview) and (
            ply.grade not in {Grade.BEST, Grade.GOOD} or (every and len(ply.choices) > 1)
        )
        if graded or ply in turning:
            yield words.ply(ply, state)
        state = state.play(ply.move if isinstance(ply, MoveReview) else ply.pips)
    yield from words.outcome(record)
    for seat in map(Seat, range(record.seats)):
        own = [move for move in found.moves if move.seat == seat]
        faults = sum(move.grade not in {Grade.BEST, Grade.GOOD} for move in own)
        yield from words.summary(found, seat, faults)


@dataclass(frozen=True, slots=True)
class English:
    """The words of the terminal."""

    notes: Notation

    def heading(self, record: Record) -> str:
        """What is reviewed, and by which rules it was played."""
        return heading(record)

    def skipped(self, plies: int) -> str:
        """How many plies there was no time for."""
        return f"There was no time for the first {counted(plies, 'ply', 'plies')}."

    def ply(self, ply: PlyReview, state: Any) -> str:  # noqa: ANN401 - any game's
        """What happened at a ply, in a sentence or three."""
        number, notes = ply.ply + 1, self.notes
        if isinstance(ply, RollReview):
            name = notes.names(state, ply.pips)[0]
            return f"{number}. {name}: {percent(ply.luck[ply.seat])} by luck."
        names = {choice.move: notes.names(state, choice.move)[0] for choice in ply.choices}
        why = reason_words(state, ply.played.reasons, notes)
        words = f"{number}. {notes.seat(ply.seat)} plays {names[ply.move]} ({why}): {ply.grade}"
        if ply.move in ply.bests:
            return f"{words}."
        better = reason_words(state, ply.best.reasons, notes)
        words += f", {percent(-ply.loss)}. Best was {names[ply.best.move]} ({better})."
        if not ply.reply:
            return words
        reply = move_names(ply.reply, state.play(ply.move), notes)
        return f"{words} Expect {reply}."

    def outcome(self, record: Record) -> Iterable[str]:
        """How the game ended, in a sentence."""
        return (result(record, self.notes),)

    def summary(self, found: Review, seat: Seat, faults: int) -> Iterable[str]:
        """A seat's play and luck in numbers."""
        parts = [f"play lost {100 * found.lost(seat):.1f} %, {counted(faults, 'fault')}"]
        accuracy = found.accuracy(seat)
        if accuracy is not None:
            parts.append(f"accuracy {accuracy:.0%}")
        if found.rolls:
            parts.append(f"luck {percent(found.luck(seat))}")
            wins = round(100 * found.without_luck(seat))
            parts.append(f"would win {wins} of 100 with average dice")
        return (f"{self.notes.seat(seat)}: {', '.join(parts)}",)


def percent(change: float) -> str:
    """A change of a winning chance."""
    return f"{100 * change:+.1f} %"


def reason_words(state: Any, reasons: tuple[Reason, ...], notes: Notation) -> str:  # noqa: ANN401
    """The reasons of a move in a few words each."""
    found = []
    for reason in reasons:
        words = WORDS[reason.kind]
        found.append(words if isinstance(words, str) else words(state, reason.about, notes))
    return ", ".join(found)


Words = Callable[[Any, tuple[int, ...], Notation], str]


def _at(lead: str) -> Words:
    def words(state: Any, cells: tuple[int, ...], notes: Notation) -> str:  # noqa: ANN401
        return f"{lead} {' and '.join(notes.names(state, Move(cell))[0] for cell in cells)}"

    return words


def _token(lead: str) -> Words:
    return lambda _state, about, notes: f"{lead} {notes.seat(Seat(about[0]))} {about[1] + 1}"


WORDS: Final[Mapping[str, str | Words]] = {
    MarkReason.WINS: "wins",
    MarkReason.BLOCKS: "blocks",
    MarkReason.FORKS: _at("two threats at once, on"),
    MarkReason.BLOCKS_FORK: "stops two threats at once",
    MarkReason.THREATENS: _at("threatens"),
    MarkReason.CENTRE: "the centre",
    MarkReason.OPPOSITE_CORNER: "the opposite corner",
    MarkReason.CORNER: "a corner",
    MarkReason.EDGE: "an edge",
    MarkReason.INSIDE: "inside",
    MarkReason.MISSES_WIN: _at("misses the win on"),
    MarkReason.LETS_WIN: _at("lets the other win on"),
    MarkReason.LETS_FORK: _at("lets the other make two threats on"),
    TokenReason.WINS: "wins",
    TokenReason.CAPTURES: _token("captures"),
    TokenReason.COMES_HOME: "comes home",
    TokenReason.LEAVES_YARD: "leaves the yard",
    TokenReason.FLEES: lambda _, about, __: f"flees from {counted(about[0], 'hunter')}",
    TokenReason.GETS_SAFE: "gets safe",
    TokenReason.MAKES_BLOCK: "makes a block",
    TokenReason.ROLLS_AGAIN: "rolls again",
    TokenReason.HUNTS: _token("hunts"),
    TokenReason.ADVANCES: lambda _, about, __: f"advances {about[0]}",
    TokenReason.EXPOSES: lambda _, about, __: (
        f"exposes {about[0] + 1} to {counted(about[1], 'hunter')}"
    ),
}

"""Records read back from text; the package's docstring has the format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Final, TypeAlias

from engine import roster
from engine.files.record import NotARecord, Record, verified
from engine.files.text import FIRST_LINE
from engine.game import CHANCE, InvalidOptions, Move, State, seat_at
from engine.notation import Notation, named, notation
from engine.terminal.choices import typed_options
from engine.terminal.console import Refused

NEEDED: Final = ("game", "seats", "ending", "result")
KEYS: Final = ("number", "options", *NEEDED)

_HEADER: Final = re.compile(r"(\w+):\s*(.*)")
_TURN: Final = re.compile(r"(\d+)\.\s+(.*)")
_ENDING: Final = re.compile(r"[a-z_]+")

Line: TypeAlias = tuple[int, str]
"""A line's number, from 1, and what it says."""


def read(text: str) -> Record:
    """The record of a text.

    Raises:
        NotARecord: The text has another format, or what it tells cannot have been played.
    """
    lines = [(number, line) for number, line in enumerate(map(_said, text.splitlines()), 1)]
    first = next((line for line in lines if line[1]), (1, ""))
    if first[1] != FIRST_LINE:
        raise NotARecord(f"line {first[0]}: a finished game begins with the line {FIRST_LINE!r}")
    rest = lines[first[0] :]
    header = [line for line in rest if line[1] and not _TURN.fullmatch(line[1])]
    unplayed = _unplayed(_headers(header))
    played = [line for line in rest if _TURN.fullmatch(line[1])]
    return verified(replace(unplayed, moves=tuple(_moves(unplayed, played))))


def _said(line: str) -> str:
    return line.partition("#")[0].strip()


def _headers(lines: Iterable[Line]) -> Mapping[str, Line]:
    """The values of the headers by their keys."""
    found: dict[str, Line] = {}
    for number, line in lines:
        with _at(number):
            match = _HEADER.fullmatch(line)
            if match is None:
                raise NotARecord(f"{line!r} is neither a header, KEY: VALUE, nor a turn")
            key, value = match.groups()
            if key not in KEYS or key in found:
                why = "is there twice" if key in KEYS else f"is none of {', '.join(KEYS)}"
                raise NotARecord(f"the header {key!r} {why}")
            found[key] = number, value
    missing = [key for key in NEEDED if key not in found]
    if missing:
        raise NotARecord(f"the header {missing[0]!r} is missing")
    return found


def _unplayed(headers: Mapping[str, Line]) -> Record:
    """The record of the headers, still without its moves."""
    with _at(headers["game"][0]):
        game = roster.game(headers["game"][1])
    number, typed = headers.get("options", (0, ""))
    with _at(number):
        words = [word.strip() for word in typed.split(",")] if typed else []
        options = typed_options(game, words)
    with _at(headers["seats"][0]):
        seats = int(headers["seats"][1])
        game.start(seats, options)
    with _at(headers["result"][0]):
        result = tuple(map(Fraction, headers["result"][1].split()))
    with _at(headers["ending"][0]):
        ending = headers["ending"][1]
        if not _ENDING.fullmatch(ending):
            raise NotARecord(f"an ending is a word in small letters, not {ending!r}")
    with _at(headers.get("number", (0, ""))[0]):
        own = int(headers["number"][1]) if "number" in headers else None
    return Record(game, seats, options, (), ending, result, own)


def _moves(record: Record, lines: Iterable[Line]) -> Iterator[Move]:
    """The moves of the turns."""
    notes = notation(record.game)
    state: State = record.game.start(record.seats, record.options)
    for expected, (number, line) in enumerate(lines, 1):
        with _at(number):
            for move in _turn(line, expected, state, notes):
                yield move
                state = state.play(move)


def _turn(line: str, expected: int, state: State, notes: Notation) -> Iterator[Move]:
    """The moves of one line."""
    match = _TURN.fullmatch(line)
    assert match is not None, "only turns are read as such"
    if int(match[1]) != expected:
        raise NotARecord(f"the turn after {expected - 1} is {expected}, not {match[1]}")
    if state.payoff() is not None:
        raise NotARecord("the game is over before this turn")
    seat = seat_at(state)
    told, name = match[2].split(), notes.seat(seat).split()
    if told[: len(name)] != name:
        raise NotARecord(f"it is the turn of {notes.seat(seat)}")
    for word in told[len(name) :]:
        if state.payoff() is not None or seat_at(state) != seat:
            raise NotARecord(f"the turn of {notes.seat(seat)} is over before {word}")
        move = _move(word, state, notes)
        yield move
        state = state.play(move)


def _move(word: str, state: State, notes: Notation) -> Move:
    names = named(state, state.moves(), notes)
    plain = word.removeprefix("(").removesuffix(")")
    bracketed = word == f"({plain})"
    if plain.lower() not in names or bracketed != (state.turn == CHANCE):
        shown = (notes.names(state, move)[-1] for move in state.moves())
        allowed = ", ".join(f"({name})" if state.turn == CHANCE else name for name in shown)
        raise NotARecord(f"{word} cannot be played here; there are {allowed}")
    return names[plain.lower()]


@contextmanager
def _at(number: int) -> Iterator[None]:
    """Says in which line something is wrong."""
    try:
        yield
    except (NotARecord, Refused, roster.Unknown, InvalidOptions) as error:
        raise NotARecord(f"line {number}: {error}") from None
    except (ValueError, ZeroDivisionError):
        raise NotARecord(f"line {number}: that is not a number") from None

"""Records as text that people read and write; the package's docstring has the format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Final, TypeAlias

from engine import roster
from engine.files import json_text
from engine.files.record import (
    FORMAT,
    PLAYED,
    UNFINISHED,
    VERSION,
    NotARecord,
    Record,
    RecordFault,
    exact,
    first,
    verified,
)
from engine.game import CHANCE, Game, Move, Options, Seat, State, seat_at
from engine.notation import Notation, move_names, named, notation

KEYS: Final = frozenset({"number", "game", "seats", "options", "ending", "result"})
HEADER: Final = re.compile(r"(\w+)\s*:\s*(.*)")
NUMBER: Final = re.compile(r"\d+\.+(?=\s|$)")
"""The number of a turn before its moves."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its seat, its first ply counted from 0, and the positions around it.

    `rolls` are those in it: the ply of each, and the pips. A roll for who begins, an `opening`, is
    a turn of its own.
    """

    seat: Seat
    opening: bool
    ply: int
    moves: tuple[Move, ...]
    rolls: tuple[tuple[int, Move], ...]
    before: State
    after: State

    @property
    def end(self) -> int:
        """The number of plies until its end, from the game's start."""
        return self.ply + len(self.moves)

    def named(self, notes: Notation) -> str:
        """The names of its moves, with rolls in brackets."""
        return move_names(self.moves, self.before, notes, recorded=True)


def turns(game: Game[Any], seats: int, options: Options, moves: Sequence[Move]) -> Iterator[Turn]:
    """The turns of a game, of moves that are not checked for legality."""

    def whose(state: Any) -> tuple[Seat, bool]:  # noqa: ANN401 - any game's position
        return seat_at(state), game.dice and bool(state.opening)

    path = game.path(seats, options, moves)
    ply = 0
    for (seat, opening), befores in groupby(path[:-1], key=whose):
        end = ply + len(list(befores))
        rolls = tuple((at, moves[at]) for at in range(ply, end) if path[at].turn == CHANCE)
        yield Turn(seat, opening, ply, tuple(moves[ply:end]), rolls, path[ply], path[end])
        ply = end


def written(record: Record) -> str:
    """The text of a record."""
    chosen = ", ".join(f"{key}={value}" for key, value in record.chosen.items())
    values = {
        "number": "" if record.number is None else str(record.number),
        "game": record.game.key,
        "seats": str(record.seats),
        "options": chosen,
        "ending": record.ending,
        "result": " ".join(map(str, record.result)),
    }
    headers = (f"{key}: {value}" for key, value in values.items() if value)
    notes = notation(record.game)
    played = turns(record.game, record.seats, record.options, record.moves)
    lines = (
        f"{number}. {notes.seat(turn.seat)} {turn.named(notes)}"
        for number, turn in enumerate(played, 1)
    )
    return "\n".join((f"{FORMAT} {VERSION}", *headers, "", *lines, ""))


def read(text: str, otherwise: Game[Any] | None = None) -> Record:
    """Read and check the record of a text, or of JSON; if it names no game, that is `otherwise`.

    A list of moves is enough. Without seats it has the fewest that the game allows; without an
    ending, that follows from the moves.

    Raises:
        NotARecord: The text is not a game, or the game cannot have been played like that.
    """
    if text.lstrip().startswith("{"):
        return json_text.read(text)
    headers, told = _parts(text)
    try:
        return _record(headers, told, otherwise)
    except NotARecord as error:
        if error.line is not None:
            raise
        found = headers.get(error.key) or next(iter(told), (1, ""))
        raise error.at(found[0]) from None


Lines: TypeAlias = "list[tuple[int, str]]"
"""Lines of a text with their numbers, counted from 1."""


def _parts(text: str) -> tuple[dict[str, tuple[int, str]], Lines]:
    """The headers of a text, each with its line, and the lines of its moves."""
    headers: dict[str, tuple[int, str]] = {}
    told: Lines = []
    for line, written in enumerate(map(str.strip, text.splitlines()), 1):
        header = HEADER.fullmatch(written)
        if told and (header is not None or written.startswith(FORMAT)):
            raise NotARecord("a second game begins", RecordFault.SECOND).at(line)
        if header is not None:
            key, value = header[1].lower(), header[2]
            if key in headers or key not in KEYS:
                raise NotARecord(f"{key!r} has no meaning here", about=key).at(line)
            headers[key] = line, value
        elif written.startswith(FORMAT):
            if written != f"{FORMAT} {VERSION}" or headers:
                raise NotARecord(f"the version must be {VERSION}", about=written).at(line)
        elif written:
            told.append((line, written))
    return headers, told


def _record(
    headers: dict[str, tuple[int, str]],
    told: Lines,
    otherwise: Game[Any] | None,
) -> Record:
    values = {key: value for key, (_, value) in headers.items()}
    game = _game(values.get("game"), otherwise)
    seats = _whole(values, "seats") if "seats" in values else min(game.seats)
    options = dict(_options(values.get("options", "")))
    moves, payoff = _moves(game, first(game, seats, options), told)
    if not moves:
        raise NotARecord("there are no moves", RecordFault.EMPTY).at(1)
    ending = values.get("ending", PLAYED if payoff is not None else UNFINISHED)
    result = exact([0.0] * seats if payoff is None else payoff)
    if "result" in values:
        result = tuple(_shares(values["result"]))
    number = _whole(values, "number") if "number" in values else None
    return verified(Record(game, seats, options, tuple(moves), ending, result, number))


def _moves(
    game: Game[Any],
    state: State,
    told: Lines,
) -> tuple[list[Move], Sequence[float] | None]:
    """The moves of some lines from a position on, and the payoff after them."""
    notes, moves = notation(game), list[Move]()
    for line, written in told:
        words = NUMBER.sub("", written).strip()
        whose = "" if state.payoff() is not None else notes.seat(seat_at(state))
        if whose and words.lower().startswith(f"{whose.lower()} "):
            words = words[len(whose) :]
        for name in (each for word in words.split() for each in _names(word, state, notes)):
            move = named(state, state.moves(), notes).get(_bare(name))
            if move is None:
                why = f"{name!r} is no move here"
                raise NotARecord(why, RecordFault.MOVE, ply=len(moves), about=name).at(line)
            moves.append(move)
            state = state.play(move)
    return moves, state.payoff()


def _bare(name: str) -> str:
    """A name of a move without the brackets of a roll."""
    return name.strip("()").lower()


def _names(word: str, state: State, notes: Notation) -> Iterator[str]:
    """The names of moves in a word: the word itself, or each digit of a row of columns."""
    digits = word.isdecimal() and word not in named(state, state.moves(), notes)
    yield from word if digits else [word]


def _game(key: str | None, otherwise: Game[Any] | None) -> Game[Any]:
    if key is None:
        if otherwise is None:
            raise NotARecord("it names no game: a line such as game: tictactoe is missing")
        return otherwise
    try:
        return roster.game(key)
    except roster.Unknown as error:
        raise NotARecord(f"{error}", key="game", about=key) from None


def _options(written: str) -> Iterator[tuple[str, int | str]]:
    for part in filter(None, map(str.strip, written.split(","))):
        key, equals, value = map(str.strip, part.partition("="))
        if not equals:
            raise NotARecord(f"{part!r} is no option", key="options", about=part)
        yield key, int(value) if _is_number(value) else value


def _shares(written: str) -> Iterator[Fraction]:
    for share in written.split():
        if re.fullmatch(r"-?\d{1,4}(/[1-9]\d{0,3})?", share) is None:
            raise NotARecord(f"{share!r} is no result", key="result", about=share)
        yield Fraction(share)


def _whole(values: dict[str, str], key: str) -> int:
    if not _is_number(values[key]):
        why = f"{key} must be a whole number, not {values[key]!r}"
        raise NotARecord(why, key=key, about=values[key])
    return int(values[key])


def _is_number(value: str) -> bool:
    return value.isascii() and value.isdecimal() and len(value) < 19

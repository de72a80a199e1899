"""Records as JSON that programs read, and back; the package's docstring has the keys."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import islice
from math import isfinite
from typing import Any, Final, NoReturn, TypeVar

from engine import roster
from engine.files.record import FORMAT, VERSION, NotARecord, Record, RecordFault, exact, verified
from engine.game import Move, Options

T = TypeVar("T")

MOST_DIGITS: Final = 19
"""The most characters of a whole number."""


def written(record: Record) -> str:
    """The JSON of a record, its keys in the order of the text's headers."""
    return json.dumps(json_object(record)) + "\n"


def json_object(record: Record) -> dict[str, Any]:
    """The JSON object of a record."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "number": record.number,
        "game": record.game.key,
        "seats": record.seats,
        "options": dict(record.game.settled(record.options)),
        "ending": record.ending,
        "result": [_plain(float(share)) for share in record.result],
        "moves": list(record.moves),
    }


def read(text: str) -> Record:
    """Read and check the record of a JSON text.

    Raises:
        NotARecord: The text is no JSON of that kind, or its game cannot have been played.
    """
    try:
        values = json.loads(
            text, parse_int=_whole, parse_float=_fraction, parse_constant=_no_number
        )
        return verified(_record(values))
    except RecursionError:
        why, start = "this has more lists within lists than a game", text.strip()[:20]
        raise NotARecord(why, about=start).at(1) from None
    except json.JSONDecodeError as error:
        line = text.splitlines()[error.lineno - 1 :][:1]
        raise NotARecord("this is not JSON", about="".join(line).strip()).at(error.lineno) from None
    except NotARecord as error:
        raise error.at(_line(text, error)) from None


def _line(text: str, fault: NotARecord) -> int:
    """The line of a fault: that of its move or key, or 1 where it is not found."""
    at = max(0, text.find(f'"{fault.key}"'))
    moves = re.compile(r'"moves"\s*:\s*\[').search(text)
    if fault.fault is RecordFault.MOVE and moves is not None:
        numbers = re.compile(r"-?\d+").finditer(text, moves.end())
        move = next(islice(numbers, fault.ply, None), None)
        at = move.start() if move else 0
    return text.count("\n", 0, at) + 1


def _record(values: object) -> Record:
    """The record of a JSON value, as it stands there."""
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise NotARecord(f"a finished game has the format {FORMAT!r}", key="format")
    if values.get("version") != VERSION:
        version = values.get("version")
        why = f"the version must be {VERSION}, not {version!r}"
        raise NotARecord(why, key="version", about=version)
    try:
        game = roster.game(_of(values, "game", str))
    except roster.Unknown as error:
        raise NotARecord(f"{error}", key="game", about=values["game"]) from None
    return Record(
        game=game,
        seats=_of(values, "seats", int),
        options=_options(values),
        moves=tuple(Move(move) for move in _numbers(values, "moves", int)),
        ending=_of(values, "ending", str),
        result=exact(_numbers(values, "result", int | float)),
        number=None if values.get("number") is None else _of(values, "number", int),
    )


def _whole(written: str) -> int:
    if len(written) > MOST_DIGITS:
        raise NotARecord(f"no game has a number of {len(written)} digits", about=written[:50])
    return int(written)


def _fraction(written: str) -> float:
    if not isfinite(share := float(written)):  # as of 1e999
        raise NotARecord(f"no game has the number {written[:50]}", about=written[:50])
    return share


def _no_number(name: str) -> NoReturn:
    raise NotARecord(f"{name} is not a number of JSON")


def _plain(share: float) -> float | int:
    return int(share) if share.is_integer() else share


def _of(values: Mapping[str, Any], key: str, kind: type[T]) -> T:
    value = values.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        why = f"{key!r} must be {_NAMES[kind]}, not {json.dumps(value)}"
        raise NotARecord(why, key=key, about=key)
    return value


def _numbers(values: Mapping[str, Any], key: str, kind: Any) -> list[Any]:  # noqa: ANN401 - a union
    numbers: list[Any] = _of(values, key, list)
    for number in numbers:
        if not isinstance(number, kind) or isinstance(number, bool):
            why = f"{key!r} has {json.dumps(number)}, which it cannot have"
            raise NotARecord(why, key=key, about=json.dumps(number))
    return numbers


def _options(values: Mapping[str, Any]) -> Options:
    options: dict[str, Any] = _of(values, "options", dict)
    for key, value in options.items():
        if not isinstance(value, int | str) or isinstance(value, bool):
            why = f"{key} must be a whole number or a text, not {json.dumps(value)}"
            raise NotARecord(why, key=key, about=key)
    return options


_NAMES: dict[Any, str] = {str: "a text", int: "a whole number", list: "a list", dict: "an object"}

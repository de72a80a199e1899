"""Tables as lines of an export, and back: a line has its session, seats and moves.

What is stored to be found quickly follows from the rest and is in no line: how many plies there
are, and whether the next is for no person to decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import RowMapping

from bot.games.catalogue import CATALOGUE
from bot.storage.check.invariants import contradictions
from bot.storage.export.members import (
    COUNT,
    LANGUAGE,
    MILLISECOND,
    NUMBER,
    PERSON,
    SNOWFLAKE,
    TIME,
    Members,
    Wrong,
    flag,
    list_of,
    moment,
    or_null,
    shown,
    text,
    whole,
    word,
)
from bot.storage.schema import EPOCH
from bot.storage.table_rows import Values, stored_table
from bot.table.seats import Level, Pace
from bot.table.session import Ending, Phase
from engine.game import IllegalMove, InvalidOptions, Options

_SESSION: Final = (
    *("session", "game", "options", "pace", "locale", "guild", "channel", "message", "host"),
    *("opened_at", "moved_at", "due", "phase", "ending", "finish", "rematch"),
    *("revision", "shown", "nudge", "lapsed", "auto_roll", "offer", "dice_secret"),
    *("seats", "payoff", "moves", "times"),
)
_AS_STORED: Final = frozenset(_SESSION) - {
    *("session", "options", "dice_secret", "seats", "payoff", "moves", "times")
}
_SEAT: Final = {
    "human": ("kind", "person"),
    "invited": ("kind", "person"),
    "absent": ("kind", "person", "level"),
    "computer": ("kind", "level"),
    "vacant": ("kind",),
}


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a table. The times of moves are milliseconds since 1970."""

    session: Values
    seats: list[Values]
    moves: list[Values]


def game_line(
    row: RowMapping, seats: Sequence[RowMapping], moves: Sequence[int], times: Sequence[int]
) -> Values:
    """The line of a session's row, its seats and its moves; all times in milliseconds."""
    secret, options = row["dice_secret"], row["options"]
    payoff = [seat["payoff"] for seat in seats] if row["phase"] == Phase.FINISHED else None
    line = {name: row[name] if name in _AS_STORED else None for name in _SESSION}
    return line | {
        "session": row["id"],
        "options": {key: options[key] for key in sorted(options)},
        "dice_secret": secret and secret.hex(),
        "seats": [{name: seat[name] for name in _SEAT[seat["kind"]]} for seat in seats],
        "payoff": payoff,
        "moves": moves,
        "times": [time - row["opened_at"] for time in times],
    }


def game_rows(values: Mapping[str, Any]) -> Rows:
    """The rows of a table's line.

    Raises:
        Wrong: It is no such line, or tells of what cannot have been played.
    """
    read = Members(values, _SESSION)
    row = _session_row(read)
    seats = [
        {"session": row["id"], "seat": index, **seat}
        for index, seat in enumerate(read("seats", _seats))
    ]
    payoff = read("payoff", or_null(list_of(_share, "shares")))
    _share_out(payoff, seats, row["phase"])
    moves = read("moves", list_of(_ANY_NUMBER, "moves"))
    try:
        table = stored_table(row, seats, moves)
        for contradiction in contradictions(table, finish=row["finish"], shown=row["shown"]):
            raise Wrong(contradiction)
    except (IllegalMove, InvalidOptions) as error:
        raise Wrong(f"{error}.") from None
    row |= {"plies": len(moves), "unattended": table.session.unattended}
    return Rows(row, seats, _move_rows(row, moves, read("times", list_of(_ANY_NUMBER, "times"))))


def _share_out(payoff: list[float] | None, seats: list[Values], phase: Phase) -> None:
    if (payoff is not None) != (phase is Phase.FINISHED):
        raise Wrong(f"phase is {phase}, but there is {'no' if payoff is None else 'a'} payoff.")
    if payoff is not None and len(payoff) != len(seats):
        raise Wrong(f"payoff has {len(payoff)} shares for {len(seats)} seats.")
    for index, seat in enumerate(seats):
        seat["payoff"] = None if payoff is None else payoff[index]


def _session_row(read: Members) -> Values:
    game = read("game", _game)
    secret = read("dice_secret", or_null(_SECRET))
    return {
        "id": read("session", NUMBER),
        "game": game,
        "options": read("options", _options),
        "pace": read("pace", word(Pace)),
        "locale": read("locale", LANGUAGE),
        "guild": read("guild", or_null(SNOWFLAKE)),
        "channel": read("channel", _CHANNEL),
        "message": read("message", or_null(SNOWFLAKE)),
        "host": read("host", PERSON),
        "opened_at": read("opened_at", moment),
        "moved_at": read("moved_at", moment),
        "due": read("due", or_null(moment)),
        "phase": read("phase", word(Phase)),
        "ending": read("ending", or_null(word(Ending))),
        "finish": read("finish", or_null(NUMBER)),
        "rematch": read("rematch", or_null(NUMBER)),
        "revision": read("revision", COUNT),
        "shown": read("shown", _SHOWN),
        "nudge": read("nudge", or_null(PERSON)),
        "lapsed": read("lapsed", flag),
        "auto_roll": read("auto_roll", flag),
        "offer": read("offer", or_null(COUNT)),
        "dice_secret": None if secret is None else bytes.fromhex(secret),
    }


def _move_rows(row: Values, moves: list[int], times: list[int]) -> list[Values]:
    if len(times) != len(moves):
        raise Wrong(f"there are {len(times)} times for {len(moves)} moves.")
    opened = (row["opened_at"] - EPOCH) // MILLISECOND
    if times:
        for time in (min(times), max(times)):
            _play_time(opened + time)
    return [
        {"session": row["id"], "ply": ply, "move": move, "played_at": opened + time}
        for ply, (move, time) in enumerate(zip(moves, times, strict=True))
    ]


def _play_time(time: int) -> None:
    try:
        TIME(time)
    except Wrong as error:
        raise Wrong(f"a move was played at {time}, but a time is {error}.") from None


def _game(value: object) -> str:
    if not isinstance(value, str) or value not in CATALOGUE:
        raise Wrong(f"one of {', '.join(CATALOGUE)}, the games that this version has")
    return value


def _options(value: object) -> Options:
    if not isinstance(value, dict) or not all(type(each) in {int, str} for each in value.values()):
        raise Wrong("an object of whole numbers and texts")
    if list(value) != sorted(value):
        raise Wrong("an object with its members in the order of the alphabet")
    return value


def _share(value: object) -> float:
    if type(value) is not float or not -1 <= value <= 1 or str(value) == "-0.0":
        raise Wrong("a number from -1.0 to 1.0 with a decimal point")
    return value


def _seats(value: object) -> list[Values]:
    if not isinstance(value, list):
        raise Wrong("a list of seats")
    return [_seat(each) for each in value]


def _seat(value: object) -> Values:
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(kind, str) or kind not in _SEAT:
        raise Wrong(f"a list of seats, each of one of the kinds {', '.join(_SEAT)}")
    try:
        read = Members(value, _SEAT[kind])
        return {
            "kind": kind,
            "person": read("person", PERSON) if "person" in value else None,
            "level": read("level", word(Level)) if "level" in value else None,
        }
    except Wrong as error:
        raise Wrong(f"a list of seats, and of {shown(value)} {error}") from None


_SHOWN: Final = whole(-1, (1 << 31) - 1)
_CHANNEL: Final = whole(0, (1 << 63) - 1)
_ANY_NUMBER: Final = whole(-(1 << 62), 1 << 62)
_SECRET: Final = text("[0-9a-f]{64}", "64 hexadecimal digits in lower case")

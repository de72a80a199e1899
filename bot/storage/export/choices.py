"""People's choices and servers' settings as lines of an export, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import RowMapping

from bot.people import Form
from bot.servers import FEWEST_GAMES, MOST_GAMES
from bot.storage.export.members import (
    LANGUAGE,
    PERSON,
    SNOWFLAKE,
    Members,
    Wrong,
    ascending,
    flag,
    or_null,
    whole,
    word,
)
from bot.storage.rows import Values

_PERSON: Final = ("person", "form", "language", "challenges", "blocked")
_SERVER: Final = ("server", "games", "language", "channels")
_UNSAID: Final = {"challenges": True}
"""What holds of a member unless it is said: of all others null, or an empty list."""


def person_line(person: int, row: RowMapping | None, blocked: Sequence[int]) -> Values | None:
    """The line of somebody with or without a row, who has blocked some, ascending.

    None if they have chosen nothing, or taken all of it back.
    """
    line = {
        "person": person,
        "form": row and row["form"],
        "language": row and row["language"],
        "challenges": row is None or row["challenges"],
        "blocked": blocked,
    }
    return None if _says_nothing(line) else line


def person_rows(values: Mapping[str, Any]) -> tuple[list[Values], list[Values]]:
    """The row of a person's line, if anything but blocks takes one, and those of the blocks.

    Raises:
        Wrong: It is no such line.
    """
    read = Members(values, _PERSON)
    person = read("person", PERSON)
    row = {
        "id": person,
        "form": read("form", or_null(word(Form))),
        "language": read("language", or_null(LANGUAGE)),
        "challenges": read("challenges", flag),
    }
    blocked = read("blocked", ascending(PERSON, "people"))
    _refuse_nothing(values)
    own = [] if _says_nothing({**values, "blocked": []}) else [row]
    return own, [{"person": person, "blocked": other} for other in blocked]


def server_line(row: RowMapping, channels: Sequence[int]) -> Values | None:
    """The line of a server's row and its channels, ascending; None if it has set nothing."""
    line = {
        "server": row["id"],
        "games": row["games"],
        "language": row["language"],
        "channels": channels,
    }
    return None if _says_nothing(line) else line


def server_rows(values: Mapping[str, Any]) -> tuple[list[Values], list[Values]]:
    """The row of a server's line, and those of its channels.

    Raises:
        Wrong: It is no such line.
    """
    read = Members(values, _SERVER)
    server = read("server", SNOWFLAKE)
    row = {
        "id": server,
        "games": read("games", or_null(whole(FEWEST_GAMES, MOST_GAMES))),
        "language": read("language", or_null(LANGUAGE)),
    }
    channels = read("channels", ascending(SNOWFLAKE, "channels"))
    _refuse_nothing(values)
    return [row], [{"server": server, "channel": channel} for channel in channels]


def _says_nothing(line: Mapping[str, Any]) -> bool:
    """Whether all that a line has to say holds without it."""
    _, *said = line.items()
    return all(value == _UNSAID.get(name) or value == [] for name, value in said)


def _refuse_nothing(line: Mapping[str, Any]) -> None:
    if _says_nothing(line):
        raise Wrong("it says nothing that would not hold without it.")

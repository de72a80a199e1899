"""People's choices and servers' settings as lines of an export, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import RowMapping

from bot.service.guild_settings import FEWEST_GAMES, MOST_GAMES
from bot.service.people import Form
from bot.storage.export.members import (
    LANGUAGE,
    PERSON,
    SNOWFLAKE,
    Members,
    Wrong,
    ascending,
    flag,
    moment,
    or_null,
    whole,
    word,
)
from bot.storage.table_rows import Values

_PERSON: Final = ("person", "form", "language", "challenges", "blocked")
_SERVER: Final = ("server", "games", "language", "left_at", "channels")
_UNCHOSEN: Final = {"form": None, "language": None, "challenges": True}
"""What holds for whoever has chosen nothing, and has no row."""


def person_line(person: int, row: RowMapping | None, blocked: Sequence[int]) -> Values | None:
    """The line of somebody with or without a row, who has blocked some, ascending.

    None if they have chosen nothing, or taken all of it back.
    """
    chosen = _UNCHOSEN if row is None else {name: row[name] for name in _UNCHOSEN}
    if chosen == _UNCHOSEN and not blocked:
        return None
    return {"person": person, **chosen, "blocked": blocked}


def person_rows(values: Mapping[str, Any]) -> tuple[list[Values], list[Values]]:
    """The row of a person's line, if anything but blocks takes one, and those of the blocks.

    Raises:
        Wrong: It is no such line.
    """
    read = Members(values, _PERSON)
    person = read("person", PERSON)
    chosen = {
        "form": read("form", or_null(word(Form))),
        "language": read("language", or_null(LANGUAGE)),
        "challenges": read("challenges", flag),
    }
    blocked = read("blocked", ascending(PERSON, "people"))
    own = [] if chosen == _UNCHOSEN else [{"id": person, **chosen}]
    if not own and not blocked:
        raise Wrong("it says nothing that would not hold without it.")
    return own, [{"person": person, "blocked": other} for other in blocked]


def server_line(row: RowMapping, channels: Sequence[int]) -> Values:
    """The line of a server's row, its times in milliseconds, and of its channels, ascending."""
    return {
        "server": row["id"],
        "games": row["games"],
        "language": row["language"],
        "left_at": row["left_at"],
        "channels": channels,
    }


def server_rows(values: Mapping[str, Any]) -> tuple[Values, list[Values]]:
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
        "left_at": read("left_at", or_null(moment)),
    }
    channels = read("channels", ascending(SNOWFLAKE, "channels"))
    return row, [{"server": server, "channel": channel} for channel in channels]

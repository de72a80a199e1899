"""Lists of finished games, without their moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from sqlalchemy import bindparam, select

from bot.storage.reading import Reader
from bot.storage.schema.game_tables import FINISHED, seats, sessions
from bot.storage.table_rows import ended_game
from bot.table.seats import PersonId
from bot.table.table import EndedTable

MOST_LISTED: Final = 100
"""The most games listed of a channel, and of a person."""

_COLUMNS: Final = ("id", "game", "host", "ending", "moved_at", "state")
_ENDED = select(*(sessions.c[name] for name in _COLUMNS)).where(FINISHED)
_HERE = (
    _ENDED.where(sessions.c.channel == bindparam("channel"))
    .order_by(sessions.c.moved_at.desc())
    .limit(MOST_LISTED)
)
_OWN = (
    _ENDED.join(seats, seats.c.session == sessions.c.id)
    .where(seats.c.person == bindparam("person"))
    .order_by(seats.c.session.desc())
    .limit(MOST_LISTED)
)
"""In the order of the index of people, so that no more are read than are listed."""


def ended(reader: Reader, channel: int, person: PersonId) -> Sequence[EndedTable]:
    """The latest finished games of a channel and of a person, the latest first."""
    read = (
        *reader.rows(sessions, _HERE, partial(ended_game, own=False), {"channel": channel}),
        *reader.rows(sessions, _OWN, partial(ended_game, own=True), {"person": person}),
    )
    games = {game.id: game for game in read if game is not None}
    return sorted(games.values(), key=lambda game: (game.at, game.id), reverse=True)

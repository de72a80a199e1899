"""The feats of games that finished before they were kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, Integer, bindparam, select, update

from bot.games.catalogue import CATALOGUE
from bot.storage.errors import Unreadable
from bot.storage.schema.game_tables import seats, sessions
from bot.storage.table_rows import load, seat_values
from bot.storage.values import Prepared
from bot.table.session import Phase, SessionId

_KEEP: Final = Prepared(
    update(seats)
    .where(seats.c.session == bindparam("of"), seats.c.seat == bindparam("at"))
    .values(feats=bindparam("feats"))
)

TOGETHER: Final = 500
"""The most games whose numbers are read at a time."""

_FINISHED: Final = (
    select(sessions.c.id)
    .where(
        sessions.c.id > bindparam("last", type_=Integer),
        sessions.c.game.in_([key for key, entry in CATALOGUE.items() if entry.feats is not None]),
        sessions.c.phase == Phase.FINISHED,
    )
    .order_by(sessions.c.id)
    .limit(TOGETHER)
)


def fill(connection: Connection, passed: Callable[[int], None] = lambda _: None) -> None:
    """Find the feats of all finished games; `parlour check` names the games that cannot be.

    `passed` is told in how many they have been looked for.
    """
    count, last = 0, 0
    while numbers := connection.execute(_FINISHED, {"last": last}).scalars().all():
        for number in numbers:
            _fill(connection, SessionId(number))
            count += 1
            passed(count)
        last = numbers[-1]


def _fill(connection: Connection, number: SessionId) -> None:
    try:
        rows = seat_values(load(connection, number))
    except Unreadable:
        return
    for row in rows:
        if row["feats"]:
            _KEEP.run(connection, {"of": number, "at": row["seat"], "feats": row["feats"]})

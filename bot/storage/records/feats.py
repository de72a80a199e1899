"""The feats of games that finished before they were kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, Integer, bindparam, select, update

from bot.games.catalogue import CATALOGUE
from bot.storage.errors import Unreadable
from bot.storage.records.finished import feats_of
from bot.storage.schema.game_tables import sessions
from bot.storage.table_rows import load
from bot.storage.values import Prepared
from bot.table.session import Phase, SessionId

_STATE: Final = select(sessions.c.state).where(sessions.c.id == bindparam("of"))
_KEEP: Final = Prepared(
    update(sessions).where(sessions.c.id == bindparam("of")).values(state=bindparam("state"))
)

BATCH: Final = 500
"""The most games whose numbers are read at a time."""

_FINISHED: Final = (
    select(sessions.c.id)
    .where(
        sessions.c.id > bindparam("last", type_=Integer),
        sessions.c.game.in_([key for key, entry in CATALOGUE.items() if entry.feats is not None]),
        sessions.c.phase == Phase.FINISHED,
    )
    .order_by(sessions.c.id)
    .limit(BATCH)
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
        feats = [sorted(own) for own in feats_of(load(connection, number).session)]
    except Unreadable:
        return
    if any(feats):
        state = connection.execute(_STATE, {"of": number}).scalar_one()
        _KEEP.run(connection, {"of": number, "state": {**state, "feats": feats}})

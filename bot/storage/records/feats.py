"""The feats of games that finished before they were kept."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, bindparam, select, update

from bot.games.catalogue import CATALOGUE
from bot.storage.schema.game_tables import seats, sessions
from bot.storage.table_rows import load, seat_values
from bot.storage.values import Prepared
from bot.table.session import Phase, SessionId
from engine.game import IllegalMove, InvalidOptions

_KEEP: Final = Prepared(
    update(seats)
    .where(seats.c.session == bindparam("of"), seats.c.seat == bindparam("at"))
    .values(feats=bindparam("feats"))
)


def fill(connection: Connection) -> None:
    """Find the feats of all finished games; `parlour check` names the games that cannot be."""
    with_feats = [key for key, entry in CATALOGUE.items() if entry.feats is not None]
    finished = sessions.c.game.in_(with_feats) & (sessions.c.phase == Phase.FINISHED)
    for number in connection.execute(select(sessions.c.id).where(finished)).scalars().all():
        try:
            rows = seat_values(load(connection, SessionId(number)))
        except (IllegalMove, InvalidOptions):
            continue
        for row in rows:
            if row["feats"]:
                _KEEP.run(connection, {"of": number, "at": row["seat"], "feats": row["feats"]})

"""Finished games read from their rows, without replaying a move."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter

from sqlalchemy import ColumnElement, Connection, RowMapping, select

from bot.games.catalogue import CATALOGUE
from bot.records.results import judged, level_apart, result
from bot.records.summaries import Finished
from bot.storage.reading import UNFIT
from bot.storage.schema.game_tables import seats, sessions
from bot.storage.table_rows import feats_of, occupant_of, stored_feats
from bot.table.session import Ending, Phase, SessionId
from bot.table.table import Table

_COLUMNS = (
    *(
        sessions.c[name]
        for name in (
            *("id", "game", "options", "guild", "unreachable"),
            *("ending", "moved_at", "short", "hints", "tried"),
        )
    ),
    *(seats.c[name] for name in ("kind", "person", "level", "payoff", "feats")),
)


def over(table: Table) -> Finished:
    """The finished game of a table."""
    session = table.session
    assert session.ending is not None, "a finished session says how it ended"
    return Finished(
        session=table.id,
        game=session.game.key,
        guild=table.place.home,
        at=table.moved_at,
        ending=session.ending,
        occupants=session.seats,
        sides=session.game.sides(len(session.seats), session.options),
        result=result(session),
        feats=tuple(feats_of(session)),
    )


def read(connection: Connection, which: ColumnElement[bool]) -> list[Finished]:
    """The finished games for which a condition holds, by their numbers.

    Games that this version does not know, or cannot read, are left out; `parlour check` names them.
    """
    over = which & (sessions.c.phase == Phase.FINISHED) & sessions.c.game.in_(CATALOGUE)
    try:
        return _read(connection, over)
    except UNFIT:
        numbers = connection.execute(select(sessions.c.id).where(over).order_by(sessions.c.id))
        found = []
        for number in numbers.scalars().all():
            with suppress(*UNFIT):
                found += _read(connection, over & (sessions.c.id == number))
        return found


def _read(connection: Connection, which: ColumnElement[bool]) -> list[Finished]:
    query = (
        select(*_COLUMNS)
        .join(seats, seats.c.session == sessions.c.id)
        .where(which)
        .order_by(sessions.c.id, seats.c.seat)
    )
    rows = connection.execute(query).mappings()
    return [_over([*table]) for _, table in groupby(rows, itemgetter("id"))]


def _over(rows: Sequence[RowMapping]) -> Finished:
    table = rows[0]
    sides = CATALOGUE[table["game"]].game.sides(len(rows), table["options"])
    occupants = tuple(occupant_of(row) for row in rows)
    return Finished(
        session=SessionId(table["id"]),
        game=table["game"],
        guild=None if table["unreachable"] else table["guild"],
        at=table["moved_at"],
        ending=Ending(table["ending"]),
        occupants=occupants,
        sides=sides,
        result=judged(
            occupants,
            sides,
            [row["payoff"] for row in rows],
            short=table["short"],
            apart=level_apart(hints=table["hints"], tried=table["tried"]),
        ),
        feats=tuple(map(stored_feats, rows)),
    )

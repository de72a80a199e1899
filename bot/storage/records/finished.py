"""Finished games read from their rows without replaying them, and the rows of their records."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, RowMapping, select

from bot.games.catalogue import CATALOGUE
from bot.records.rating import Rating
from bot.records.results import judged, level_apart, result
from bot.records.standings import RecordEntry, Standing, Standings, Tally, counted
from bot.records.summaries import Finished
from bot.storage.reading import UNFIT
from bot.storage.schema.game_tables import seats, sessions
from bot.storage.table_rows import occupants, read_state
from bot.storage.values import Values
from bot.table.session import Ending, Phase, Session, SessionId
from bot.table.table import Table

_COUNTS: Final = tuple(field.name for field in fields(Tally))

NUMBERS: Final = tuple(
    each.name for each in fields(Standing) if each.name not in {"rating", "tally"}
)
"""The fields of `Standing` with a column of the same name."""


def result_values(game: Finished, entry: RecordEntry, finish: int) -> list[Values]:
    """The rows of a game's results, one for each person."""
    return [
        {
            "person": line.person,
            "finish": finish,
            "session": game.session,
            "game": game.game,
            "guild": game.guild,
            "at": game.at,
            "outcome": line.outcome,
            "level": entry.level,
            "mu": line.everywhere and line.everywhere.mu,
            "sigma": line.everywhere and line.everywhere.sigma,
            "mu_here": line.here and line.here.mu,
            "sigma_here": line.here and line.here.sigma,
        }
        for line in entry.lines
    ]


def standing_values(game: str, after: Standings) -> list[Values]:
    """The rows of the standings after a game."""
    return [
        {
            "game": game,
            **key._asdict(),
            "mu": standing.rating.mu,
            "sigma": standing.rating.sigma,
            "ordinal": standing.rating.ordinal,
            **_counted(standing.tally),
            **{name: getattr(standing, name) for name in NUMBERS},
        }
        for key, standing in after.items()
    ]


def level_values(game: str, entry: RecordEntry) -> list[Values]:
    """The rows that a game against computers adds to the results by level."""
    return [
        {"person": line.person, "game": game, "scope": scope, "level": entry.level}
        | _counted(counted(Tally(), line.outcome))
        for line in entry.lines
        for scope in entry.scopes
        if entry.level is not None
    ]


def pairing_values(game: str, entry: RecordEntry) -> list[Values]:
    """The rows that a game between people adds to the results against each other."""
    return [
        {"person": meeting.person, "game": game, "season": season, "scope": scope}
        | {"opponent": meeting.opponent}
        | _counted(counted(Tally(), meeting.outcome))
        for meeting in entry.meetings
        for scope in entry.scopes
        for season in entry.seasons
    ]


def tally_of(row: RowMapping) -> Tally:
    """The tally of a row."""
    return Tally(*(row[name] for name in _COUNTS))


def standing_of(row: RowMapping) -> Standing:
    """The standing of a row."""
    numbers = {name: row[name] for name in NUMBERS}
    return Standing(Rating(row["mu"], row["sigma"]), tally_of(row), **numbers)


def _counted(tally: Tally) -> Values:
    return {name: getattr(tally, name) for name in _COUNTS}


_COLUMNS = (
    *(
        sessions.c[name]
        for name in (
            "id",
            "game",
            "guild",
            "channel",
            "unreachable",
            "ending",
            "moved_at",
            "short",
            "state",
        )
    ),
    *(seats.c[name] for name in ("kind", "person", "word")),
)


def over(table: Table) -> Finished:
    """The finished game of a table that is over."""
    session = table.session
    assert session.ending is not None, "a finished session says how it ended"
    return Finished(
        session=table.id,
        game=session.game.key,
        guild=table.place.home,
        channel=table.place.channel,
        at=table.moved_at,
        ending=session.ending,
        occupants=session.seats,
        sides=session.game.sides(len(session.seats), session.options),
        result=result(session),
        feats=tuple(feats_of(session)),
    )


def feats_of(session: Session, path: Sequence[Any] = ()) -> Sequence[frozenset[str]]:
    """The feats of each seat of a finished game; empty for other games.

    `path` are its positions from first to last; without it the game is replayed.
    """
    if session.phase is not Phase.FINISHED or session.position is None:
        return ()
    find = CATALOGUE[session.game.key].feats
    seats = len(session.seats)
    if find is None:
        return (frozenset(),) * seats
    return find(path or session.game.path(seats, session.options, session.moves))


def read(connection: Connection, which: ColumnElement[bool]) -> list[Finished]:
    """The finished games that meet a condition, in the order of their ids.

    Games that this version does not know or cannot read are skipped; `parlour check` names them.
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
    table, state = rows[0], read_state(rows[0])
    kept = state.session
    sides = CATALOGUE[table["game"]].game.sides(len(rows), kept.options)
    seated = occupants(rows, state.seats)
    return Finished(
        session=SessionId(table["id"]),
        game=table["game"],
        guild=None if table["unreachable"] else table["guild"],
        channel=table["channel"],
        at=table["moved_at"],
        ending=Ending(table["ending"]),
        occupants=seated,
        sides=sides,
        result=judged(
            seated,
            sides,
            kept.payoff,
            short=table["short"],
            apart=level_apart(hints=kept.hints, tried=kept.tried),
        ),
        feats=tuple(map(frozenset, state.feats)),
    )

"""Rows of tournaments, their entries, legs and parts, read into values and written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, delete, func, insert, select, update

from bot.storage.dialect import in_turn
from bot.storage.errors import Conflict
from bot.storage.schema.tournament_tables import LIVE, entries, legs, parts, tournaments
from bot.storage.table_sql import KEEP_SERVER, open_new
from bot.storage.values import Values
from bot.table.seats import Pace, PersonId
from bot.table.session import SessionId
from bot.table.table import Table
from bot.tournaments.event import Event
from bot.tournaments.tournament import (
    Competitor,
    EntryNumber,
    Format,
    Leg,
    Part,
    Stage,
    Tournament,
    TournamentId,
)

MOST_AT_ONCE: Final = 3
"""The most tournaments of a server that wait or run."""


class UnknownTournament(LookupError):
    """There is no such tournament."""


class TooManyTournaments(Exception):
    """The server has as many as it may have."""


def load(connection: Connection, number: TournamentId) -> Event:
    """A tournament with its entries and legs.

    Raises:
        UnknownTournament: There is none.
    """
    query = select(tournaments).where(tournaments.c.id == number)
    row = connection.execute(query).mappings().one_or_none()
    if row is None:
        raise UnknownTournament(number)
    own = {
        table: connection.execute(
            select(table).where(table.c.tournament == number).order_by(*table.primary_key)
        )
        .mappings()
        .all()
        for table in (entries, legs, parts)
    }
    return stored_event(row, own[entries], own[legs], own[parts])


def stored_event(
    row: RowMapping,
    entered: Sequence[RowMapping],
    played: Sequence[RowMapping],
    taking: Sequence[RowMapping],
) -> Event:
    """The event of a tournament's row, its entries, its legs and their parts, all in order."""
    of_leg: dict[int, list[Part]] = {}
    for part in taking:
        of_leg.setdefault(part["leg"], []).append(_part(part))
    tournament = Tournament(
        game=row["game"],
        options=row["options"],
        format=Format(row["format"]),
        pace=Pace(row["pace"]),
        places=row["places"],
        host=PersonId(row["host"]),
        stage=Stage(row["stage"]),
        paused=row["paused"],
        cut=row["cut"],
        round=row["round"],
        rounds=row["rounds"],
        entries=tuple(map(_entry, entered)),
        legs=tuple(_leg(leg, of_leg.get(leg["number"], [])) for leg in played),
    )
    return Event(
        id=TournamentId(row["id"]),
        tournament=tournament,
        called=frozenset(leg["number"] for leg in played if leg["called"]),
        **{name: row[name] for name in _PLACED},
    )


_PLACED: Final = (
    "guild",
    "channel",
    "locale",
    "starts_when_full",
    "starts_at",
    "due",
    "message",
    "thread",
    "podium",
    "revision",
    "shown",
)


def _entry(row: RowMapping) -> Competitor:
    return Competitor(
        EntryNumber(row["number"]),
        PersonId(row["person"]),
        row["seed"],
        row["since"],
        row["departed"],
        row["place"],
    )


def _leg(row: RowMapping, taking: Sequence[Part]) -> Leg:
    table = None if row["session"] is None else SessionId(row["session"])
    return Leg(row["number"], row["round"], row["match_number"], tuple(taking), table, row["void"])


def _part(row: RowMapping) -> Part:
    return Part(
        EntryNumber(row["entry"]), row["points"], row["thought"], row["present"], row["absent"]
    )


def _values(event: Event) -> Values:
    """The columns that a step may alter."""
    tournament = event.tournament
    return {
        "host": tournament.host,
        "stage": tournament.stage,
        "paused": tournament.paused,
        "cut": tournament.cut,
        "round": tournament.round,
        "rounds": tournament.rounds,
        "due": event.due,
        "revision": event.revision,
    }


def open_event(connection: Connection, event: Event) -> Event:
    """Store a new tournament, or return it if its interaction has opened it before.

    Raises:
        TooManyTournaments: The server has enough of them.
    """
    try:
        return load(connection, event.id)
    except UnknownTournament:
        in_turn(connection, event.guild)
    here = select(func.count()).select_from(tournaments)
    if connection.execute(here.where(LIVE, tournaments.c.guild == event.guild)).scalar_one() >= (
        MOST_AT_ONCE
    ):
        raise TooManyTournaments
    tournament = event.tournament
    fixed = {
        "id": event.id,
        "game": tournament.game,
        "options": dict(tournament.options),
        "format": tournament.format,
        "pace": tournament.pace,
        "places": tournament.places,
        **{name: getattr(event, name) for name in _PLACED},
    }
    connection.execute(insert(tournaments), {**fixed, **_values(event)})
    connection.execute(KEEP_SERVER, {"guild": event.guild})
    _write_rows(connection, event.id, None, tournament)
    return event


def save_event(
    connection: Connection, before: Event, after: Event, tables: Mapping[int, Table]
) -> tuple[Sequence[Table], Event]:
    """Store a step with its new tables, and return these and the event with their numbers.

    Raises:
        Conflict: The tournament has changed meanwhile.
    """
    after = replace(after, revision=before.revision + 1)
    known = (tournaments.c.id == before.id) & (tournaments.c.revision == before.revision)
    if connection.execute(update(tournaments).where(known).values(_values(after))).rowcount != 1:
        raise Conflict
    opened, tournament = [], after.tournament
    for number, table in tables.items():
        opened.append(open_new(connection, table, None))
        leg = tournament.leg(number)
        tournament = tournament.with_leg(replace(leg, table=opened[-1].id))
    _write_rows(connection, before.id, before.tournament, tournament)
    return opened, replace(after, tournament=tournament)


def _write_rows(
    connection: Connection, number: TournamentId, old: Tournament | None, new: Tournament
) -> None:
    """Write the entries, legs and parts that differ."""
    had = {} if old is None else old.by_number
    gone = [entry for entry in had if entry not in new.by_number]
    changed = [entry for entry in new.entries if had.get(entry.number) != entry]
    own = entries.c.tournament == number
    for drop in (*gone, *(entry.number for entry in changed)):
        connection.execute(delete(entries).where(own, entries.c.number == drop))
    _add(connection, entries, [_entry_values(number, entry) for entry in changed])
    before = {} if old is None else {leg.number: leg for leg in old.legs}
    for leg in new.legs:
        if before.get(leg.number) != leg:
            _write_leg(connection, number, before.get(leg.number), leg)


def _write_leg(connection: Connection, number: TournamentId, old: Leg | None, new: Leg) -> None:
    values = {"session": new.table, "void": new.void, "undecided": new.open}
    of_leg = (parts.c.tournament == number) & (parts.c.leg == new.number)
    if old is None:
        key = {"tournament": number, "number": new.number}
        connection.execute(
            insert(legs), {**key, "round": new.round, "match_number": new.match, **values}
        )
    else:
        own = (legs.c.tournament == number) & (legs.c.number == new.number)
        connection.execute(update(legs).where(own).values(values))
        connection.execute(delete(parts).where(of_leg))
    _add(
        connection,
        parts,
        [
            {
                "tournament": number,
                "leg": new.number,
                "seat": seat,
                "entry": part.entry,
                "points": part.points,
                "thought": part.thought,
                "present": part.present,
                "absent": part.absent,
            }
            for seat, part in enumerate(new.parts)
        ],
    )


def _entry_values(number: TournamentId, entry: Competitor) -> Values:
    return {
        "tournament": number,
        "number": entry.number,
        "person": entry.person,
        "seed": entry.seed,
        "since": entry.since,
        "departed": entry.left,
        "place": entry.place,
    }


def _add(connection: Connection, table: Any, rows: Sequence[Values]) -> None:  # noqa: ANN401
    if rows:
        connection.execute(insert(table), rows)

"""Tournaments in the database.

Saving is optimistic, as that of tables: a step is worked out from the tournament as it was read,
and is written, with the tables that it opens, only if the stored revision is still that one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Update,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    true,
    update,
)

from bot.records.seasons import ALL_TIME
from bot.storage.dialect import in_turn
from bot.storage.errors import Conflict
from bot.storage.schema.game_tables import moves, sessions
from bot.storage.schema.record_tables import standings
from bot.storage.schema.tournament_tables import (
    LIVE,
    NOT_SHOWN,
    UNDECIDED,
    entries,
    legs,
    parts,
    tournaments,
)
from bot.storage.shards import Share
from bot.storage.table_sql import KEEP_SERVER, open_new
from bot.storage.tables import Tables
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


class TournamentStore:
    """The tournaments of a database; those in servers of this process's share, where it asks."""

    def __init__(self, tables: Tables, share: Share) -> None:
        self._tables = tables
        self._database = tables.database
        self._own = _of(share)

    async def event(self, number: TournamentId) -> Event:
        """A tournament.

        Raises:
            UnknownTournament: There is none.
        """
        return await self._database.run(lambda c: load(c, number))

    async def open(self, event: Event) -> Event:
        """Save a new tournament, or return it if its interaction has opened it before.

        Raises:
            TooManyTournaments: The server has enough of them.
        """
        return await self._database.run(lambda c: _open(c, event))

    async def save(
        self, before: Event, after: Event, tables: Mapping[int, Table] | None = None
    ) -> Event:
        """Save a step, with the new tables of legs, and return the event with their numbers.

        Raises:
            Conflict: `before` is not what is stored.
        """
        opened, saved = await self._database.run(lambda c: _save(c, before, after, tables or {}))
        for table in opened:
            self._tables.cache.keep(table)
        return saved

    async def due(self, now: datetime, silent: Mapping[Pace, timedelta]) -> Sequence[TournamentId]:
        """The tournaments that have a step to take.

        Their time has come, or a table has ended or been `silent` for so long.
        """
        over = or_(
            sessions.c.ending.is_not(None),
            *(
                (tournaments.c.pace == pace) & (sessions.c.moved_at <= now - limit)
                for pace, limit in silent.items()
            ),
        )
        at_tables = (
            select(legs.c.tournament)
            .join(sessions, sessions.c.id == legs.c.session)
            .join(tournaments, tournaments.c.id == legs.c.tournament)
            .where(UNDECIDED, over)
        )
        return await self._where((tournaments.c.due <= now) | tournaments.c.id.in_(at_tables))

    async def behind(self) -> Sequence[TournamentId]:
        """The tournaments whose message does not show them as they are."""
        return await self._where(NOT_SHOWN)

    async def uncalled(self) -> Sequence[TournamentId]:
        """The tournaments with legs at tables to which nobody has been called yet."""
        waiting = select(legs.c.tournament).where(
            UNDECIDED, legs.c.called.is_(False), legs.c.session.is_not(None)
        )
        return await self._where(tournaments.c.id.in_(waiting))

    async def of_person(self, person: PersonId) -> Sequence[TournamentId]:
        """The tournaments that wait or run and that a person has not left."""
        own = select(entries.c.tournament).where(
            entries.c.person == person, entries.c.departed.is_(False)
        )
        return await self._where(LIVE & tournaments.c.id.in_(own), everywhere=True)

    async def place(self, number: TournamentId, **placed: int | datetime) -> None:
        """Save where something of a tournament is: its message, its thread, its podium."""
        change = update(tournaments).where(tournaments.c.id == number).values(placed)
        await self._database.run(lambda c: c.execute(change))

    async def forget_messages(self) -> None:
        """Have the messages and threads of all tournaments that wait or run made again."""
        gone = {"message": None, "thread": None, "shown": 0}
        await self._database.run(lambda c: c.execute(update(tournaments).where(LIVE).values(gone)))

    async def call(self, number: TournamentId, leg: int) -> None:
        """Save that the players of a leg have been called."""
        own = (legs.c.tournament == number) & (legs.c.number == leg)
        await self._database.run(lambda c: c.execute(update(legs).where(own).values(called=True)))

    async def lose_channel(self, channel: int) -> None:
        """Save that a channel was deleted: a thread, or that of a tournament, which is called off.

        Without their thread matches are played in the channel of the tournament.
        """
        lost = tournaments.c.channel == channel
        off = {"stage": Stage.CALLED_OFF, "due": None, "revision": tournaments.c.revision + 1}
        ended = update(tournaments).where(LIVE, lost).values(off)
        moved = update(tournaments).where(~lost, tournaments.c.thread == channel)
        for change in (ended, moved.values(thread=tournaments.c.channel)):
            await self._database.run(partial(_carry_out, change=change))

    async def ratings(
        self, people: Collection[PersonId], game: str, guild: int
    ) -> Mapping[PersonId, float]:
        """The ratings of people in a server by which they are seeded; some have none."""
        here = (
            (standings.c.game == game)
            & (standings.c.scope == guild)
            & (standings.c.season == ALL_TIME)
        )
        query = select(standings.c.person, standings.c.ordinal).where(
            here, standings.c.person.in_([*people])
        )
        rows = await self._database.run(lambda c: c.execute(query).all())
        return {PersonId(row.person): row.ordinal for row in rows}

    async def times(self, session: SessionId) -> Sequence[datetime]:
        """The times of a table's moves, by ply."""
        query = select(moves.c.played_at).where(moves.c.session == session).order_by(moves.c.ply)
        return await self._database.run(lambda c: c.execute(query).scalars().all())

    async def _where(
        self, condition: ColumnElement[bool], *, everywhere: bool = False
    ) -> Sequence[TournamentId]:
        own = true() if everywhere else self._own
        query = select(tournaments.c.id).where(condition, own).order_by(tournaments.c.id)
        rows = await self._database.run(lambda c: c.execute(query).scalars().all())
        return [TournamentId(row) for row in rows]


def _carry_out(connection: Connection, change: Update) -> None:
    connection.execute(change)


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


def _open(connection: Connection, event: Event) -> Event:
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


def _save(
    connection: Connection, before: Event, after: Event, tables: Mapping[int, Table]
) -> tuple[Sequence[Table], Event]:
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


def _of(share: Share) -> ColumnElement[bool]:
    """That a tournament is held in a server of a share, as in `Share.owns`."""
    if share.whole or share.count is None:
        return true()
    shard = tournaments.c.guild.bitwise_rshift(literal_column("22")) % share.count
    return shard.in_(sorted(share.numbers))

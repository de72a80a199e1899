"""Rows of tournaments, their entries, legs and parts, read into values and written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    RowMapping,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from bot.games.catalogue import CATALOGUE
from bot.storage.dialect import advisory_lock
from bot.storage.errors import Conflict, UnknownGame, UnknownTournament
from bot.storage.reading import readable
from bot.storage.schema.choice_tables import servers
from bot.storage.schema.game_tables import seats, sessions
from bot.storage.schema.tournament_tables import (
    LIVE,
    PLAYED,
    UNDECIDED,
    entries,
    legs,
    parts,
    tournaments,
)
from bot.storage.table_sql import KEEP_SERVER, open_new
from bot.storage.values import Values
from bot.table.seats import Pace
from bot.table.session import SessionId
from bot.table.table import Table
from bot.tournaments.hosted import MOST_AT_ONCE, HostedTournament
from bot.tournaments.tournament import (
    CalledOff,
    Competitor,
    Format,
    Leg,
    Part,
    Stage,
    Tournament,
    TournamentId,
)

# The columns of `Tournament` and `HostedTournament`; a step only changes `_ALTERED`, `_STEPPED`.
_FIXED: Final = ("game", "options", "format", "pace", "places")
_ALTERED: Final = ("host", "stage", "paused", "cut", "why", "round", "rounds")
_PLACED: Final = (
    *("guild", "channel", "locale", "starts_when_full", "starts_at"),
    *("message", "thread", "podium", "shown", "reminder", "deleted"),
)
_STEPPED: Final = ("due", "ends_at", "pause_ends", "revision")

# The columns of an entry and of a part, in the order of their fields. `Part.played` is not stored:
# it follows from the leg's table.
_ENTRY: Final = ("number", "person", "seed", "since", "departed", "place", "away")
_PART: Final = ("entry", "points", "thought", "present", "absent")

_TOURNAMENT: Final = select(tournaments).where(
    tournaments.c.id == bindparam("of", type_=BigInteger)
)
_OWN: Final = [
    select(table).where(table.c.tournament == bindparam("of")).order_by(*table.primary_key)
    for table in (entries, legs, parts)
]
"""The queries of a tournament's entries, legs and parts."""

_PLAYED: Final = (
    select(seats.c.session, seats.c.seat)
    .join(sessions, sessions.c.id == seats.c.session)
    .join(legs, legs.c.session == seats.c.session)
    .where(legs.c.tournament == bindparam("of"), PLAYED)
)
"""The (session, seat) pairs of a tournament whose people have really played."""


class TooManyTournaments(Exception):
    """The server has as many tournaments as it may have at once."""


def load(connection: Connection, number: TournamentId) -> HostedTournament:
    """A tournament with its entries and legs.

    Raises:
        UnknownTournament: There is no such tournament.
        Unreadable: This version does not know its game, or cannot read its rows.
    """
    with readable(tournaments, number):
        row = connection.execute(_TOURNAMENT, {"of": number}).mappings().one_or_none()
        if row is None:
            raise UnknownTournament(number)
        own = (connection.execute(query, {"of": number}).mappings().all() for query in _OWN)
        played = {(session, seat) for session, seat in connection.execute(_PLAYED, {"of": number})}
        return _stored(row, *own, played=played)


def _stored(
    row: RowMapping,
    entered: Sequence[RowMapping],
    paired: Sequence[RowMapping],
    taking: Sequence[RowMapping],
    *,
    played: Collection[tuple[int, int]],
) -> HostedTournament:
    """The tournament of a row with the rows of its entries, legs and parts, all in order.

    Raises:
        UnknownGame: This version does not know its game.
    """
    if row["game"] not in CATALOGUE:
        raise UnknownGame(row["game"])
    tables = {leg["number"]: leg["session"] for leg in paired}
    of_leg: defaultdict[int, list[Part]] = defaultdict(list)
    for part in taking:
        seat = (tables.get(part["leg"]), part["seat"])
        values = {name: part[name] for name in _PART}
        of_leg[part["leg"]].append(Part(**values, played=seat in played))
    own = {name: row[name] for name in (*_FIXED, *_ALTERED)}
    for name, kind in (("format", Format), ("pace", Pace), ("stage", Stage)):
        own[name] = kind(own[name])
    own["why"] = None if own["why"] is None else CalledOff(own["why"])
    known = [Competitor(*(entry[name] for name in _ENTRY)) for entry in entered]
    tournament = Tournament(
        **own,
        entries=tuple(entry for entry in known if entry.since),
        removed=tuple(entry for entry in known if not entry.since),
        legs=tuple(_leg(leg, of_leg[leg["number"]]) for leg in paired),
    )
    return HostedTournament(
        TournamentId(row["id"]),
        tournament,
        called={leg["number"]: leg["called_at"] for leg in paired if leg["called_at"]},
        calls={leg["number"]: leg["call"] for leg in paired if leg["call"]},
        results={leg["number"]: leg["result"] for leg in paired if leg["result"]},
        told=frozenset(leg["number"] for leg in paired if leg["told"]),
        stale=frozenset(leg["number"] for leg in paired if leg["stale"]),
        **{name: row[name] for name in (*_PLACED, *_STEPPED)},
    )


def _leg(row: RowMapping, taking: Sequence[Part]) -> Leg:
    table = None if row["session"] is None else SessionId(row["session"])
    return Leg(row["number"], row["round"], row["match_number"], tuple(taking), table, row["void"])


def _values(hosted: HostedTournament) -> Values:
    """The columns that a step may alter."""
    return _named(hosted.tournament, _ALTERED) | _named(hosted, _STEPPED)


def _named(value: HostedTournament | Tournament, names: Iterable[str]) -> Values:
    return {name: getattr(value, name) for name in names}


def open_hosted(connection: Connection, hosted: HostedTournament) -> HostedTournament:
    """Store a new tournament and return it; return the stored one if it was opened before.

    Raises:
        TooManyTournaments: The server has `MOST_AT_ONCE` already, weekly arenas not counted.
    """
    try:
        return load(connection, hosted.id)
    except UnknownTournament:
        advisory_lock(connection, hosted.guild)
    opened = LIVE & (tournaments.c.guild == hosted.guild) & (tournaments.c.format != Format.ARENA)
    if connection.execute(select(func.count()).where(opened)).scalar_one() >= MOST_AT_ONCE:
        raise TooManyTournaments
    return _insert(connection, hosted)


def open_weekly(
    connection: Connection, hosted: HostedTournament, at: datetime, following: datetime, quiet: int
) -> datetime | None:
    """Store a server's weekly arena that starts `at`; return when the next one starts.

    That is `following`, unless another process has stored the arena or the server has changed its
    choice: then nothing is stored. `quiet` is the server's count of quiet arenas from now on.
    """
    own = servers.c.id == hosted.guild
    claimed = update(servers).where(own, servers.c.arena_next == at)
    claimed = claimed.values(arena_next=following, arena_quiet=quiet)
    if connection.execute(claimed).rowcount != 1:
        return connection.execute(select(servers.c.arena_next).where(own)).scalar()
    _insert(connection, hosted)
    return following


def _insert(connection: Connection, hosted: HostedTournament) -> HostedTournament:
    fixed = _named(hosted.tournament, _FIXED) | _named(hosted, _PLACED)
    options = dict(hosted.tournament.options)
    connection.execute(
        insert(tournaments), {"id": hosted.id, **fixed, **_values(hosted), "options": options}
    )
    connection.execute(KEEP_SERVER, {"guild": hosted.guild})
    _write_rows(connection, hosted.id, None, hosted.tournament)
    return hosted


def save_hosted(
    connection: Connection,
    before: HostedTournament,
    after: HostedTournament,
    tables: Mapping[int, Table],
) -> tuple[Sequence[Table], HostedTournament]:
    """Store a step; return its new tables with their ids, and the tournament that names them.

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


def call_off_at(
    connection: Connection, place: ColumnElement[bool], why: CalledOff | None = None
) -> None:
    """Call off the live tournaments at a lost place, a condition; their open legs become void.

    Calls there are no longer deleted, and ends of matches no longer told.
    """
    following = tournaments.c.revision + 1
    off = {"stage": Stage.CALLED_OFF, "why": why, "due": None, "reminder": None}
    ended = update(tournaments).where(LIVE, place).values(off | {"revision": following})
    numbers = connection.execute(ended.returning(tournaments.c.id)).scalars().all()
    if not numbers:
        return
    own = legs.c.tournament.in_(numbers)
    connection.execute(update(legs).where(own, UNDECIDED).values(void=True, undecided=False))
    connection.execute(update(legs).where(own).values(call=None, told=True))


def _write_rows(
    connection: Connection, number: TournamentId, old: Tournament | None, new: Tournament
) -> None:
    """Write the entries, legs and parts that differ from the `old` state's."""
    had = {} if old is None else {entry.number: entry for entry in old.known}
    gone = had.keys() - {entry.number for entry in new.known}
    changed = [entry for entry in new.known if had.get(entry.number) != entry]
    own = entries.c.tournament == number
    for drop in (*gone, *(entry.number for entry in changed)):
        connection.execute(delete(entries).where(own, entries.c.number == drop))
    rows = (dict(zip(_ENTRY, astuple(entry), strict=True)) for entry in changed)
    _add(connection, entries, [{"tournament": number, **row} for row in rows])
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
    key = {"tournament": number, "leg": new.number}
    taking = ({name: getattr(part, name) for name in _PART} for part in new.parts)
    _add(connection, parts, [{**key, "seat": seat, **row} for seat, row in enumerate(taking)])


def _add(connection: Connection, table: Any, rows: Sequence[Values]) -> None:  # noqa: ANN401
    if rows:
        connection.execute(insert(table), rows)

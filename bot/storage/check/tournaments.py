"""Tournaments as they are stored, held against their matches' tables and their own rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sqlalchemy import Connection, select

from bot.records.results import AmongPeople, result
from bot.storage.errors import UnknownGame, UnknownTable, Unreadable
from bot.storage.reading import UNFIT
from bot.storage.schema.tournament_tables import tournaments
from bot.storage.table_rows import load as load_table
from bot.storage.tournament_rows import load
from bot.table.session import Phase
from bot.tournaments.progress import standings
from bot.tournaments.tournament import Format, Leg, Stage, Tournament, TournamentId, points


def false_tournaments(connection: Connection) -> Iterator[str]:
    """Sentences about tournaments whose rows contradict each other or their tables."""
    numbers = connection.execute(select(tournaments.c.id).order_by(tournaments.c.id)).scalars()
    for number in numbers.all():
        try:
            tournament = load(connection, TournamentId(number)).tournament
            faults = [*_faults(connection, tournament)]
        except Unreadable as error:
            faults = [_unreadable(error.__cause__)]
        except UNFIT as error:
            faults = [_unreadable(error)]
        yield from (f"Tournament {number}: {fault}" for fault in faults)


def _unreadable(error: BaseException | None) -> str:
    if isinstance(error, UnknownGame):
        return f"this version does not have {error}, so it was not checked."
    return f"its rows are not those of a tournament ({error!r})."


def _faults(connection: Connection, tournament: Tournament) -> Iterator[str]:
    for leg in tournament.legs:
        strange = [number for number in leg.entries if number not in tournament.by_number]
        if strange:
            yield f"leg {leg.number} names entry {strange[0]}, which does not exist."
            return
        yield from _leg_faults(connection, tournament, leg)
    busy = Counter(number for leg in tournament.open_legs() for number in leg.entries)
    yield from (f"entry {n} plays {many} legs at once." for n, many in busy.items() if many > 1)
    if tournament.format in {Format.SWISS, Format.ALL_PLAY_ALL}:
        met = Counter(frozenset(legs[0].entries) for legs in tournament.matches)
        yield from (f"entries {sorted(pair)} meet twice." for pair, n in met.items() if n > 1)
    if tournament.stage is Stage.OVER:
        for place, entry in enumerate(standings(tournament), 1):
            if entry.place != place:
                yield f"entry {entry.number} has place {entry.place}, but its matches give {place}."


def _leg_faults(connection: Connection, tournament: Tournament, leg: Leg) -> Iterator[str]:
    """Differences between the points of a leg and the result of its table."""
    if leg.table is None or leg.void or leg.open:
        return
    try:
        session = load_table(connection, leg.table).session
    except UnknownTable:  # the check of games names it
        return
    found = result(session)
    if session.phase is not Phase.FINISHED or not isinstance(found, AmongPeople):
        return
    ranks = [verdict.rank for verdict in found.verdicts]
    due = points(tournament.format, ranks, short=found.short)
    there = tuple(part.points for part in leg.parts)
    if there != due:
        yield f"leg {leg.number} has points {list(there)}, but its table gives {list(due)}."

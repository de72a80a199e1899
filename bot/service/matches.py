"""The matches of tournaments: open their tables, end those overdue, and read their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock
from bot.games.catalogue import CATALOGUE
from bot.records.results import AmongPeople, result
from bot.service.due_work import Absence, Absences, overlap
from bot.service.openings import Admission
from bot.service.tables import TableService
from bot.storage.tournaments import TournamentStore
from bot.table.refusals import Refusal, UnknownControl
from bot.table.seat_log import Preferences
from bot.table.seats import Absent, Human, Pace
from bot.table.session import Ending, Phase, Session
from bot.table.table import Place, Table
from bot.table.waiting import PATIENCE
from bot.tournaments import arena, progress
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.tournament import EntryNumber, Format, Leg, Stage, Tournament
from engine.game import CHANCE, Seat

REST: Final = timedelta(seconds=20)
"""The pause after a game in an arena before two who have just met may be paired again."""


class Matches:
    """The tables of tournaments' legs."""

    def __init__(
        self,
        stored: TournamentStore,
        tables: TableService,
        admission: Admission,
        absences: Absences,
        clock: Clock,
    ) -> None:
        self._stored = stored
        self._tables = tables
        self._turns = tables.turns
        self._admission = admission
        self._absences = absences
        self._clock = clock

    async def settle(self, hosted: HostedTournament) -> None:
        """Have entries that left the tournament leave their tables, and end overdue matches."""
        for leg in hosted.tournament.open_legs():
            table = await self._table(leg)
            if table is None or table.session.phase is not Phase.RUNNING:
                continue
            left = [hosted.tournament.by_number[number] for number in leg.entries]
            for entry in left:
                if (entry.left or entry.away) and entry.person in table.session.people:
                    with suppress(Refusal):
                        table = await self._tables.depart(table.id, entry.person)
            if await self._overdue(hosted, table, leg):
                with suppress(Refusal):
                    await self._end(table, leg)

    async def _end(self, table: Table, leg: Leg) -> None:
        """End an overdue match.

        With more than two seats, computers play for all but the last person, who leaves as well.
        """
        session = table.session
        if len(session.seats) > 2 and not _nobody_came(session, leg):
            await self._tables.depart(table.id, session.people[0])
        else:
            await self._tables.forfeit(table, both=_nobody_came(session, leg))

    async def _overdue(self, hosted: HostedTournament, table: Table, leg: Leg) -> bool:
        """Whether a turn has lasted too long since its board could be seen, without absences."""
        session, now = table.session, self._clock.now()
        if session.turn is None or not isinstance(session.mover, Human):
            return False
        if len(session.seats) > 2 and len(session.people) > 1:  # the computer takes over
            return False
        limit, turn = PATIENCE[session.pace], session.pace.turn or timedelta()
        if session.seat_logs[session.turn].plies and session.pace is Pace.BLITZ:
            limit = turn
        elif session.seat_logs[session.turn].plies or leg.parts[session.turn].present:
            limit += turn
        since = hosted.seen(leg, table.moved_at)
        if since is None or now - since < limit:
            return False
        absences = await self._absences.since(since, hosted.guild)
        return now - since - overlap(absences, since, now) >= limit

    async def decided(
        self, hosted: HostedTournament, tournament: Tournament, leg: Leg
    ) -> Tournament:
        """The tournament with the result of a leg; unchanged unless its table has ended in time."""
        until = hosted.ends_at
        table = await self._table(leg)
        if table is None or table.session.phase is Phase.RUNNING:
            return tournament
        if until is not None and table.moved_at > until:
            return tournament
        session = table.session
        if session.phase is Phase.ABANDONED and session.ending is Ending.MISSED:
            both = [True] * len(leg.parts)
            return progress.decided(tournament, leg, [0] * len(leg.parts), absent=both)
        if session.phase is Phase.ABANDONED:
            return progress.closed(tournament, leg)
        found = result(session)
        if not isinstance(found, AmongPeople):
            return tournament
        ranks = {verdict.seat: verdict.rank for verdict in found.verdicts}
        seats = [Seat(seat) for seat in range(len(leg.parts))]
        times = await self._stored.times(table.id)
        seen = hosted.seen(leg, table.opened_at) or table.opened_at
        absences = await self._absences.since(table.opened_at, hosted.guild)
        lost = [_has_lost(session, seat) for seat in seats]
        unplayed = found.short and tournament.format is Format.ARENA
        return progress.decided(
            tournament,
            leg,
            [ranks[seat] for seat in seats],
            thought=_thought(session, times, absences, seen=seen),
            absent=[lost[seat] and (unplayed or _never_came(session, leg, seat)) for seat in seats],
            played=[not found.short and isinstance(session.seats[seat], Human) for seat in seats],
            gone=[each and session.ending is Ending.TIME for each in lost],
        )

    async def rests(self, tournament: Tournament) -> Mapping[EntryNumber, datetime]:
        """When each free entry of an arena will have rested for `REST` after its last game."""
        last = arena.last_legs(tournament)
        tables = {
            each: await self._table(last[each]) for each in arena.free(tournament) if each in last
        }
        return {each: table.moved_at + REST for each, table in tables.items() if table is not None}

    async def _table(self, leg: Leg) -> Table | None:
        """The table of a leg; None if it has none, or one that cannot be read."""
        if leg.table is None:
            return None
        try:
            return await self._tables.table(leg.table)
        except UnknownControl:
            return None

    def opened(self, hosted: HostedTournament, after: Tournament) -> dict[int, Table]:
        """New tables, not stored yet, for the open legs without one, by the leg's number."""
        if hosted.thread is None or after.paused or after.stage is not Stage.RUNNING:
            return {}
        place = Place(hosted.guild, hosted.thread)
        entry = CATALOGUE[after.game]
        look = self._admission.settings(place).board or entry.look
        opened: dict[int, Table] = {}
        for leg in after.open_legs():
            if leg.table is None:
                people = [after.by_number[number].person for number in leg.entries]
                session = Session(
                    game=entry.game,
                    options=entry.game.settled(after.options),
                    pace=after.pace,
                    host=people[0],
                    seats=tuple(map(Human, people)),
                    preferences=Preferences(board=look),
                    match=True,
                ).start()
                opened[leg.number] = self._turns.opened(session, place, hosted.locale, None)
        return opened


def _nobody_came(session: Session, leg: Leg) -> bool:
    """Whether no person who is left has moved or pressed anything; False at blitz.

    At blitz only the mover was expected to.
    """
    if session.pace is Pace.BLITZ:
        return False
    people = [Seat(i) for i, seat in enumerate(session.seats) if isinstance(seat, Human)]
    return not any(session.seat_logs[i].plies or leg.parts[i].present for i in people)


def _has_lost(session: Session, seat: Seat) -> bool:
    """Whether a seat has lost, or was left to the computer, whatever that won."""
    lost = session.payoff is not None and session.payoff[seat] < 0
    return lost or isinstance(session.seats[seat], Absent)


def _never_came(session: Session, leg: Leg, seat: Seat) -> bool:
    """Whether the person of a losing seat never came; a computer's moves there do not count."""
    if leg.parts[seat].present:
        return False
    if isinstance(session.seats[seat], Absent):
        return True
    return session.ending is Ending.TIME and not session.seat_logs[seat].plies


def _thought(
    session: Session, times: Sequence[datetime], absences: Sequence[Absence], *, seen: datetime
) -> Sequence[float]:
    """Seconds of thinking by seat; the first turn begins when the board was `seen`."""
    spent = [0.0] * len(session.seats)
    path = session.game.path(len(session.seats), session.options, session.moves)
    for position, before, at in zip(path, [seen, *times], times, strict=False):
        if position.turn != CHANCE and at > before:
            spent[position.turn] += (at - before - overlap(absences, before, at)).total_seconds()
    return spent

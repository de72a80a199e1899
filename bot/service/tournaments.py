"""The use cases of tournaments: open, join, start them, and take their steps.

A step reads the results of tables that have ended, and opens the next tables. Steps are
level-triggered: each starts from what is stored, so an interrupted step is taken again, and nothing
is paired twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import TypeAlias

from bot.clock import Clock
from bot.games.catalogue import CATALOGUE
from bot.games.variants import options_of
from bot.service.matches import Matches
from bot.service.openings import Admission
from bot.storage.errors import Conflict, UnknownTournament
from bot.storage.tournament_rows import TooManyTournaments
from bot.storage.tournaments import TournamentStore
from bot.table.refusals import Refusal, UnknownControl
from bot.table.seats import Absent, PersonId, player_of
from bot.table.session import Phase, SessionId
from bot.table.table import InteractionId, Place, Table
from bot.table.waiting import PATIENCE
from bot.tournaments import arena, progress
from bot.tournaments.hosted import (
    PAUSE_LASTS,
    WHEN_FULL,
    HostedTournament,
    TournamentDraft,
    start_time,
)
from bot.tournaments.progress import present
from bot.tournaments.tournament import (
    CalledOff,
    EntryNumber,
    Format,
    Stage,
    Tournament,
    TournamentId,
)

log = logging.getLogger(__name__)

Step: TypeAlias = Callable[[Tournament], Tournament]


class Tournaments:
    """The use cases of tournaments."""

    def __init__(
        self,
        stored: TournamentStore,
        matches: Matches,
        admission: Admission,
        clock: Clock,
        rng: Random,
    ) -> None:
        self.stored = stored
        self._matches = matches
        self._admission = admission
        self._clock = clock
        self._rng = rng
        self._opening = asyncio.Lock()

    async def hosted(self, number: TournamentId) -> HostedTournament:
        """A tournament by its number.

        Raises:
            UnknownControl: It does not exist, or this version cannot read it.
        """
        try:
            return await self.stored.hosted(number)
        except UnknownTournament as error:
            raise UnknownControl from error

    def allow(self, place: Place, *, parent: int | None) -> None:
        """Check whether a tournament may be opened in a place.

        Raises:
            Refusal: It is in no server, or the server has its games in other channels.
        """
        _require_server(place)
        self._admission.allow(place, parent=parent)

    async def open_in(self, place: Place) -> Sequence[HostedTournament]:
        """The live tournaments in the server of a place, the oldest first.

        Raises:
            Refusal: It is in no server.
        """
        _require_server(place)
        found: list[HostedTournament] = []
        for number in await self.stored.live_in(place.home or 0):
            with suppress(UnknownControl):  # this version cannot read it
                hosted = await self.hosted(number)
                found += [hosted] if hosted.live else []
        return found

    async def open(
        self,
        draft: TournamentDraft,
        by: PersonId,
        place: Place,
        locale: str,
        interaction: InteractionId,
        *,
        parent: int | None = None,
    ) -> HostedTournament:
        """Open a tournament from a draft; its host is the first entry.

        Raises:
            Refusal: As in `allow`, or the server has too many tournaments.
        """
        self.allow(place, parent=parent)
        settings = self._admission.settings(place)
        locale = settings.language or locale
        return await self._opened(interaction, _drafted(draft, by), place, locale, draft.start)

    async def again(
        self, number: TournamentId, by: PersonId, interaction: InteractionId, *, parent: int | None
    ) -> HostedTournament:
        """Open a tournament like a past one in its channel, or join one that others opened so.

        Raises:
            Refusal: As in `open`, or as `progress.join`.
            UnknownControl: It is not over, or is an arena, which comes by itself.
        """
        before = await self.hosted(number)
        if before.live or before.tournament.format is Format.ARENA:
            raise UnknownControl
        place, old = Place(before.guild, before.channel), before.tournament
        self._admission.allow(place, parent=parent)
        rounds = progress.chosen_rounds(old)
        fresh = Tournament(
            old.game, old.options, old.format, old.pace, old.places, by, rounds=rounds
        )
        async with self._opening:
            for other in await self.open_in(place):
                here = other.channel == place.channel and other.id != TournamentId(interaction)
                if here and _fresh(other.tournament, by) == fresh:
                    return await self.change(other.id, partial(progress.join, person=by))
            return await self._opened(interaction, fresh, place, before.locale, before.start)

    async def _opened(
        self,
        interaction: InteractionId,
        tournament: Tournament,
        place: Place,
        locale: str,
        start: str,
    ) -> HostedTournament:
        at = start_time(start, self._clock.now())
        hosted = HostedTournament(
            TournamentId(interaction),
            progress.join(tournament, tournament.host),
            place.guild or 0,
            place.channel,
            locale,
            starts_when_full=start == WHEN_FULL,
            starts_at=at,
            due=at,
        )
        try:
            return await self.stored.open(hosted)
        except TooManyTournaments:
            raise Refusal("tournament_too_many") from None

    async def change(self, number: TournamentId, step: Step) -> HostedTournament:
        """A tournament after a step that a person asks for; the next step is due at once.

        Raises:
            Refusal: The tournament refuses it.
        """
        while True:
            hosted = await self.hosted(number)
            after = step(hosted.tournament)
            if after == hosted.tournament:
                return hosted
            ends = self._pause_ends(hosted, after)
            stepped = replace(hosted, tournament=after, pause_ends=ends)
            if after.stage is Stage.RUNNING or (hosted.starts_when_full and after.full):
                stepped = replace(stepped, due=self._clock.now())
            with suppress(Conflict):
                return await self.stored.save(hosted, stepped)

    async def call_off(self, number: TournamentId, why: CalledOff) -> HostedTournament:
        """A tournament called off in its sign-up, for a reason."""
        return await self.change(number, partial(progress.call_off, why=why))

    async def seen(self, table: Table) -> datetime | None:
        """The time from which on players can see a board's present state.

        None for a match whose players were not called to it yet.
        """
        if not table.session.match:
            return table.moved_at
        for number, leg in await self.stored.legs_at(table.id):
            hosted = await self.hosted(number)
            return hosted.seen(hosted.tournament.leg(leg), table.moved_at)
        return table.moved_at

    async def allow_closing(self, table: SessionId, by: PersonId) -> None:
        """Check whether a manager may close a table; not that of a rival in their tournament.

        Raises:
            Refusal: As `progress.require_no_rival_at`.
        """
        for number, leg in await self.stored.legs_at(table):
            with suppress(UnknownControl):  # this version cannot read it
                tournament = (await self.hosted(number)).tournament
                progress.require_no_rival_at(tournament, tournament.leg(leg), by)

    async def came(self, table: Table, person: PersonId) -> None:
        """Note that a person is present at a match, unless they have made a choice there before.

        Choices of a seat that the computer plays, or has played, may be the computer's: the person
        is noted on coming back at the latest. A forced move is nobody's choice.
        """
        session = table.session
        if not session.match or session.phase is not Phase.RUNNING:
            return
        seat = next((i for i, each in enumerate(session.seats) if player_of(each) == person), None)
        if seat is None:
            return
        if isinstance(session.seats[seat], Absent) or session.seat_logs[seat].choice is None:
            for number, leg in await self.stored.legs_at(table.id):
                with suppress(Refusal):  # the match was decided meanwhile
                    await self.change(number, lambda each, leg=leg: present(each, leg, person))  # type: ignore[misc]

    async def start(self, number: TournamentId) -> HostedTournament:
        """Start a tournament, seeded by ratings in the server; those without one come last, by lot.

        Raises:
            Refusal: It cannot begin.
        """
        seeds = await self._seeds(await self.hosted(number))
        return await self.change(number, lambda each: progress.start(each, seeds(each)))

    async def go_on(self, number: TournamentId) -> HostedTournament:
        """A tournament after all steps that are due."""
        while True:
            hosted = await self.hosted(number)
            await self._matches.settle(hosted)
            after, due = await self._following(hosted)
            tables = self._matches.opened(hosted, after)
            ends_at = hosted.ends_at
            if after == hosted.tournament and due == hosted.due:
                return hosted
            begins = hosted.tournament.stage is Stage.SIGN_UP and after.stage is Stage.RUNNING
            if begins and ends_at is not None and hosted.starts_at is not None:
                ends_at = due = ends_at + max(self._clock.now() - hosted.starts_at, timedelta())
            ends = self._pause_ends(hosted, after)
            stepped = replace(hosted, tournament=after, due=due, ends_at=ends_at, pause_ends=ends)
            with suppress(Conflict):
                return await self.stored.save(hosted, stepped, tables)

    def _pause_ends(self, hosted: HostedTournament, after: Tournament) -> datetime | None:
        """When the pause of a tournament ends; None if it is not paused `after` the step."""
        if not after.paused:
            return None
        return hosted.pause_ends or self._clock.now() + PAUSE_LASTS

    async def leave(self, person: PersonId) -> None:
        """Let a person leave every tournament, so that they can be forgotten."""
        for number in await self.stored.of_person(person):
            with suppress(Refusal):
                await self.change(number, lambda each: progress.leave_for_good(each, person))
                await self.go_on(number)

    async def due(self) -> Sequence[TournamentId]:
        """The tournaments with a step to take."""
        return await self.stored.due(self._clock.now(), PATIENCE)

    def winner_role(self, hosted: HostedTournament) -> int | None:
        """The role that winners get in the server, if it has chosen one."""
        return self._admission.settings(Place(hosted.guild, hosted.channel)).winner_role

    async def _seeds(
        self, hosted: HostedTournament
    ) -> Callable[[Tournament], dict[EntryNumber, int]]:
        people = [entry.person for entry in hosted.tournament.entries]
        ratings = await self.stored.ratings(people, hosted.tournament.game, hosted.guild)

        def seeds(tournament: Tournament) -> dict[EntryNumber, int]:
            drawn = [*tournament.entries]
            self._rng.shuffle(drawn)
            drawn.sort(key=lambda entry: -ratings.get(entry.person, float("-inf")))
            return {entry.number: seed for seed, entry in enumerate(drawn, 1)}

        return seeds

    async def _following(self, hosted: HostedTournament) -> tuple[Tournament, datetime | None]:
        """The tournament after the steps due, and when the next one is due, if at a fixed time."""
        tournament = hosted.tournament
        if tournament.stage is Stage.SIGN_UP:
            tournament = await self._begun(hosted)
            return tournament, hosted.starts_at if tournament.stage is Stage.SIGN_UP else None
        if tournament.stage is Stage.CALLED_OFF:
            return tournament, None
        if hosted.pause_ends is not None and hosted.pause_ends <= self._clock.now():
            tournament = progress.pause(tournament, paused=False)
        for leg in [*tournament.open_legs()]:
            tournament = await self._matches.decided(hosted, tournament, leg)
        if hosted.ends_at is not None and tournament.stage is Stage.RUNNING:
            return await self._of_arena(
                tournament, hosted.ends_at, paired=hosted.thread is not None
            )
        if hosted.thread is not None:
            tournament = progress.advanced(tournament)
        return tournament, hosted.pause_ends if tournament.paused else None

    async def _of_arena(
        self, tournament: Tournament, ends_at: datetime, *, paired: bool
    ) -> tuple[Tournament, datetime | None]:
        """`_following` for an arena, whose next step is due at its end, or when a rest ends."""
        now = self._clock.now()
        if ends_at <= now:
            return progress.time_up(tournament), None
        rests = await self._matches.rests(tournament)
        if paired:
            rested = {number for number, at in rests.items() if at <= now}
            tournament = progress.advanced(tournament, rested)
        waiting = [] if tournament.paused else arena.free(tournament)
        return tournament, min([ends_at, *(rests[n] for n in waiting if rests.get(n, now) > now)])

    async def _begun(self, hosted: HostedTournament) -> Tournament:
        """The tournament, started if it is full or its time has come.

        It is called off with too few entries, or if its end has passed while the bot was away.
        """
        tournament = hosted.tournament
        if hosted.ends_at is not None and hosted.ends_at <= self._clock.now():
            return progress.call_off(tournament, CalledOff.BOT_AWAY)
        full = hosted.starts_when_full and tournament.full
        if not full and (hosted.starts_at is None or hosted.starts_at > self._clock.now()):
            return tournament
        if len(tournament.entries) < tournament.format.fewest:
            return progress.call_off(tournament, CalledOff.TOO_FEW)
        seeds = await self._seeds(hosted)
        return progress.start(tournament, seeds(tournament))


def _require_server(place: Place) -> None:
    if place.home is None:
        raise Refusal("tournament_in_servers")


def _fresh(tournament: Tournament, host: PersonId) -> Tournament:
    """A tournament as `host` would have opened it, without entries."""
    return replace(tournament, host=host, entries=(), removed=())


def _drafted(draft: TournamentDraft, host: PersonId) -> Tournament:
    """The tournament of a draft."""
    options = options_of(CATALOGUE[draft.game], draft.variant)
    places = min(max(draft.places, draft.format.fewest), draft.format.most)
    return Tournament(
        draft.game,
        options,
        draft.format,
        draft.pace,
        places,
        host,
        rounds=draft.rounds or None,
    )

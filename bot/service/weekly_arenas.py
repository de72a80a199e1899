"""Weekly arenas: a server sets one once, and its sign-up is posted before each start.

The start of a server's next arena is stored, and moves on in the transaction that opens one. If the
bot was away, it opens the arena late, or skips the week if the arena would be over already. After
`QUIET_WEEKS` in which too few people played, no more come.
"""

from __future__ import annotations

import logging
from asyncio import Lock
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final, TypeAlias

from bot.clock import Clock
from bot.games.variants import duels, usual_duel
from bot.service.jobs import apart
from bot.service.tournaments import Tournaments
from bot.storage.choices import QUIET_WEEKS, GuildId, Guilds, GuildSettings
from bot.storage.shards import Share
from bot.table.refusals import Refusal, UnknownControl
from bot.table.seats import Pace
from bot.table.table import made_like
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.tournament import THE_SERVER, CalledOff, Format, Tournament, TournamentId

log = logging.getLogger(__name__)

SIGN_UP_AHEAD: Final = timedelta(hours=3)
"""How long before the start people can sign up."""

LATE_SIGN_UP: Final = timedelta(minutes=5)
"""The shortest time for signing up, if the bot was away."""

SETTLES_WITHIN: Final = timedelta(minutes=10)
"""The time in which a server can make further choices before a sign-up is posted."""

LocaleOf: TypeAlias = Callable[[GuildId], str | None]
"""Gives the language of a guild; None if the bot does not see the guild at the moment."""


class WeeklyArenas:
    """Opens the weekly arenas of this process's servers."""

    def __init__(
        self, guilds: Guilds, tournaments: Tournaments, clock: Clock, rng: Random, share: Share
    ) -> None:
        self._guilds = guilds
        self._tournaments = tournaments
        self._stored = tournaments.stored
        self._clock = clock
        self._rng = rng
        self._share = share
        self._choosing = Lock()  # the next start follows from the day and the hour

    async def choose(self, guild: GuildId, **chosen: Any) -> None:  # noqa: ANN401 - of any field
        """Save a guild's choices for its arena; the next one leaves time for a sign-up.

        It starts after the last one that was opened, even if the clock was set back.
        """
        async with self._choosing:
            last = await self._last(guild)
            held = replace(self._guilds.of(guild), **chosen)
            earliest = self._clock.now() + SIGN_UP_AHEAD + SETTLES_WITHIN
            if last is not None and last.starts_at is not None:
                earliest = max(earliest, last.starts_at + timedelta(seconds=1))
            following = held.arena_after(earliest)
            await self._guilds.choose(guild, **chosen, arena_next=following, arena_quiet=0)

    async def run_due(self, locale_of: LocaleOf) -> None:
        """Open the arenas whose sign-up is due.

        Raises:
            ExceptionGroup: What went wrong with some of them.
        """
        due = self._clock.now() + SIGN_UP_AHEAD
        with apart() as items:
            for guild, settings in self._guilds.with_arena().items():
                at = settings.arena_next
                if at is None or at > due or not self._share.owns(guild):
                    continue
                if (locale := locale_of(guild)) is not None:
                    await items.do(self._open(guild, settings, at, locale), f"server {guild}")

    async def lose(self, number: TournamentId, guild: GuildId, *, for_good: bool) -> None:
        """Call off an arena whose sign-up could not be sent; with `for_good` end weekly arenas."""
        with suppress(Refusal):  # it was called off before
            await self._tournaments.call_off(number, CalledOff.UNSEEN)
        hosted = await self._tournaments.hosted(number)
        await self._stored.place(number, shown=hosted.revision)
        if for_good:
            await self._guilds.lose_arena(guild, hosted.channel)
            log.info("weekly arena lost its channel server=%s", guild)

    async def _open(
        self, guild: GuildId, settings: GuildSettings, at: datetime, locale: str
    ) -> None:
        """Open a guild's arena that is to start `at` a time, unless it is too late, or quiet."""
        now, lasts = self._clock.now(), timedelta(minutes=settings.arena_minutes)
        following = settings.arena_after(max(at + timedelta(seconds=1), now))
        if at + lasts <= now:
            log.info("weekly arena left out, since the bot was away server=%s", guild)
            await self._guilds.choose(guild, arena_next=following)
            return
        quiet = await self._quiet(guild, settings)
        if quiet > QUIET_WEEKS and settings.arena_channel is not None:
            log.info("weekly arenas switched off, since nobody played server=%s", guild)
            await self._guilds.lose_arena(guild, settings.arena_channel, quiet=quiet)
            return
        starts_at = max(at, now + LATE_SIGN_UP)
        entry, options = duels()[game_of(settings)]
        hosted = HostedTournament(
            TournamentId(made_like(now, self._rng)),
            Tournament(
                *(entry.game.key, options, Format.ARENA, Pace.BLITZ),
                *(Format.ARENA.most, THE_SERVER),
            ),
            guild,
            settings.arena_channel or 0,
            settings.language or locale,
            starts_at=starts_at,
            ends_at=starts_at + lasts,
            due=starts_at,
        )
        opening = self._stored.open_weekly(hosted, at, following, quiet=quiet)
        await self._guilds.open_arena(guild, opening, quiet=quiet)

    async def _quiet(self, guild: GuildId, settings: GuildSettings) -> int:
        """The number of arenas since the last one that was played, with the one to be opened."""
        last = await self._last(guild)
        return 1 if last is not None and last.tournament.played else settings.arena_quiet + 1

    async def _last(self, guild: GuildId) -> HostedTournament | None:
        """A guild's last arena; None if it had none, or this version cannot read it."""
        number = await self._stored.last_arena(guild)
        with suppress(UnknownControl):  # it cannot be read
            return None if number is None else await self._tournaments.hosted(number)
        return None


def game_of(settings: GuildSettings) -> str:
    """The game of a guild's arena, a word of `duels`; the default if this version lacks it."""
    chosen = settings.arena_game
    return chosen if chosen is not None and chosen in duels() else usual_duel()

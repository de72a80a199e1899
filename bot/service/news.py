"""News of servers: the day's puzzle in the channel that they chose, once a day.

They come within the hour from the one that was chosen, each server at its own minute, so that not
all come at once. A bot that was away sends today's and none that it missed. A channel that is out
of reach gets no more. People who asked for it are told before a streak of puzzles breaks.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from itertools import chain
from typing import Final

from bot.clock import Clock
from bot.records.puzzle_record import PuzzleRecord
from bot.service.errands import Errand, Errands
from bot.service.explanations import Puzzles
from bot.service.ports import NewsDesk, OutOfReach
from bot.storage.guild_settings import GuildId, Guilds
from bot.storage.news import Claimed, NewsStore
from bot.storage.shards import Share
from bot.table.refusals import Refusal
from bot.table.seats import PersonId

log = logging.getLogger(__name__)

MOST_A_ROUND: Final = 15
"""The most messages of a round, which make three a second."""

WARNED_AHEAD: Final = timedelta(hours=2)
"""The time before the end of a day when people are told that a streak breaks with it."""


def news_at(guild: GuildId, hour: int, day: date) -> datetime:
    """The time of a guild's news on a day, at its own minute of the hour."""
    return datetime.combine(day, time(hour, (guild >> 22) % 60), UTC)


class DailyNews:
    """The news of the guilds of this process."""

    def __init__(
        self,
        stored: NewsStore,
        guilds: Guilds,
        puzzles: Puzzles,
        desk: NewsDesk,
        clock: Clock,
        *,
        share: Share,
    ) -> None:
        self._stored = stored
        self._guilds = guilds
        self._puzzles = puzzles
        self._desk = desk
        self._clock = clock
        self._share = share
        self._errands = Errands(MOST_A_ROUND)
        self._day = date.min
        self._done = set[GuildId]()

    async def run_due(self) -> None:
        """Send what is due and was not sent yet, up to a number of messages.

        Raises:
            ExceptionGroup: What went wrong in some servers or with some people.
        """
        today = self._puzzles.today
        if today != self._day:
            self._done = {*await self._stored.done(today)}
            self._day = today
        due = (
            Errand(f"server {guild}", partial(self._publish, guild, today))
            for guild in self._due(today)
        )
        await self._errands.carry_out(chain(due, await self._warnings(today)), "news")

    def _due(self, today: date) -> list[GuildId]:
        """The guilds whose news are due, in the order of their times."""
        now, found = self._clock.now(), list[tuple[datetime, GuildId]]()
        for guild, settings in self._guilds.with_news().items():
            at = news_at(guild, settings.news_hour, today)
            mine = self._share.owns(guild) and guild not in self._done
            if mine and settings.news_since <= at <= now and self._desk.sees(guild):
                found.append((at, guild))
        return [guild for _, guild in sorted(found)]

    async def _publish(self, guild: GuildId, day: date) -> bool:
        try:
            puzzle = await self._puzzles.of(day)
        except Refusal:  # the next round tries again
            return False
        claimed = await self._stored.claim(guild, day)
        if claimed is Claimed.DONE:
            self._done.add(guild)
        if claimed not in {Claimed.FIRST, Claimed.AGAIN}:
            return False
        edition, again = await self._stored.edition(guild, day), claimed is Claimed.AGAIN
        message: int | None = None
        try:
            message = await self._desk.publish(guild, puzzle, edition, perhaps_sent=again)
        except OutOfReach:
            await self._guilds.lose_news(guild)
            log.info("news switched off server=%s", guild)
        await self._stored.finish(guild, day, message)
        self._done.add(guild)
        return True

    async def _warnings(self, today: date) -> Iterator[Errand]:
        """The warnings that are due; each is noted as sent beforehand."""
        ends = datetime.combine(today + timedelta(1), time(), UTC)
        if not self._share.first or self._clock.now() < ends - WARNED_AHEAD:
            return iter(())
        people = await self._stored.in_danger(today, MOST_A_ROUND)
        return (Errand("a person's streak", partial(self._warn, *each)) for each in people)

    async def _warn(self, person: PersonId, record: PuzzleRecord) -> bool:
        puzzle = await self._puzzles.of(record.today)
        await self._desk.warn(person, puzzle, record.streak)
        return True

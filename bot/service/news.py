"""News of servers: the day's puzzle in the channel that they chose, once a day.

They come within the hour from the one that was chosen, each server at its own minute, so that not
all come at once, and are edited as people answer. A bot that was away sends today's and none that
it missed; the days without them break no streak. A channel that is out of reach gets no more.
People who asked for it are told before a streak of puzzles breaks.
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
from bot.records.standings import EVERYWHERE
from bot.service.errands import Errand, Errands
from bot.service.explanations import Puzzles
from bot.service.ports import NewsDesk, OutOfReach
from bot.storage.guild_settings import GuildId, Guilds
from bot.storage.news import Claimed, NewsStore, Shown
from bot.storage.shards import Share
from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from engine.review import Puzzle

log = logging.getLogger(__name__)

A_DAY: Final = timedelta(1)

MOST_A_ROUND: Final = 15
"""The most messages of a round, which make three a second."""

EDITED_EVERY: Final = timedelta(minutes=1)
"""The time between two edits of a message, at least."""

NOTED_EVERY: Final = timedelta(minutes=10)
"""The time between two notes that the bot is there."""

MISSED_WITH: Final = timedelta(hours=12)
"""A day is frozen for all if the bot was away for so long on it."""

FROZEN_AHEAD: Final = timedelta(7)
"""The days that a lost channel freezes, unless news come again before."""

WARNED_AHEAD: Final = timedelta(hours=2)
"""The time before the end of a day when people are told that a streak breaks with it."""


def news_at(guild: GuildId, hour: int, day: date) -> datetime:
    """The time of a guild's news on a day, at its own minute of the hour."""
    return datetime.combine(day, time(hour, (guild >> 22) % 60), UTC)


def days_away(since: datetime, until: datetime) -> Iterator[date]:
    """The days on most of which the bot was away, as it was between two times."""
    for day in _days(since.date(), until.date() + timedelta(1)):
        begin = datetime.combine(day, time(), UTC)
        if min(until, begin + timedelta(1)) - max(since, begin) >= MISSED_WITH:
            yield day


def _days(first: date, end: date) -> Iterator[date]:
    """The days from one on, before another."""
    return (first + timedelta(each) for each in range((end - first).days))


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
        self._edits = Errands(MOST_A_ROUND)
        self._began = clock.now()
        self._edited: dict[GuildId, datetime] = {}
        self._noted: datetime | None = None

    async def run_due(self) -> None:
        """Send what is due and was not sent yet, up to a number of messages.

        Raises:
            ExceptionGroup: What went wrong in some servers or with some people.
        """
        await self._note_presence()
        today = self._puzzles.today
        if today != self._day:
            self._done = {*await self._stored.done(today)}
            self._day = today
        due = (
            Errand(f"server {guild}", partial(self._publish, guild, today))
            for guild in self._due(today)
        )
        await self._errands.carry_out(chain(due, await self._warnings(today)), "news")

    async def edit_due(self) -> None:
        """Edit the last news of servers where people have answered since, up to a number of them.

        Raises:
            ExceptionGroup: What went wrong in some servers.
        """
        now, stale = self._clock.now(), await self._stored.stale(self._puzzles.today - A_DAY)
        due = (
            Errand(f"server {each.guild}", partial(self._edit, each))
            for each in stale
            if self._share.owns(each.guild)
            and self._desk.sees(each.guild)
            and now - self._edited.get(each.guild, self._began) >= EDITED_EVERY
        )
        await self._edits.carry_out(due, "edits of news")

    async def _note_presence(self) -> None:
        """Note now and then that the bot is there, first freezing the days on which it was not."""
        now = self._clock.now()
        if not self._share.first or (self._noted and now - self._noted < NOTED_EVERY):
            return
        last = await self._stored.last_here()
        if last is not None and self._noted is None:
            await self._stored.freeze(EVERYWHERE, days_away(last, now))
        await self._stored.be_here(now)
        self._noted = now

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
        for unheard in await self._stored.unheard(guild, day):
            sent = await self._desk.sent(guild, unheard)
            await self._stored.finish(guild, unheard, sent)
        try:
            last = await self._stored.last(guild, day)
            puzzle, before = await self._both(day, last)
        except Refusal:  # the next round tries again
            return False
        claimed = await self._stored.claim(guild, day)
        if claimed is Claimed.DONE:
            self._done.add(guild)
        if claimed not in {Claimed.FIRST, Claimed.AGAIN}:
            return False
        if last is not None:
            await self._freeze_missed(guild, last, day)
        edition = await self._stored.edition(guild, day, self._since(guild))
        again, message = claimed is Claimed.AGAIN, None
        try:
            message = await self._desk.publish(guild, puzzle, edition, before, perhaps_sent=again)
            await self._stored.thaw(guild, day)
        except OutOfReach:
            await self._lose(guild, day)
        await self._stored.finish(guild, day, message, edition.revision)
        self._edited[guild] = self._clock.now()
        self._done.add(guild)
        return True

    async def _freeze_missed(self, guild: GuildId, last: date, day: date) -> None:
        """Freeze the days since the last news of a guild whose news did not come, though due."""
        settings = self._guilds.settings_of(guild)
        missed = (
            each
            for each in _days(last + A_DAY, day)
            if news_at(guild, settings.news_hour, each) >= settings.news_since
        )
        await self._stored.freeze(guild, missed)

    async def _both(self, day: date, last: date | None) -> tuple[Puzzle, Puzzle]:
        """The puzzle of a day, and that of the last news, or of yesterday without any.

        Raises:
            Refusal: They could not be made in time.
        """
        return await self._puzzles.made(day), await self._puzzles.made(last or day - A_DAY)

    def _since(self, guild: GuildId) -> date:
        return self._guilds.settings_of(guild).news_since.date()

    async def _edit(self, shown: Shown) -> bool:
        guild, day = shown.guild, shown.day
        try:
            puzzle, before = await self._both(day, await self._stored.last(guild, day))
        except Refusal:  # the next round tries again
            return False
        edition = await self._stored.edition(guild, day, self._since(guild))
        try:
            await self._desk.edit(guild, shown.message, puzzle, edition, before)
        except OutOfReach:  # the next news find out whether the channel is lost
            log.info("news not edited server=%s", guild)
        await self._stored.show(guild, day, edition.revision)
        self._edited[guild] = self._clock.now()
        return True

    async def _lose(self, guild: GuildId, day: date) -> None:
        """Send no more news to a channel out of reach, which breaks no streak for a while."""
        await self._guilds.lose_news(guild)
        await self._stored.freeze(guild, _days(day, day + FROZEN_AHEAD))
        log.info("news switched off server=%s", guild)

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

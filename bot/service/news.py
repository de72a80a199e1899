"""News of servers: the puzzle of the day in a channel that they chose, once a day.

Each server has its own minute within the hour it chose, so that not all news are sent at once. News
are edited as people answer. After an absence, the bot sends today's news only; the days missed
break no streak. News end when their channel is out of reach. People who want that are warned
before their streak of puzzles breaks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple

from bot.clock import Clock, lately
from bot.records.puzzles import Edition
from bot.records.standings import EVERYWHERE
from bot.service.due_work import Absence, Absences, overlap
from bot.service.explanations import Puzzles
from bot.storage.choices import GuildId, Guilds
from bot.storage.news import Claimed, NewsStore, Shown
from bot.storage.shards import Share
from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from engine.review import Puzzle

log = logging.getLogger(__name__)

A_DAY: Final = timedelta(1)

EDITED_EVERY: Final = timedelta(minutes=1)
"""The least time between two edits of a server's news."""

MISSED_WITH: Final = timedelta(hours=12)
"""A day is frozen for everybody if the bot was absent for at least this part of it."""

FROZEN_AHEAD: Final = timedelta(7)
"""The time that is frozen when a channel is lost, unless news are sent again before its end."""

WARNED_AHEAD: Final = timedelta(hours=2)
"""How long before the end of a day people are warned that their streak breaks with it."""


class StreakWarning(NamedTuple):
    """A warning: tonight's puzzle, the length of the streak, and the guild where it was kept."""

    puzzle: Puzzle
    streak: int
    guild: GuildId | None


def news_at(guild: GuildId, hour: int, day: date) -> datetime:
    """The time of a guild's news on a day; the minute depends on the guild's id."""
    return datetime.combine(day, time(hour, (guild >> 22) % 60), UTC)


def days_away(absences: Sequence[Absence]) -> Iterator[date]:
    """The days on which the bot was absent for `MISSED_WITH` or more."""
    if absences:
        first, last = min(began for began, _ in absences), max(ended for _, ended in absences)
        for day in _days(first.date(), last.date() + A_DAY):
            begin = datetime.combine(day, time(), UTC)
            if overlap(absences, begin, begin + A_DAY) >= MISSED_WITH:
                yield day


def _days(first: date, end: date) -> Iterator[date]:
    """The days from `first` up to, but without, `end`."""
    return (first + timedelta(each) for each in range((end - first).days))


class Publication(NamedTuple):
    """The news of a guild and day, with the puzzle `before`, whose answer they tell.

    If `perhaps_sent`, an earlier try may have posted them already.
    """

    guild: GuildId
    day: date
    puzzle: Puzzle
    before: Puzzle
    edition: Edition
    perhaps_sent: bool = False


class DailyNews:
    """The news of this process's guilds, as far as the bot `sees` a guild at the moment."""

    def __init__(
        self,
        stored: NewsStore,
        guilds: Guilds,
        puzzles: Puzzles,
        sees: Callable[[GuildId], bool],
        clock: Clock,
        *,
        absences: Absences,
        share: Share,
    ) -> None:
        self._stored = stored
        self._guilds = guilds
        self._puzzles = puzzles
        self._sees = sees
        self._clock = clock
        self._absences = absences
        self._share = share
        self._day = date.min
        self._done = set[GuildId]()
        self._began = clock.now()
        self._edited: dict[GuildId, datetime] = {}

    async def due(self) -> Sequence[tuple[GuildId, date]]:
        """The guilds whose news of today are due and not sent yet, in the order of their times."""
        now, today = self._clock.now(), self._puzzles.today
        if today != self._day:
            if self._share.first:
                absences = await self._absences.known(now - A_DAY)
                await self._stored.freeze(EVERYWHERE, days_away(absences))
                await self._stored.thaw(EVERYWHERE, today + A_DAY)  # of a clock that was ahead
            self._done = {*await self._stored.done(today)}
            self._day = today
        found = list[tuple[datetime, GuildId]]()
        for guild, settings in self._guilds.with_news().items():
            at = news_at(guild, settings.news_hour, today)
            mine = self._share.owns(guild) and guild not in self._done
            if mine and settings.news_since <= at <= now and self._sees(guild):
                found.append((at, guild))
        return [(guild, today) for _, guild in sorted(found)]

    async def stale(self) -> Sequence[Shown]:
        """The news to edit: people have answered or been forgotten, and the last edit is old."""
        now = self._clock.now()
        return [
            each
            for each in await self._stored.stale(self._puzzles.today - A_DAY)
            if self._share.owns(each.guild)
            and self._sees(each.guild)
            and not lately(self._edited.get(each.guild, self._began), now, EDITED_EVERY)
        ]

    async def begin(self, guild: GuildId, day: date) -> Publication | None:
        """The news of a guild, claimed for this process to send.

        None if they are sent, claimed by another process, or their puzzles are not ready.
        """
        try:
            last = await self._stored.last(guild, day)
            puzzle, before = await self._both(day, last)
        except Refusal:  # the next round tries again
            return None
        claimed = await self._stored.claim(guild, day)
        if claimed is Claimed.DONE and day == self._day:
            self._done.add(guild)
        if claimed not in {Claimed.FIRST, Claimed.AGAIN}:
            return None
        if last is not None:
            await self._freeze_missed(guild, last, day)
        edition = await self._stored.edition(guild, day, self._since(guild))
        again = claimed is Claimed.AGAIN
        return Publication(guild, day, puzzle, before, edition, perhaps_sent=again)

    async def again(self, shown: Shown) -> Publication | None:
        """The present news for a message to edit; None if their puzzles are not ready."""
        guild, day = shown.guild, shown.day
        try:
            puzzle, before = await self._both(day, await self._stored.last(guild, day))
        except Refusal:  # the next round tries again
            return None
        edition = await self._stored.edition(guild, day, self._since(guild))
        return Publication(guild, day, puzzle, before, edition)

    async def sent(self, news: Publication, at: tuple[int, int] | None) -> None:
        """Save that news were sent, `at` their (channel, message), or refused if that is None.

        If `perhaps_sent`, the message may show an earlier state, and is edited soon.
        """
        await self._stored.thaw(news.guild, news.day)
        await self._finish(news, at)

    async def lose(self, news: Publication, channel: int) -> None:
        """End a guild's news because their channel is out of reach; freeze the next days.

        If another channel was chosen since, a later round sends them there.
        """
        if self._guilds.of(news.guild).news_channel not in {channel, None}:
            return
        await self._guilds.lose_news(news.guild, channel)
        await self._stored.freeze(news.guild, _days(news.day, news.day + FROZEN_AHEAD))
        log.info("news switched off server=%s", news.guild)
        await self._finish(news, None)

    async def edited(self, news: Publication) -> None:
        """Save that a message shows these news, or that Discord refused the edit for good."""
        await self._stored.show(news.guild, news.day, news.edition.revision)
        self._edited[news.guild] = self._clock.now()

    async def in_danger(self, most: int) -> Mapping[PersonId, StreakWarning]:
        """The warnings of up to `most` people to `warn`."""
        today = self._puzzles.today
        ends = datetime.combine(today + timedelta(1), time(), UTC)
        if not self._share.first or self._clock.now() < ends - WARNED_AHEAD:
            return {}
        return {
            person: StreakWarning(await self._puzzles.made(today), record.streak, guild)
            for person, record, guild in await self._stored.in_danger(today, most)
        }

    async def warn(self, person: PersonId) -> bool:
        """Count a person as warned today; False if they were already, or want no warnings."""
        return await self._stored.warn(person, self._puzzles.today)

    async def _finish(self, news: Publication, at: tuple[int, int] | None) -> None:
        revision = 0 if news.perhaps_sent else news.edition.revision
        await self._stored.finish(news.guild, news.day, at, revision)
        self._edited[news.guild] = self._clock.now()
        if news.day == self._day:
            self._done.add(news.guild)

    async def _freeze_missed(self, guild: GuildId, last: date, day: date) -> None:
        """Freeze the days between the `last` news and `day` on which news were due but not sent."""
        settings = self._guilds.of(guild)
        missed = (
            each
            for each in _days(last + A_DAY, day)
            if news_at(guild, settings.news_hour, each) >= settings.news_since
        )
        await self._stored.freeze(guild, missed)

    async def _both(self, day: date, last: date | None) -> tuple[Puzzle, Puzzle]:
        """The puzzle of a day, and that of the `last` news, or else of the day before.

        Raises:
            Refusal: They could not be made in time.
        """
        return await self._puzzles.made(day), await self._puzzles.made(last or day - A_DAY)

    def _since(self, guild: GuildId) -> date:
        return self._guilds.of(guild).news_since.date()

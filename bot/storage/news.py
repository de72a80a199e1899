"""News of servers: which process sends them, their content, and warnings of streaks.

A process claims the news of a server and day before it sends them, by the database's clock. The
claim is closed once Discord has accepted or refused them. If it expires instead, the process has
died or could not reach Discord; the next one first looks whether the news were sent.

What news have to tell follows from the rows: the best of a week and the podium of a season are in
the first news after its end, however late, and days without news between two posts are frozen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from enum import Enum, auto
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    bindparam,
    case,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from bot.records.puzzles import Edition, LeagueLine, PuzzleRecord
from bot.records.rating import ALL_TIME, Season, season_before, season_of_day
from bot.records.summaries import Ranked
from bot.storage.choices import GuildId
from bot.storage.database import Database
from bot.storage.reading import Reader
from bot.storage.records.puzzles import best_of, day_in, frozen_in, record, streak_in
from bot.storage.records.statistics import podiums
from bot.storage.schema.choice_tables import (
    NEWS_BEHIND,
    frozen_days,
    news,
    people,
    puzzle_servers,
    servers,
)
from bot.storage.schema.record_tables import standings
from bot.storage.values import day_of, is_day, lapsed, number_of
from bot.table.seats import PersonId

LASTS: Final = timedelta(minutes=1)
"""The time for which other processes leave claimed news alone."""

KEPT: Final = 7
"""The days for which rows of news that were not sent are kept; sent news are kept for good."""

REDRAWN: Final = -1
"""The shown revision of news that name a forgotten person: they are edited however old."""

UNREADABLE: Final = 0
"""The message id of news that may have been sent, as the bot may not read their channel."""

_LATER = news.alias()
_LATEST = (
    ~select(_LATER.c.day)
    .where(_LATER.c.server == news.c.server, _LATER.c.day > news.c.day)
    .where(_LATER.c.day <= bindparam("today"))
    .exists()
)
_STALE = select(news).where(
    news.c.message != UNREADABLE,
    news.c.channel.is_not(None),
    NEWS_BEHIND,
    or_(news.c.shown == REDRAWN, and_(news.c.day >= bindparam("first"), _LATEST)),
)


_REDRAW = (
    update(news)
    .where(news.c.server == bindparam("guild"), news.c.day == bindparam("number"))
    .values(wanted=news.c.wanted + 1, shown=REDRAWN)
)


class Claimed(Enum):
    """The outcome of a claim: send, look first whether a try was sent, another's turn, or done."""

    FIRST = auto()
    AGAIN = auto()
    ELSEWHERE = auto()
    DONE = auto()


class Shown(NamedTuple):
    """A message with the news of a guild and day; if `redrawn`, its pictures are replaced too."""

    guild: GuildId
    day: date
    channel: int
    message: int
    redrawn: bool


class InDanger(NamedTuple):
    """A person whose streak breaks tonight, and the guild where they last asked for a puzzle."""

    person: PersonId
    record: PuzzleRecord
    guild: GuildId | None


class NewsStore:
    """The stored news, and the people who are told before a streak breaks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def done(self, day: date) -> Collection[GuildId]:
        """The guilds whose news of a day are done with."""
        own = (news.c.day == number_of(day)) & news.c.claimed_until.is_(None)
        query = select(news.c.server).where(own)
        return {*map(GuildId, await self._database.run(lambda c: c.execute(query).scalars().all()))}

    async def claim(self, guild: GuildId, day: date) -> Claimed:
        """Try to claim the news of a guild and day for this process."""
        return await self._database.run(lambda c: _claim(c, guild, number_of(day)))

    async def finish(
        self,
        guild: GuildId,
        day: date,
        at: tuple[int, int] | None,
        revision: int = 0,
    ) -> None:
        """Close a claim: `at` is the channel and message that show a `revision`, None if unsent."""
        channel, message = at or (None, None)
        own = (news.c.server == guild) & (news.c.day == number_of(day))
        shown = case((_forgotten_since(revision), REDRAWN), else_=revision)
        placed = {"channel": channel, "message": message, "shown": shown}
        done = update(news).where(own).values(claimed_until=None, **placed)
        await self._database.run(lambda c: c.execute(done))

    async def unheard(self, guild: GuildId, day: date) -> Sequence[date]:
        """The days before `day` whose news were claimed, and whose claim was never closed."""
        own = (news.c.server == guild) & (news.c.day < number_of(day))
        query = select(news).where(own, news.c.claimed_until.is_not(None))
        return await self._database.read(
            lambda reader: reader.rows(news, query, lambda row: day_of(row["day"]))
        )

    async def last(self, guild: GuildId, day: date) -> date | None:
        """The day of the last news that were sent to a guild before `day`."""
        return await self._database.run(lambda c: _last(c, guild, day))

    async def edition(self, guild: GuildId, day: date, since: date) -> Edition:
        """The content of a guild's news on a day.

        A guild's first news tell of weeks and seasons that ended after `since`, others of those
        that ended after the last news.
        """
        return await self._database.read(lambda reader: _edition(reader, guild, day, since))

    async def stale(self, first: date) -> Sequence[Shown]:
        """The news to edit: all that name a forgotten person, however old.

        Any that name a person who is forgotten, and of each guild the last, if it is of the day
        `first` or the next, today, and does not show all answers yet.
        """
        since = {"first": number_of(first), "today": number_of(first + timedelta(1))}
        return await self._database.read(lambda reader: reader.rows(news, _STALE, _shown, since))

    async def show(self, guild: GuildId, day: date, revision: int) -> None:
        """Save the revision that a message shows, unless it may name a person forgotten since."""
        own = (news.c.server == guild) & (news.c.day == number_of(day))
        shown = update(news).where(own, ~_forgotten_since(revision)).values(shown=revision)
        await self._database.run(lambda c: c.execute(shown))

    async def freeze(self, scope: int, days: Iterable[date]) -> None:
        """Freeze days, so that they break no streak of a guild, or of anybody (`EVERYWHERE`)."""
        rows = [{"scope": scope, "day": number_of(day)} for day in days]
        if rows:
            frozen = insert(frozen_days).on_conflict_do_nothing()
            await self._database.run(lambda c: c.execute(frozen, rows))

    async def thaw(self, scope: int, day: date) -> None:
        """Let days from one on count that were frozen ahead: a guild's, or those of all."""
        own = (frozen_days.c.scope == scope) & (frozen_days.c.day >= number_of(day))
        await self._database.run(lambda c: c.execute(delete(frozen_days).where(own)))

    async def in_danger(self, day: date, most: int) -> Sequence[InDanger]:
        """Up to `most` people to warn that their streak breaks tonight, until they are."""
        return await self._database.read(
            lambda reader: _in_danger(reader, day, most), reading=False
        )

    async def warn(self, person: PersonId, day: date) -> bool:
        """Count a person as warned on a day; False if they were already, or want no warnings."""
        own = (people.c.id == person) & _unwarned(number_of(day))
        warned = update(people).where(own).values(warned=number_of(day))
        return await self._database.run(lambda c: c.execute(warned).rowcount == 1)


def _forgotten_since(revision: int) -> ColumnElement[bool]:
    """The condition that a person was forgotten after `revision` of the news was drawn."""
    return (news.c.shown == REDRAWN) & (news.c.wanted > revision)


def redraw_naming(connection: Connection, person: PersonId) -> None:
    """Mark all news that may name a person as to be edited, those being sent just now too.

    News name the solvers of their day's puzzle and of that of the previous news, the best of the
    weeks that ended between the two, and the podiums of the season that did.
    """
    counted = select(puzzle_servers.c.server, puzzle_servers.c.day).where(
        is_day(puzzle_servers.c.day)
    )
    answers, seasons = defaultdict[int, set[date]](set), defaultdict[int, set[Season]](set)
    for guild, day in connection.execute(counted.where(puzzle_servers.c.person == person)):
        answers[guild].add(day_of(day))
    played = select(standings.c.scope, standings.c.season).where(standings.c.person == person)
    for guild, season in connection.execute(played):
        seasons[guild].add(season)
    placed = news.c.message.is_not(None)
    sent = select(news.c.server, news.c.day, placed).where(
        placed | news.c.claimed_until.is_not(None), is_day(news.c.day)
    )
    among = sent.where(news.c.server.in_({*answers, *seasons})).order_by(news.c.server, news.c.day)
    naming = []
    for guild, rows in groupby(connection.execute(among), key=itemgetter(0)):
        weeks = {each + timedelta(7 - each.weekday()) for each in answers[guild]}
        told = date.min
        for _, number, there in rows:
            day = day_of(number)
            before = day - timedelta(1) if told == date.min else told
            first, after = season_of_day(told), season_of_day(day)
            of_week = any(told < each <= day for each in weeks)
            of_season = any(first <= each < after for each in seasons[guild])
            if {day, before} & answers[guild] or of_week or of_season:
                naming.append({"guild": guild, "number": number})
            told = day if there else told
    if naming:
        connection.execute(_REDRAW, naming)


def _shown(row: RowMapping) -> Shown:
    guild, day, redrawn = GuildId(row["server"]), day_of(row["day"]), row["shown"] == REDRAWN
    return Shown(guild, day, row["channel"], row["message"], redrawn)


def _claim(connection: Connection, guild: GuildId, day: int) -> Claimed:
    key = news.c
    connection.execute(insert(servers).values(id=guild).on_conflict_do_nothing())
    first = insert(news).values(server=guild, day=day, claimed_until=LASTS, tries=1)
    claim = first.on_conflict_do_update(
        index_elements=[key.server, key.day],
        set_={"claimed_until": first.excluded.claimed_until, "tries": key.tries + 1},
        where=lapsed(key.claimed_until, LASTS),
    ).returning(key.tries)
    tries = connection.execute(claim).scalar()
    if tries == 1:
        unsent = key.message.is_(None) & (key.day < day - KEPT)
        connection.execute(delete(news).where(key.server == guild, unsent))
        return Claimed.FIRST
    if tries is not None:
        return Claimed.AGAIN
    until = select(key.claimed_until).where(key.server == guild, key.day == day)
    done = connection.execute(until).scalar() is None
    return Claimed.DONE if done else Claimed.ELSEWHERE


def _last(connection: Connection, guild: GuildId, day: date) -> date | None:
    own = (news.c.server == guild) & (news.c.day < number_of(day)) & news.c.message.is_not(None)
    own &= is_day(news.c.day)
    last = connection.execute(select(func.max(news.c.day)).where(own)).scalar()
    return None if last is None else day_of(last)


def _edition(reader: Reader, guild: GuildId, day: date, since: date) -> Edition:
    connection, yesterday = reader.connection, day - timedelta(1)
    own = (news.c.server == guild) & (news.c.day == number_of(day))
    revision = connection.execute(select(news.c.wanted).where(own)).scalar() or 0
    last = _last(connection, guild, day)
    today, before = day_in(reader, guild, day), day_in(reader, guild, last or yesterday)
    told = since if last is None else last
    season, podiums = _latest_podiums(connection, guild, told, day)
    return Edition(
        today,
        streak_in(reader, guild, yesterday) + bool(today.solvers),
        before if last or before.answers else None,
        sum(told < frozen < day for frozen in frozen_in(reader, guild)) if last else 0,
        _latest_best(connection, guild, told, day),
        season,
        podiums,
        revision,
    )


def _latest_best(
    connection: Connection, guild: GuildId, told: date, day: date
) -> Sequence[LeagueLine]:
    """The best of the latest week with any solvers that ended after the day `told` and by `day`."""
    monday = day - timedelta(day.weekday())
    while told < monday:
        first, last = monday - timedelta(7), monday - timedelta(1)
        if best := best_of(connection, guild, first, last):
            return best
        monday = first
    return ()


def _latest_podiums(
    connection: Connection, guild: GuildId, told: date, day: date
) -> tuple[Season, Mapping[str, Sequence[Ranked]]]:
    """The latest season with podiums that ended after the day `told`, and its podiums by game."""
    season = season_before(season_of_day(day))
    while season >= season_of_day(told):
        if found := podiums(connection, guild, season):
            return season, found
        season = season_before(season)
    return ALL_TIME, {}


def _unwarned(today: int) -> ColumnElement[bool]:
    """The condition that a person wants to be warned, and is not yet today."""
    return people.c.streaks & or_(people.c.warned.is_(None), people.c.warned != today)


def _in_danger(reader: Reader, day: date, most: int) -> Sequence[InDanger]:
    """Those to warn among `most` people; the others are marked as warned, to be skipped today."""
    asked = puzzle_servers.alias()
    theirs = select(asked.c.server).where(asked.c.person == people.c.id)
    last = theirs.order_by(asked.c.day.desc(), asked.c.server).limit(1).scalar_subquery()
    unwarned = select(people.c.id, last).where(_unwarned(number_of(day))).limit(most)
    found = [
        InDanger(PersonId(person), record(reader, PersonId(person), day), guild)
        for person, guild in reader.connection.execute(unwarned).all()
    ]
    safe = [each.person for each in found if not each.record.breaks_tonight]
    done = update(people).where(people.c.id.in_(safe)).values(warned=number_of(day))
    reader.connection.execute(done)
    return [each for each in found if each.record.breaks_tonight]

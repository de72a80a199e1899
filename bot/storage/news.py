"""News of servers: the process that sends them, their content, and warnings of streaks.

A process claims the news of a server and day before it sends them, by the database's clock, and
they are done with once Discord has taken or refused them. A claim that has ended was of a process
that died or could not reach Discord: the next one finds out first whether they were sent.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from enum import Enum, auto
from typing import Final

from sqlalchemy import Connection, delete, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from bot.records.puzzle_league import Edition
from bot.records.puzzle_record import PuzzleRecord
from bot.records.seasons import season_of_day
from bot.storage.database import Database
from bot.storage.guild_settings import GuildId
from bot.storage.reading import Reader
from bot.storage.records.leaderboard import podiums
from bot.storage.records.league import best_of
from bot.storage.records.puzzles import answers, day_in, streak_in
from bot.storage.schema.choice_tables import news, people, servers
from bot.storage.values import database_now, number_of
from bot.table.seats import PersonId

LASTS: Final = timedelta(minutes=1)
"""The time for which other processes leave claimed news alone."""

KEPT: Final = 7
"""The days for which it is known that news were sent."""


class Claimed(Enum):
    """The outcome of a claim: the news are to be sent, perhaps again, or are another's, or done."""

    FIRST = auto()
    AGAIN = auto()
    ELSEWHERE = auto()
    DONE = auto()


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
        """Claim the news of a guild and day for this process."""
        return await self._database.run(lambda c: _claim(c, guild, number_of(day)))

    async def finish(self, guild: GuildId, day: date, message: int | None) -> None:
        """Save that news are done with, as a message or without one."""
        own = (news.c.server == guild) & (news.c.day == number_of(day))
        done = update(news).where(own).values(claimed_until=None, message=message)
        await self._database.run(lambda c: c.execute(done))

    async def edition(self, guild: GuildId, day: date) -> Edition:
        """The news of a guild on a day, on Mondays with the best of the week before.

        On the first of a month it has the podiums of the season before.
        """
        return await self._database.read(lambda reader: _edition(reader, guild, day))

    async def in_danger(self, day: date, most: int) -> Sequence[tuple[PersonId, PuzzleRecord]]:
        """Some of the people who want to be warned and whose streak breaks tonight, each once."""
        return await self._database.read(lambda reader: _in_danger(reader, day, most))


def _claim(connection: Connection, guild: GuildId, day: int) -> Claimed:
    key = news.c
    connection.execute(insert(servers).values(id=guild).on_conflict_do_nothing())
    first = insert(news).values(server=guild, day=day, claimed_until=LASTS, tries=1)
    claim = first.on_conflict_do_update(
        index_elements=[key.server, key.day],
        set_={"claimed_until": first.excluded.claimed_until, "tries": key.tries + 1},
        where=key.claimed_until <= database_now(),
    ).returning(key.tries)
    tries = connection.execute(claim).scalar()
    if tries == 1:
        connection.execute(delete(news).where(key.server == guild, key.day < day - KEPT))
        return Claimed.FIRST
    if tries is not None:
        return Claimed.AGAIN
    until = select(key.claimed_until).where(key.server == guild, key.day == day)
    done = connection.execute(until).scalar() is None
    return Claimed.DONE if done else Claimed.ELSEWHERE


def _edition(reader: Reader, guild: GuildId, day: date) -> Edition:
    connection = reader.connection
    yesterday, monday = day - timedelta(1), day.weekday() == 0
    best = best_of(connection, guild, day - timedelta(7), yesterday) if monday else ()
    return Edition(
        streak_in(connection, guild, yesterday),
        day_in(reader, guild, yesterday),
        best,
        podiums(connection, guild, season_of_day(yesterday)) if day.day == 1 else {},
    )


def _in_danger(reader: Reader, day: date, most: int) -> Sequence[tuple[PersonId, PuzzleRecord]]:
    key, today = people.c, number_of(day)
    unasked = select(key.id).where(key.streaks, or_(key.warned.is_(None), key.warned < today))
    taken = unasked.limit(most).with_for_update(skip_locked=True)
    asking = update(people).where(key.id.in_(taken)).values(warned=today).returning(key.id)
    found = [PersonId(row) for row in reader.connection.execute(asking).scalars()]
    records = ((person, PuzzleRecord(answers(reader, person), day)) for person in found)
    return [(person, record) for person, record in records if record.breaks_tonight]

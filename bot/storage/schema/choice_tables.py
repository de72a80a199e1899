"""The SQL tables of people, guilds and the bot itself."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, false, true

from bot.storage.schema.base import (
    CHANNEL,
    MESSAGE,
    ROLE,
    Fate,
    define,
    guild,
    id_key,
    index,
    of_server,
    person,
)
from bot.storage.values import LeaseEnd, UtcMoment

people: Final = define(
    "person",
    id_key("id", person(Fate.DELETED, told="choices")),
    Column("form", String(16)),
    Column("language", String(16)),
    Column("challenges", Boolean, nullable=False, server_default=true()),
    Column("reminders", String(16), nullable=False, server_default="on"),
    Column("streaks", Boolean, nullable=False, server_default=false()),
    Column("warned", Integer),
)

blocks: Final = define(
    "block",
    id_key("person", person(Fate.DELETED, told="choices")),
    id_key("blocked", person(Fate.DELETED, untold="a choice of others"), index=True),
)

# A person's tries at the puzzle of a day (counted from 1970), whether the last one was right, and
# its time. Answers from versions with a single try have no moves.
puzzle_answers: Final = define(
    "puzzle_answer",
    id_key("person", person(Fate.DELETED, told="puzzles")),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("solved", Boolean, nullable=False),
    Column("first", Integer),
    Column("second", Integer),
    Column("at", UtcMoment),
    Index("ix_puzzle_answer_day", "day", "person"),
)

# The servers where a person has asked for the puzzle of a day, and so where their answer counts.
puzzle_servers: Final = define(
    "puzzle_server",
    of_server(),
    Column("day", Integer, primary_key=True, autoincrement=False),
    id_key("person", person(Fate.DELETED, told="puzzles_asked_for"), index=True),
)

# Every server that has settings, or had a game or a puzzle; `left_at` is when the bot left it.
# The other columns are the fields of `GuildSettings`; null stands for the default.
servers: Final = define(
    "server",
    id_key("id", guild(Fate.DELETED)),
    Column("games", Integer),
    Column("language", String(16)),
    Column("board", String(16)),
    Column("news_channel", BigInteger, info=CHANNEL),
    Column("news_hour", Integer),
    Column("news_since", UtcMoment),
    Column("news_lost", BigInteger, info=CHANNEL),
    Column("news_told", Boolean, nullable=False, server_default=false()),
    Column("arena_channel", BigInteger, info=CHANNEL),
    Column("arena_game", String(64)),
    Column("arena_day", Integer),
    Column("arena_hour", Integer),
    Column("arena_minutes", Integer),
    Column("arena_next", UtcMoment),
    Column("arena_lost", BigInteger, info=CHANNEL),
    Column("arena_told", Boolean, nullable=False, server_default=false()),
    Column("arena_quiet", Integer, nullable=False, server_default="0"),
    Column("threads", Boolean, nullable=False, server_default=false()),
    Column("winner_role", BigInteger, info=ROLE),
    Column("left_at", UtcMoment),
)

server_channels: Final = define(
    "server_channel",
    of_server(),
    id_key("channel", CHANNEL),
)

# The news of a day, from the moment when a process claims them. Once they are sent or refused,
# `claimed_until` is null, and `message` is set if they were sent. The message is edited while
# `shown` is behind `wanted`, which grows with each answer that counts there.
news: Final = define(
    "news",
    of_server(),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("claimed_until", LeaseEnd),
    Column("tries", Integer, nullable=False),
    Column("channel", BigInteger, info=CHANNEL),
    Column("message", BigInteger, info=MESSAGE),
    Column("wanted", Integer, nullable=False, server_default="0"),
    Column("shown", Integer, nullable=False, server_default="0"),
)
NEWS_BEHIND: Final = news.c.shown < news.c.wanted

index("behind", NEWS_BEHIND, news.c.day)

# Days that break no streak. `scope` is a server that had no news on that day, for its streak and
# those of people who ask for puzzles there; or 0, for everybody, if the bot was away.
frozen_days: Final = define(
    "frozen_day",
    id_key("scope", guild(Fate.DELETED)),
    Column("day", Integer, primary_key=True, autoincrement=False),
)

# The times when a shard (out of `shards`) was away, or Discord accepted no requests. In the row
# without an end, `began` is the last time that the shard was there, updated while it is there.
absences: Final = define(
    "absence",
    Column("shards", Integer, primary_key=True, autoincrement=False),
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("began", UtcMoment, primary_key=True),
    Column("ended", UtcMoment),
)

notes: Final = define(
    "note",
    Column("key", String(64), primary_key=True),
    Column("value", String, nullable=False),
)

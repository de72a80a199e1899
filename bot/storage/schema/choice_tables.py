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

# A person's tries at the puzzle of a day, whether the last one was right, and its time; days are
# counted from 1970. Answers from the time when there was one try have no moves.
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

# The servers where a person has asked for the puzzle of a day: there the answer counts.
puzzle_servers: Final = define(
    "puzzle_server",
    of_server(),
    Column("day", Integer, primary_key=True, autoincrement=False),
    id_key("person", person(Fate.DELETED, told="puzzles_asked_for"), index=True),
)

# Every server that has settings, or had a game or a puzzle, and when the bot left it. The news of
# the day come to a channel from an hour of UTC on, first at such an hour after they were chosen; a
# channel that they could not be sent to is kept until somebody who manages the server is told in
# its settings, and before, once, with a command. An arena comes each week, next at a moment, to a
# channel, which may be lost as well; so many in a row may have been quiet. Winners get a role.
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

# The news of a day, from when a process began to send them until they are done with: then their
# claim has no end, and perhaps there is a message. It is edited until it shows the revision that is
# wanted, which grows with each answer that counts there.
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

# Days that break no streak: of a server, and of the people who ask for puzzles there, those without
# its news; of everybody (scope 0) those on which the bot was away.
frozen_days: Final = define(
    "frozen_day",
    id_key("scope", guild(Fate.DELETED)),
    Column("day", Integer, primary_key=True, autoincrement=False),
)

# The times in which a shard of so many was not there, or Discord took nothing. The one without an
# end is the latest at which it is known to be there, and is pushed on as long as it is.
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

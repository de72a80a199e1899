"""The SQL tables of people, guilds and the bot itself."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, String, true

from bot.storage.schema.base import define
from bot.storage.values import UtcMoment

people: Final = define(
    "person",
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("form", String(16)),
    Column("language", String(16)),
    Column("challenges", Boolean, nullable=False, server_default=true()),
    Column("reminders", String(16), nullable=False, server_default="on"),
)

blocks: Final = define(
    "block",
    Column("person", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked", BigInteger, primary_key=True, autoincrement=False, index=True),
)

# A person's tries at the puzzle of a day, and whether the last one was right; days are counted from
# 1970. Answers from the time when there was one try have no moves.
puzzle_answers: Final = define(
    "puzzle_answer",
    Column("person", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("solved", Boolean, nullable=False),
    Column("first", Integer),
    Column("second", Integer),
)

# Every server that has settings or had a game, and when the bot left it.
servers: Final = define(
    "server",
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("games", Integer),
    Column("language", String(16)),
    Column("board", String(16)),
    Column("left_at", UtcMoment),
)

server_channels: Final = define(
    "server_channel",
    Column("server", ForeignKey("server.id", ondelete="CASCADE"), primary_key=True),
    Column("channel", BigInteger, primary_key=True, autoincrement=False),
)

notes: Final = define(
    "note",
    Column("key", String(64), primary_key=True),
    Column("value", String, nullable=False),
)

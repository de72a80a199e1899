"""The tables of the database, the same in every dialect."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    false,
    literal_column,
    true,
)
from sqlalchemy.schema import SchemaItem

from bot.storage.values import UtcMoment
from bot.table.dice import PLAIN
from bot.table.word import LONGEST

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _table(name: str, *parts: SchemaItem) -> Table:
    """A table that is looked up by its primary key alone."""
    return Table(name, metadata, *parts, sqlite_with_rowid=False)


def _of_session() -> Column[int]:
    return Column("session", ForeignKey("session.id", ondelete="CASCADE"), primary_key=True)


def _counts() -> tuple[Column[int], ...]:
    names = ("wins", "draws", "losses")
    return tuple(Column(name, Integer, nullable=False) for name in names)


def _index(
    name: str, condition: ColumnElement[bool], *columns: Column[Any], unique: bool = False
) -> None:
    """An index of a table that has only the rows for which a condition holds."""
    full = f"ix_{columns[0].table.name}_{name}"
    Index(full, *columns, unique=unique, sqlite_where=condition, postgresql_where=condition)


sessions: Final = Table(
    "session",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", String(32), nullable=False),
    Column("options", JSON, nullable=False),
    Column("pace", String(16), nullable=False),
    Column("host", BigInteger, nullable=False),
    Column("phase", String(16), nullable=False),
    Column("ending", String(16)),
    Column("offer", Integer),
    Column("take_back", Integer),
    Column("lapsed", Boolean, nullable=False),
    Column("auto_roll", Boolean, nullable=False, server_default=false()),
    Column("roll_chosen", Boolean, nullable=False, server_default=false()),
    Column("board", String(16), nullable=False, server_default="emoji"),
    # The dice, the first message of the table, and the one that has what they are bound to.
    Column("dice_secret", LargeBinary(32)),
    Column("dice_version", Integer),
    Column("dice_message", BigInteger),
    Column("dice_promise", BigInteger),
    Column("plies", Integer, nullable=False),
    # What the message should show, what it shows, and whom to tell that a challenge is accepted.
    Column("revision", Integer, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("nudge", BigInteger),
    # What has to happen without anybody pressing anything.
    Column("unattended", Boolean, nullable=False),
    Column("due", UtcMoment),
    # Which of several processes sees to that, by its first shard, and until when.
    Column("claimed_by", Integer),
    Column("claimed_until", UtcMoment),
    Column("remind_at", UtcMoment),
    Column("guild", BigInteger),
    Column("channel", BigInteger, nullable=False),
    Column("message", BigInteger),
    # The message was deleted, and is not sent again by itself.
    Column("lost", Boolean, nullable=False, server_default=false()),
    # The bot is not in the channel: presses alone bring the message up to date.
    Column("unreachable", Boolean, nullable=False, server_default=false()),
    Column("locale", String(16), nullable=False),
    Column("opened_at", UtcMoment, nullable=False),
    Column("moved_at", UtcMoment, nullable=False),
    Column("rematch", Integer, ForeignKey("session.id", ondelete="SET NULL")),
    # The place of a finished game among all that finished: the order in which records were made.
    Column("finish", Integer),
    # It finished before every seat had moved twice, so that it is not rated.
    Column("short", Boolean, nullable=False, server_default=false()),
    Column("hints", Boolean, nullable=False, server_default=false()),
    # Identifiers are never given twice: a button of a session that is gone must not find another.
    sqlite_autoincrement=True,
)

HAS_PATIENCE: Final = sessions.c.due.is_not(None)
UNFINISHED: Final = sessions.c.ending.is_(None)
UNATTENDED: Final = sessions.c.unattended.is_(True)
ROLLING: Final = (
    sessions.c.dice_version.is_(None)
    | (sessions.c.dice_version == PLAIN)
    | sessions.c.dice_message.is_not(None)
)
"""No dice wait for the id of the first message."""
RECORDED: Final = sessions.c.finish.is_not(None)
FOLLOWED: Final = sessions.c.rematch.is_not(None)
UNRECORDED: Final = (sessions.c.phase == "finished") & sessions.c.finish.is_(None)
ABANDONED: Final = sessions.c.phase == literal_column("'abandoned'")
FINISHED: Final = sessions.c.phase == literal_column("'finished'")
REDRAWN_LATER: Final = -1
"""The shown revision of a finished table's message that was right, but is drawn otherwise now."""

UNSHOWN: Final = sessions.c.shown < sessions.c.revision
BEHIND: Final = UNSHOWN & sessions.c.lost.is_(False) & sessions.c.unreachable.is_(False)
REMINDS: Final = sessions.c.remind_at.is_not(None)
NUDGES: Final = sessions.c.nudge.is_not(None)

# Each index holds only the few rows that are looked for, whatever the number of games played.
_index("due", HAS_PATIENCE, sessions.c.due)
_index("unattended", UNATTENDED, sessions.c.id)
_index("behind", BEHIND, sessions.c.id)
_index("remind_at", REMINDS, sessions.c.remind_at)
_index("nudge", NUDGES, sessions.c.id)
_index("unfinished", UNFINISHED, sessions.c.channel)
# Who removes a session looks for the one before it: without this index, among all sessions.
_index("rematch", FOLLOWED, sessions.c.rematch)
_index("unrecorded", UNRECORDED, sessions.c.finish)
_index("abandoned", ABANDONED, sessions.c.host)
_index("finish", RECORDED, sessions.c.finish, unique=True)
# The finished games of a channel, the latest first.
_index("finished", FINISHED, sessions.c.channel, sessions.c.moved_at)

seats: Final = _table(
    "seat",
    _of_session(),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("person", BigInteger, index=True),
    Column("level", String(16)),
    Column("payoff", Float),
    # The person's word for the dice, and what they take of it, which is left of one forgotten.
    Column("word", String(LONGEST)),
    Column("word_digest", String(64)),
)

moves: Final = _table(
    "move",
    _of_session(),
    Column("ply", Integer, primary_key=True),
    Column("move", Integer, nullable=False),
    Column("played_at", UtcMoment, nullable=False),
)

# Moves that were taken back, by the number of the time that this happened at a table, from 1.
taken_back: Final = _table(
    "taken_back",
    _of_session(),
    Column("number", Integer, primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("move", Integer, nullable=False),
    Column("played_at", UtcMoment, nullable=False),
)

# Reminders whose messages stand in a channel, until they are done with.
standing_reminders: Final = _table(
    "reminder",
    _of_session(),
    Column("person", BigInteger, primary_key=True, index=True),
    Column("occasion", String(16), primary_key=True),
    Column("channel", BigInteger, nullable=False),
    Column("message", BigInteger, nullable=False),
    Column("ply", Integer, nullable=False),
)

# What the review of a finished game has found, made when a person first asked for it.
reviews: Final = _table(
    "review",
    _of_session(),
    Column("found", JSON, nullable=False),
)

interactions: Final = _table(
    "interaction",
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("session", ForeignKey("session.id", ondelete="CASCADE"), nullable=False),
    Column("at", UtcMoment, nullable=False),
)

people: Final = _table(
    "person",
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("form", String(16)),
    Column("language", String(16)),
    Column("challenges", Boolean, nullable=False, server_default=true()),
    Column("reminders", String(16), nullable=False, server_default="on"),
)

blocks: Final = _table(
    "block",
    Column("person", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked", BigInteger, primary_key=True, autoincrement=False, index=True),
)

# Whether a person's first answer to the puzzle of a day was right; days are counted from 1970.
puzzle_answers: Final = _table(
    "puzzle_answer",
    Column("person", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("solved", Boolean, nullable=False),
)

# Every server that has settings or had a game, and when the bot left it.
servers: Final = _table(
    "server",
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("games", Integer),
    Column("language", String(16)),
    Column("board", String(16)),
    Column("left_at", UtcMoment),
)

server_channels: Final = _table(
    "server_channel",
    Column("server", ForeignKey("server.id", ondelete="CASCADE"), primary_key=True),
    Column("channel", BigInteger, primary_key=True, autoincrement=False),
)

notes: Final = _table(
    "note",
    Column("key", String(64), primary_key=True),
    Column("value", String, nullable=False),
)

# One person's finished games, in the order in which they finished: history and rating curve.
# Against computers `level` is there, between people the ratings after the game are: everywhere, and
# in the server that it was played in.
results: Final = _table(
    "result",
    Column("person", BigInteger, primary_key=True),
    Column("finish", Integer, primary_key=True),
    Column("session", ForeignKey("session.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("game", String(32), nullable=False),
    Column("guild", BigInteger),
    Column("at", UtcMoment, nullable=False),
    Column("outcome", String(16), nullable=False),
    Column("level", String(16)),
    Column("mu", Float),
    Column("sigma", Float),
    Column("mu_here", Float),
    Column("sigma_here", Float),
)

# The scope of the tables below is a server's id, or 0 for everywhere.
standings: Final = _table(
    "standing",
    Column("person", BigInteger, primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("scope", BigInteger, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("ordinal", Float, nullable=False),
    *_counts(),
    Column("streak", Integer, nullable=False),
    Column("best_streak", Integer, nullable=False),
    # The leaderboard: one range of it for each game and scope.
    Index("ix_standing_ordinal", "game", "scope", "ordinal", "person"),
)

# A leaderboard's blocks, each from its bound up to the next, with how many people are in it.
standing_blocks: Final = _table(
    "standing_block",
    Column("game", String(32), primary_key=True),
    Column("scope", BigInteger, primary_key=True),
    Column("ordinal", Float, primary_key=True),
    Column("person", BigInteger, primary_key=True),
    Column("people", Integer, nullable=False),
)

MOST_IN_BLOCK: Final = 4096
"""The most people in a block."""

FULL_BLOCK: Final = standing_blocks.c.people > literal_column(str(MOST_IN_BLOCK))

_index("full", FULL_BLOCK, standing_blocks.c.people)

level_records: Final = _table(
    "level_record",
    Column("person", BigInteger, primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("scope", BigInteger, primary_key=True),
    Column("level", String(16), primary_key=True),
    *_counts(),
)

pairings: Final = _table(
    "pairing",
    Column("person", BigInteger, primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("scope", BigInteger, primary_key=True),
    Column("opponent", BigInteger, primary_key=True),
    *_counts(),
)

RECORDS: Final = (results, standings, level_records, pairings)
"""The tables that follow from the finished games alone."""

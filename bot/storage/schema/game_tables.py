"""The SQL tables of games: sessions, their seats and moves, and the messages about them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    String,
    Table,
    false,
    literal_column,
    text,
)

from bot.storage.schema.base import (
    CHANNEL,
    INTERACTION,
    MESSAGE,
    Fate,
    define,
    guild,
    id_key,
    index,
    metadata,
    of_session,
    person,
)
from bot.storage.values import LeaseEnd, UtcMoment
from bot.table.dice import PLAIN
from bot.table.seats import LONGEST

sessions: Final = Table(
    "session",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", String(32), nullable=False),
    Column("host", BigInteger, nullable=False, info=person(Fate.FORMER, told="games")),
    Column("phase", String(16), nullable=False),
    Column("ending", String(16)),
    # The dice: the table's first message, and the message with their seal.
    Column("dice_version", Integer),
    Column("dice_message", BigInteger, info=MESSAGE),
    Column("dice_promise", BigInteger, info=MESSAGE),
    Column("plies", Integer, nullable=False),
    # The table's revision, the one that its message shows, and a challenger to be notified.
    Column("revision", Integer, nullable=False),
    Column("shown", Integer, nullable=False),
    Column("nudge", BigInteger, info=person(Fate.EMPTIED, untold="it is gone with the next board")),
    # The work that is due without a press.
    Column("unattended", Boolean, nullable=False),
    Column("due", UtcMoment),
    # The first shard of the process that has claimed it, and until when, by the database's clock.
    Column("claimed_by", Integer),
    Column("claimed_until", LeaseEnd),
    Column("remind_at", UtcMoment),
    Column(
        "guild",
        BigInteger,
        info=guild(Fate.EMPTIED, along=("channel", "message", "thread", "rematch")),
    ),
    Column("channel", BigInteger, nullable=False, info=CHANNEL),
    Column("message", BigInteger, info=MESSAGE),
    # The thread of the message, or 0 if none could be opened.
    Column("thread", BigInteger, info=CHANNEL),
    # The message was deleted; the bot does not send it again unasked.
    Column("lost", Boolean, nullable=False, server_default=false()),
    # The bot is no member there: only answers to presses bring the message up to date.
    Column("unreachable", Boolean, nullable=False, server_default=false()),
    Column("moved_at", UtcMoment, nullable=False),
    Column("rematch", Integer, ForeignKey("session.id", ondelete="SET NULL")),
    # The number of a finished game among all finished ones, the order of entering the records.
    Column("finish", Integer),
    # It finished before every seat had moved twice, so that it is not rated.
    Column("short", Boolean, nullable=False, server_default=false()),
    # It is played in a tournament.
    Column("tournament", Boolean, nullable=False, server_default=false()),
    # All other fields of the table, as in `table_rows`.
    Column("state", JSON, nullable=False, server_default=text("'{}'")),
    # Ids are never reused: a button of a deleted session must not lead to another one.
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
"""The table has no dice that still wait for the id of its first message."""
RECORDED: Final = sessions.c.finish.is_not(None)
FOLLOWED: Final = sessions.c.rematch.is_not(None)
UNRECORDED: Final = (sessions.c.phase == "finished") & sessions.c.finish.is_(None)
ABANDONED: Final = sessions.c.phase == literal_column("'abandoned'")
FINISHED: Final = sessions.c.phase == literal_column("'finished'")
REDRAWN_LATER: Final = -1
"""The value of `shown` for a finished table whose message was up to date but must be redrawn."""

UNSHOWN: Final = sessions.c.shown < sessions.c.revision
BEHIND: Final = UNSHOWN & sessions.c.lost.is_(False) & sessions.c.unreachable.is_(False)
REMINDS: Final = sessions.c.remind_at.is_not(None)
NUDGES: Final = sessions.c.nudge.is_not(None)

# Each of these indexes stays small, however many games were played: it has only the rows searched.
index("due", HAS_PATIENCE, sessions.c.due)
index("unattended", UNATTENDED, sessions.c.id)
index("behind", BEHIND, sessions.c.id)
index("remind_at", REMINDS, sessions.c.remind_at)
index("nudge", NUDGES, sessions.c.id)
index("unfinished", UNFINISHED, sessions.c.channel)
# Deleting a session looks for the one whose rematch it is; without this index, among all sessions.
index("rematch", FOLLOWED, sessions.c.rematch)
index("unrecorded", UNRECORDED, sessions.c.finish)
index("abandoned", ABANDONED, sessions.c.host)
index("finish", RECORDED, sessions.c.finish, unique=True)
# The finished games of a channel, the latest first.
index("finished", FINISHED, sessions.c.channel, sessions.c.moved_at)

seats: Final = define(
    "seat",
    of_session(),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column(
        "person", BigInteger, index=True, info=person(Fate.FORMER, along=("word",), told="games")
    ),
    # The person's word for the dice, which roll by its digest.
    Column("word", String(LONGEST)),
)

moves: Final = define(
    "move",
    of_session(),
    Column("ply", Integer, primary_key=True),
    Column("move", Integer, nullable=False),
    Column("played_at", UtcMoment, nullable=False),
)

# Moves that were taken back; `number` counts the take-backs at a table from 1.
taken_back: Final = define(
    "taken_back",
    of_session(),
    Column("number", Integer, primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("move", Integer, nullable=False),
    Column("played_at", UtcMoment, nullable=False),
)

# Reminders whose messages are in a channel and will be deleted there.
standing_reminders: Final = define(
    "reminder",
    of_session(),
    Column(
        "person",
        BigInteger,
        primary_key=True,
        index=True,
        info=person(Fate.FORMER, untold="its message says the same"),
    ),
    Column("occasion", String(16), primary_key=True),
    Column("channel", BigInteger, nullable=False, info=CHANNEL),
    Column("message", BigInteger, nullable=False, info=MESSAGE),
    Column("ply", Integer, nullable=False),
)

# The review of a finished game, made when a person first asks for it. An outdated one is not shown,
# and is made anew.
reviews: Final = define(
    "review",
    of_session(),
    Column("found", JSON, nullable=False),
    Column("outdated", Boolean, nullable=False, server_default=false()),
)

interactions: Final = define(
    "interaction",
    id_key("id", INTERACTION),
    Column("session", ForeignKey("session.id", ondelete="CASCADE"), nullable=False),
    Column("at", UtcMoment, nullable=False),
)

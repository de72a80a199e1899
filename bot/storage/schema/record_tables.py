"""The SQL tables of records, which follow from the finished games alone."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Index, Integer, String

from bot.storage.schema.base import Fate, define, guild, person
from bot.storage.values import UtcMoment


def _counts() -> tuple[Column[int], ...]:
    names = ("wins", "draws", "losses")
    return tuple(Column(name, Integer, nullable=False) for name in names)


# A person's finished games in the order in which they finished, for the history and rating curve.
# A game against computers has a `level`; one between people has the ratings after it, everywhere
# (`mu`, `sigma`) and in its server (`mu_here`, `sigma_here`).
results: Final = define(
    "result",
    Column("person", BigInteger, primary_key=True, info=person(Fate.FORMER, told="games")),
    Column("finish", Integer, primary_key=True),
    Column("session", ForeignKey("session.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("game", String(32), nullable=False),
    Column("guild", BigInteger, info=guild(Fate.EMPTIED, along=("mu_here", "sigma_here"))),
    Column("at", UtcMoment, nullable=False),
    Column("outcome", String(16), nullable=False),
    Column("level", String(16)),
    Column("mu", Float),
    Column("sigma", Float),
    Column("mu_here", Float),
    Column("sigma_here", Float),
)

# In the tables below, `scope` is a server's id, or 0 for everywhere; `season` is a month, such as
# 202611, or 0 for all time.
standings: Final = define(
    "standing",
    Column("person", BigInteger, primary_key=True, info=person(Fate.FORMER, told="statistics")),
    Column("game", String(32), primary_key=True),
    Column("season", Integer, primary_key=True),
    Column("scope", BigInteger, primary_key=True, info=guild(Fate.DELETED)),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("ordinal", Float, nullable=False),
    *_counts(),
    Column("streak", Integer, nullable=False),
    Column("best_streak", Integer, nullable=False),
    Column("rated", Integer, nullable=False),
    Column("opponents", Integer, nullable=False),
    # Each leaderboard (game, scope and season) is one range of this index.
    Index("ix_standing_ordinal", "game", "scope", "season", "ordinal", "person"),
)

level_records: Final = define(
    "level_record",
    Column("person", BigInteger, primary_key=True, info=person(Fate.FORMER, told="statistics")),
    Column("game", String(32), primary_key=True),
    Column("scope", BigInteger, primary_key=True, info=guild(Fate.DELETED)),
    Column("level", String(16), primary_key=True),
    *_counts(),
)

pairings: Final = define(
    "pairing",
    Column("person", BigInteger, primary_key=True, info=person(Fate.FORMER, told="statistics")),
    Column("game", String(32), primary_key=True),
    Column("season", Integer, primary_key=True),
    Column("scope", BigInteger, primary_key=True, info=guild(Fate.DELETED)),
    Column(
        "opponent",
        BigInteger,
        primary_key=True,
        info=person(Fate.FORMER, untold="the same from the other side"),
    ),
    *_counts(),
)

# A badge that a person has earned in a kind of game, with the game that earned it.
badges: Final = define(
    "badge",
    Column("person", BigInteger, primary_key=True, info=person(Fate.FORMER, told="statistics")),
    Column("game", String(32), primary_key=True),
    Column("badge", String(32), primary_key=True),
    Column("session", ForeignKey("session.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("guild", BigInteger, info=guild(Fate.EMPTIED)),
    Column("at", UtcMoment, nullable=False),
    Index("ix_badge_guild", "guild", "game", "badge"),
)

# A person's half points in the puzzle's league, and their number of solved puzzles: sums over
# their answers.
puzzle_points: Final = define(
    "puzzle_points",
    Column(
        "person",
        BigInteger,
        primary_key=True,
        info=person(Fate.DELETED, untold="sums of the puzzles"),
    ),
    Column("season", Integer, primary_key=True),
    Column("scope", BigInteger, primary_key=True, info=guild(Fate.DELETED)),
    Column("halves", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    Index("ix_puzzle_points_halves", "scope", "season", "halves", "person"),
)

RECORDS: Final = (results, standings, level_records, pairings, badges)
"""The tables that follow from the finished games alone."""

"""The SQL tables of records, which follow from the finished games alone."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Index, Integer, String

from bot.storage.schema.base import Fate, define, guild, person
from bot.storage.values import UtcMoment


def _counts() -> tuple[Column[int], ...]:
    names = ("wins", "draws", "losses")
    return tuple(Column(name, Integer, nullable=False) for name in names)


# One person's finished games, in the order in which they finished: history and rating curve.
# Against computers `level` is there, between people the ratings after the game are: everywhere, and
# in the server that it was played in.
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

# The scope of the tables below is a server's id, or 0 for everywhere; the season a month such as
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
    # The leaderboard: one range of it for each game, scope and season.
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

# A badge that a person has earned in a kind of game, with the first game that it was for.
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

# A person's points in the puzzle's league, in halves, and the puzzles they have solved: sums of
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

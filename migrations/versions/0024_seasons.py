"""Standings of each season beside the lasting ones.

All records are made anew when the bot starts, since they follow from the finished games.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import create, index, recount, required

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.drop_table("standing")
    op.drop_table("standing_block")
    _create("season")
    recount()


def downgrade() -> None:
    """Leave the lasting standings, whose places the version before counts when it starts."""
    names = "person, game, scope, mu, sigma, ordinal, wins, draws, losses, streak, best_streak"
    op.execute(f"CREATE TABLE lasting AS SELECT {names} FROM standing WHERE season = 0")  # noqa: S608
    op.drop_table("standing")
    op.drop_table("standing_block")
    _create()
    op.execute(f"INSERT INTO standing ({names}) SELECT {names} FROM lasting")  # noqa: S608
    op.drop_table("lasting")


def _create(*season: str) -> None:
    create(
        "standing",
        *required(sa.BigInteger(), "person"),
        *required(sa.String(32), "game"),
        *required(sa.Integer(), *season),
        *required(sa.BigInteger(), "scope"),
        *required(sa.Float(), "mu", "sigma", "ordinal"),
        *required(sa.Integer(), "wins", "draws", "losses", "streak", "best_streak"),
        key=("person", "game", *season, "scope"),
    )
    ranked = ["game", "scope", *season, "ordinal", "person"]
    op.create_index("ix_standing_ordinal", "standing", ranked)
    create(
        "standing_block",
        *required(sa.String(32), "game"),
        *required(sa.BigInteger(), "scope"),
        *required(sa.Integer(), *season),
        *required(sa.Float(), "ordinal"),
        *required(sa.BigInteger(), "person"),
        *required(sa.Integer(), "people"),
        key=("game", "scope", *season, "ordinal", "person"),
    )
    index("full", "people", "people > 4096", table="standing_block")

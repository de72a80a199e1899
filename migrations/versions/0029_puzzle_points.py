"""Points of the puzzle's league, which the bot sums up from the answers when it starts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import create, required

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    create(
        "puzzle_points",
        *required(sa.BigInteger(), "person"),
        *required(sa.Integer(), "season"),
        *required(sa.BigInteger(), "scope"),
        *required(sa.Integer(), "halves", "solved"),
        key=("person", "season", "scope"),
    )
    key = ["scope", "season", "halves", "person"]
    op.create_index("ix_puzzle_points_halves", "puzzle_points", key)


def downgrade() -> None:
    op.drop_table("puzzle_points")

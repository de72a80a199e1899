"""Blocks of leaderboards with their numbers of people, which the bot counts at its start."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import create, index, required

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    create(
        "standing_block",
        *required(sa.String(32), "game"),
        *required(sa.BigInteger(), "scope"),
        *required(sa.Float(), "ordinal"),
        *required(sa.BigInteger(), "person"),
        *required(sa.Integer(), "people"),
        key=("game", "scope", "ordinal", "person"),
    )
    index("full", "people", "people > 4096", table="standing_block")


def downgrade() -> None:
    op.drop_table("standing_block")

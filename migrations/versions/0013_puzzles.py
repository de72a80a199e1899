"""People's answers to the daily puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import create, required

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    create(
        "puzzle_answer",
        *required(sa.BigInteger(), "person"),
        *required(sa.Integer(), "day"),
        *required(sa.Boolean(), "solved"),
        key=("person", "day"),
    )


def downgrade() -> None:
    op.drop_table("puzzle_answer")

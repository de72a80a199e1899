"""People's answers to the daily puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "puzzle_answer",
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("person", "day", name=op.f("pk_puzzle_answer")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("puzzle_answer")

"""Blocks of leaderboards with their numbers of people, which the bot counts at its start."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "standing_block",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("ordinal", sa.Float(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "game", "scope", "ordinal", "person", name=op.f("pk_standing_block")
        ),
        sqlite_with_rowid=False,
    )
    full = sa.text("people > 4096")
    op.create_index(
        "ix_standing_block_full",
        "standing_block",
        ["people"],
        sqlite_where=full,
        postgresql_where=full,
    )


def downgrade() -> None:
    op.drop_table("standing_block")

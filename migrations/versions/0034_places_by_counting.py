"""Places on leaderboards are counted: the blocks that summed them up are gone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.drop_table("standing_block")


def downgrade() -> None:
    """Make the table without a row: the version before fills it when it starts."""
    op.create_table(
        "standing_block",
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("scope", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("season", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("ordinal", sa.Float(), primary_key=True),
        sa.Column("person", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_standing_block_full",
        "standing_block",
        ["people"],
        sqlite_where=sa.text("people > 4096"),
        postgresql_where=sa.text("people > 4096"),
    )

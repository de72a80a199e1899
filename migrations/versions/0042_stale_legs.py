"""The messages that tell how matches ended, and whether those of a leg are to be drawn anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    """Where those told before are is not known."""
    for column in (
        sa.Column("result", sa.BigInteger()),
        sa.Column("stale", sa.Boolean(), nullable=False, server_default=sa.false()),
    ):
        op.add_column("tournament_leg", column)
    op.create_index(
        "ix_tournament_leg_stale",
        "tournament_leg",
        ["tournament"],
        sqlite_where=sa.text("stale IS 1"),
        postgresql_where=sa.text("stale IS true"),
    )


def downgrade() -> None:
    op.drop_index("ix_tournament_leg_stale", "tournament_leg")
    op.drop_column("tournament_leg", "stale")
    op.drop_column("tournament_leg", "result")

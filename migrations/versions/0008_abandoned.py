"""Whoever opened a table that was closed is found: they may have left its seats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    abandoned = sa.text("phase = 'abandoned'")
    op.create_index(
        "ix_session_abandoned",
        "session",
        ["host"],
        sqlite_where=abandoned,
        postgresql_where=abandoned,
    )


def downgrade() -> None:
    op.drop_index("ix_session_abandoned", table_name="session")

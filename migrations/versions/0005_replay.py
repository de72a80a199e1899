"""The finished games of a channel, the latest first."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    condition = sa.text("phase = 'finished'")
    op.create_index(
        "ix_session_finished",
        "session",
        ["channel", "moved_at"],
        sqlite_where=condition,
        postgresql_where=condition,
    )


def downgrade() -> None:
    op.drop_index("ix_session_finished", table_name="session")

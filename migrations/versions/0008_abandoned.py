"""An index for the host of a closed table, who may have left its seats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


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

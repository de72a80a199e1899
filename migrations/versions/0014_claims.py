"""The process that serves a table, and until when."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("session", sa.Column("claimed_until", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.execute("ALTER TABLE session DROP COLUMN claimed_until")

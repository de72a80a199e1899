"""Which of several processes sees to a table, and for how long."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("session", sa.Column("claimed_until", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.execute("ALTER TABLE session DROP COLUMN claimed_until")

"""The process that has claimed a table, by the first of its shards."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("session", sa.Column("claimed_by", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.execute("ALTER TABLE session DROP COLUMN claimed_by")

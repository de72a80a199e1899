"""The weeks in a row in which nobody played in a server's weekly arena."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    quiet = sa.Column("arena_quiet", sa.Integer(), nullable=False, server_default="0")
    op.add_column("server", quiet)


def downgrade() -> None:
    op.drop_column("server", "arena_quiet")

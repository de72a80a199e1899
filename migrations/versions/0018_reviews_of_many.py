"""Reviews of games of three and four, repeated with better calibrated chances."""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.execute("DELETE FROM review WHERE session IN (SELECT session FROM seat WHERE seat = 2)")


def downgrade() -> None:
    pass

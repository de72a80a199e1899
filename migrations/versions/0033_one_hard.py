"""One level `hard`: games against Ludo's `hard` of before 0.2 count as games against `hard`."""

from __future__ import annotations

from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.execute(
        "INSERT INTO note (key, value) SELECT 'recount', ''"
        " WHERE EXISTS (SELECT 1 FROM seat WHERE level = 'old_hard')"
        " AND NOT EXISTS (SELECT 1 FROM note WHERE key = 'recount')"
    )
    op.execute("UPDATE seat SET level = 'hard' WHERE level = 'old_hard'")


def downgrade() -> None:
    """Leave the level: the version before knows `hard` too."""

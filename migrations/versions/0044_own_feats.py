"""Badges for the feats of people themselves: not for those of a computer that took their seat."""

from __future__ import annotations

from alembic import op

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    """Have the records made anew, and forget when the bot was there, which absences tell."""
    op.execute(
        "INSERT INTO note (key, value) SELECT 'recount', ''"
        " WHERE EXISTS (SELECT 1 FROM seat WHERE kind = 'absent')"
        " AND NOT EXISTS (SELECT 1 FROM note WHERE key = 'recount')"
    )
    op.execute("DELETE FROM note WHERE key = 'last here'")


def downgrade() -> None:
    """The version before gives more badges, when it makes the records anew."""
    op.execute(
        "INSERT INTO note (key, value) SELECT 'recount', ''"
        " WHERE NOT EXISTS (SELECT 1 FROM note WHERE key = 'recount')"
    )

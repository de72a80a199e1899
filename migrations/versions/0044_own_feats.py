"""Badges for the feats of people themselves, not of a computer in their seat; old reviews."""

from __future__ import annotations

from alembic import op

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    """Have the records made anew, and reviews of Ludo for places, where others win now.

    When the bot was last there is forgotten: absences tell it.
    """
    op.execute(
        "INSERT INTO note (key, value) SELECT 'recount', ''"
        " WHERE EXISTS (SELECT 1 FROM seat WHERE kind = 'absent')"
        " AND NOT EXISTS (SELECT 1 FROM note WHERE key = 'recount')"
    )
    op.execute(
        "UPDATE review SET outdated = true WHERE session IN (SELECT id FROM session"
        " WHERE game = 'ludo' AND CAST(state AS TEXT) LIKE '%\"places\"%')"
    )
    op.execute("DELETE FROM note WHERE key = 'last here'")


def downgrade() -> None:
    """The version before gives more badges, when it makes the records anew."""
    op.execute(
        "INSERT INTO note (key, value) SELECT 'recount', ''"
        " WHERE NOT EXISTS (SELECT 1 FROM note WHERE key = 'recount')"
    )

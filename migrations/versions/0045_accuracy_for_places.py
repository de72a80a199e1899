"""Reviews of Ludo for places without the choices that came after another had won."""

from __future__ import annotations

from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    """Have reviews of Ludo for places made anew, whose accuracy counted those choices as best."""
    op.execute(
        "UPDATE review SET outdated = true WHERE session IN (SELECT id FROM session"
        " WHERE game = 'ludo' AND CAST(state AS TEXT) LIKE '%\"places\"%')"
    )


def downgrade() -> None:
    """The version before makes them anew in its way."""
    upgrade()

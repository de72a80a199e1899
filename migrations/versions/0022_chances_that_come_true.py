"""Reviews of Ludo, to be made anew: its winning chances are fitted to each kind of table."""

from __future__ import annotations

from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.execute(
        "UPDATE review SET outdated = true WHERE session IN"
        " (SELECT id FROM session WHERE game = 'ludo')"
    )


def downgrade() -> None:
    """Leave them: a review that is made anew serves the version before as well."""

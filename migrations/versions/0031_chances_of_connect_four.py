"""Reviews of connect four, to be made anew: its winning chances come true now."""

from __future__ import annotations

from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.execute(
        "UPDATE review SET outdated = true WHERE session IN"
        " (SELECT id FROM session WHERE game = 'connectfour')"
    )


def downgrade() -> None:
    """Leave them: a review that is made anew serves the version before as well."""

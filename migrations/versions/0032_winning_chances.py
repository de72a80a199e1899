"""Reviews of connect four and of Ludo, to be made anew: their winning chances were fitted again."""

from __future__ import annotations

from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.execute(
        "UPDATE review SET outdated = true WHERE session IN"
        " (SELECT id FROM session WHERE game IN ('connectfour', 'ludo'))"
    )


def downgrade() -> None:
    """Leave them: a review that is made anew serves the version before as well."""

"""Reviews of games with dice, to be made anew: their luck told who played well from who did not."""

from __future__ import annotations

from alembic import op

from migrations.steps import add_flags, drop

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    add_flags("review", "outdated")
    op.execute(
        "UPDATE review SET outdated = true WHERE session IN"
        " (SELECT id FROM session WHERE game = 'ludo')"
    )


def downgrade() -> None:
    drop("review", "outdated")

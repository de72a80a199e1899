"""Running games of Ludo are looked at anew."""

from __future__ import annotations

from alembic import op

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    """Have due work find where no person decides: dice stop for news at other rolls since."""
    op.execute("UPDATE session SET unattended = true WHERE game = 'ludo' AND phase = 'running'")


def downgrade() -> None:
    """The version before looks at them in each round until their next move."""

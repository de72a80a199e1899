"""The finished games of a channel, the latest first."""

from __future__ import annotations

from migrations.steps import drop_index, index

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    index("finished", "channel", "phase = 'finished'", "moved_at")


def downgrade() -> None:
    drop_index("finished")

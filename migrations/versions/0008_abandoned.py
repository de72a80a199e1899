"""An index for the host of a closed table, who may have left its seats."""

from __future__ import annotations

from migrations.steps import drop_index, index

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    index("abandoned", "host", "phase = 'abandoned'")


def downgrade() -> None:
    drop_index("abandoned")

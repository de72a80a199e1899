"""The time at which a paused tournament goes on by itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"

LASTS = timedelta(days=7)


def upgrade() -> None:
    """Have each that is paused go on in a week."""
    op.add_column("tournament", sa.Column("pause_ends", sa.BigInteger()))
    ends = round((datetime.now(UTC) + LASTS).timestamp() * 1000)
    paused = sa.text(
        "UPDATE tournament SET pause_ends = :ends, due = coalesce(due, :ends)"
        " WHERE paused AND stage = 'running'"
    )
    op.execute(paused.bindparams(ends=ends))


def downgrade() -> None:
    op.drop_column("tournament", "pause_ends")

"""The process that has claimed a table, by the first of its shards."""

from __future__ import annotations

import sqlalchemy as sa

from migrations.steps import add, drop, optional

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    add("session", *optional(sa.Integer(), "claimed_by"))


def downgrade() -> None:
    drop("session", "claimed_by")

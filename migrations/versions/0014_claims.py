"""The process that serves a table, and until when."""

from __future__ import annotations

import sqlalchemy as sa

from migrations.steps import add, drop, optional

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    add("session", *optional(sa.BigInteger(), "claimed_until"))


def downgrade() -> None:
    drop("session", "claimed_until")

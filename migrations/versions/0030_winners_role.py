"""A role for winners of tournaments, in servers that choose one."""

from __future__ import annotations

import sqlalchemy as sa

from migrations.steps import add, drop, optional

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    add("server", *optional(sa.BigInteger(), "winner_role"))


def downgrade() -> None:
    drop("server", "winner_role")

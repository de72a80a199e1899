"""Threads of tables' messages, in servers that want them."""

from __future__ import annotations

import sqlalchemy as sa

from migrations.steps import add, add_flags, drop, optional

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    add_flags("server", "threads")
    add("session", *optional(sa.BigInteger(), "thread"))


def downgrade() -> None:
    drop("session", "thread")
    drop("server", "threads")

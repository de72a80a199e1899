"""The move that a hint names, to be lit on its board."""

from __future__ import annotations

import sqlalchemy as sa

from migrations.steps import add, drop, optional

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    add("session", *optional(sa.Integer(), "hint"))


def downgrade() -> None:
    drop("session", "hint")

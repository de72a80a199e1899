"""The moves that people tried at a daily puzzle, of which there may be two."""

from __future__ import annotations

import sqlalchemy as sa

from migrations.steps import add, drop, optional

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    add("puzzle_answer", *optional(sa.Integer(), "first", "second"))


def downgrade() -> None:
    drop("puzzle_answer", "first", "second")

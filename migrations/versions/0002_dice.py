"""Dice, tables that roll by themselves, and plies that no person decides."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import add, add_flags, drop, drop_index, index, optional

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    drop_index("computer_to_move")
    add_flags("session", "auto_roll")
    add("session", *optional(sa.LargeBinary(32), "dice_secret"))
    _rename("computer_to_move", "unattended")
    index("unattended", "id", "unattended IS {1}")


def downgrade() -> None:
    drop_index("unattended")
    _rename("unattended", "computer_to_move")
    drop("session", "dice_secret", "auto_roll")
    index("computer_to_move", "id", "computer_to_move IS {1}")


def _rename(before: str, after: str) -> None:
    # Not in a batch: to copy the table and drop the old one would take every seat and move along.
    op.execute(f"ALTER TABLE session RENAME COLUMN {before} TO {after}")

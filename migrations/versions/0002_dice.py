"""Dice, tables that roll by themselves, and plies that no person decides."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.drop_index("ix_session_computer_to_move", table_name="session")
    op.add_column(
        "session", sa.Column("auto_roll", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("session", sa.Column("dice_secret", sa.LargeBinary(length=32), nullable=True))
    _rename("computer_to_move", "unattended")
    _index("ix_session_unattended", "unattended")


def downgrade() -> None:
    op.drop_index("ix_session_unattended", table_name="session")
    _rename("unattended", "computer_to_move")
    for column in ("dice_secret", "auto_roll"):
        op.execute(f"ALTER TABLE session DROP COLUMN {column}")
    _index("ix_session_computer_to_move", "computer_to_move")


def _rename(before: str, after: str) -> None:
    # Not in a batch: to copy the table and drop the old one would take every seat and move along.
    op.execute(f"ALTER TABLE session RENAME COLUMN {before} TO {after}")


def _index(name: str, column: str) -> None:
    op.create_index(
        name,
        "session",
        ["id"],
        sqlite_where=sa.text(f"{column} IS 1"),
        postgresql_where=sa.text(f"{column} IS true"),
    )

"""Sessions, their seats and moves, the interactions carried out, and notes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import create, index, optional, required

revision = "0001"
down_revision = None


def upgrade() -> None:
    create("note", *required(sa.String(64), "key"), *required(sa.String(), "value"), key=("key",))
    op.create_table(
        "session",
        *required(sa.Integer(), "id"),
        *required(sa.String(32), "game"),
        *required(sa.JSON(), "options"),
        *required(sa.String(16), "pace"),
        *required(sa.BigInteger(), "host"),
        *required(sa.String(16), "phase"),
        *optional(sa.String(16), "ending"),
        *optional(sa.Integer(), "offer"),
        *required(sa.Boolean(), "lapsed"),
        *required(sa.Integer(), "plies", "revision", "shown"),
        *optional(sa.BigInteger(), "nudge"),
        *required(sa.Boolean(), "computer_to_move"),
        *optional(sa.BigInteger(), "due", "guild"),
        *required(sa.BigInteger(), "channel"),
        *optional(sa.BigInteger(), "message"),
        *required(sa.String(16), "locale"),
        *required(sa.BigInteger(), "opened_at", "moved_at"),
        *optional(sa.Integer(), "rematch"),
        sa.ForeignKeyConstraint(
            ["rematch"],
            ["session.id"],
            name=op.f("fk_session_rematch_session"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session")),
        sqlite_autoincrement=True,
    )
    index("behind", "id", "shown < revision OR nudge IS NOT NULL")
    index("computer_to_move", "id", "computer_to_move IS {1}")
    index("due", "due", "due IS NOT NULL")
    create(
        "interaction",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        *required(sa.Integer(), "session"),
        *required(sa.BigInteger(), "at"),
        key=("id",),
        of="session",
    )
    create(
        "move",
        *required(sa.Integer(), "session", "ply", "move"),
        *required(sa.BigInteger(), "played_at"),
        key=("session", "ply"),
        of="session",
    )
    create(
        "seat",
        *required(sa.Integer(), "session", "seat"),
        *required(sa.String(16), "kind"),
        *optional(sa.BigInteger(), "person"),
        *optional(sa.String(16), "level"),
        *optional(sa.Float(), "payoff"),
        key=("session", "seat"),
        of="session",
    )
    op.create_index("ix_seat_person", "seat", ["person"])


def downgrade() -> None:
    for table in ("seat", "move", "interaction", "session", "note"):
        op.drop_table(table)

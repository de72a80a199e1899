"""Reminders, moves taken back, how boards look, lost messages, short games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import add, add_flags, create, drop, drop_index, index, optional, required

revision = "0010"
down_revision = "0009"

FLAGS = ("roll_chosen", "lost", "short")
BEHIND = "shown < revision AND lost IS {0}"
UNRECORDED = "phase = 'finished' AND finish IS NULL"


def upgrade() -> None:
    add_flags("session", *FLAGS)
    add(
        "session",
        sa.Column("board", sa.String(16), nullable=False, server_default="emoji"),
        *optional(sa.Integer(), "take_back"),
        *optional(sa.BigInteger(), "remind_at"),
    )
    add("person", sa.Column("reminders", sa.String(16), nullable=False, server_default="on"))
    add("server", *optional(sa.String(16), "board"))
    op.execute("UPDATE session SET nudge = NULL WHERE nudge IS NOT NULL")
    # Turns under way are reminded of before their end, whenever they began.
    for pace, before_the_end in (("live", 60_000), ("correspondence", 12 * 3_600_000)):
        op.execute(
            f"UPDATE session SET remind_at = due - {before_the_end} "  # noqa: S608 - numbers
            f"WHERE phase = 'running' AND due IS NOT NULL AND lapsed IS false AND pace = '{pace}'"
        )
    drop_index("behind")
    index("behind", "id", BEHIND)
    drop_index("unrecorded")
    index("unrecorded", "finish", UNRECORDED)
    index("remind_at", "remind_at", "remind_at IS NOT NULL")
    index("nudge", "id", "nudge IS NOT NULL")
    create(
        "taken_back",
        *required(sa.Integer(), "session", "number", "ply", "move"),
        *required(sa.BigInteger(), "played_at"),
        key=("session", "number", "ply"),
        of="session",
    )
    create(
        "reminder",
        *required(sa.Integer(), "session"),
        *required(sa.BigInteger(), "person"),
        *required(sa.String(16), "occasion"),
        *required(sa.BigInteger(), "channel", "message"),
        *required(sa.Integer(), "ply"),
        key=("session", "person", "occasion"),
        of="session",
    )
    op.create_index("ix_reminder_person", "reminder", ["person"])


def downgrade() -> None:
    op.drop_table("reminder")
    op.drop_table("taken_back")
    for name in ("nudge", "remind_at", "unrecorded", "behind"):
        drop_index(name)
    drop("session", *FLAGS, "board", "take_back", "remind_at")
    drop("person", "reminders")
    drop("server", "board")
    index("unrecorded", "id", UNRECORDED)
    index("behind", "id", "shown < revision OR nudge IS NOT NULL")

"""Reminders, moves taken back, how boards look, lost messages, short games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_UNRECORDED = "phase = 'finished' AND finish IS NULL"
_FLAGS = ("roll_chosen", "lost", "short")


def upgrade() -> None:
    for name in _FLAGS:
        op.add_column(
            "session", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.add_column(
        "session", sa.Column("board", sa.String(16), nullable=False, server_default="emoji")
    )
    op.add_column("session", sa.Column("take_back", sa.Integer(), nullable=True))
    op.add_column("session", sa.Column("remind_at", sa.BigInteger(), nullable=True))
    op.add_column(
        "person", sa.Column("reminders", sa.String(16), nullable=False, server_default="on")
    )
    op.add_column("server", sa.Column("board", sa.String(16), nullable=True))
    op.execute("UPDATE session SET nudge = NULL WHERE nudge IS NOT NULL")
    _remind_of_turns_under_way()
    op.drop_index("ix_session_behind", table_name="session")
    _index("behind", "id", "shown < revision AND lost IS 0", "shown < revision AND lost IS false")
    op.drop_index("ix_session_unrecorded", table_name="session")
    _index("unrecorded", "finish", _UNRECORDED)
    _index("remind_at", "remind_at", "remind_at IS NOT NULL")
    _index("nudge", "id", "nudge IS NOT NULL")
    _create_tables()


def _remind_of_turns_under_way() -> None:
    """Remind of every running turn with a limit, whenever it began."""
    for pace, before_the_end in (("live", 60_000), ("correspondence", 12 * 3_600_000)):
        op.execute(
            f"UPDATE session SET remind_at = due - {before_the_end} "  # noqa: S608 - numbers
            f"WHERE phase = 'running' AND due IS NOT NULL AND lapsed IS false AND pace = '{pace}'"
        )


def _index(name: str, column: str, condition: str, on_postgresql: str | None = None) -> None:
    op.create_index(
        f"ix_session_{name}",
        "session",
        [column],
        sqlite_where=sa.text(condition),
        postgresql_where=sa.text(on_postgresql or condition),
    )


def _create_tables() -> None:
    op.create_table(
        "taken_back",
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("move", sa.Integer(), nullable=False),
        sa.Column("played_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"],
            ["session.id"],
            name=op.f("fk_taken_back_session_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session", "number", "ply", name=op.f("pk_taken_back")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "reminder",
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("occasion", sa.String(16), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"],
            ["session.id"],
            name=op.f("fk_reminder_session_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session", "person", "occasion", name=op.f("pk_reminder")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_reminder_person", "reminder", ["person"])


def downgrade() -> None:
    op.drop_table("reminder")
    op.drop_table("taken_back")
    for name in ("nudge", "remind_at", "unrecorded", "behind"):
        op.drop_index(f"ix_session_{name}", table_name="session")
    for name in (*_FLAGS, "board", "take_back", "remind_at"):
        op.execute(f"ALTER TABLE session DROP COLUMN {name}")
    op.execute("ALTER TABLE person DROP COLUMN reminders")
    op.execute("ALTER TABLE server DROP COLUMN board")
    _index("unrecorded", "id", _UNRECORDED)
    _index("behind", "id", "shown < revision OR nudge IS NOT NULL")

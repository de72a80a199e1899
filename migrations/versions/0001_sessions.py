"""Sessions, their seats and moves, the interactions carried out, and notes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "note",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_note")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("pace", sa.String(length=16), nullable=False),
        sa.Column("host", sa.BigInteger(), nullable=False),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("ending", sa.String(length=16), nullable=True),
        sa.Column("offer", sa.Integer(), nullable=True),
        sa.Column("lapsed", sa.Boolean(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("nudge", sa.BigInteger(), nullable=True),
        sa.Column("computer_to_move", sa.Boolean(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("moved_at", sa.BigInteger(), nullable=False),
        sa.Column("rematch", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["rematch"],
            ["session.id"],
            name=op.f("fk_session_rematch_session"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.create_index(
            "ix_session_behind",
            ["id"],
            unique=False,
            sqlite_where=sa.text("shown < revision OR nudge IS NOT NULL"),
            postgresql_where=sa.text("shown < revision OR nudge IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_session_computer_to_move",
            ["id"],
            unique=False,
            sqlite_where=sa.text("computer_to_move IS 1"),
            postgresql_where=sa.text("computer_to_move IS true"),
        )
        batch_op.create_index(
            "ix_session_due",
            ["due"],
            unique=False,
            sqlite_where=sa.text("due IS NOT NULL"),
            postgresql_where=sa.text("due IS NOT NULL"),
        )

    op.create_table(
        "interaction",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"],
            ["session.id"],
            name=op.f("fk_interaction_session_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interaction")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "move",
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("move", sa.Integer(), nullable=False),
        sa.Column("played_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"], ["session.id"], name=op.f("fk_move_session_session"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("session", "ply", name=op.f("pk_move")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seat",
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("level", sa.String(length=16), nullable=True),
        sa.Column("payoff", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["session"], ["session.id"], name=op.f("fk_seat_session_session"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("session", "seat", name=op.f("pk_seat")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_person"), ["person"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_person"))

    op.drop_table("seat")
    op.drop_table("move")
    op.drop_table("interaction")
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_session_due",
            sqlite_where=sa.text("due IS NOT NULL"),
            postgresql_where=sa.text("due IS NOT NULL"),
        )
        batch_op.drop_index(
            "ix_session_computer_to_move",
            sqlite_where=sa.text("computer_to_move IS 1"),
            postgresql_where=sa.text("computer_to_move IS true"),
        )
        batch_op.drop_index(
            "ix_session_behind",
            sqlite_where=sa.text("shown < revision OR nudge IS NOT NULL"),
            postgresql_where=sa.text("shown < revision OR nudge IS NOT NULL"),
        )

    op.drop_table("session")
    op.drop_table("note")

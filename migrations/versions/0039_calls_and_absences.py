"""Calls that are taken away, why tournaments end, when the bot was away; feats of connect four."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    for column in (
        sa.Column("why", sa.String(length=16)),
        sa.Column("reminder", sa.BigInteger()),
        sa.Column("deleted", sa.Integer(), nullable=False, server_default="0"),
    ):
        op.add_column("tournament", column)
    op.create_index(
        "ix_tournament_message",
        "tournament",
        ["message"],
        sqlite_where=sa.text("stage IN ('sign_up', 'running')"),
        postgresql_where=sa.text("stage IN ('sign_up', 'running')"),
    )
    for column in (
        sa.Column("called_at", sa.BigInteger()),
        sa.Column("call", sa.BigInteger()),
        sa.Column("told", sa.Boolean(), nullable=False, server_default=sa.false()),
    ):
        op.add_column("tournament_leg", column)
    op.execute("UPDATE tournament_leg SET called_at = 0, told = NOT undecided WHERE called")
    op.drop_column("tournament_leg", "called")
    untold = sa.text("called_at IS NOT NULL AND told IS false")
    op.create_index(
        "ix_tournament_leg_untold",
        "tournament_leg",
        ["tournament"],
        sqlite_where=sa.text("called_at IS NOT NULL AND told IS 0"),
        postgresql_where=untold,
    )
    op.create_table(
        "absence",
        sa.Column("shards", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("began", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger()),
        sa.PrimaryKeyConstraint("shards", "shard", "began", name=op.f("pk_absence")),
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO note (key, value) SELECT 'recount', ''"
        " WHERE EXISTS (SELECT 1 FROM session WHERE phase = 'finished' AND game = 'connectfour')"
        " AND NOT EXISTS (SELECT 1 FROM note WHERE key = 'recount')"
    )


def downgrade() -> None:
    """Forget the feats of connect four, which the version before does not know, with its badges."""
    op.drop_table("absence")
    op.drop_index("ix_tournament_leg_untold", "tournament_leg")
    op.add_column(
        "tournament_leg",
        sa.Column("called", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.execute("UPDATE tournament_leg SET called = called_at IS NOT NULL")
    for name in ("told", "call", "called_at"):
        op.drop_column("tournament_leg", name)
    op.drop_index("ix_tournament_message", "tournament")
    for name in ("deleted", "reminder", "why"):
        op.drop_column("tournament", name)
    op.execute("DELETE FROM badge WHERE game = 'connectfour'")
    op.execute(
        "INSERT INTO note (key, value) SELECT 'recount', ''"
        " WHERE NOT EXISTS (SELECT 1 FROM note WHERE key = 'recount')"
    )

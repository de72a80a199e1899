"""More of people's own choices, and servers' settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("person", sa.Column("language", sa.String(length=16), nullable=True))
    op.add_column(
        "person", sa.Column("challenges", sa.Boolean(), server_default=sa.true(), nullable=False)
    )
    op.create_table(
        "block",
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("person", "blocked", name=op.f("pk_block")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_block_blocked"), "block", ["blocked"])
    op.create_table(
        "server",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("games", sa.Integer(), nullable=True),
        sa.Column("language", sa.String(length=16), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_server")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "server_channel",
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["server"],
            ["server.id"],
            name=op.f("fk_server_channel_server_server"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("server", "channel", name=op.f("pk_server_channel")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    for table in ("server_channel", "server", "block"):
        op.drop_table(table)
    for column in ("challenges", "language"):
        op.execute(f"ALTER TABLE person DROP COLUMN {column}")

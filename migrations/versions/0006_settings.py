"""More of people's own choices, and the settings of guilds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import add, add_flags, create, drop, optional, required

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    add("person", *optional(sa.String(16), "language"))
    add_flags("person", "challenges", default=True)
    create(
        "block",
        *required(sa.BigInteger(), "person", "blocked"),
        key=("person", "blocked"),
    )
    op.create_index("ix_block_blocked", "block", ["blocked"])
    create(
        "server",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        *optional(sa.Integer(), "games"),
        *optional(sa.String(16), "language"),
        key=("id",),
    )
    create(
        "server_channel",
        *required(sa.BigInteger(), "server", "channel"),
        key=("server", "channel"),
        of="server",
    )


def downgrade() -> None:
    for table in ("server_channel", "server", "block"):
        op.drop_table(table)
    drop("person", "challenges", "language")

"""A weekly arena of a server, the end of one by the clock, and who is away from it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"


def of_server() -> list[sa.Column[Any]]:
    return [
        *(sa.Column(f"arena_{name}", sa.BigInteger()) for name in ("channel", "next", "lost")),
        *(sa.Column(f"arena_{name}", sa.Integer()) for name in ("day", "hour", "minutes")),
        sa.Column("arena_game", sa.String(length=64)),
        sa.Column("arena_told", sa.Boolean(), nullable=False, server_default=sa.false()),
    ]


def upgrade() -> None:
    for column in of_server():
        op.add_column("server", column)
    op.add_column("tournament", sa.Column("ends_at", sa.BigInteger()))
    op.add_column(
        "tournament_entry",
        sa.Column("away", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    op.drop_column("tournament_entry", "away")
    op.drop_column("tournament", "ends_at")
    for column in of_server():
        op.drop_column("server", column.name)

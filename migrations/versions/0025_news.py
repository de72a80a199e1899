"""The news of the day in a server's channel, and the servers where puzzles are answered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import add, add_flags, create, drop, optional, required

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    add("server", *optional(sa.BigInteger(), "news_channel", "news_since", "news_lost"))
    add("server", *optional(sa.Integer(), "news_hour"))
    add_flags("person", "streaks")
    add("person", *optional(sa.Integer(), "warned"))
    add("puzzle_answer", *optional(sa.BigInteger(), "at"))
    op.create_index("ix_puzzle_answer_day", "puzzle_answer", ["day", "person"])
    create(
        "puzzle_server",
        *required(sa.BigInteger(), "server"),
        *required(sa.Integer(), "day"),
        *required(sa.BigInteger(), "person"),
        key=("server", "day", "person"),
        of="server",
    )
    op.create_index("ix_puzzle_server_person", "puzzle_server", ["person"])
    create(
        "news",
        *required(sa.BigInteger(), "server"),
        *required(sa.Integer(), "day", "tries"),
        *optional(sa.BigInteger(), "claimed_until", "message"),
        key=("server", "day"),
        of="server",
    )


def downgrade() -> None:
    op.drop_table("news")
    op.drop_table("puzzle_server")
    op.drop_index("ix_puzzle_answer_day", table_name="puzzle_answer")
    drop("puzzle_answer", "at")
    drop("person", "warned", "streaks")
    drop("server", "news_hour", "news_lost", "news_since", "news_channel")

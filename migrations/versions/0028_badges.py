"""Badges, and the feats of seats that some are for.

Both are found in the finished games when the bot starts.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import add, create, drop, optional, recount, required

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    add("seat", *optional(sa.String(255), "feats"))
    create(
        "badge",
        *required(sa.BigInteger(), "person"),
        *required(sa.String(32), "game", "badge"),
        *required(sa.Integer(), "session"),
        *optional(sa.BigInteger(), "guild"),
        *required(sa.BigInteger(), "at"),
        key=("person", "game", "badge"),
        of="session",
    )
    op.create_index("ix_badge_session", "badge", ["session"])
    op.create_index("ix_badge_guild", "badge", ["guild", "game", "badge"])
    recount()


def downgrade() -> None:
    op.drop_table("badge")
    drop("seat", "feats")

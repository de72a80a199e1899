"""Games in which hints were given, and reviews of games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import add_flags, create, drop, required

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    add_flags("session", "hints")
    create(
        "review",
        *required(sa.Integer(), "session"),
        *required(sa.JSON(), "found"),
        key=("session",),
        of="session",
    )


def downgrade() -> None:
    op.drop_table("review")
    drop("session", "hints")

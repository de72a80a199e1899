"""People's own choices, and the games of a channel."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import create, drop_index, index, optional

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    create(
        "person",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        *optional(sa.String(16), "form"),
        key=("id",),
    )
    index("unfinished", "channel", "ending IS NULL")


def downgrade() -> None:
    drop_index("unfinished")
    op.drop_table("person")

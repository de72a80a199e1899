"""Days that break no streak, the revisions of the day's posts, and whether a loss was told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    op.create_table(
        "frozen_day",
        sa.Column("scope", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("scope", "day", name=op.f("pk_frozen_day")),
        sqlite_with_rowid=False,
    )
    for name in ("wanted", "shown"):
        op.add_column("news", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    op.add_column(
        "server", sa.Column("news_told", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def downgrade() -> None:
    op.drop_column("server", "news_told")
    op.drop_column("news", "shown")
    op.drop_column("news", "wanted")
    op.drop_table("frozen_day")

"""The channel that news were sent to, where they can be edited, and an index of those behind."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"


def upgrade() -> None:
    """News that were sent before are in the channel that has them now."""
    op.add_column("news", sa.Column("channel", sa.BigInteger()))
    op.execute(
        "UPDATE news SET channel = (SELECT news_channel FROM server WHERE server.id = news.server)"
        " WHERE message IS NOT NULL"
    )
    behind = sa.text("shown < wanted")
    op.create_index("ix_news_behind", "news", ["day"], sqlite_where=behind, postgresql_where=behind)


def downgrade() -> None:
    op.drop_index("ix_news_behind", "news")
    op.drop_column("news", "channel")

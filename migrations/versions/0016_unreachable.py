"""Tables in places without the bot, whose messages only presses refresh."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column(
        "session",
        sa.Column("unreachable", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.drop_index("ix_session_behind", table_name="session")
    _index("shown < revision AND lost IS {0} AND unreachable IS {0}")


def downgrade() -> None:
    op.drop_index("ix_session_behind", table_name="session")
    op.execute("ALTER TABLE session DROP COLUMN unreachable")
    _index("shown < revision AND lost IS {0}")


def _index(condition: str) -> None:
    """The index of outdated messages; each dialect writes false its own way."""
    op.create_index(
        "ix_session_behind",
        "session",
        ["id"],
        sqlite_where=sa.text(condition.format(0)),
        postgresql_where=sa.text(condition.format("false")),
    )

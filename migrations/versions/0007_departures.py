"""Times at which the bot left a guild; every guild with a game gets a row."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("server", sa.Column("left_at", sa.BigInteger(), nullable=True))
    op.execute(
        "INSERT INTO server (id) SELECT DISTINCT guild FROM session "
        "WHERE guild IS NOT NULL AND guild NOT IN (SELECT id FROM server)"
    )
    followed = sa.text("rematch IS NOT NULL")
    op.create_index(
        "ix_session_rematch",
        "session",
        ["rematch"],
        sqlite_where=followed,
        postgresql_where=followed,
    )


def downgrade() -> None:
    op.drop_index("ix_session_rematch", table_name="session")
    op.execute("ALTER TABLE server DROP COLUMN left_at")

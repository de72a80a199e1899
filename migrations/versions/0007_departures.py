"""Times at which the bot left a guild; every guild with a game gets a row."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import add, drop, drop_index, index, optional

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    add("server", *optional(sa.BigInteger(), "left_at"))
    op.execute(
        "INSERT INTO server (id) SELECT DISTINCT guild FROM session "
        "WHERE guild IS NOT NULL AND guild NOT IN (SELECT id FROM server)"
    )
    index("rematch", "rematch", "rematch IS NOT NULL")


def downgrade() -> None:
    drop_index("rematch")
    drop("server", "left_at")

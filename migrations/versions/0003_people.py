"""People's own choices, and the games of a channel."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "person",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("form", sa.String(length=16), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sqlite_with_rowid=False,
    )
    condition = sa.text("ending IS NULL")
    op.create_index(
        "ix_session_unfinished",
        "session",
        ["channel"],
        sqlite_where=condition,
        postgresql_where=condition,
    )


def downgrade() -> None:
    op.drop_index("ix_session_unfinished", table_name="session")
    op.drop_table("person")

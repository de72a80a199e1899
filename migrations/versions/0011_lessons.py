"""Games in which hints were given, and reviews of games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column(
        "session", sa.Column("hints", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_table(
        "review",
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("found", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"],
            ["session.id"],
            name=op.f("fk_review_session_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session", name=op.f("pk_review")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("review")
    op.execute("ALTER TABLE session DROP COLUMN hints")

"""Records of finished games: results, standings, results by level, opponents.

The games that have finished before are entered when the bot starts, in the order of their ends.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("session", sa.Column("finish", sa.Integer(), nullable=True))
    recorded = sa.text("finish IS NOT NULL")
    op.create_index(
        "ix_session_finish",
        "session",
        ["finish"],
        unique=True,
        sqlite_where=recorded,
        postgresql_where=recorded,
    )
    unrecorded = sa.text("phase = 'finished' AND finish IS NULL")
    op.create_index(
        "ix_session_unrecorded",
        "session",
        ["id"],
        sqlite_where=unrecorded,
        postgresql_where=unrecorded,
    )
    _create_result()
    op.create_table(
        "standing",
        *_key("person", "game", "scope"),
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("mu", "sigma", "ordinal")),
        *_whole("wins", "draws", "losses", "streak", "best_streak"),
        sa.PrimaryKeyConstraint("person", "game", "scope", name=op.f("pk_standing")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_standing_ordinal", "standing", ["game", "scope", "ordinal", "person"])
    for table, last in (("level_record", "level"), ("pairing", "opponent")):
        op.create_table(
            table,
            *_key("person", "game", "scope", last),
            *_whole("wins", "draws", "losses"),
            sa.PrimaryKeyConstraint("person", "game", "scope", last, name=op.f(f"pk_{table}")),
            sqlite_with_rowid=False,
        )


def downgrade() -> None:
    for table in ("pairing", "level_record", "standing", "result"):
        op.drop_table(table)
    for index in ("ix_session_unrecorded", "ix_session_finish"):
        op.drop_index(index, table_name="session")
    # Not in a batch: to copy the table and drop the old one would take every seat and move along.
    op.execute("ALTER TABLE session DROP COLUMN finish")


def _create_result() -> None:
    op.create_table(
        "result",
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("finish", sa.Integer(), nullable=False),
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("level", sa.String(length=16), nullable=True),
        *(
            sa.Column(name, sa.Float(), nullable=True)
            for name in ("mu", "sigma", "mu_here", "sigma_here")
        ),
        sa.ForeignKeyConstraint(
            ["session"], ["session.id"], name=op.f("fk_result_session_session"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person", "finish", name=op.f("pk_result")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_result_session", "result", ["session"])


def _key(*names: str) -> list[sa.Column[object]]:
    types = {"game": sa.String(length=32), "level": sa.String(length=16)}
    return [sa.Column(name, types.get(name, sa.BigInteger()), nullable=False) for name in names]


def _whole(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer(), nullable=False) for name in names]

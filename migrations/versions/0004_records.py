"""Records of finished games: results, standings, results by level, opponents.

The games that have finished before are entered when the bot starts, in the order of their ends.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import add, create, drop, drop_index, index, optional, required

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    add("session", *optional(sa.Integer(), "finish"))
    index("finish", "finish", "finish IS NOT NULL", unique=True)
    index("unrecorded", "id", "phase = 'finished' AND finish IS NULL")
    create(
        "result",
        *required(sa.BigInteger(), "person"),
        *required(sa.Integer(), "finish", "session"),
        *required(sa.String(32), "game"),
        *optional(sa.BigInteger(), "guild"),
        *required(sa.BigInteger(), "at"),
        *required(sa.String(16), "outcome"),
        *optional(sa.String(16), "level"),
        *optional(sa.Float(), "mu", "sigma", "mu_here", "sigma_here"),
        key=("person", "finish"),
        of="session",
    )
    op.create_index("ix_result_session", "result", ["session"])
    create(
        "standing",
        *_key(),
        *required(sa.Float(), "mu", "sigma", "ordinal"),
        *required(sa.Integer(), "wins", "draws", "losses", "streak", "best_streak"),
        key=("person", "game", "scope"),
    )
    op.create_index("ix_standing_ordinal", "standing", ["game", "scope", "ordinal", "person"])
    for table, last, kind in (
        ("level_record", "level", sa.String(16)),
        ("pairing", "opponent", sa.BigInteger()),
    ):
        create(
            table,
            *_key(),
            *required(kind, last),
            *required(sa.Integer(), "wins", "draws", "losses"),
            key=("person", "game", "scope", last),
        )


def downgrade() -> None:
    for table in ("pairing", "level_record", "standing", "result"):
        op.drop_table(table)
    drop_index("unrecorded")
    drop_index("finish")
    drop("session", "finish")


def _key() -> list[sa.Column[object]]:
    return [
        *required(sa.BigInteger(), "person"),
        *required(sa.String(32), "game"),
        *required(sa.BigInteger(), "scope"),
    ]

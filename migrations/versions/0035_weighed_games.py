"""Games are weighed in ratings: pairs are counted by season too, and all records made anew."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"

COUNTS = ("wins", "draws", "losses")


def upgrade() -> None:
    op.execute("UPDATE session SET short = true WHERE phase = 'finished' AND plies < 4")
    _make_anew(weighed=True)


def downgrade() -> None:
    """Leave short games against computers marked: the version before does not look."""
    _make_anew(weighed=False)


def _make_anew(*, weighed: bool) -> None:
    op.drop_table("pairing")
    op.drop_table("standing")
    season = ("season",) if weighed else ()
    key = ("person", "game", *season, "scope", "opponent")
    op.create_table(
        "pairing",
        *(_column(name) for name in (*key, *COUNTS)),
        sa.PrimaryKeyConstraint(*key, name=op.f("pk_pairing")),
        sqlite_with_rowid=False,
    )
    key = ("person", "game", "season", "scope")
    since = ("rated", "opponents") if weighed else ()
    op.create_table(
        "standing",
        *map(_column, key),
        *(sa.Column(name, sa.Float(), nullable=False) for name in ("mu", "sigma", "ordinal")),
        *map(_column, (*COUNTS, "streak", "best_streak", *since)),
        sa.PrimaryKeyConstraint(*key, name=op.f("pk_standing")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_standing_ordinal", "standing", ["game", "scope", "season", "ordinal", "person"]
    )
    op.execute(
        "INSERT INTO note (key, value) SELECT 'recount', ''"
        " WHERE EXISTS (SELECT 1 FROM session WHERE phase = 'finished')"
        " AND NOT EXISTS (SELECT 1 FROM note WHERE key = 'recount')"
    )


def _column(name: str) -> sa.Column[int] | sa.Column[str]:
    if name == "game":
        return sa.Column(name, sa.String(length=32), nullable=False)
    wide = name in {"person", "scope", "opponent"}
    return sa.Column(name, sa.BigInteger() if wide else sa.Integer(), nullable=False)

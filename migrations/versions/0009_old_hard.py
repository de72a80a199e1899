"""A level of its own for games against Ludo's former `hard`, which another agent plays now."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

OLD, HARD = "old_hard", "hard"


def upgrade() -> None:
    # Games that wait or run go on against the new one.
    _rename(
        "seat",
        HARD,
        OLD,
        "session IN (SELECT id FROM session WHERE game = 'ludo' AND ending IS NOT NULL)",
    )
    for table in ("result", "level_record"):
        _rename(table, HARD, OLD, "game = 'ludo'")


def downgrade() -> None:
    # Who has met both gets one record of both, as the games give it.
    op.execute(
        "INSERT INTO level_record (person, game, scope, level, wins, draws, losses) "
        "SELECT person, game, scope, 'hard', wins, draws, losses FROM level_record "
        "WHERE level = 'old_hard' "
        "ON CONFLICT (person, game, scope, level) DO UPDATE SET "
        "wins = level_record.wins + excluded.wins, draws = level_record.draws + excluded.draws, "
        "losses = level_record.losses + excluded.losses"
    )
    op.execute("DELETE FROM level_record WHERE level = 'old_hard'")
    for table in ("seat", "result"):
        _rename(table, OLD, HARD)


def _rename(table: str, before: str, after: str, which: str = "1 = 1") -> None:
    change = f"UPDATE {table} SET level = :after WHERE level = :before AND {which}"  # noqa: S608
    statement = sa.text(change)
    op.execute(statement.bindparams(before=before, after=after))

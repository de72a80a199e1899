"""Games against computers in which moves were taken back; those that run are marked."""

from __future__ import annotations

from alembic import op

from migrations.steps import add_flags, drop

revision = "0021"
down_revision = "0020"

MARKED = """
    UPDATE session SET tried = true
    WHERE ending IS NULL
    AND EXISTS (SELECT 1 FROM taken_back WHERE taken_back.session = session.id)
    AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.session = session.id AND seat.kind = 'absent')
    AND 1 = (SELECT count(*) FROM seat WHERE seat.session = session.id AND seat.kind = 'human')
"""


def upgrade() -> None:
    add_flags("session", "tried")
    op.execute(MARKED)


def downgrade() -> None:
    drop("session", "tried")

"""Dice bound at a table's opening, by its first message and the players' words."""

from __future__ import annotations

from secrets import token_bytes

import sqlalchemy as sa
from alembic import op

from migrations.steps import add, drop, optional

revision = "0017"
down_revision = "0016"

SECRET_BYTES = 32

sessions = sa.table(
    "session",
    sa.column("id", sa.Integer()),
    sa.column("game", sa.String()),
    sa.column("phase", sa.String()),
    sa.column("dice_secret", sa.LargeBinary()),
    sa.column("dice_version", sa.Integer()),
)


def upgrade() -> None:
    add("session", *optional(sa.Integer(), "dice_version"))
    add("session", *optional(sa.BigInteger(), "dice_message", "dice_promise"))
    add("seat", *optional(sa.String(32), "word"), *optional(sa.String(64), "word_digest"))
    # Tables that wait get their dice now, as if it were the start: of the version before.
    connection = op.get_bind()
    waiting = sa.select(sessions.c.id).where(
        sessions.c.game == "ludo", sessions.c.phase == "lobby", sessions.c.dice_secret.is_(None)
    )
    for number in connection.execute(waiting).scalars().all():
        drawn = sa.update(sessions).where(sessions.c.id == number)
        connection.execute(drawn.values(dice_secret=token_bytes(SECRET_BYTES)))
    diced = sa.update(sessions).where(sessions.c.dice_secret.is_not(None))
    connection.execute(diced.values(dice_version=1))


def downgrade() -> None:
    drop("session", "dice_version", "dice_message", "dice_promise")
    drop("seat", "word", "word_digest")

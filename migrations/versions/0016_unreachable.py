"""Tables in places without the bot, whose messages only presses refresh."""

from __future__ import annotations

from migrations.steps import add_flags, drop, drop_index, index

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    add_flags("session", "unreachable")
    drop_index("behind")
    index("behind", "id", "shown < revision AND lost IS {0} AND unreachable IS {0}")


def downgrade() -> None:
    drop_index("behind")
    drop("session", "unreachable")
    index("behind", "id", "shown < revision AND lost IS {0}")

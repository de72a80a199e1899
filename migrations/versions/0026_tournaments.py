"""Tournaments: their entries, their legs, and the tables where these are played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from migrations.steps import add_flags, create, drop, index, optional, required

revision = "0026"
down_revision = "0025"

TABLES = ("tournament", "tournament_entry", "tournament_leg", "tournament_part")


def upgrade() -> None:
    add_flags("session", "tournament")
    create(
        "tournament",
        *required(sa.BigInteger(), "id"),
        *required(sa.String(32), "game"),
        *required(sa.JSON(), "options"),
        *required(sa.String(16), "format", "pace"),
        *required(sa.Integer(), "places"),
        *required(sa.BigInteger(), "host"),
        *required(sa.String(16), "stage"),
        *_flags("paused", "cut"),
        *required(sa.Integer(), "round"),
        *optional(sa.Integer(), "rounds"),
        *required(sa.BigInteger(), "guild", "channel"),
        *optional(sa.BigInteger(), "message", "thread", "podium"),
        *required(sa.String(16), "locale"),
        *required(sa.Boolean(), "starts_when_full"),
        *optional(sa.BigInteger(), "starts_at", "due"),
        *required(sa.Integer(), "revision", "shown"),
        key=("id",),
    )
    op.create_index("ix_tournament_guild", "tournament", ["guild"])
    op.create_index("ix_tournament_host", "tournament", ["host"])
    index("due", "due", "due IS NOT NULL", table="tournament")
    index("behind", "id", "shown < revision", table="tournament")
    create(
        "tournament_entry",
        *required(sa.BigInteger(), "tournament"),
        *required(sa.Integer(), "number"),
        *required(sa.BigInteger(), "person"),
        *optional(sa.Integer(), "seed"),
        *required(sa.Integer(), "since"),
        *_flags("departed"),
        *optional(sa.Integer(), "place"),
        key=("tournament", "number"),
        of="tournament",
    )
    op.create_index("ix_tournament_entry_person", "tournament_entry", ["person"])
    _create_legs()
    create(
        "tournament_part",
        *required(sa.BigInteger(), "tournament"),
        *required(sa.Integer(), "leg", "seat", "entry"),
        *optional(sa.Float(), "points"),
        *required(sa.Float(), "thought"),
        *_flags("present", "absent"),
        key=("tournament", "leg", "seat"),
        of="tournament",
    )


def _create_legs() -> None:
    at_table = sa.ForeignKeyConstraint(
        ["session"],
        ["session.id"],
        name=op.f("fk_tournament_leg_session_session"),
        ondelete="SET NULL",
    )
    create(
        "tournament_leg",
        *required(sa.BigInteger(), "tournament"),
        *required(sa.Integer(), "number", "round", "match_number"),
        *optional(sa.Integer(), "session"),
        *_flags("void"),
        *required(sa.Boolean(), "undecided"),
        *_flags("called"),
        at_table,
        key=("tournament", "number"),
        of="tournament",
    )
    index("session", "session", "session IS NOT NULL", table="tournament_leg")
    index("undecided", "tournament", "undecided IS {1}", table="tournament_leg")


def _flags(*names: str) -> list[sa.Column[bool]]:
    return [sa.Column(n, sa.Boolean(), nullable=False, server_default=sa.false()) for n in names]


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)
    drop("session", "tournament")

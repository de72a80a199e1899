"""Everything that a database of Parlour has had since version 0.4.0.

A database that the 32 migrations before it have made is the same one, but for the order of columns.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = None


def upgrade() -> None:  # noqa: PLR0915 - one table after the other
    op.create_table(
        "block",
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("person", "blocked", name=op.f("pk_block")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_block_blocked", "block", ["blocked"])
    op.create_table(
        "level_record",
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("level", sa.String(length=16), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person", "game", "scope", "level", name=op.f("pk_level_record")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "note",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_note")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "pairing",
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("opponent", sa.BigInteger(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person", "game", "scope", "opponent", name=op.f("pk_pairing")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "person",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("form", sa.String(length=16), nullable=True),
        sa.Column("language", sa.String(length=16), nullable=True),
        sa.Column("challenges", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("reminders", sa.String(length=16), server_default="on", nullable=False),
        sa.Column("streaks", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("warned", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "puzzle_answer",
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=True),
        sa.Column("second", sa.Integer(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("person", "day", name=op.f("pk_puzzle_answer")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_puzzle_answer_day", "puzzle_answer", ["day", "person"])
    op.create_table(
        "puzzle_points",
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("halves", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person", "season", "scope", name=op.f("pk_puzzle_points")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_puzzle_points_halves", "puzzle_points", ["scope", "season", "halves", "person"]
    )
    op.create_table(
        "server",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("games", sa.Integer(), nullable=True),
        sa.Column("language", sa.String(length=16), nullable=True),
        sa.Column("board", sa.String(length=16), nullable=True),
        sa.Column("news_channel", sa.BigInteger(), nullable=True),
        sa.Column("news_hour", sa.Integer(), nullable=True),
        sa.Column("news_since", sa.BigInteger(), nullable=True),
        sa.Column("news_lost", sa.BigInteger(), nullable=True),
        sa.Column("threads", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("winner_role", sa.BigInteger(), nullable=True),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_server")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("pace", sa.String(length=16), nullable=False),
        sa.Column("host", sa.BigInteger(), nullable=False),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("ending", sa.String(length=16), nullable=True),
        sa.Column("offer", sa.Integer(), nullable=True),
        sa.Column("take_back", sa.Integer(), nullable=True),
        sa.Column("lapsed", sa.Boolean(), nullable=False),
        sa.Column("auto_roll", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("roll_chosen", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("board", sa.String(length=16), server_default="emoji", nullable=False),
        sa.Column("dice_secret", sa.LargeBinary(length=32), nullable=True),
        sa.Column("dice_version", sa.Integer(), nullable=True),
        sa.Column("dice_message", sa.BigInteger(), nullable=True),
        sa.Column("dice_promise", sa.BigInteger(), nullable=True),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("nudge", sa.BigInteger(), nullable=True),
        sa.Column("unattended", sa.Boolean(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("claimed_by", sa.Integer(), nullable=True),
        sa.Column("claimed_until", sa.BigInteger(), nullable=True),
        sa.Column("remind_at", sa.BigInteger(), nullable=True),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("thread", sa.BigInteger(), nullable=True),
        sa.Column("lost", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("unreachable", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("moved_at", sa.BigInteger(), nullable=False),
        sa.Column("rematch", sa.Integer(), nullable=True),
        sa.Column("finish", sa.Integer(), nullable=True),
        sa.Column("short", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("hints", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("hint", sa.Integer(), nullable=True),
        sa.Column("tried", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("tournament", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["rematch"],
            ["session.id"],
            name=op.f("fk_session_rematch_session"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_session")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_session_abandoned",
        "session",
        ["host"],
        sqlite_where=sa.text("phase = 'abandoned'"),
        postgresql_where=sa.text("phase = 'abandoned'"),
    )
    op.create_index(
        "ix_session_behind",
        "session",
        ["id"],
        sqlite_where=sa.text("shown < revision AND lost IS 0 AND unreachable IS 0"),
        postgresql_where=sa.text("shown < revision AND lost IS false AND unreachable IS false"),
    )
    op.create_index(
        "ix_session_due",
        "session",
        ["due"],
        sqlite_where=sa.text("due IS NOT NULL"),
        postgresql_where=sa.text("due IS NOT NULL"),
    )
    op.create_index(
        "ix_session_finish",
        "session",
        ["finish"],
        unique=True,
        sqlite_where=sa.text("finish IS NOT NULL"),
        postgresql_where=sa.text("finish IS NOT NULL"),
    )
    op.create_index(
        "ix_session_finished",
        "session",
        ["channel", "moved_at"],
        sqlite_where=sa.text("phase = 'finished'"),
        postgresql_where=sa.text("phase = 'finished'"),
    )
    op.create_index(
        "ix_session_nudge",
        "session",
        ["id"],
        sqlite_where=sa.text("nudge IS NOT NULL"),
        postgresql_where=sa.text("nudge IS NOT NULL"),
    )
    op.create_index(
        "ix_session_rematch",
        "session",
        ["rematch"],
        sqlite_where=sa.text("rematch IS NOT NULL"),
        postgresql_where=sa.text("rematch IS NOT NULL"),
    )
    op.create_index(
        "ix_session_remind_at",
        "session",
        ["remind_at"],
        sqlite_where=sa.text("remind_at IS NOT NULL"),
        postgresql_where=sa.text("remind_at IS NOT NULL"),
    )
    op.create_index(
        "ix_session_unattended",
        "session",
        ["id"],
        sqlite_where=sa.text("unattended IS 1"),
        postgresql_where=sa.text("unattended IS true"),
    )
    op.create_index(
        "ix_session_unfinished",
        "session",
        ["channel"],
        sqlite_where=sa.text("ending IS NULL"),
        postgresql_where=sa.text("ending IS NULL"),
    )
    op.create_index(
        "ix_session_unrecorded",
        "session",
        ["finish"],
        sqlite_where=sa.text("phase = 'finished' AND finish IS NULL"),
        postgresql_where=sa.text("phase = 'finished' AND finish IS NULL"),
    )
    op.create_table(
        "standing",
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("ordinal", sa.Float(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("best_streak", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person", "game", "season", "scope", name=op.f("pk_standing")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_standing_ordinal", "standing", ["game", "scope", "season", "ordinal", "person"]
    )
    op.create_table(
        "standing_block",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Float(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("people", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "game", "scope", "season", "ordinal", "person", name=op.f("pk_standing_block")
        ),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_standing_block_full",
        "standing_block",
        ["people"],
        sqlite_where=sa.text("people > 4096"),
        postgresql_where=sa.text("people > 4096"),
    )
    op.create_table(
        "tournament",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("format", sa.String(length=16), nullable=False),
        sa.Column("pace", sa.String(length=16), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("host", sa.BigInteger(), nullable=False),
        sa.Column("stage", sa.String(length=16), nullable=False),
        sa.Column("paused", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("cut", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=True),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.Column("thread", sa.BigInteger(), nullable=True),
        sa.Column("podium", sa.BigInteger(), nullable=True),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("starts_when_full", sa.Boolean(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=True),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_tournament_behind",
        "tournament",
        ["id"],
        sqlite_where=sa.text("shown < revision"),
        postgresql_where=sa.text("shown < revision"),
    )
    op.create_index(
        "ix_tournament_due",
        "tournament",
        ["due"],
        sqlite_where=sa.text("due IS NOT NULL"),
        postgresql_where=sa.text("due IS NOT NULL"),
    )
    op.create_index("ix_tournament_guild", "tournament", ["guild"])
    op.create_index("ix_tournament_host", "tournament", ["host"])
    op.create_table(
        "badge",
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("badge", sa.String(length=32), nullable=False),
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"], ["session.id"], name=op.f("fk_badge_session_session"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person", "game", "badge", name=op.f("pk_badge")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_badge_guild", "badge", ["guild", "game", "badge"])
    op.create_index("ix_badge_session", "badge", ["session"])
    op.create_table(
        "interaction",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"],
            ["session.id"],
            name=op.f("fk_interaction_session_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interaction")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "move",
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("move", sa.Integer(), nullable=False),
        sa.Column("played_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"], ["session.id"], name=op.f("fk_move_session_session"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("session", "ply", name=op.f("pk_move")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "news",
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("claimed_until", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["server"], ["server.id"], name=op.f("fk_news_server_server"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("server", "day", name=op.f("pk_news")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "puzzle_server",
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["server"],
            ["server.id"],
            name=op.f("fk_puzzle_server_server_server"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("server", "day", "person", name=op.f("pk_puzzle_server")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_puzzle_server_person", "puzzle_server", ["person"])
    op.create_table(
        "reminder",
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("occasion", sa.String(length=16), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"],
            ["session.id"],
            name=op.f("fk_reminder_session_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session", "person", "occasion", name=op.f("pk_reminder")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_reminder_person", "reminder", ["person"])
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
        sa.Column("mu", sa.Float(), nullable=True),
        sa.Column("sigma", sa.Float(), nullable=True),
        sa.Column("mu_here", sa.Float(), nullable=True),
        sa.Column("sigma_here", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["session"], ["session.id"], name=op.f("fk_result_session_session"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person", "finish", name=op.f("pk_result")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_result_session", "result", ["session"])
    op.create_table(
        "review",
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("found", sa.JSON(), nullable=False),
        sa.Column("outdated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"], ["session.id"], name=op.f("fk_review_session_session"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("session", name=op.f("pk_review")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seat",
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("level", sa.String(length=16), nullable=True),
        sa.Column("payoff", sa.Float(), nullable=True),
        sa.Column("feats", sa.String(length=255), nullable=True),
        sa.Column("word", sa.String(length=32), nullable=True),
        sa.Column("word_digest", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(
            ["session"], ["session.id"], name=op.f("fk_seat_session_session"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("session", "seat", name=op.f("pk_seat")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seat_person", "seat", ["person"])
    op.create_table(
        "server_channel",
        sa.Column("server", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["server"],
            ["server.id"],
            name=op.f("fk_server_channel_server_server"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("server", "channel", name=op.f("pk_server_channel")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "taken_back",
        sa.Column("session", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("move", sa.Integer(), nullable=False),
        sa.Column("played_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"],
            ["session.id"],
            name=op.f("fk_taken_back_session_session"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session", "number", "ply", name=op.f("pk_taken_back")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tournament_entry",
        sa.Column("tournament", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=True),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("departed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament"],
            ["tournament.id"],
            name=op.f("fk_tournament_entry_tournament_tournament"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tournament", "number", name=op.f("pk_tournament_entry")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tournament_entry_person", "tournament_entry", ["person"])
    op.create_table(
        "tournament_leg",
        sa.Column("tournament", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.Integer(), nullable=False),
        sa.Column("session", sa.Integer(), nullable=True),
        sa.Column("void", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("undecided", sa.Boolean(), nullable=False),
        sa.Column("called", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session"],
            ["session.id"],
            name=op.f("fk_tournament_leg_session_session"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["tournament"],
            ["tournament.id"],
            name=op.f("fk_tournament_leg_tournament_tournament"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tournament", "number", name=op.f("pk_tournament_leg")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_tournament_leg_session",
        "tournament_leg",
        ["session"],
        sqlite_where=sa.text("session IS NOT NULL"),
        postgresql_where=sa.text("session IS NOT NULL"),
    )
    op.create_index(
        "ix_tournament_leg_undecided",
        "tournament_leg",
        ["tournament"],
        sqlite_where=sa.text("undecided IS 1"),
        postgresql_where=sa.text("undecided IS true"),
    )
    op.create_table(
        "tournament_part",
        sa.Column("tournament", sa.BigInteger(), nullable=False),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("points", sa.Float(), nullable=True),
        sa.Column("thought", sa.Float(), nullable=False),
        sa.Column("present", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("absent", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament"],
            ["tournament.id"],
            name=op.f("fk_tournament_part_tournament_tournament"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("tournament", "leg", "seat", name=op.f("pk_tournament_part")),
        sqlite_with_rowid=False,
    )

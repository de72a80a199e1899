"""The SQL tables of tournaments: entries, legs, and the parts of entries in legs."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    String,
    exists,
    false,
    literal_column,
)

from bot.storage.schema.base import (
    CHANNEL,
    INTERACTION,
    MESSAGE,
    Fate,
    define,
    guild,
    id_key,
    index,
    person,
)
from bot.storage.schema.game_tables import RECORDED, seats, sessions
from bot.storage.values import UtcMoment


def _of_tournament() -> Column[int]:
    return Column(
        "tournament",
        ForeignKey("tournament.id", ondelete="CASCADE"),
        primary_key=True,
        info=INTERACTION,
    )


# The id is that of the interaction that opened it, or one made like it for a weekly arena, whose
# host is 0 and which ends at `ends_at`. The matches are played in `thread`, which is the channel
# itself if there is no thread; `podium` is the message that names the winners.
tournaments: Final = define(
    "tournament",
    id_key("id", INTERACTION),
    Column("game", String(32), nullable=False),
    Column("options", JSON, nullable=False),
    Column("format", String(16), nullable=False),
    Column("pace", String(16), nullable=False),
    Column("places", Integer, nullable=False),
    Column(
        "host", BigInteger, nullable=False, index=True, info=person(Fate.FORMER, told="tournaments")
    ),
    Column("stage", String(16), nullable=False),
    Column("paused", Boolean, nullable=False, server_default=false()),
    Column("cut", Boolean, nullable=False, server_default=false()),
    Column("why", String(16)),
    Column("round", Integer, nullable=False),
    Column("rounds", Integer),
    Column("guild", BigInteger, nullable=False, index=True, info=guild(Fate.DELETED)),
    Column("channel", BigInteger, nullable=False, info=CHANNEL),
    Column("message", BigInteger, info=MESSAGE),
    Column("thread", BigInteger, info=CHANNEL),
    Column("podium", BigInteger, info=MESSAGE),
    # The message saying that it starts soon; how often the tournament's message was deleted.
    Column("reminder", BigInteger, info=MESSAGE),
    Column("deleted", Integer, nullable=False, server_default="0"),
    Column("locale", String(16), nullable=False),
    Column("starts_when_full", Boolean, nullable=False),
    Column("starts_at", UtcMoment),
    Column("ends_at", UtcMoment),
    Column("pause_ends", UtcMoment),
    # When the next step is due, the revision, and the revision that the message shows.
    Column("due", UtcMoment),
    Column("revision", Integer, nullable=False),
    Column("shown", Integer, nullable=False),
)

LIVE: Final = tournaments.c.stage.in_((literal_column("'sign_up'"), literal_column("'running'")))
SIGNING_UP: Final = tournaments.c.stage == literal_column("'sign_up'")
STEP_DUE: Final = tournaments.c.due.is_not(None)
NOT_SHOWN: Final = tournaments.c.shown < tournaments.c.revision

index("due", STEP_DUE, tournaments.c.due)
index("behind", NOT_SHOWN, tournaments.c.id)
index("message", LIVE, tournaments.c.message)

entries: Final = define(
    "tournament_entry",
    _of_tournament(),
    Column("number", Integer, primary_key=True),
    Column(
        "person",
        BigInteger,
        nullable=False,
        index=True,
        info=person(Fate.FORMER, told="tournaments"),
    ),
    Column("seed", Integer),
    Column("since", Integer, nullable=False),
    Column("departed", Boolean, nullable=False, server_default=false()),
    Column("place", Integer),
    Column("away", Boolean, nullable=False, server_default=false()),
)

legs: Final = define(
    "tournament_leg",
    _of_tournament(),
    Column("number", Integer, primary_key=True),
    Column("round", Integer, nullable=False),
    Column("match_number", Integer, nullable=False),
    Column("session", ForeignKey("session.id", ondelete="SET NULL")),
    Column("void", Boolean, nullable=False, server_default=false()),
    Column("undecided", Boolean, nullable=False),
    # When its players were called to the table, and the message of the call while it is there;
    # whether its end was told, and by which message; whether these messages may name a person
    # forgotten since.
    Column("called_at", UtcMoment),
    Column("call", BigInteger, info=MESSAGE),
    Column("told", Boolean, nullable=False, server_default=false()),
    Column("result", BigInteger, info=MESSAGE),
    Column("stale", Boolean, nullable=False, server_default=false()),
)

AT_TABLE: Final = legs.c.session.is_not(None)
UNDECIDED: Final = legs.c.undecided.is_(True)

index("session", AT_TABLE, legs.c.session)
UNTOLD: Final = legs.c.called_at.is_not(None) & legs.c.told.is_(False)
"""Its players were called, and the end of the match was not told yet."""

STALE: Final = legs.c.stale.is_(True)

index("stale", STALE, legs.c.tournament)
index("undecided", UNDECIDED, legs.c.tournament)
index("untold", UNTOLD, legs.c.tournament)

_FINAL: Final = (legs.c.tournament == tournaments.c.id) & (legs.c.round == tournaments.c.round)
_PLAYED_FINAL: Final = exists().where(_FINAL, legs.c.match_number == 0, legs.c.void.is_(False))
COMPLETE: Final = (tournaments.c.stage == "over") & (
    tournaments.c.cut.is_(False)
    | (
        (tournaments.c.round == tournaments.c.rounds)
        & ((tournaments.c.format != "knockout") | _PLAYED_FINAL)
    )
)
"""It is over, and its last round was paired, and no final ended, as in `Tournament.complete`."""

parts: Final = define(
    "tournament_part",
    _of_tournament(),
    Column("leg", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("entry", Integer, nullable=False),
    Column("points", Float),
    Column("thought", Float, nullable=False),
    Column("present", Boolean, nullable=False, server_default=false()),
    Column("absent", Boolean, nullable=False, server_default=false()),
)

PLAYED: Final = RECORDED & sessions.c.short.is_(False) & (seats.c.kind == "human")
"""A seat's person has really played, as in `Part.played`."""

"""A tournament where it is held: its server, its channel, its thread; and the draft of one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.table.seats import Pace
from bot.table.table import made_at
from bot.tournaments.tournament import Format, Leg, Stage, Tournament, TournamentId

BY_HOST, WHEN_FULL = "host", "full"
"""The starts that have no time; the others are minutes from the opening."""

STARTS: Final = (BY_HOST, WHEN_FULL, "15", "60", "360", "1440")

SIGN_UP_LASTS: Final = timedelta(days=7)
"""The time after which a sign-up without a start is called off."""

PLACES: Final = (*range(3, 9), 12, 16, 24, 32, 48, 64)


@dataclass(frozen=True, slots=True)
class TournamentDraft:
    """The choices for a tournament that is not open yet.

    `places` are as many as its format takes at most. `rounds` are those of a Swiss one; 0 leaves
    them to the number of entries.
    """

    game: str
    variant: str
    format: Format
    places: int
    pace: Pace
    start: str
    rounds: int = 0


def start_time(start: str, now: datetime) -> datetime | None:
    """The time of a start; None if the host starts it, or the last person to join."""
    return now + timedelta(minutes=int(start)) if start.isdecimal() else None


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament at its place in Discord.

    One that comes by itself is ended by the clock: it `ends_at` a time, later if it begins late.
    `thread` is where its matches are played, None until that is settled. `due` is when the next
    step is. `revision` grows with every change, `shown` is the one that its message shows; `podium`
    is the message that names the winners. The players of the legs `called` know of them.
    """

    id: TournamentId
    tournament: Tournament
    guild: int
    channel: int
    locale: str
    starts_when_full: bool = False
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    due: datetime | None = None
    message: int | None = None
    thread: int | None = None
    podium: int | None = None
    revision: int = 1
    shown: int = 0
    called: frozenset[int] = frozenset()

    @property
    def start(self) -> str:
        """The one of `STARTS` with which it was opened."""
        if self.starts_at is None:
            return WHEN_FULL if self.starts_when_full else BY_HOST
        waits = (self.starts_at - made_at(self.id)) / timedelta(minutes=1)
        return min(filter(str.isdecimal, STARTS), key=lambda start: abs(int(start) - waits))

    @property
    def sign_up_ends(self) -> datetime:
        """The time at which the tournament begins by itself, or is called off without a start."""
        return self.starts_at or made_at(self.id) + SIGN_UP_LASTS

    @property
    def to_call(self) -> tuple[Leg, ...]:
        """The legs to which nobody has been called yet."""
        legs = self.tournament.open_legs()
        return tuple(leg for leg in legs if leg.table and leg.number not in self.called)

    @property
    def live(self) -> bool:
        """Whether it is still to begin, or to end."""
        return self.tournament.stage in {Stage.SIGN_UP, Stage.RUNNING}

"""A tournament where it is held: its server, its channel, its thread; and the draft of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from bot.table.seats import Pace
from bot.table.table import made_at
from bot.tournaments.progress import is_decided
from bot.tournaments.tournament import Format, Leg, Stage, Tournament, TournamentId

BY_HOST, WHEN_FULL = "host", "full"
"""The starts that have no time; the others are minutes from the opening."""

STARTS: Final = (BY_HOST, WHEN_FULL, "15", "60", "360", "1440")

SIGN_UP_LASTS: Final = timedelta(days=7)
"""The time after which a sign-up without a start is called off."""

PAUSE_LASTS: Final = timedelta(days=7)
"""The time after which a paused tournament goes on by itself."""

MOST_AT_ONCE: Final = 3
"""The most tournaments of a server that people have opened and that wait or run."""

PLACES: Final = (*range(3, 9), 12, 16, 24, 32, 48, 64)


@dataclass(frozen=True, slots=True)
class TournamentDraft:
    """The choices for a tournament that is not open yet.

    If its format takes fewer or more than `places`, the number nearest to them counts. `rounds`
    are those of a Swiss one; 0 leaves them to the number of entries.
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
class HostedTournament:
    """A tournament at its place in Discord.

    One that comes by itself is ended by the clock: it `ends_at` a time, later if it begins late. A
    paused one goes on when its `pause_ends`. `thread` is where its matches are played, None until
    that is settled. `due` is when the next step is. `revision` grows with every change, `shown` is
    the one that its message shows; `podium` is the message that names the winners. The legs
    `called` could be seen from a time on; `calls` are the messages that call players to a leg and
    still stand, and the end of the match of the legs `told` was told, by the messages `results`.
    The messages of the legs that are `stale` may name a person who is forgotten since. `reminder`
    is the message that says that it starts soon, and `deleted` how often its message was deleted.
    """

    id: TournamentId
    tournament: Tournament
    guild: int
    channel: int
    locale: str
    starts_when_full: bool = False
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    pause_ends: datetime | None = None
    due: datetime | None = None
    message: int | None = None
    thread: int | None = None
    podium: int | None = None
    revision: int = 1
    shown: int = 0
    called: Mapping[int, datetime] = field(default_factory=dict)
    calls: Mapping[int, int] = field(default_factory=dict)
    told: frozenset[int] = frozenset()
    results: Mapping[int, int] = field(default_factory=dict)
    stale: frozenset[int] = frozenset()
    reminder: int | None = None
    deleted: int = 0

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
    def to_tell(self) -> Iterator[Sequence[Leg]]:
        """The legs of each match that is over and was called to, and whose end is not told."""
        for legs in self.tournament.matches:
            untold = [leg for leg in legs if leg.number in self.called.keys() - self.told]
            if untold and is_decided(self.tournament, legs):
                yield legs

    @property
    def never_told(self) -> Sequence[int]:
        """The legs that were called to and whose end is not told: void ones, or cut-off matches'.

        Those whose call still stands are left out, so that it is taken away first.
        """
        waiting = self.called.keys() - self.told - self.calls.keys()
        waiting -= {leg.number for legs in self.to_tell for leg in legs}
        return [each for each in waiting if self.tournament.leg(each).void or not self.live]

    def seen(self, leg: Leg, at: datetime) -> datetime | None:
        """The time since which the players of a leg can see a board that was drawn `at` a time.

        They see none before they are called to it: None if that is still to come.
        """
        called = self.called.get(leg.number)
        if called is None:
            return None if leg.open else at
        return max(at, called)

    def follows(self, leg: Leg) -> bool:
        """Whether a leg follows another one of its match, whose players are there."""
        legs = [each for each in self.tournament.legs if each.number < leg.number and not each.void]
        return any((each.round, each.match) == (leg.round, leg.match) for each in legs)

    @property
    def live(self) -> bool:
        """Whether it is still to begin, or to end."""
        return self.tournament.stage in {Stage.SIGN_UP, Stage.RUNNING}

"""A tournament at its place in Discord, and the draft of one."""

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
"""The starts without a fixed time; all others are minutes from the opening."""

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

    If the format does not allow that number of `places`, the nearest possible one counts. `rounds`
    are for the Swiss format; 0 means that they depend on the number of entries.
    """

    game: str
    variant: str
    format: Format
    places: int
    pace: Pace
    start: str
    rounds: int = 0


def start_time(start: str, now: datetime) -> datetime | None:
    """The time of a start; None if the host starts it, or it starts when full."""
    return now + timedelta(minutes=int(start)) if start.isdecimal() else None


@dataclass(frozen=True, slots=True)
class HostedTournament:
    """A tournament at its place in Discord.

    An arena ends at `ends_at`, later if it starts late. A paused one goes on at `pause_ends`.
    `thread` is where its matches are played: None at first, and the channel if none can be opened.
    `due` is when the next step is due. `revision` grows with every change, `shown` is the one that
    its message shows; `podium` is the message that names the winners.

    By number of leg: `called` is when its players were called to its table, and `calls` the message
    of the call while it is there; `told` are legs of matches whose end was told, by the messages
    `results`. Messages of `stale` legs may name a person forgotten since. `reminder` is the message
    that it starts soon, and `deleted` how often its main message was deleted.
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
        """The member of `STARTS` with which it was opened."""
        if self.starts_at is None:
            return WHEN_FULL if self.starts_when_full else BY_HOST
        waits = (self.starts_at - made_at(self.id)) / timedelta(minutes=1)
        return min(filter(str.isdecimal, STARTS), key=lambda start: abs(int(start) - waits))

    @property
    def sign_up_ends(self) -> datetime:
        """When the tournament starts by itself, or else is called off if nobody starts it."""
        return self.starts_at or made_at(self.id) + SIGN_UP_LASTS

    @property
    def to_call(self) -> tuple[Leg, ...]:
        """The open legs at tables to which their players have not been called yet."""
        legs = self.tournament.open_legs()
        return tuple(leg for leg in legs if leg.table and leg.number not in self.called)

    @property
    def to_tell(self) -> Iterator[Sequence[Leg]]:
        """The legs of each decided match whose players were called and whose end was not told."""
        for legs in self.tournament.matches:
            untold = [leg for leg in legs if leg.number in self.called.keys() - self.told]
            if untold and is_decided(self.tournament, legs):
                yield legs

    @property
    def never_told(self) -> Sequence[int]:
        """The called legs whose end will never be told: void ones, and those of unfinished matches.

        Legs whose call is still there are left out, so that it is deleted first.
        """
        waiting = self.called.keys() - self.told - self.calls.keys()
        waiting -= {leg.number for legs in self.to_tell for leg in legs}
        return [each for each in waiting if self.tournament.leg(each).void or not self.live]

    def seen(self, leg: Leg, at: datetime) -> datetime | None:
        """When the players of a leg could see a board that was drawn `at` a time.

        That is not before they were called to it; None if they were not yet.
        """
        called = self.called.get(leg.number)
        if called is None:
            return None if leg.open else at
        return max(at, called)

    def follows(self, leg: Leg) -> bool:
        """Whether a leg follows another one of its match, so that its players are there."""
        legs = [each for each in self.tournament.legs if each.number < leg.number and not each.void]
        return any((each.round, each.match) == (leg.round, leg.match) for each in legs)

    @property
    def live(self) -> bool:
        """Whether it is in sign-up or running."""
        return self.tournament.stage in {Stage.SIGN_UP, Stage.RUNNING}

"""A weekly arena with people who come and go, on a real database, by a clock that is moved on.

    python -m tests.benchmarks.weekly [--people N] [--minutes N] [--game WORD] [--seed N]

It prints how many games there were, how long people waited between two of theirs, and who met the
same one twice in a row. People think for some seconds a move and play at random. A third of them go
in the middle: every other one by the button, the rest without a word, so that the clock takes them
off the list, and all are back some minutes later.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

from bot.service.due_work import Absences
from bot.service.matches import Matches
from bot.service.openings import Admission
from bot.service.search_pool import SearchQueue
from bot.service.tables import Press, TableService
from bot.service.tournaments import Tournaments
from bot.service.weekly_arenas import SIGN_UP_AHEAD, WeeklyArenas
from bot.storage.choices import GuildId
from bot.storage.stores import Stores, stores
from bot.table.actions import move_action
from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from bot.table.session import Phase, Session, SessionId
from bot.table.table import InteractionId, Table
from bot.tournaments import arena, progress
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.progress import standings
from bot.tournaments.scores import TournamentScores
from bot.tournaments.tournament import EntryNumber, Stage, Tournament, TournamentId
from engine.game import Move
from tests.bot.clock import ManualClock

HERE: Final = GuildId(7 << 22)
CHANNEL, MESSAGE, THREAD = 21, 22, 23
NONE_YET: Final = TournamentId(0)
SECOND: Final = timedelta(seconds=1)
ROUND: Final = timedelta(seconds=5)
"""The time between two looks for what is due, as of the bot's rounds."""


PersonStep: TypeAlias = Callable[[Tournament, PersonId], Tournament]


class NoThinker:
    """A thinker at tables where people alone play."""

    def quick(self, _: Session) -> Move | None:
        """None."""
        return None

    async def move(self, _: Session) -> Move:
        """Nothing is ever asked."""
        raise AssertionError("nobody plays a computer")


@dataclass
class Player:
    """A person who thinks for about so many seconds a move, and is absent from time to time."""

    person: PersonId
    thinks: float
    goes: Sequence[tuple[datetime, datetime, bool]] = ()
    """When the person goes and is back, and whether they press the button when they go."""

    def absent(self, now: datetime) -> bool:
        """Whether the person does nothing now."""
        return any(gone <= now < back for gone, back, _ in self.goes)


@dataclass
class Evening:
    """An arena as it is played, and what was seen of it."""

    kept: Stores
    clock: ManualClock
    rng: Random
    players: Sequence[Player] = ()
    waits: list[timedelta] = field(default_factory=list)
    again: int = 0
    """The games against the same opponent as before while others were there."""
    while_free: int = 0
    """Those of them for which another one was free."""
    games: int = 0
    runs: bool = False
    shows: bool = True
    """Whether boards can be sent, so that people are called to them."""
    number: TournamentId = NONE_YET

    def __post_init__(self) -> None:
        kept, clock, rng = self.kept, self.clock, self.rng
        admission = Admission(kept.people, kept.guilds)
        self.tables = TableService(kept.tables, admission, SearchQueue(NoThinker(), 1), clock, rng)
        self.absences = Absences(kept.absences, clock)
        matches = Matches(kept.tournaments, self.tables, admission, self.absences, clock)
        self.tournaments = Tournaments(kept.tournaments, matches, admission, clock, rng)
        self.arenas = WeeklyArenas(kept.guilds, self.tournaments, clock, rng, kept.share)
        self._running: dict[SessionId, tuple[Table, datetime]] = {}
        self._free_since: dict[EntryNumber, datetime] = {}
        self._interactions = iter(range(1, 1_000_000))

    async def sign_up(self, **chosen: object) -> HostedTournament:
        """The sign-up of the next arena, after a server has chosen it."""
        await self.arenas.choose(HERE, arena_channel=CHANNEL, **chosen)
        at = self.kept.guilds.of(HERE).arena_next
        assert at is not None
        self.clock.advance(at - SIGN_UP_AHEAD - self.clock.now())
        await self.arenas.run_due(lambda _: "en-US")
        (self.number,) = await self.kept.tournaments.behind()
        await self.kept.tournaments.place(self.number, message=MESSAGE)
        return await self.tournaments.hosted(self.number)

    async def play(self) -> Tournament:
        """The arena from its start to its end."""
        hosted = await self.tournaments.hosted(self.number)
        assert hosted.starts_at is not None
        for player in self.players:
            await self.take(progress.join, player.person)
        self.clock.advance(hosted.starts_at - self.clock.now())
        await self.start()
        begun = self.clock.now()
        while self.runs:
            self.clock.advance(SECOND)
            await self._come_and_go()
            await self._move()
            if (self.clock.now() - begun) % ROUND == timedelta() and await self.tournaments.due():
                await self.go_on()
        return (await self.tournaments.hosted(self.number)).tournament

    async def start(self) -> None:
        """The start that is due, with the thread that follows it."""
        await self.tournaments.go_on(self.number)
        await self.kept.tournaments.place(self.number, thread=THREAD)
        self.runs = True
        await self.go_on()

    async def take(self, step: PersonStep, person: PersonId) -> None:
        """A step that a person asks for, and what follows."""
        await self.tournaments.change(self.number, lambda each: step(each, person))
        await self.go_on()

    async def go_on(self) -> None:
        """What is due, done; new tables are noted, with how long their people have waited."""
        await self.absences.note(here=True)
        before = (await self.tournaments.hosted(self.number)).tournament
        hosted = await self.tournaments.go_on(self.number)
        after, now = hosted.tournament, self.clock.now()
        for leg in hosted.to_call if self.shows else ():
            await self.kept.tournaments.call(self.number, leg.number, now, None)
        left, new = {*arena.free(after)}, after.legs[len(before.legs) :]
        self.runs = self.runs and after.stage is Stage.RUNNING
        if not self.runs:
            return
        for leg in new:
            earlier = [each for each in after.legs[: leg.number - 1] if not each.void]
            last = (next((e for e in earlier[::-1] if n in e.entries), None) for n in leg.entries)
            if any(each and {*each.entries} == {*leg.entries} for each in last):
                self.again += len(after.there) > 2
                self.while_free += bool(left) and len(after.there) > 2
            for number in leg.entries:
                if number in self._free_since:
                    self.waits.append(now - self._free_since.pop(number))
            assert leg.table is not None
            table = await self.tables.table(leg.table)
            self._running[table.id] = table, self._moves_at(table)
            self.games += 1
        for number in left:
            self._free_since.setdefault(number, now)
        there = {entry.number for entry in after.there}
        self._free_since = {n: at for n, at in self._free_since.items() if n in there}

    async def move(self, table: Table) -> Table:
        """A table after a move of the person whose turn it is, which is drawn."""
        session = table.session
        assert session.turn is not None
        chosen = move_action(self.rng.choice([*session.position.moves()]))
        interaction = InteractionId(next(self._interactions))
        by = session.people[session.turn]
        return await self.tables.press(Press(interaction, table, session.ply, chosen, by))

    def _moves_at(self, table: Table) -> datetime:
        mover = table.session.turn
        assert mover is not None
        person = table.session.people[mover]
        thinks = next((each.thinks for each in self.players if each.person == person), 1.0)
        return self.clock.now() + timedelta(seconds=1 + self.rng.expovariate(1 / thinks))

    async def _come_and_go(self) -> None:
        now = self.clock.now()
        for player in self.players:
            for gone, back, by_button in player.goes:
                if gone <= now < gone + SECOND and by_button:
                    await self.take(progress.leave, player.person)
                elif back <= now < back + SECOND:
                    with suppress(Refusal):  # nobody has missed them
                        await self.take(progress.join, player.person)

    async def _move(self) -> None:
        """A move of each person who has thought enough; what has ended goes on at once."""
        now, ended = self.clock.now(), False
        for number, (_, at) in [*self._running.items()]:
            table = await self.tables.table(number)
            session = table.session
            if session.phase is not Phase.RUNNING or session.turn is None:
                del self._running[number]
                continue
            person = session.people[session.turn]
            player = next(each for each in self.players if each.person == person)
            if at > now or player.absent(now):
                continue
            table = await self.move(table)
            if table.session.phase is Phase.RUNNING:
                self._running[number] = table, self._moves_at(table)
            else:
                del self._running[number]
                ended = True
        if ended:
            await self.go_on()


def twelve(people: int, start: datetime, lasts: timedelta, rng: Random) -> Iterator[Player]:
    """So many people, of whom a third go in the middle and are back after some minutes."""
    for number in range(people):
        goes = []
        if number % 3 == 0:
            gone = start + lasts * rng.uniform(0.2, 0.6)
            goes.append((gone, gone + lasts * rng.uniform(0.1, 0.2), number % 2 == 0))
        yield Player(PersonId(100 + number), rng.uniform(1, 5), goes)


async def evening(
    address: str, *, people: int, minutes: int, game: str, seed: int
) -> tuple[Evening, Tournament]:
    """An arena in a database, played to its end."""
    clock, rng = ManualClock(datetime(2026, 5, 1, 12, tzinfo=UTC)), Random(seed)
    async with stores(address, clock) as kept:
        found = Evening(kept, clock, rng)
        hosted = await found.sign_up(arena_game=game, arena_minutes=minutes)
        assert hosted.starts_at is not None
        lasts = timedelta(minutes=minutes)
        found.players = [*twelve(people, hosted.starts_at, lasts, rng)]
        return found, await found.play()


def _told(found: Evening, over: Tournament) -> Iterator[str]:
    waits = sorted(each.total_seconds() for each in found.waits)
    yield f"games {found.games}, waits {len(waits)}"
    yield f"wait: median {median(waits):.0f} s, nine of ten {waits[len(waits) * 9 // 10]:.0f} s"
    yield f"longest {waits[-1]:.0f} s"
    yield f"the same opponent again {found.again}, while another was free {found.while_free}"
    scores = TournamentScores(over)
    for place, entry in enumerate(standings(over), 1):
        played = sum(entry.number in leg.entries for leg in over.legs if not leg.void)
        yield f"{place:2}. {entry.person} {scores.points[entry.number]:4g} points {played:3} games"


def main() -> None:
    """Print what an evening was like."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, usual in (("people", 12), ("minutes", 30), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--game", default="connectfour-7x6")
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        address = f"sqlite:///{Path(folder) / 'parlour.db'}"
        played = evening(
            address,
            people=asked.people,
            minutes=asked.minutes,
            game=asked.game,
            seed=asked.seed,
        )
        print(*_told(*asyncio.run(played)), sep="\n")


if __name__ == "__main__":
    main()

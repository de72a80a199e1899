"""Two months of a server of forty people, as one of its members reads them.

    python -m tests.benchmarks.month [--days 62] [--seed 1]

The people have habits: some try each day's puzzle, some now and then, some hardly ever; pairs play
in the evening. Their answers and games are stored as the bot stores them, and everything else is
pressed and read in the sandbox, whose clock is moved from one evening to the next. The bot is off
on the first of each month, and may not write in the channel of its news for two days. To a
tournament on two Saturdays one of the players does not come, one sign-up is never started, the
host of another one leaves the server, and a weekly arena is played twice, until nobody comes.

Printed are the posts as they were read in the evening, the tournaments from their first message to
their podium, and at the end the streaks and the pings a person.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from bot.sandbox import Permission
from bot.screens.tournament_controls import TournamentAction
from bot.storage.choices import GuildId
from bot.table.seats import PersonId
from bot.tournaments.tournament import Stage
from bot.ui.errors import UNKNOWN_MEMBER
from engine import review
from tests.bot.databases import template
from tests.bot.lent_processes import Lender
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.bot.ui import panels
from tests.bot.ui.conftest import Open, RunningBot, hurry_nobody, opening
from tests.bot.ui.finished import agreed, resigned, store
from tests.bot.ui.hall import Hall, guests

MEMBERS: Final = 40
BEGIN: Final = date(2029, 9, 2)
SATURDAY: Final = 5
EVENING: Final = time(17)
"""An hour after the news, when people solve and play; they are read two hours later."""

DAILY, OFTEN, SELDOM = 0.9, 0.45, 0.08
"""How likely three kinds of people are to try the day's puzzle."""

CLOSED: Final = range(20, 22)
"""The days, counted from 0, on which the bot may not write in the channel of the news."""

NOBODY_STARTS, HOST_LEAVES = 3, 10
TOURNAMENTS: Final = (13, 34)
ARENAS: Final = (6, 13)
"""The days of the sign-up that is never started, of the one whose host leaves, of tournaments, and
of arenas to which somebody comes."""

MENTION: Final = re.compile(r"\u2068?<@(\d+)>\u2069?")
MEMBER: Final = "/guilds/{guild_id}/members/{user_id}"


@dataclass(frozen=True)
class Member:
    """A person with habits: how likely they try a puzzle, and find its answer at each try."""

    person: Person
    tries: float
    solves: float

    @property
    def number(self) -> PersonId:
        return PersonId(int(self.person.id))


@dataclass
class Life:
    """The life of a server, told line by line."""

    open_bot: Open
    sandbox: Sandbox
    rng: Random
    members: Sequence[Member] = ()
    read: dict[int, str] = field(default_factory=dict)

    async def live(self, days: int) -> None:
        """So many days, and the account at the end."""
        people = guests(self.sandbox, MEMBERS)
        kinds = [DAILY] * 6 + [OFTEN] * 12 + [SELDOM] * 22
        self.members = [
            Member(person, tries, self.rng.uniform(0.4, 0.95))
            for person, tries in zip(people, kinds, strict=True)
        ]
        for stretch in stretches([BEGIN + timedelta(each) for each in range(days)]):
            noon = datetime.combine(stretch[0], time(12), UTC)
            self.sandbox.advance((noon - self.sandbox.clock.now()).total_seconds())
            async with self.open_bot() as bot:
                for day in stretch:
                    await self._day(bot, day, (day - BEGIN).days)
                if stretch[-1] == BEGIN + timedelta(days - 1):
                    await self._account(bot)

    async def _day(self, bot: RunningBot, day: date, number: int) -> None:
        await self._administer(bot, day, number)
        await self._at(bot, day, EVENING)
        await self._pass(bot, timedelta(minutes=1), rounds=3)
        await self._solve(bot, day)
        await self._play(bot)
        if number in TOURNAMENTS:
            await self._tournament(bot, day)
        if number == NOBODY_STARTS:
            await Hall(bot, [self.members[30].person], rng=self.rng).sign_up(game="ludo-classic")
        if number == HOST_LEAVES:
            await self._host_leaves(bot)
        if day.weekday() == SATURDAY:
            await self._arena(bot, day, people=5 if number in ARENAS else 0)
        await self._pass(bot, timedelta(minutes=1), rounds=3)
        self._tell(bot, day)

    async def _administer(self, bot: RunningBot, day: date, number: int) -> None:
        """What Ann does, who owns the server."""
        ann, lounge = self.members[0].person, bot.sandbox.channel("lounge")
        if number == 0:
            await panels.choose(bot, ann, "settings news", lounge)
            arenas, guild = bot.parlour.use_cases.weekly_arenas, GuildId(int(lounge.guild_id or 0))
            chosen = {"arena_game": "tictactoe-4", "arena_minutes": 20, "arena_day": SATURDAY}
            await arenas.choose(guild, arena_channel=int(bot.games.id), **chosen)
        if number == CLOSED.start:
            bot.sandbox.deny(lounge, Permission.SEND_MESSAGES)
        if number == CLOSED.stop:
            bot.sandbox.deny(lounge)
        if number in {CLOSED.stop, 55}:
            typed = await bot.done(await ann.type(bot.games, "games"))
            for told in typed.followups:
                print(f"\n{day}  Ann, who manages the server, types /games, and is told:")
                print(indented(self._named(told.text)))
            await panels.choose(bot, ann, "settings news", lounge)

    async def _at(self, bot: RunningBot, day: date, at: time) -> None:
        await self._pass(bot, datetime.combine(day, at, UTC) - bot.clock.now())

    async def _pass(self, bot: RunningBot, by: timedelta, *, rounds: int = 1) -> None:
        """Time that passes here and for the bot, and the rounds after it."""
        for _ in range(rounds):
            bot.sandbox.advance(by.total_seconds())
            await bot.later(by)
            await bot.clock.waited_for()

    async def _solve(self, bot: RunningBot, day: date) -> None:
        guild, records = int(bot.games.guild_id or 0), bot.parlour.stores.records
        choices = review.puzzle(day).answer.choices
        for member in self.members:
            if self.rng.random() >= member.tries:
                continue
            await records.count_puzzle(member.number, day, guild)
            for wrong in choices[1:3]:
                solved = self.rng.random() < member.solves
                move, at = choices[0].move if solved else wrong.move, bot.clock.now()
                await records.answer_puzzle(member.number, day, move, solved=solved, at=at)
                if solved:
                    break

    async def _play(self, bot: RunningBot) -> None:
        games = []
        for _ in range(self.rng.randrange(3, 9)):
            one, other = self.rng.sample(self.members[:24], 2)
            people = [one.number, other.number]
            if self.rng.random() < 0.2:
                games.append(agreed(*people))
            else:
                loser = people[self.rng.random() < 0.5 + (one.solves - other.solves) / 2]
                games.append(resigned("tictactoe", *people, leaving=[loser]))
        await store(bot, *games)

    async def _tournament(self, bot: RunningBot, day: date) -> None:
        """Seven sign up for a knockout of connect four, of whom one never comes."""
        people = [each.person for each in self.rng.sample(self.members, 7)]
        hall = Hall(bot, people, rng=self.rng)
        await hall.open(game="connectfour-7x6", format="knockout", places="8")
        print(f"\n{day}  {people[0].name} opens a tournament:")
        print(indented(self._named(hall.message.text)))
        hall.away.add(people[-1].name)
        await hall.press(people[0], TournamentAction.START)
        await hall.play(most=400)
        await self._pass(bot, timedelta(seconds=5), rounds=3)
        assert hall.thread is not None
        print("      and in its thread, without boards and calls:")
        for message in bot.sandbox.world.messages(hall.thread):
            if any(f":{TournamentAction.STANDINGS}:" in each.custom_id for each in message.buttons):
                print(indented(self._named(message.text)))

    async def _host_leaves(self, bot: RunningBot) -> None:
        await Hall(bot, [self.members[25].person], rng=self.rng).sign_up(format="swiss")
        gone = {"status": 404, "code": UNKNOWN_MEMBER}
        for _ in range(2):  # each sign-up is asked about, the latest at last
            bot.sandbox.fail_next("GET", MEMBER, **gone)  # type: ignore[arg-type]

    async def _arena(self, bot: RunningBot, day: date, *, people: int) -> None:
        """The weekly arena, to which so many come."""
        guild = GuildId(int(bot.games.guild_id or 0))
        stored = bot.parlour.stores.tournaments
        found = await stored.last_arena(guild)
        if found is None or not (await stored.hosted(found)).live:
            return
        hall = Hall(bot, [each.person for each in self.members[:people]], rng=self.rng)
        hall.number = found
        for person in hall.people:
            await hall.press(person, TournamentAction.JOIN)
        if people:
            print(f"\n{day}  the weekly arena, before it starts:")
            print(indented(self._named(hall.message.text)))
        await self._at(bot, day, time(18))
        over = datetime.combine(day, time(18, 22), UTC)
        while bot.clock.now() < over and (await hall.tournament()).stage is not Stage.OVER:
            await hall.play_boards()
            await self._pass(bot, timedelta(seconds=30 if people else 600))

    def _tell(self, bot: RunningBot, day: date) -> None:
        """The messages for all that are new or have changed, as they are read now."""
        for channel in ("lounge", "games"):
            for message in bot.sandbox.messages(channel):
                known, shown = self.read.get(int(message.id)), self._named(message.text)
                if message.ephemeral or message.deleted or known == shown:
                    continue
                self.read[int(message.id)] = shown
                news = "" if known is None else " (edited)"
                print(f"\n{day}  #{channel}{news}\n{indented(shown)}")
                print(f"      [{'] ['.join(each.label or '·' for each in message.buttons)}]")

    async def _account(self, bot: RunningBot) -> None:
        sent = bot.sandbox.world.by_nonce.values()  # those that are deleted by now, too
        pings = Counter(name for each in sent for name in each.pinged)
        print("\npings a person:", ", ".join(f"{name} {n}" for name, n in pings.most_common()))
        for member in self.members[:6]:
            typed = await bot.done(await member.person.type(bot.games, "puzzle"))
            shown = (typed.followups[-1] if typed.followups else typed.message).text
            told = [line for line in shown.splitlines() if "🔥" in line or "streak" in line.lower()]
            print(f"{member.person.name}: {' / '.join(told) or 'no streak'}")

    def _named(self, shown: str) -> str:
        """A text with people by their names."""
        names: Mapping[str, str] = {str(each.number): each.person.name for each in self.members}
        return MENTION.sub(lambda found: f"@{names.get(found[1], found[1])}", shown)


def stretches(days: Sequence[date]) -> Iterator[list[date]]:
    """The days between the firsts of months, on which the bot is off."""
    found: list[date] = []
    for day in days:
        if day.day == 1:
            yield found
            found = []
        else:
            found.append(day)
    if found:
        yield found


def indented(told: str) -> str:
    """Lines as a quotation."""
    return "\n".join(f"    | {line}" for line in told.splitlines())


async def run(days: int, seed: int) -> None:
    """The life of so many days, on a database of its own."""
    with (
        TemporaryDirectory() as folder,
        closing(Lender()) as lender,
        pytest.MonkeyPatch.context() as patched,
    ):
        hurry_nobody(patched)
        file = Path(folder) / "parlour.db"
        file.write_bytes(template().read_bytes())
        async with Sandbox() as sandbox:
            rng = Random(seed)
            open_bot = opening(sandbox, f"sqlite:///{file}", lender, rng)
            await Life(open_bot, sandbox, rng).live(days)


def main() -> None:
    """Lives, and prints."""
    parser = argparse.ArgumentParser(description="Two months of a server, as a member reads them.")
    parser.add_argument("--days", type=int, default=62)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    asyncio.run(run(given.days, given.seed))


if __name__ == "__main__":
    main()

"""The world of a simulation: a Discord, the bot's machine, a dozen people, and what befalls them.

A day has some hours in which people play, each with quiet at its end, in which what must hold is
looked at. Between them the machine sleeps or nobody comes, so that days pass quickly.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from bot.sandbox import Channel, Message, Permission
from bot.sandbox.model.accounts import USUAL, Account, Membership
from bot.sandbox.model.channels import ChannelKind
from bot.sandbox.model.news import ChannelChange, InteractionChange, MessageChange
from bot.sandbox.payload import Snowflake, fixed
from bot.service.due_work import ASLEEP_AFTER
from bot.storage.shards import Shard
from tests.bot.people import Person
from tests.bot.stand_in import Sandbox
from tests.simulation.chronicle import Broken, Chronicle
from tests.simulation.holds import Holds
from tests.simulation.loop import VirtualLoop
from tests.simulation.machine import Errors, Machine
from tests.simulation.others import HUB
from tests.simulation.people import Dweller, Read, furnish
from tests.simulation.seeded import DiscordClock, MachineClock
from tests.simulation.threads import Disk
from tests.simulation.timetable import MOMENTS
from tests.simulation.troubles import FAIR, OUTAGE, SHOWERS, SLUGGISH, STORM, Troubles

NAMES: Final = ("Eve", "Finn", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea")
KINDS: Final = ("sensible", "sensible", "sensible", "careless", "sensible", "hostile")
FURNISHED: Final = 0.6
"""The part of servers to which news and a weekly arena come."""

WOKEN_FOR: Final = 0.5
"""The part of jumps that end just before something is due."""

WOKEN_BY: Final = (*MOMENTS, "arena")
"""What that is, in equal parts: an arena takes two such jumps, to its sign-up and to its start."""

ENDED: Final = 0.2
"""The part of lives that go on until all has come to its end."""

MOST_WEEKS: Final = 52
"""Weeks after which that is so: a tournament takes one step in each, a silent game four."""

KINDS_OF_FAULTS: Final = frozenset({"wire", "gateway", "kill", "disk", "clock", "discord"})
LOOKS: Final = 0.4
"""The part of troubles after which people pause, so that what must hold is looked at."""

NIGHTS: Final = (600, *(hours * 3600 for hours in (1, 4, 9, 26, 26 * 7, 24 * 31)))
"""Seconds in which nothing happens at a time: a month and a season end in some lives."""

ASLEEP: Final = 0.5
"""The part of such times in which the machines sleep, so that the clocks of matches stand still."""

VANISHING: Final = "den"
"""The channel that is removed now and then."""

SEVERAL: Final = 0.25
"""The part of lives with two processes of the bot."""

LONG_SEARCHES: Final = 0.4
"""The part of searches that may take long where another process waits for their claims to end."""

QUIET: Final = 12.0
"""Seconds without people and troubles after which all has to be right."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a simulation is to have: `--shrink` looks for fewer that still break it."""

    seed: int
    days: float = 2.0
    people: int = 12
    faults: frozenset[str] = KINDS_OF_FAULTS
    every: float = 6.0
    """Seconds between two acts of a person."""
    busy: float = 150.0
    """Seconds of a spell in which people act."""
    spells: int = 2
    """Spells of a day."""
    processes: int = 0
    """Processes of the bot, of which each has a shard; 0 has the seed choose one or two."""


class World:
    """A simulation under way."""

    def __init__(self, plan: Plan, loop: VirtualLoop, folder: Path, chronicle: Chronicle) -> None:
        self.plan = plan
        self.loop = loop
        self.chronicle = chronicle
        self.lively = False
        self.asleep = 0.0
        self.clocks_set = 0.0
        """When the clock of a machine was set last."""
        self.used: Message | None = None
        """The message whose controls were used last."""
        self.spoiled: set[int] = set()
        """The channels in which the bot has lacked a permission."""
        self.removed = 0.0
        """When the bot was removed from the first server, where its reminders stay then."""
        drawn = Random(plan.seed)
        self.rng = Random(drawn.getrandbits(64))
        self.clock = MachineClock(loop)
        self.wire = Troubles(Random(drawn.getrandbits(64)), chronicle, loop.time)
        self.right_clock = DiscordClock(loop)
        self.sandbox = Sandbox(clock=self.right_clock, guilds=2, wire=self.wire)
        self.errors = Errors(chronicle)
        self.dwellers = [*self._settled(drawn)]
        self.machines = [*self._machines(folder, Random(drawn.getrandbits(64)))]
        self.holds = Holds(self)
        self._opened = 0
        self._open_channel()
        self._acted = asyncio.Event()
        self._read: dict[int, Read] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.sandbox.world.news.listen(self._hear)

    @property
    def machine(self) -> Machine:
        """The machine that has the first shard, and with it the direct messages."""
        return self.machines[0]

    @property
    def up(self) -> bool:
        """Whether all processes of the bot run and Discord has let them in."""
        return all(each.up for each in self.machines)

    @property
    def channels(self) -> list[Channel]:
        """The channels where people meet."""
        there = self.sandbox.world.channels.values()
        return [each for each in there if each.recipient is None]

    def _machines(self, folder: Path, rng: Random) -> Iterator[Machine]:
        count = 1 + (rng.random() < SEVERAL)
        count = self.plan.processes or count
        note = partial(self.chronicle.note, "disk")
        disk = Disk(self.loop.pace, self.right_clock.now, note)
        if count > 1:
            self.sandbox.application.max_concurrency = 16
            self.loop.pace.long_searches = LONG_SEARCHES
        for number in range(count):
            yield Machine(
                self.loop,
                self.clock if not number else MachineClock(self.loop),
                self.sandbox,
                folder,
                disk,
                rng=Random(rng.getrandbits(64)),
                chronicle=self.chronicle,
                shard=Shard(number, count),
            )

    def _settled(self, drawn: Random) -> Iterator[Dweller]:
        world, people = self.sandbox.world, self.sandbox._people
        for number, name in enumerate(NAMES):
            account = Account(fixed(5000 + number), name, "#888888")
            world.accounts[account.id] = account
            world.people.append(account)
            direct = fixed(5100 + number)
            channel = Channel(direct, f"dm {name}", ChannelKind.DIRECT, recipient=account)
            world.channels[direct] = channel
            people[name] = Person(account, world, self.sandbox.interactions)
        living = [each for each in people.values() if not each.account.bot][: self.plan.people]
        for number, person in enumerate(living):
            rng = Random(drawn.getrandbits(64))
            kind = KINDS[number % len(KINDS)]
            if kind == "hostile":
                person.account.granted = USUAL | Permission.MANAGE_MESSAGES
            if rng.random() < 0.4:
                person.account.has_app = True
            yield Dweller(self, person, kind, self.plan.every * rng.uniform(0.5, 1.8), rng)

    def read(self, message: Message) -> Read:
        """A message as people read it, once for each of its edits."""
        known = self._read.get(message.id)
        if known is None or known.edits != message.edits:
            known = self._read[message.id] = Read.of(message)
        return known

    async def run(self) -> None:
        """Let the days pass.

        Raises:
            Broken: What must always hold does not.
        """
        self.loop.set_exception_handler(self._unread)
        HUB.twice = self.holds.thought_about_twice
        await self.sandbox.start()
        self._start()
        await self._connected()
        for dweller in self.dwellers:
            name = f"life of {dweller.person.name}"
            self._tasks.append(asyncio.create_task(dweller.live(), name=name))
        await self._furnish()
        for number in range(max(1, round(self.plan.days * self.plan.spells))):
            if number:
                await self._night()
            await self._spell()
        if self.rng.random() < ENDED:
            await self._end()
        await self.holds.at_the_end()

    async def _furnish(self) -> None:
        """Have the owner of servers choose what comes to them by itself."""
        owner = self.dwellers[0].person
        for name in ("games", "games-2"):
            channel = self.sandbox.channel(name)
            if self.rng.random() < FURNISHED:
                await furnish(owner, channel, self.right_clock.now(), self.rng)

    async def _connected(self) -> None:
        deadline = self.loop.time() + 120
        while not self.up or not self.sandbox.world.commands:
            self.holds.of_machine()
            self._start()
            if self.loop.time() > deadline:
                raise Broken("the bot does not come up within two minutes of fair weather")
            await asyncio.sleep(1)

    async def _spell(self) -> None:
        """Let people play and troubles come, and look now and then at what must hold."""
        ends = self.loop.time() + self.plan.busy * self.rng.uniform(0.6, 1.4)
        kinds = sorted(self.plan.faults)
        while self.loop.time() < ends:
            self.lively = True
            await asyncio.sleep(self.rng.expovariate(1 / 15))
            self.holds.on_time()
            if kinds:
                await getattr(self, f"_{self.rng.choice(kinds)}")()
            if self.rng.random() < LOOKS:
                await self._look()
        await self._look()

    async def _look(self) -> None:
        """Let people pause and troubles end, and look at what must hold then."""
        self.lively = False
        await asyncio.sleep(self.rng.choice((0.0, 0.5, 4.0)))
        self._calm_down()
        await self._connected()
        await asyncio.sleep(QUIET)
        await self.holds.in_calm()

    async def _night(self) -> None:
        """Let hours pass, in which machines sleep or nobody comes, with some seconds between."""
        self.wire.begin("night")
        for _ in range(self.rng.randint(1, 4)):
            seconds = self._until_due() or self.rng.choice(NIGHTS)
            self._let_pass(seconds, asleep=self.rng.random() < ASLEEP)
            await asyncio.sleep(self.rng.uniform(8, 30))
        self.wire.end("night", 10)

    async def _end(self) -> None:
        """Let so much time pass that all games and tournaments come to their ends."""
        timetable = self.holds.timetable
        live, weeks = timetable.live(), 0
        self.wire.begin("night")
        while live := live & timetable.live():
            weeks += 1
            if weeks > MOST_WEEKS:
                raise Broken(f"{min(live)} never ends")
            self._let_pass(7 * 86400, asleep=False)
            await asyncio.sleep(self.rng.uniform(8, 16))
        self.wire.end("night", 10)
        await self._look()

    def _let_pass(self, seconds: float, *, asleep: bool) -> None:
        """Let time pass in which nothing happens, as the machines sleep or nobody comes."""
        for machine in self.machines:
            if machine.parlour is not None:
                absences = machine.parlour.use_cases.absences
                absences.asleep_after = ASLEEP_AFTER if asleep else timedelta.max
        self.asleep += seconds
        self.loop.jump(seconds)
        self.chronicle.note("night", "over")

    def _until_due(self) -> float | None:
        """The seconds until just before something that is to happen at a time, now and then."""
        now = self.right_clock.now()
        moments = self.holds.timetable.moments(self.rng.choice(WOKEN_BY))
        ahead = sorted(each for each in moments if now + 60 < each < now + 7 * 86400)
        if not ahead or self.rng.random() > WOKEN_FOR:
            return None
        return self.rng.choice(ahead) - now - self.rng.uniform(0, 50)

    async def _act(self) -> None:
        """Return a little after the next act of a person."""
        self._acted.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(5):
                await self._acted.wait()
        await asyncio.sleep(self.rng.choice((0.0, 0.05, 0.15, 0.5)) * self.rng.random())

    async def _wire(self) -> None:
        self.wire.weather = self.rng.choice((SHOWERS, SLUGGISH, STORM, OUTAGE))
        await self._act()
        lasting = self.rng.uniform(1, 6 if self.wire.weather is OUTAGE else 25)
        self.chronicle.note("weather", f"{self.wire.weather} for {lasting:.1f}")
        if self.wire.weather is OUTAGE:
            self.wire.begin("outage")
        await asyncio.sleep(lasting)
        self.wire.weather = FAIR
        self.wire.end("outage")

    async def _gateway(self) -> None:
        how = self.rng.choice(("drop", "forget", "refuse", "reconnect", "again", "repeat", "lag"))
        self.chronicle.note("gateway", how)
        sessions = [*self.sandbox.gateway.sessions.values()]
        if how == "again":
            await self.holds.redelivered(self.rng)
            return
        if how == "repeat":
            await self._act()
            for session in sessions:
                session.repeat(self.rng.randint(1, 4))
            return
        self.wire.begin("gateway")
        if how == "lag":
            for session in sessions:
                if session.connection is not None:
                    session.connection.lag = self.rng.uniform(0.1, 2)
        elif how == "reconnect":
            self.sandbox.ask_to_reconnect()
        else:
            self.sandbox.drop_gateway(forget=how == "forget", refuse=how == "refuse")
        await asyncio.sleep(self.rng.uniform(0, 8))
        self.sandbox.gateway.refusing = False
        self._end_lag()
        await self._online()
        self.wire.end("gateway")

    def _end_lag(self) -> None:
        for session in self.sandbox.gateway.sessions.values():
            if session.connection is not None:
                session.connection.lag = 0.0

    async def _kill(self) -> None:
        self.wire.begin("restart")
        machine = self.rng.choice(self.machines)
        if self.rng.random() < 0.8:
            await self._act()
            machine.kill()
        else:
            await machine.stop()
        await asyncio.sleep(self.rng.choice((0.0, 0.5, 5.0, 30.0)) * self.rng.random())
        self._start()
        if self.rng.random() < 0.2:  # killed again as it starts
            await asyncio.sleep(self.rng.uniform(0, 3))
            machine.kill()
            self._start()
        await self._online()
        self.wire.end("restart")

    async def _disk(self) -> None:
        disk = self.machine.disk
        self.wire.begin("disk")
        if self.rng.random() < 0.5:
            disk.slow = self.rng.uniform(0.2, 4)
        else:
            disk.full = True
        self.chronicle.note("disk", f"slow={disk.slow:.1f} full={disk.full}")
        await asyncio.sleep(self.rng.uniform(1, 12))
        disk.slow, disk.full = 0.0, False
        self._start()  # what could not begin meanwhile, as who keeps it running does
        await asyncio.sleep(4)
        self.wire.end("disk")

    async def _clock(self) -> None:
        self.clocks_set = self.loop.time()
        clock = self.rng.choice(self.machines).clock
        clock.wrong = self.rng.choice((0.0, -2592000.0, -3600.0, -30.0, 30.0, 3600.0, 2592000.0))
        self.chronicle.note("clock", f"wrong by {clock.wrong}")

    async def _discord(self) -> None:
        drawn = self.rng.random()
        if drawn < 0.45:
            self.spoil(self.rng.choice(self.channels))
            return
        if drawn < 0.6:
            self._vanish()
            return
        if drawn < 0.7:
            await self._removed()
            return
        if drawn < 0.8:
            self._leaves(self.rng.choice(self.dwellers[1:]))
            return
        self.chronicle.note("discord", "an outage of the server")
        self.wire.begin("server")
        self.sandbox.move(Membership.UNAVAILABLE)
        await asyncio.sleep(self.rng.uniform(1, 20))
        self.sandbox.move(Membership.JOINED)
        self.wire.end("server")

    async def _removed(self) -> None:
        """Take the bot out of a server, where somebody invites it again."""
        self.chronicle.note("discord", "the bot is removed")
        self.wire.begin("removed")
        self.sandbox.move(Membership.LEFT)
        self.removed = self.loop.time()
        await asyncio.sleep(self.rng.uniform(1, 40))
        self.sandbox.move(Membership.JOINED)
        self.wire.end("removed", 10)

    def _leaves(self, dweller: Dweller) -> None:
        """Have a person leave the servers, or be kicked, and come again after a while."""
        number = int(dweller.person.id)
        self.chronicle.note("discord", f"{dweller.person.name} leaves")
        self.wire.left.add(number)
        self.loop.call_later(self.rng.uniform(20, 2000), self.wire.left.discard, number)

    def _vanish(self) -> None:
        """Remove a channel with all its messages; there is another one in its place."""
        gone = next(each for each in self.channels if each.name == VANISHING)
        self.chronicle.note("discord", f"{gone.name} {gone.id} is gone")
        self.wire.excuse(2)
        self.sandbox.remove_channel(gone)
        self._open_channel()

    def _open_channel(self) -> None:
        self._opened += 1
        number = fixed(5200 + self._opened)
        channel = Channel(number, VANISHING, ChannelKind.TEXT, self.sandbox.world.guild.id)
        self.sandbox.world.channels[number] = channel
        self.sandbox.world.news.tell(ChannelChange(channel, added=True))

    def spoil(self, channel: Channel) -> None:
        """Take permissions from the bot in a channel, for a while."""
        if channel.denied or channel.between:
            return
        taken = self.rng.choice(
            (
                (Permission.VIEW_CHANNEL,),
                (Permission.SEND_MESSAGES, Permission.SEND_MESSAGES_IN_THREADS),
                (Permission.READ_MESSAGE_HISTORY,),
                (Permission.ATTACH_FILES, Permission.EMBED_LINKS),
            )
        )
        self.chronicle.note("spoil", f"{channel.name} {taken}")
        self.wire.begin(f"channel {channel.id}")
        self.spoiled.add(int(channel.id))
        self.sandbox.deny(channel, *taken)
        back = self.rng.uniform(3, 40)
        self.loop.call_later(back, self._give_back, channel)

    def ever_spoiled(self, number: int) -> bool:
        """Whether permissions were ever taken in a channel, or in that of a thread."""
        channel = self.sandbox.world.channels.get(Snowflake(number))
        return not self.spoiled.isdisjoint({number, channel and channel.parent_id})

    def _give_back(self, channel: Channel) -> None:
        if channel.denied:
            self.chronicle.note("spoil", f"{channel.name} is as before")
            self.sandbox.deny(channel)
            self.wire.end(f"channel {channel.id}")

    def _calm_down(self) -> None:
        self.chronicle.note("calm")
        self.wire.weather = FAIR
        self.wire.hear_again()
        self.sandbox.gateway.refusing = False
        self._end_lag()
        self.sandbox.move(Membership.JOINED)
        disk = self.machine.disk
        disk.slow, disk.full = 0.0, False
        for machine in self.machines:
            if machine.clock.wrong:
                machine.clock.wrong, self.clocks_set = 0.0, self.loop.time()
        for channel in self.channels:
            self._give_back(channel)
        for what in [*self.wire._lasting]:
            self.wire.end(what, 10)
        self._start()

    async def _online(self) -> None:
        deadline = self.loop.time() + 60
        while not self.up and self.loop.time() < deadline:
            if any(each.process is None for each in self.machines):
                return
            await asyncio.sleep(0.5)

    def _start(self) -> None:
        """Start what is not running."""
        for machine in self.machines:
            if machine.process is None and not machine.faults:
                machine.start()

    def _hear(self, change: object) -> None:
        match change:
            case InteractionChange(interaction=interaction, started=True):
                self.chronicle.note("act", f"{interaction.name} in {interaction.channel.name}")
                self.used = interaction.source or self.used
                self.holds.acted(interaction)
                self._acted.set()
            case InteractionChange(interaction=interaction):
                self.holds.answered(interaction)
            case MessageChange(message=message, event=event):
                self.holds.written(message, event)

    def _unread(self, _: object, context: dict[str, object]) -> None:
        error, task = context.get("exception"), context.get("future") or context.get("task")
        work = (
            getattr(task.get_coro(), "__qualname__", "") if isinstance(task, asyncio.Task) else ""
        )
        self.chronicle.note("unread", f"{work} {error!r}")
        if work == "RequestHandler.start":
            return  # the server's: aiohttp's own, of a connection that was cut
        self.holds.unread.append(f"{context.get('message')} {work}: {error!r}")

"""Departures: the bot is removed from a guild, or a person leaves one.

When the bot is removed, the guild's games are closed, and later its data is deleted; if it returns
in time, all but the closed games is still there. When a person leaves, their games against
computers alone are closed. A sign-up is called off if its host has left or it is seven days old.
Discord reports a member's leaving only to bots with a privileged intent, so the bot asks: once
about the player of each such game that has become idle, and once an hour about each host.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, TypeAlias, TypeVar

from bot.clock import Clock, lately
from bot.service.due_work import Show
from bot.service.jobs import apart
from bot.service.tables import TableService
from bot.service.tournaments import Tournaments
from bot.storage.choices import GuildId
from bot.storage.privacy.guilds import GuildData
from bot.storage.shards import Shard
from bot.storage.tables import Tables
from bot.table.refusals import Refusal
from bot.table.seats import FORMER_PLAYERS, PersonId
from bot.table.session import Phase, SessionId
from bot.table.waiting import SOLO_SILENCE_LASTS
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.tournament import CalledOff, TournamentId

log = logging.getLogger(__name__)
T = TypeVar("T")

DATA_STAYS: Final = timedelta(days=30)
"""The time between the bot's removal from a guild and the deletion of its data."""

LOOKED_EVERY: Final = timedelta(hours=1)

IDLE: Final = timedelta(minutes=10)

HasLeft: TypeAlias = Callable[[GuildId, PersonId], Awaitable[bool | None]]
"""Asks Discord whether a person is no longer a member of a guild.

None if the bot does not see the guild at the moment.
"""


class Departures:
    """The bot's removals from guilds and returns to them."""

    def __init__(self, data: GuildData, clock: Clock) -> None:
        self._data = data
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()
        self._compared: set[Shard] = set()
        self._looked: datetime | None = None

    async def left(self, guild: GuildId) -> None:
        """Close the tables of a guild that has removed the bot."""
        async with self._one_at_a_time:
            await self._data.leave(guild, self._clock.now())
        log.info("server left id=%s", guild)

    async def returned(self, guild: GuildId) -> None:
        """Keep the data of a guild that has added the bot, maybe again."""
        async with self._one_at_a_time:
            await self._data.come_back(guild)

    async def compare(
        self,
        shard: Shard,
        present: Collection[GuildId],
        gone: Callable[[GuildId], Awaitable[bool]],
    ) -> None:
        """Catch up with removals and returns in a shard's guilds while the bot was not connected.

        `present` are the guilds that Discord lists, even during an outage; `gone` asks again about
        one that is missing.
        """

        async def look_at(guild: GuildId, left_at: datetime | None) -> None:
            if guild in present:
                if left_at is not None:
                    await self.returned(guild)
            elif left_at is None and await gone(guild):
                await self.left(guild)

        with apart() as items:
            for guild, left_at in (await self._data.known()).items():
                if shard.covers(guild) and not items.away:
                    await items.do(look_at(guild, left_at), f"server {guild}")
            if not items.away:
                self._compared.add(shard)

    async def run_due(self) -> None:
        """Delete the data of guilds that the bot left `DATA_STAYS` ago, looking once an hour.

        Raises:
            ExceptionGroup: The errors of single guilds.
        """
        now = self._clock.now()
        if not self._compared or (self._looked and lately(self._looked, now, LOOKED_EVERY)):
            return
        with apart() as items:
            for guild, left_at in (await self._data.known()).items():
                still = any(shard.covers(guild) for shard in self._compared)
                if still and left_at is not None and now - left_at >= DATA_STAYS:
                    await items.do(self._clear(guild), f"server {guild}")
            if not items.away:
                self._looked = now

    async def _clear(self, guild: GuildId) -> None:
        async with self._one_at_a_time:
            await self._data.clear(guild)
        log.info("server's data removed id=%s", guild)


class DepartedPlayers:
    """The games against computers alone of people who have left their guild."""

    def __init__(self, tables: TableService, stored: Tables, clock: Clock) -> None:
        self._tables = tables
        self._stored = stored
        self._clock = clock
        self._looked = clock.now() - SOLO_SILENCE_LASTS
        self._ahead: deque[SessionId] = deque()
        """The idle games to look at; those of guilds that the bot did not see come last."""

    async def run_due(self, has_left: HasLeft, show: Show) -> None:
        """Look at the next `ASKED_TOGETHER` games that have become idle, and close them.

        Those in a guild that the bot did not see are looked at again until it does.

        Raises:
            ExceptionGroup: The errors at single games.
        """
        until = self._clock.now() - IDLE
        self._ahead.extend(await self._stored.idle(self._looked, until))
        self._looked = until
        await _take_some(self._ahead, lambda each: self._look_at(each, has_left, show), "session")

    async def _look_at(self, session: SessionId, has_left: HasLeft, show: Show) -> None:
        table = await self._tables.table(session)
        runs = table.session.phase is Phase.RUNNING and table.session.solo
        if not runs or table.place.home is None:
            return
        left = await has_left(GuildId(table.place.home), table.session.people[0])
        if left is None:
            self._ahead.append(session)
        elif left:
            await show(await self._tables.close_alone(session))
            log.info("game of a person who left closed session=%s", session)


ASKED_TOGETHER: Final = 10
"""The most people asked about in a round, as boards share the budget of requests."""


async def _take_some(ahead: deque[T], look_at: Callable[[T], Awaitable[None]], kind: str) -> None:
    """Look at the next `ASKED_TOGETHER` ids of a kind; after trouble the next call asks again.

    Raises:
        ExceptionGroup: The errors at single ones.
    """
    with apart() as items:
        for _ in range(min(ASKED_TOGETHER, len(ahead))):
            await items.do(look_at(ahead[0]), f"{kind} {ahead[0]}")
            if items.away:
                return
            ahead.popleft()


class StaleSignUps:
    """Calls off the sign-ups that nobody will start."""

    def __init__(self, tournaments: Tournaments, clock: Clock) -> None:
        self._tournaments = tournaments
        self._clock = clock
        self._looked = clock.now()
        self._ahead: deque[TournamentId] = deque()

    async def run_due(self, has_left: HasLeft) -> None:
        """Look at the next `ASKED_TOGETHER` sign-ups; each is looked at once an hour.

        Raises:
            ExceptionGroup: The errors at single sign-ups.
        """
        now = self._clock.now()
        if not self._ahead and not lately(self._looked, now, LOOKED_EVERY):
            self._ahead.extend(await self._tournaments.stored.signing_up())
            self._looked = now
        await _take_some(self._ahead, lambda each: self._look_at(each, has_left), "tournament")

    async def _look_at(self, number: TournamentId, has_left: HasLeft) -> None:
        with suppress(Refusal):  # it has begun or gone meanwhile
            hosted = await self._tournaments.hosted(number)
            why = CalledOff.NOT_STARTED
            if hosted.sign_up_ends > self._clock.now():
                if not await _hostless(hosted, has_left):
                    return
                why = CalledOff.HOST_LEFT
            await self._tournaments.call_off(number, why)
            log.info("sign-up called off id=%s why=%s", number, why)


async def _hostless(hosted: HostedTournament, has_left: HasLeft) -> bool:
    host = hosted.tournament.host
    return host in FORMER_PLAYERS or bool(await has_left(GuildId(hosted.guild), host))

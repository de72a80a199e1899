"""What follows when the bot is taken out of a server: its games close, and later its data goes.

Whoever brings the bot back before that finds everything but the games that were under way.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from datetime import datetime, timedelta
from typing import Final

from bot.service.guild_settings import GuildId, Shard
from bot.service.ports import Clock, GuildData

log = logging.getLogger(__name__)

DATA_STAYS: Final = timedelta(days=30)
"""For how long what is stored of a server outlives the bot's removal from it."""

LOOKED_EVERY: Final = timedelta(hours=1)


class Departures:
    """Follows the bot into servers and out of them."""

    def __init__(self, data: GuildData, clock: Clock) -> None:
        self._data = data
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()
        self._compared: set[Shard] = set()
        self._looked: datetime | None = None

    async def left(self, guild: GuildId) -> None:
        """The bot was taken out of a server."""
        async with self._one_at_a_time:
            await self._data.leave(guild, self._clock.now())
        log.info("server left id=%s", guild)

    async def returned(self, guild: GuildId) -> None:
        """The bot was brought into a server, perhaps one that it has been in before."""
        async with self._one_at_a_time:
            await self._data.come_back(guild)

    async def compare(
        self,
        shard: Shard,
        present: Collection[GuildId],
        gone: Callable[[GuildId], Awaitable[bool]],
    ) -> None:
        """Catches up with what happened to a shard's servers while nobody listened.

        `present` are those that Discord lists, in an outage or not; `gone` asks it once more.
        """
        for guild, left_at in (await self._data.known()).items():
            if not shard.covers(guild):
                continue
            if guild in present:
                if left_at is not None:
                    await self.returned(guild)
            elif left_at is None and await gone(guild):
                await self.left(guild)
        self._compared.add(shard)

    async def tend(self) -> None:
        """Removes what has outlived its time, of the servers known to be left still."""
        now = self._clock.now()
        if not self._compared or (self._looked and now - self._looked < LOOKED_EVERY):
            return
        for guild, left_at in (await self._data.known()).items():
            still = any(shard.covers(guild) for shard in self._compared)
            if still and left_at is not None and now - left_at >= DATA_STAYS:
                async with self._one_at_a_time:
                    await self._data.clear(guild)
                log.info("server's data removed id=%s", guild)
        self._looked = now

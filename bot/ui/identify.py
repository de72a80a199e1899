"""The turns in which shards identify themselves to Discord, not more often than they may.

Discord lets so many of them do that in 5 s, those of different buckets (`shard % max_concurrency`),
and a bot 1,000 times a day; one that goes on gets a new token.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, TypeAlias

import discord

from bot.ui.connection import ConnectionRefused
from bot.ui.discord_internals import gateway_limits
from bot.ui.errors import UNDELIVERED

log = logging.getLogger(__name__)

APART: Final = 5.0
"""Seconds between two of a bucket."""


Turn: TypeAlias = Callable[[int], Awaitable[None]]
"""Returns when a shard of a bucket may identify itself; for 5 s no other of the bucket may."""


class Identification:
    """Lets each shard identify itself in turn; `turn` takes other processes into account."""

    def __init__(self, client: discord.AutoShardedClient, turn: Turn | None) -> None:
        self._client = client
        self._turn = turn or self._own_turn
        self._buckets = 1
        self._free: defaultdict[int, float] = defaultdict(float)

    async def begin(self) -> None:
        """Make sure that all shards of this process may identify themselves today.

        Raises:
            ConnectionRefused: They may not.
        """
        limits = await self._limits()
        if limits.remaining < len(self._client.shard_ids or (0,)):
            raise ConnectionRefused(_spent(limits))

    async def before_identify(self, number: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may identify itself; discord.py asks again after a minute."""
        if not initial:
            await self._wait_for_another_day()
        await self._turn((number or 0) % self._buckets)

    async def _wait_for_another_day(self) -> None:
        try:
            limits = await self._limits()
        except (*UNDELIVERED, discord.GatewayNotFound) as error:
            log.info("limits of connecting not found out error=%r", error)
            return
        if limits.remaining < self._buckets:  # as many may be about to
            log.error("shard waits: %s", _spent(limits))
            await asyncio.sleep(limits.reset_after / 1000)

    async def _limits(self) -> discord.SessionStartLimits:
        shards, limits = await gateway_limits(self._client)
        self._client.shard_count = self._client.shard_count or shards
        self._buckets = max(1, limits.max_concurrency)
        return limits

    async def _own_turn(self, bucket: int) -> None:
        now = asyncio.get_running_loop().time()
        turn = max(now, self._free[bucket])
        self._free[bucket] = turn + APART
        await asyncio.sleep(turn - now)


def _spent(limits: discord.SessionStartLimits) -> str:
    wait = timedelta(seconds=limits.reset_after // 1000)
    return (
        f"Discord lets the bot connect only {limits.remaining} more times in the next {wait} "
        f"({limits.total} a day); find out what makes it start again and again, and start it then."
    )

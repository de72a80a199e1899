"""The guilds that the bot is in, as Discord tells."""

from __future__ import annotations

import logging
from functools import partial
from typing import Final

import discord

from bot.service.guilds import Departures
from bot.service.jobs import apart
from bot.storage.guild_settings import GuildId
from bot.storage.shards import Shard
from bot.table.seats import PersonId
from bot.ui.errors import MISSING_ACCESS, UNKNOWN_GUILD, UNKNOWN_MEMBER, reaching
from bot.ui.retries import TEN_MINUTES, Retries

log = logging.getLogger(__name__)

OUTSIDE: Final = frozenset({UNKNOWN_GUILD, MISSING_ACCESS})
"""Discord's answers about a guild to a bot that is no member."""


class Presence:
    """Notices the guilds that the bot joins and leaves, even while it was off.

    An outage is neither: discord.py tells of it in other events, and Discord lists such servers.
    """

    def __init__(self, client: discord.Client, departures: Departures, retries: Retries) -> None:
        self._client = client
        self._departures = departures
        self._retries = retries
        self._seen: dict[int, discord.Guild] = {}
        self._present: dict[Shard, set[GuildId]] = {}

    async def joined(self, guild: discord.Guild) -> None:
        """Follow the bot into a guild."""
        self._seen[guild.id] = guild
        for shard, present in self._present.items():
            if shard.covers(guild.id):
                present.add(GuildId(guild.id))
        await self._departures.returned(GuildId(guild.id))

    async def available(self, guild: discord.Guild) -> None:
        """Follow the bot into a guild that it joined while it was starting."""
        if self._seen.get(guild.id) is not guild:
            await self.joined(guild)

    async def removed(self, guild: discord.Guild) -> None:
        """Follow the bot out of a guild."""
        self._seen.pop(guild.id, None)
        for present in self._present.values():
            present.discard(GuildId(guild.id))
        await self._departures.left(GuildId(guild.id))

    async def has_left(self, server: GuildId, person: PersonId) -> bool:
        """Whether a person is no member of a server that the bot sees.

        Raises:
            Unreachable: Discord has trouble of its own.
        """
        guild = self._client.get_guild(server)
        if guild is None or guild.unavailable:
            return False
        try:
            with reaching():
                await guild.fetch_member(person)
        except discord.HTTPException as error:
            if error.code == UNKNOWN_MEMBER:
                return True
            log.warning("member not found out about id=%s error=%r", person, error)
        return False

    async def connected(self, number: int) -> None:
        """Compare the guilds that a shard's new session began with."""
        shard = Shard(number, self._client.shard_count or 1)
        self._present[shard] = set(self._listed(number))
        await self._departures.compare(shard, self._present[shard], self._is_gone)

    async def compare(self) -> None:
        """Compare the guilds of all shards once more.

        Raises:
            Unreachable: Discord has trouble of its own.
        """
        with apart() as items:
            for shard, present in list(self._present.items()):
                gone = partial(self._is_gone, lasting=0.0)
                await items.do(self._departures.compare(shard, present, gone), f"shard {shard}")

    def _listed(self, number: int) -> frozenset[GuildId]:
        """The guilds of the list: discord.py keeps earlier ones too, but makes these anew."""
        guilds = {guild.id: guild for guild in self._client.guilds if guild.shard_id == number}
        new = [known for known, guild in guilds.items() if self._seen.get(known) is not guild]
        self._seen.update(guilds)
        return frozenset(map(GuildId, new))

    async def _is_gone(self, server: GuildId, lasting: float = TEN_MINUTES) -> bool:
        """Whether Discord refuses to show the bot a guild, which its list lacks."""
        fetch = partial(self._client.fetch_guild, server, with_counts=False)
        try:
            with reaching():
                await self._retries.send(fetch, lasting=lasting)
        except discord.HTTPException as error:
            if error.code in OUTSIDE:
                return True
            log.warning("server not found out about id=%s error=%r", server, error)
        return False

"""Guilds, channels and messages: which are gone, and which the bot may reach again.

An event that arrives while the database is away is lost. So stored guilds and channels are compared
with Discord's once the database is back, and every hour, together with some messages.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Final, ParamSpec

import discord

from bot.cache import MB, Cache
from bot.clock import ahead
from bot.service.guilds import Departures
from bot.service.jobs import apart
from bot.service.ports import Unreachable
from bot.service.use_cases import UseCases
from bot.storage.choices import GuildId
from bot.storage.errors import Unavailable
from bot.storage.shards import Shard
from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.ui.boards import Boards
from bot.ui.errors import MISSING_ACCESS, UNKNOWN_CHANNEL, UNKNOWN_GUILD, UNKNOWN_MEMBER, reaching
from bot.ui.postman import Postman
from bot.ui.retries import TEN_MINUTES, Retries

log = logging.getLogger(__name__)

ASKED_AT_ONCE: Final = 10
"""The most channels asked about in a round, as boards share the budget of requests."""

REMEMBERED: Final = 2 * MB
"""The bytes for deleted messages that wait for the database."""

A_MESSAGE: Final = 192
"""The bytes of a message's number and its channel's."""


class Reach:
    """Follows the channels of guilds, and the messages that are deleted there.

    The games of a deleted channel are closed, and it is removed from the settings for games, news
    and arenas. Posts that Discord refused are tried again after any change that may help.
    """

    def __init__(self, client: discord.Client, use_cases: UseCases, postman: Postman) -> None:
        self._client = client
        self._guilds = use_cases.stores.guilds
        self._messages = use_cases.stores.messages
        self._tables = use_cases.tables
        self._postman = postman
        self._tournaments = use_cases.tournaments.stored
        self._doubted: dict[int, GuildId] = {}
        self.lost: Cache[int, int] = Cache("deleted_messages", REMEMBERED, lambda _: A_MESSAGE)

    async def deleted(self, channel: discord.abc.GuildChannel) -> None:
        """Close the games of a deleted channel; Discord sends events for its threads too."""
        guild = GuildId(channel.guild.id)
        await self._delist(guild, {channel.id})
        await self._close(guild, channel.id)

    async def thread_deleted(self, event: discord.RawThreadDeleteEvent) -> None:
        """Close the games of a deleted thread."""
        await self._close(GuildId(event.guild_id), event.thread_id)

    async def message_deleted(self, event: discord.RawMessageDeleteEvent) -> None:
        """Note that a message was deleted, which may be a board."""
        await self._lose(event.channel_id, [event.message_id])

    async def messages_deleted(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        """Note that many messages were deleted."""
        await self._lose(event.channel_id, event.message_ids)

    async def changed(
        self, _: object, now: discord.abc.GuildChannel | discord.Role | discord.Member
    ) -> None:
        """Try posts again after a change of a channel, a role, or the bot's own roles."""
        self._postman.wake(now.guild.id)

    async def role_deleted(self, role: discord.Role) -> None:
        """Try posts again after a role was deleted, which may have denied the bot something."""
        self._postman.wake(role.guild.id)

    async def thread_changed(self, event: discord.RawThreadUpdateEvent) -> None:
        """Try posts again after a change of a thread, which may have been reopened."""
        self._postman.wake(event.guild_id)

    def available(self, guild: discord.Guild) -> None:
        """Try posts again in a guild that was joined, or is available again."""
        self._postman.wake(guild.id)

    async def compare(self) -> None:
        """Find stored channels that guilds no longer have.

        A missing thread may just be archived, so `run_due` asks Discord about it.
        """
        with apart() as items:
            for guild in self._client.guilds:
                if guild.channels and not guild.unavailable:
                    delisting = self._delist(GuildId(guild.id), self._unlisted(guild))
                    await items.do(delisting, f"server {guild.id}")
            self._doubted = {
                channel: GuildId(number)
                for number, channel in await self._messages.places()
                if (there := self._client.get_guild(number)) is not None
                and not there.unavailable
                and there.get_channel_or_thread(channel) is None
            }

    async def run_due(self) -> None:
        """Close the games of channels that Discord does not know, and note deleted messages.

        Raises:
            Unreachable: Discord has trouble.
        """
        with apart() as items:
            await items.do(self._note_deleted(), "deleted messages")
            for channel, guild in list(self._doubted.items())[:ASKED_AT_ONCE]:
                if not items.away:
                    await items.do(self._ask_about(channel, guild), f"channel {channel}")
                if not items.away:  # after any other error the next comparison finds it again
                    del self._doubted[channel]

    def _unlisted(self, guild: discord.Guild) -> set[int]:
        listed = self._guilds.of(GuildId(guild.id)).named_channels
        return set(listed.difference(channel.id for channel in guild.channels)) if listed else set()

    async def _ask_about(self, channel: int, guild: GuildId) -> None:
        if await self._is_gone(channel):
            await self._close(guild, channel)

    async def _delist(self, guild: GuildId, gone: set[int]) -> None:
        settings = self._guilds.of(guild)
        for channel in gone:
            await self._guilds.lose_news(guild, channel)
            await self._guilds.lose_arena(guild, channel)
        gone &= settings.channels
        if gone:
            await self._guilds.list_channels(guild, delisted=gone)
            log.info("deleted channels taken off the list count=%d", len(gone))

    async def _close(self, guild: GuildId, channel: int) -> None:
        await self._tournaments.lose_channel(channel)
        with apart() as items:
            for session in await self._messages.mark_channel_lost(channel):
                await items.do(self._close_table(session, guild), session)

    async def _close_table(self, session: SessionId, guild: GuildId) -> None:
        with suppress(Refusal):  # it has ended meanwhile
            await self._tables.close(session, guild)

    async def _is_gone(self, channel: int) -> bool:
        try:
            with reaching():
                await self._client.fetch_channel(channel)
        except discord.HTTPException as error:
            return error.code == UNKNOWN_CHANNEL
        except discord.InvalidData:  # a channel of a kind that this discord.py does not know
            log.debug("channel of an unknown kind id=%s", channel)
        return False

    async def _lose(self, channel: int, messages: list[int] | set[int]) -> None:
        for message in messages:
            self.lost.keep(message, channel)
        await self._note_deleted()

    async def _note_deleted(self) -> None:
        """Save that messages were deleted; while the database is away they stay in memory."""
        with apart() as items:
            while self.lost and not items.away:
                message, channel = next(iter(self.lost.items()))
                await items.do(self._note(channel, message), f"message {message}")
                if not items.away:
                    self.lost.drop(message)

    async def _note(self, channel: int, message: int) -> None:
        await self._tournaments.lose_message(message)
        session = await self._messages.mark_lost(channel, message)
        if session is not None:
            await self._tables.close_alone(session)


P = ParamSpec("P")

COMPARED_EVERY: Final = timedelta(hours=1)


class Comparison:
    """Compares what is stored with what Discord has, every hour, or sooner after events."""

    def __init__(
        self,
        client: discord.Client,
        use_cases: UseCases,
        presence: Presence,
        postman: Postman,
        boards: Boards,
    ) -> None:
        self.reach = Reach(client, use_cases, postman)
        self._presence = presence
        self._clock = clock = use_cases.clock
        self._boards = boards
        self._next = self._channels_next = self._boards_next = clock.now() + COMPARED_EVERY

    def channels_soon(self) -> None:
        """Have the next round compare channels."""
        self._channels_next = self._clock.now()

    def soon(self) -> None:
        """Have the next round compare guilds and channels, as an event may have been missed."""
        self._next = self._channels_next = self._clock.now()

    def following(self, follow: Callable[P, Awaitable[None]]) -> Callable[P, Awaitable[None]]:
        """A handler of an event that calls `follow`; if that fails, the next round compares."""

        async def followed(*event: P.args, **named: P.kwargs) -> None:
            try:
                await follow(*event, **named)
            except (Unavailable, Unreachable) as error:
                self.soon()
                log.info("event left to the comparison error=%r", error)
            except Exception:
                self.soon()
                raise

        return followed

    async def run_due(self) -> None:
        """Make the comparisons that are due, and act on what they find.

        Raises:
            ExceptionGroup: The errors at single guilds and channels.
        """
        now = self._clock.now()
        with apart() as items:
            if not ahead(self._next, now, COMPARED_EVERY):
                self._next = now + COMPARED_EVERY
                await items.do(self._presence.compare(), "servers")
            if not ahead(self._channels_next, now, COMPARED_EVERY) and not items.away:
                self._channels_next = now + COMPARED_EVERY
                await items.do(self.reach.compare(), "channels")
            if not ahead(self._boards_next, now, COMPARED_EVERY) and not items.away:
                self._boards_next = now + COMPARED_EVERY
                await items.do(self._boards.compare(), "messages of tables")
            if not items.away:
                await items.do(self.reach.run_due(), "channels and messages that are gone")
            if items.away:
                self.soon()


OUTSIDE: Final = frozenset({UNKNOWN_GUILD, MISSING_ACCESS})
"""Discord's error codes about a guild to a bot that is no member."""


class Presence:
    """Notices the guilds that the bot joins and leaves, even while it was not running.

    An outage is neither: discord.py has other events for it, and Discord lists such guilds.
    """

    def __init__(self, client: discord.Client, departures: Departures, retries: Retries) -> None:
        self._client = client
        self._departures = departures
        self._retries = retries
        self._seen: dict[int, discord.Guild] = {}
        self._present: dict[Shard, set[GuildId]] = {}

    async def available(self, guild: discord.Guild) -> None:
        """Note that the bot is in a guild, perhaps since it was starting."""
        if self._seen.get(guild.id) is guild:
            return
        self._seen[guild.id] = guild
        for shard, present in self._present.items():
            if shard.covers(guild.id):
                present.add(GuildId(guild.id))
        await self._departures.returned(GuildId(guild.id))

    async def removed(self, guild: discord.Guild) -> None:
        """Note that the bot was removed from a guild."""
        self._seen.pop(guild.id, None)
        for present in self._present.values():
            present.discard(GuildId(guild.id))
        await self._departures.left(GuildId(guild.id))

    async def has_left(self, server: GuildId, person: PersonId) -> bool | None:
        """Whether a person is not a member of a guild; None if the bot does not see the guild.

        Raises:
            Unreachable: Discord has trouble.
        """
        guild = self._client.get_guild(server)
        if guild is None or guild.unavailable:
            return None
        try:
            with reaching():
                await guild.fetch_member(person)
        except discord.HTTPException as error:
            if error.code == UNKNOWN_MEMBER:
                return True
            log.warning("member not found out about id=%s error=%r", person, error)
        return False

    async def connected(self, number: int) -> None:
        """Compare the guilds that Discord listed at the start of a shard's new session."""
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
        """A shard's guilds in Discord's latest list, of which discord.py has made new objects."""
        guilds = {guild.id: guild for guild in self._client.guilds if guild.shard_id == number}
        new = [known for known, guild in guilds.items() if self._seen.get(known) is not guild]
        self._seen.update(guilds)
        return frozenset(map(GuildId, new))

    async def _is_gone(self, server: GuildId, lasting: float = TEN_MINUTES) -> bool:
        """Whether Discord refuses to show the bot a guild that is missing in the list."""
        fetch = partial(self._client.fetch_guild, server, with_counts=False)
        try:
            with reaching():
                await self._retries.send(fetch, lasting=lasting)
        except discord.HTTPException as error:
            if error.code in OUTSIDE:
                return True
            log.warning("server not found out about id=%s error=%r", server, error)
        return False

"""The bot as a client of Discord: its events, its start, its rounds."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import discord
from discord import AllowedMentions, Intents, Interaction, app_commands

from bot.cache import Budgeted
from bot.locales import Language
from bot.service.ports import Meter
from bot.service.use_cases import UseCases
from bot.ui.boards import Boards
from bot.ui.connection import Identification, Outage, Turn
from bot.ui.discord_internals import (
    close_session,
    end_pauses,
    ignore_events,
    lose_silent,
    silence_voice,
)
from bot.ui.door import Slips
from bot.ui.emojis import Emojis, Sprites, shipped
from bot.ui.errors import UNDELIVERED
from bot.ui.postman import Postman
from bot.ui.reach import Comparison, Presence
from bot.ui.registration import Registration
from bot.ui.requests import connections, trace
from bot.ui.retries import Retries
from bot.ui.rounds import Rounds
from bot.ui.router import Router
from bot.ui.words import Speech

log = logging.getLogger(__name__)


EVERYWHERE: Final = app_commands.AppCommandContext(
    guild=True, dm_channel=True, private_channel=True
)
BY_ALL: Final = app_commands.AppInstallationType(guild=True, user=True)
"""The defaults of commands: usable everywhere, for bots added by servers and by people."""

UNREAD: Final = ("MESSAGE_CREATE", "MESSAGE_UPDATE")
"""Ignored events, which come along with deletions of messages; parsing them is expensive."""

PRESSED: Final = ("INTERACTION_CREATE",)
"""The event that is ignored while the bot shuts down."""

LAST_CHORES: Final = 1.0
"""Seconds to wait for cancelled jobs at the end."""

PAUSE_OF_GUILDS: Final = 0.5
"""Seconds without another guild's event after which a start is over; discord.py waits 2.

Only the sentence that Parlour is open depends on it.
"""


class Tree(app_commands.CommandTree["ParlourClient"]):
    """The slash commands, each checked by the door before discord.py parses it."""

    async def interaction_check(self, interaction: Interaction[ParlourClient], /) -> bool:
        """Whether a command is as declared; if not, it is answered here."""
        return await self.client.router.admits(interaction, self)

    async def on_error(
        self,
        interaction: Interaction[ParlourClient],
        error: app_commands.AppCommandError,  # noqa: ARG002
    ) -> None:
        """Answer that the command is not one of this version, such as after an update."""
        await self.client.router.outdated(interaction)


class ParlourClient(discord.AutoShardedClient):
    """Parlour's connection to Discord.

    `knows_all_servers` is False for a new sandbox: then a guild missing there was not left.
    `announce` is called once the bot is ready, `ending` before it waits for answers under way.
    `turn` waits until a shard may identify itself, together with those of other processes.
    """

    def __init__(
        self,
        use_cases: UseCases,
        *,
        languages: Mapping[str, Language],
        sprites: Sprites | None,
        source: str | None,
        checker: Callable[[], str | None],
        knows_all_servers: bool,
        announce: Callable[[], None],
        ending: Callable[[], None],
        press_limit: int,
        settling: float,
        meter: Meter | None,
        turn: Turn | None = None,
    ) -> None:
        silence_voice()
        share = use_cases.stores.share
        super().__init__(
            shard_count=share.count,
            shard_ids=sorted(share.numbers) or None,  # type: ignore[arg-type]
            intents=Intents(guilds=True, guild_messages=True),
            allowed_mentions=AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            guild_ready_timeout=PAUSE_OF_GUILDS,
            connector=connections(),
            http_trace=trace(meter),
        )
        ignore_events(self, UNREAD)
        end_pauses(self)
        self._clock = use_cases.clock
        self._notes = use_cases.stores.notes
        self._knows_all_servers = knows_all_servers
        self._announce = announce
        self._ending = ending
        self._chores: list[asyncio.Task[None]] = []
        self.retries = Retries(use_cases.clock)
        self.own_emojis = Emojis(self, shipped() if sprites is None else sprites, self.retries)
        own, stores = self.own_emojis, use_cases.stores
        self._speech = Speech(languages, stores.people, stores.guilds, own.ids, own.names)
        self.postman = Postman(self, self.own_emojis, self._clock, meter)
        slips = Slips(settling)
        self.boards = Boards(
            self, self._speech, self.postman, use_cases, self.retries, slips=slips, meter=meter
        )
        self.presence = Presence(self, use_cases.departures, self.retries)
        self._comparison = Comparison(self, use_cases, self.presence, self.postman, self.boards)
        self._listen()
        self.router = Router(
            use_cases.tables,
            self._speech,
            self.own_emojis,
            press_limit=press_limit,
            slips=slips,
            meter=meter,
        )
        self.on_interaction = self.router.pressed
        self.tree = Tree(self, allowed_contexts=EVERYWHERE, allowed_installs=BY_ALL)
        self._registration = Registration(
            self.tree,
            use_cases,
            self.router,
            languages,
            speech=self._speech,
            emojis=self.own_emojis,
            retries=self.retries,
        )
        self._rounds = Rounds(
            self,
            use_cases,
            self._speech,
            self.postman,
            self.boards,
            presence=self.presence,
            comparison=self._comparison,
            registration=self._registration,
            meter=meter,
        )
        reminders, tournaments = self._rounds.reminders, self._rounds.tournaments
        self._registration.add_commands(
            self.boards, reminders, tournaments, source=source, checker=checker
        )
        self._identification = Identification(self, turn)

    def _listen(self) -> None:
        """Set the handlers of gateway events about guilds, channels and messages."""
        following, reach = self._comparison.following, self._comparison.reach
        self.on_guild_join = following(self._available)
        self.on_guild_remove = following(self.presence.removed)
        self.on_guild_channel_delete = following(reach.deleted)
        self.on_guild_channel_update = reach.changed
        self.on_guild_role_update = reach.changed
        self.on_guild_role_delete = reach.role_deleted
        self.on_member_update = reach.changed
        self.on_raw_thread_delete = following(reach.thread_deleted)
        self.on_raw_thread_update = reach.thread_changed
        self.on_raw_message_delete = following(reach.message_deleted)
        self.on_raw_bulk_message_delete = following(reach.messages_deleted)
        self.on_guild_available = following(self._available)
        self.on_shard_ready = following(self._settled)
        if self._knows_all_servers:
            self.on_shard_connect = following(self.presence.connected)

    async def _available(self, guild: discord.Guild) -> None:
        """Compare a guild that was joined, or is available again, with what is stored."""
        self._comparison.channels_soon()
        self._comparison.reach.available(guild)
        await self.presence.available(guild)

    async def _settled(self, shard: int) -> None:
        """Note the guilds of a shard, once its start is over.

        discord.py sends no event for a guild that arrives just when its wait for them ends.
        """
        for guild in self.guilds:
            if guild.shard_id == shard and not guild.unavailable:
                await self.presence.available(guild)

    @property
    def caches(self) -> Sequence[Budgeted]:
        """The caches of messages and people."""
        return (
            *self.boards.caches,
            self.router.cooldown.left,
            self.router.slips.layouts,
            self._comparison.reach.lost,
            self._speech.spoken,
        )

    @property
    def emoji_ready(self) -> asyncio.Event:
        """Set once the emoji are uploaded and boards without them will be drawn again."""
        return self._registration.emoji_ready

    async def login(self, token: str) -> None:
        """Log in, register the commands, and start the jobs.

        Each request is tried again while Discord has trouble.

        Raises:
            StorageError: The database belongs to another bot.
        """
        outage = Outage(self._clock)
        for request in (partial(self._log_in, token), self._identification.begin):
            await self.retries.send(partial(outage.noted, request))
        if self._knows_all_servers:
            await self._notes.belong_to(self.application_id or 0)
        await self._registration.begin()
        self._chores = [asyncio.create_task(self._rounds.run(), name="jobs")]

    async def _log_in(self, token: str) -> None:
        try:
            await super().login(token)
        except UNDELIVERED:
            await close_session(self, connections())
            raise
        lose_silent(self)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may identify itself."""
        await self._identification.before_identify(shard_id, initial=initial)

    async def on_ready(self) -> None:
        """Announce once that the bot is connected."""
        log.info("ready user=%s servers=%d", self.user, len(self.guilds))
        self._announce()
        self._announce = lambda: None

    async def close(self) -> None:
        """Finish what is under way, save what the messages show, and disconnect.

        Everything that sends requests ends before discord.py closes the HTTP session.
        """
        self._ending()
        for chore in self._chores:
            chore.cancel()
        await self.router.closed()
        ignore_events(self, PRESSED)
        await self.router.close()
        if self._chores:
            await asyncio.wait(self._chores, timeout=LAST_CHORES)
        await self._rounds.tournaments.close()
        await self.postman.close()
        await self.boards.save_shown()
        await super().close()

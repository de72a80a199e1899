"""The bot as a client of Discord: what it listens to, what it registers, what it does at start."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Final

import discord
from discord import (
    AllowedMentions,
    Intents,
    Interaction,
    VoiceClient,
    app_commands,
)
from discord.app_commands import AppCommandGroup

from bot.locales import Language
from bot.screens.board import LOOK
from bot.service.meter import Meter
from bot.service.ports import Unavailable
from bot.service.use_cases import UseCases
from bot.ui.boards import Boards
from bot.ui.commands import commands
from bot.ui.commands.slash import SlashCommands, Translator, translated
from bot.ui.emojis import Emojis, Sprites, shipped
from bot.ui.guilds import Presence
from bot.ui.reach import Reach
from bot.ui.reminders import reminder_rounds
from bot.ui.requests import counted
from bot.ui.router import Router
from bot.ui.words import Speech

log = logging.getLogger(__name__)

ROUND_EVERY: Final = timedelta(seconds=10)
"""How often what is due is looked for."""

COMMANDS_NOTE: Final = "commands"
LOOK_NOTE: Final = "look"


class Tree(app_commands.CommandTree["ParlourClient"]):
    """The slash commands. What discord.py itself finds wrong with one is answered too."""

    async def on_error(
        self, interaction: Interaction[ParlourClient], error: app_commands.AppCommandError
    ) -> None:
        """Says that the command is not one of this version, as after an update."""
        await self.client.router.outdated(interaction, error)


class ParlourClient(discord.AutoShardedClient):
    """Parlour's connection to Discord.

    `knows_all_servers` is False for a Discord, such as one's own sandbox, where a server that it
    does not know is not one that the bot has left. `announce` is called when Discord has let it in,
    `ending` before it waits for answers under way.
    """

    def __init__(
        self,
        use_cases: UseCases,
        *,
        languages: Mapping[str, Language],
        sprites: Sprites | None,
        source: str | None,
        knows_all_servers: bool,
        announce: Callable[[], None],
        ending: Callable[[], None],
        press_limit: int,
        meter: Meter,
    ) -> None:
        VoiceClient.warn_nacl = VoiceClient.warn_dave = False  # there is no voice at a board
        super().__init__(
            intents=Intents(guilds=True, guild_messages=True),
            allowed_mentions=AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            http_trace=counted(meter),
        )
        self._use_cases = use_cases
        self._languages = languages
        self._knows_all_servers = knows_all_servers
        self._announce = announce
        self._ending = ending
        self._chores: list[asyncio.Task[None]] = []
        self.own_emojis = Emojis(self, shipped() if sprites is None else sprites)
        self._speech = Speech(languages, use_cases.people, use_cases.guilds, self.own_emojis.ids)
        self.boards = Boards(
            self, self._speech, self.own_emojis, use_cases.messages, use_cases.clock, meter=meter
        )
        self.presence = Presence(self, use_cases.departures)
        self._reach = Reach(use_cases.guilds, use_cases.messages, use_cases.tables, self.boards)
        self._listen()
        self._reminders = reminder_rounds(self, self._speech, use_cases)
        sending = self.own_emojis.sending
        self.router = Router(use_cases.tables, self._speech, sending, press_limit, meter)
        self.on_interaction = self.router.pressed
        self.tree = Tree(self)
        slash = SlashCommands(self.router, languages)
        for command in commands(
            use_cases, self.boards, self._reminders.moved, slash, source=source
        ):
            self.tree.add_command(command)

    def _listen(self) -> None:
        """Has discord.py call what follows servers and channels: it goes by these names."""
        self.on_guild_join = self.presence.joined
        self.on_guild_remove = self.presence.removed
        self.on_guild_channel_delete = self._reach.deleted
        self.on_guild_channel_update = self._reach.channel_changed
        self.on_guild_role_update = self._reach.role_changed
        self.on_member_update = self._reach.member_changed
        self.on_raw_thread_delete = self._reach.thread_deleted
        self.on_raw_thread_update = self._reach.thread_changed

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Looks what has become of a server that can be seen, at the start or again."""
        await self.presence.available(guild)
        await self._reach.compared(guild)

    async def setup_hook(self) -> None:
        """Registers the commands, and begins to look for what is due."""
        await self._register()
        await self.own_emojis.find()
        self._chores = [
            asyncio.create_task(self._make_rounds(), name="rounds"),
            asyncio.create_task(self._dress(), name="emoji"),
        ]

    async def on_ready(self) -> None:
        """Says that Discord has let the bot in; once, however often the connection comes back."""
        log.info("ready user=%s servers=%d", self.user, len(self.guilds))
        self._announce()
        self._announce = lambda: None

    async def on_shard_connect(self, number: int) -> None:
        """Looks which servers the bot has left or joined while it was not connected."""
        if self._knows_all_servers:
            await self.presence.connected(number)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        """Notes that a board is gone, if one is."""
        await self._lose(event.channel_id, event.message_id)

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        """The same for many messages at once."""
        for message in event.message_ids:
            await self._lose(event.channel_id, message)

    async def _lose(self, channel: int, message: int) -> None:
        session = await self._use_cases.messages.lose(channel, message)
        if session is not None:
            await self._use_cases.tables.close_alone(session)

    async def close(self) -> None:
        """Leaves Discord, and writes down what the messages show."""
        self._ending()
        for chore in self._chores:
            chore.cancel()
        await self.router.closed()
        await super().close()
        await self.boards.close()

    async def _register(self) -> None:
        """Registers the commands if they are not those registered last: Discord counts it."""
        keyed = [
            await command.get_translated_payload(self.tree, Translator())
            for command in self.tree.get_commands()
        ]
        payload = translated(keyed, self._languages)
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        note = f"{self.application_id}:{digest}"
        messages = self._use_cases.messages
        registered = await self.tree.fetch_commands()
        known = {command.name for command in registered}
        named = {command.name for command in self.tree.get_commands()}
        if known != named or await messages.note(COMMANDS_NOTE) != note:
            await self.http.bulk_upsert_global_commands(int(self.application_id or 0), payload)
            registered = await self.tree.fetch_commands()
            await messages.keep(COMMANDS_NOTE, note)
            log.info("commands registered count=%d", len(registered))
        for command in registered:
            self._speech.commands[command.name] = command.mention
            for option in command.options:
                if isinstance(option, AppCommandGroup):
                    self._speech.commands[option.qualified_name] = option.mention

    async def _dress(self) -> None:
        """Uploads the emoji that are missing, at the start and whenever some are lost.

        Boards that look otherwise than they did are redrawn; the note of how they look has the
        emoji, so that it shows which are lost.
        """
        while True:
            await self.own_emojis.upload()
            ids = sorted(self.own_emojis.ids.values())
            look, before = json.dumps([LOOK, ids]), await self._use_cases.messages.note(LOOK_NOTE)
            if before != look:
                await self.boards.redraw(lost_emoji=bool({*_emoji(before)}.difference(ids)))
                await self._use_cases.messages.keep(LOOK_NOTE, look)
            await self.own_emojis.lost()
            await self.own_emojis.find()

    async def _make_rounds(self) -> None:
        clock = self._use_cases.clock
        while True:
            begun = clock.now()
            try:
                await self._use_cases.tables.tend(self.boards.mend)
                await self.boards.mend_all()
                await self._reminders.tend()
                await self._use_cases.leavers.tend(self.presence.has_left, self.boards.mend)
                await self._use_cases.departures.tend()
                await self._use_cases.privacy.tend(clock.now())
            except Unavailable:
                log.debug("round put off")
            except Exception:
                log.exception("round failed")
            await clock.until(begun + ROUND_EVERY)


def _emoji(look: str | None) -> list[int]:
    """The emoji in a note of how boards look; none in that of a version that kept a digest."""
    if look is None or not look.startswith("["):
        return []
    _, ids = json.loads(look)
    return list(ids)

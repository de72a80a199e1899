"""The bot as a client of Discord: what it listens to, what it registers, what it does at start."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Final, Self

import discord
from discord import (
    AllowedMentions,
    Intents,
    Interaction,
    InteractionType,
    Permissions,
    VoiceClient,
    app_commands,
)
from discord.app_commands import AppCommandGroup
from discord.utils import oauth_url

from bot.locales import ENGLISH, Language, negotiated
from bot.service.guilds import Departures
from bot.service.ports import Clock, Guilds, Messages, People, Records
from bot.service.privacy import Privacy
from bot.service.tables import Service
from bot.ui.boards import Boards
from bot.ui.commands import Translator, slash_commands
from bot.ui.desk import Desk
from bot.ui.emojis import Emojis, Sprites
from bot.ui.help import Links
from bot.ui.presence import Presence
from bot.ui.settings_commands import settings_commands
from bot.ui.words import Words

log = logging.getLogger(__name__)

ROUND_EVERY: Final = timedelta(seconds=10)
"""How often what is due is looked for."""

COMMANDS_NOTE: Final = "commands"

PERMISSIONS: Final = Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True
)


class Tree(app_commands.CommandTree["ParlourClient"]):
    """The slash commands. What discord.py itself finds wrong with one is answered too."""

    async def on_error(
        self, interaction: Interaction[ParlourClient], error: app_commands.AppCommandError
    ) -> None:
        """Says that the command is not one of this version, as after an update."""
        await self.client.desk.outdated(interaction, error)


class ParlourClient(discord.AutoShardedClient):
    """Parlour's connection to Discord.

    `knows_all_servers` is False for a Discord, such as one's own sandbox, where a server that it
    does not know is not one that the bot has left.
    """

    def __init__(
        self,
        service: Service,
        messages: Messages,
        people: People,
        servers: Guilds,
        records: Records,
        *,
        departures: Departures,
        privacy: Privacy,
        languages: Mapping[str, Language],
        clock: Clock,
        sprites: Sprites | None = None,
        source: str | None = None,
        knows_all_servers: bool = True,
        announce: Callable[[], None] = lambda: None,
    ) -> None:
        VoiceClient.warn_nacl = VoiceClient.warn_dave = False  # there is no voice at a board
        super().__init__(
            intents=Intents(guilds=True),
            allowed_mentions=AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
        )
        self._service = service
        self._messages = messages
        self._languages = languages
        self._departures = departures
        self._clock = clock
        self._source = source
        self._knows_all_servers = knows_all_servers
        self._announce = announce
        self._mentions: dict[str, str] = {}
        self.own_emojis = Emojis(self, sprites or {})
        self._chores: list[asyncio.Task[None]] = []
        self.tree = Tree(self)
        self.presence = Presence(self, departures)
        self.boards = Boards(self, messages, clock)
        self.desk = Desk(
            self, service, people, servers, self.boards, records=records, privacy=privacy
        )

    @property
    def links(self) -> Links:
        """Where to invite the bot and find its source."""
        invite = oauth_url(self.application_id or 0, permissions=PERMISSIONS)
        return Links(invite, self._source)

    def words(self, *locales: str | None) -> Words:
        """Words in the first of some locales that there is a catalogue for."""
        language = negotiated(locales, self._languages)
        return Words(language, self._mentions, self.own_emojis.ids)

    async def setup_hook(self) -> None:
        """Registers the commands, and begins to look for what is due."""
        for command in slash_commands(self._languages[ENGLISH]):
            self.tree.add_command(command)
        for group in settings_commands(self._languages):
            self.tree.add_command(group)
        await self.tree.set_translator(Translator(self._languages))
        await self._register()
        await self.own_emojis.find()
        self._chores = [
            asyncio.create_task(self._make_rounds(), name="rounds"),
            asyncio.create_task(self.own_emojis.upload(), name="emoji"),
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

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Takes a server in, perhaps again."""
        await self.presence.joined(guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Takes a server in that came while others were still being told of."""
        await self.presence.available(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Closes what runs in a server that the bot was taken out of."""
        await self.presence.removed(guild)

    async def on_interaction(self, interaction: Interaction[Self]) -> None:
        """Hands a press to the desk; commands come there by themselves."""
        if interaction.type is InteractionType.component:
            await self.desk.pressed(interaction)

    async def close(self) -> None:
        """Leaves Discord, and writes down what the messages show."""
        for chore in self._chores:
            chore.cancel()
        await self.desk.closed()
        await super().close()
        await self.boards.settle()

    async def _register(self) -> None:
        """Registers the commands if they are not those registered last: Discord counts it."""
        payload = [
            await command.get_translated_payload(self.tree, Translator(self._languages))
            for command in self.tree.get_commands()
        ]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        note = f"{self.application_id}:{digest}"
        registered = await self.tree.fetch_commands()
        known = {command.name for command in registered}
        named = {command.name for command in self.tree.get_commands()}
        if known != named or await self._messages.note(COMMANDS_NOTE) != note:
            registered = await self.tree.sync()
            await self._messages.keep(COMMANDS_NOTE, note)
            log.info("commands registered count=%d", len(registered))
        for command in registered:
            self._mentions[command.name] = command.mention
            for option in command.options:
                if isinstance(option, AppCommandGroup):
                    self._mentions[option.qualified_name] = option.mention

    async def _make_rounds(self) -> None:
        while True:
            begun = self._clock.now()
            try:
                await self._service.tend(self.boards.mend)
                await self.boards.mend_all()
                await self._departures.tend()
            except Exception:
                log.exception("round failed")
            await self._clock.until(begun + ROUND_EVERY)

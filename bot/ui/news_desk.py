"""News as messages of Discord in the channels of servers, and warnings as direct messages."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from io import BytesIO
from typing import NamedTuple

import discord

from bot.records.puzzle_league import Edition
from bot.screens.news import news, warning
from bot.screens.podium import PICTURE, podium_picture
from bot.screens.puzzle import SOLVE
from bot.service.ports import OutOfReach
from bot.storage.guild_settings import GuildId, Guilds
from bot.storage.people import People
from bot.table.seats import PersonId
from bot.ui.custom_ids import puzzle_id
from bot.ui.errors import OUT_OF_REACH
from bot.ui.message_kinds import found_by
from bot.ui.render import puzzle_view
from bot.ui.retries import Retries, nonce, tried
from bot.ui.words import Speech, Words
from engine.review import Puzzle

log = logging.getLogger(__name__)


class PostedNews(NamedTuple):
    """News that have been sent, perhaps as a message that the bot cannot read."""

    message: int | None


class DiscordNewsDesk:
    """Sends news without a push, in the language of the server."""

    def __init__(
        self, client: discord.Client, speech: Speech, people: People, guilds: Guilds
    ) -> None:
        self._client = client
        self._speech = speech
        self._people = people
        self._guilds = guilds
        self._retries = Retries.brief()

    def sees(self, guild: GuildId) -> bool:
        """Whether the bot is in the guild, and there is no outage."""
        known = self._client.get_guild(guild)
        return known is not None and not known.unavailable

    async def publish(
        self, guild: GuildId, puzzle: Puzzle, edition: Edition, *, perhaps_sent: bool
    ) -> int | None:
        """Send the puzzle and the news of a day; return None if Discord refuses them.

        Raises:
            Unreachable: Discord has trouble.
            OutOfReach: The channel is gone, or the bot may not write there.
        """
        number = self._guilds.settings_of(guild).news_channel
        if number is None:  # switched off meanwhile
            return None
        channel = self._client.get_partial_messageable(number, guild_id=guild)
        view = puzzle_view(news(puzzle, edition), puzzle.day, self._words(guild))
        once = nonce("news", puzzle.day.isoformat(), number)
        best = edition.podiums
        painted = await asyncio.to_thread(podium_picture, best) if best else None

        async def send() -> discord.Message:
            files = [] if painted is None else [discord.File(BytesIO(painted), PICTURE)]
            return await channel.send(view=view, files=files, nonce=once, silent=True)

        try:
            if perhaps_sent and (known := await self._sent(channel, puzzle)):
                return known.message
            return (await tried(self._retries, send)).id
        except discord.HTTPException as error:
            log.info("news not delivered server=%s error=%r", guild, error)
            if error.code in OUT_OF_REACH:
                raise OutOfReach from error
            return None

    async def warn(self, person: PersonId, puzzle: Puzzle, streak: int) -> None:
        """Tell a person by direct message that a streak breaks, unless Discord refuses that.

        Raises:
            Unreachable: Discord has trouble.
        """
        words = self._speech.words(self._people.choices(person).language)
        view = puzzle_view(warning(puzzle, streak), puzzle.day, words)
        try:
            create = partial(self._client.create_dm, discord.Object(person))
            channel = await tried(self._retries, create)
            once = nonce("streak", puzzle.day.isoformat(), person, channel.id)
            await tried(self._retries, partial(channel.send, view=view, nonce=once))
        except discord.HTTPException as error:
            log.info("warning not delivered error=%r", error)

    async def _sent(self, channel: discord.PartialMessageable, puzzle: Puzzle) -> PostedNews | None:
        """The news that were sent; None if they were not."""
        solve = puzzle_id(puzzle.day, SOLVE)
        try:
            message = await tried(self._retries, partial(found_by, channel, solve))
        except discord.Forbidden:  # then there is no way to know
            return PostedNews(None)
        return None if message is None else PostedNews(message)

    def _words(self, guild: GuildId) -> Words:
        known = self._client.get_guild(guild)
        locale = None if known is None else known.preferred_locale.value
        return self._speech.words(self._guilds.settings_of(guild).language, locale)

"""News as messages of Discord in the channels of servers, and warnings as direct messages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import date
from functools import partial
from io import BytesIO
from typing import Final

import discord

from bot.records.puzzle_league import Edition
from bot.screens.news import ANSWER, POSITION, news, warning
from bot.screens.podium import PICTURE, Profile, podium_picture
from bot.screens.puzzle import PuzzleAction, puzzle_pictures
from bot.service.ports import OutOfReach
from bot.storage.guild_settings import GuildId, Guilds
from bot.storage.news import UNREADABLE
from bot.storage.people import People
from bot.table.seats import FORMER_PLAYERS, PersonId
from bot.ui.custom_ids import puzzle_id
from bot.ui.errors import OUT_OF_REACH, UNDELIVERED
from bot.ui.message_kinds import found_by
from bot.ui.render import puzzle_view
from bot.ui.retries import Retries, failing_at_once, nonce, tried
from bot.ui.words import Speech, Words
from engine.review import Puzzle

log = logging.getLogger(__name__)

KNOWN_WITHIN: Final = 1.0
"""Seconds for which a picture waits for the names and avatars of its players."""


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
        self._boards: dict[date, tuple[bytes, bytes]] = {}

    def sees(self, guild: GuildId) -> bool:
        """Whether the bot is in the guild, and there is no outage."""
        known = self._client.get_guild(guild)
        return known is not None and not known.unavailable

    async def publish(
        self,
        guild: GuildId,
        puzzle: Puzzle,
        edition: Edition,
        before: Puzzle,
        *,
        perhaps_sent: bool,
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
        view = puzzle_view(news(puzzle, edition, before), puzzle.day, self._words(guild))
        once = nonce("news", puzzle.day.isoformat(), number)
        painted = await self._painted(guild, edition, before)

        async def send() -> discord.Message:
            files = [discord.File(BytesIO(png), name) for name, png in painted.items()]
            return await channel.send(view=view, files=files, nonce=once, silent=True)

        with _refusals(guild):
            if perhaps_sent and (known := await self.sent(guild, puzzle.day)) is not None:
                return known
            return (await tried(self._retries, send)).id
        return None

    async def sent(self, guild: GuildId, day: date) -> int | None:
        """The message of a day's news that were sent, perhaps `UNREADABLE`; None if they were not.

        Raises:
            Unreachable: Discord has trouble.
        """
        number = self._guilds.settings_of(guild).news_channel
        if number is None:  # switched off meanwhile
            return None
        channel, solve = (
            self._client.get_partial_messageable(number),
            puzzle_id(day, PuzzleAction.SOLVE),
        )
        try:
            return await tried(self._retries, partial(found_by, channel, solve))
        except discord.Forbidden:  # then there is no way to know
            return UNREADABLE
        except discord.HTTPException:
            return None

    async def edit(
        self, guild: GuildId, message: int, puzzle: Puzzle, edition: Edition, before: Puzzle
    ) -> None:
        """Show the news of a day as they are now, unless Discord refuses that.

        Raises:
            Unreachable: Discord has trouble.
            OutOfReach: The message or its channel is gone.
        """
        number = self._guilds.settings_of(guild).news_channel
        if number is None:  # switched off meanwhile
            return
        channel = self._client.get_partial_messageable(number, guild_id=guild)
        view = puzzle_view(news(puzzle, edition, before), puzzle.day, self._words(guild))
        edit = partial(channel.get_partial_message(message).edit, view=view)  # pictures stay
        with _refusals(guild):
            await tried(self._retries, edit)

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

    async def _painted(
        self, guild: GuildId, edition: Edition, before: Puzzle
    ) -> Mapping[str, bytes]:
        """The pictures that go with news, by the names of their files."""
        painted = dict[str, bytes]()
        if edition.last is not None:
            if before.day not in self._boards:
                self._boards = {before.day: await asyncio.to_thread(puzzle_pictures, before)}
            painted |= zip((POSITION, ANSWER), self._boards[before.day], strict=True)
        if edition.podiums:
            best = {each.person for lines in edition.podiums.values() for each in lines}
            known = await self._profiles(guild, best)
            about = edition.podiums, self._words(guild), known
            painted[PICTURE] = await asyncio.to_thread(podium_picture, *about)
        return painted

    async def _profiles(
        self, guild: GuildId, people: Collection[PersonId]
    ) -> Mapping[PersonId, Profile]:
        """The players whose names, and perhaps avatars, Discord tells within a second."""
        found = dict[PersonId, Profile]()
        home = self._client.get_guild(guild)

        async def look_up(person: PersonId) -> None:
            with suppress(*UNDELIVERED, discord.DiscordException):
                if home is None or person in FORMER_PLAYERS:
                    return
                with failing_at_once():
                    member = await home.fetch_member(person)
                    found[person] = Profile(member.display_name)
                    own = member.guild_avatar or member.avatar
                    if own is not None:
                        png = await own.with_size(64).with_static_format("png").read()
                        found[person] = Profile(member.display_name, png)

        with suppress(TimeoutError):
            async with asyncio.timeout(KNOWN_WITHIN):
                await asyncio.gather(*map(look_up, people))
        return found

    def _words(self, guild: GuildId) -> Words:
        known = self._client.get_guild(guild)
        locale = None if known is None else known.preferred_locale.value
        return self._speech.words(self._guilds.settings_of(guild).language, locale)


@contextmanager
def _refusals(guild: GuildId) -> Iterator[None]:
    """Pass over what Discord refuses.

    Raises:
        OutOfReach: The message or its channel is gone, or the bot may not write there.
    """
    try:
        yield
    except discord.HTTPException as error:
        log.info("news not delivered server=%s error=%r", guild, error)
        if error.code in OUT_OF_REACH:
            raise OutOfReach from error

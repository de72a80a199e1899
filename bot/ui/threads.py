"""Threads of tables' messages: for the talk about a game between people, and its reminders.

A thread is opened once the game has begun, and left to archive itself after the end. It is never
locked, since the buttons of a board in it would be dead. A thread that could not be opened, because
of trouble or a stop, is opened when the message is drawn again.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Final, Literal

import discord

from bot.message.text import text
from bot.service.ports import Unreachable
from bot.storage.errors import Unavailable
from bot.storage.guild_settings import GuildId, Guilds
from bot.storage.messages import Messages
from bot.table.session import Phase, SessionId
from bot.table.table import NO_CHANNEL, Table
from bot.ui.errors import THREAD_THERE
from bot.ui.retries import Retries, tried
from bot.ui.words import Speech

log = logging.getLogger(__name__)

ARCHIVED_AFTER: Final = 1440
"""Minutes without a message after which Discord archives a thread."""


class Threads:
    """Opens the threads that servers want."""

    def __init__(
        self, client: discord.Client, speech: Speech, guilds: Guilds, messages: Messages
    ) -> None:
        self._client = client
        self._speech = speech
        self._guilds = guilds
        self._messages = messages
        self._retries = Retries.brief()
        self._opening: dict[SessionId, asyncio.Task[None]] = {}

    def open_soon(self, table: Table, message: int) -> None:
        """Open the thread of a table's message if it is to have one, while others go on."""
        place = table.place
        if place.guild is None or place.unreachable or place.thread is not None:
            return
        if self._guilds.settings_of(GuildId(place.guild)).threads and self._may_have_one(table):
            task = asyncio.create_task(self._open(table, message), name="thread")
            self._opening[table.id] = task
            task.add_done_callback(lambda _: self._opening.pop(table.id))

    async def close(self) -> None:
        """Open no more threads."""
        for task in self._opening.values():
            task.cancel()
        await asyncio.gather(*self._opening.values(), return_exceptions=True)

    def _may_have_one(self, table: Table) -> bool:
        """Whether people play each other, and not in a thread such as a tournament's."""
        played = table.session
        if table.id in self._opening or played.phase is not Phase.RUNNING or played.solo:
            return False
        return not isinstance(self._client.get_channel(table.place.channel), discord.Thread)

    async def _open(self, table: Table, message: int) -> None:
        words, key = self._speech.words(table.locale), table.session.game.key
        name = words.of(text("thread.name", game=text(f"game.{key}"), number=str(table.id)))
        place = table.place
        channel = self._client.get_partial_messageable(place.channel, guild_id=place.guild)
        of = channel.get_partial_message(message)
        try:
            number = await thread_of(of, name, self._retries, archived_after=ARCHIVED_AFTER)
        except Unreachable:  # the next time that the message is drawn
            return
        try:
            await self._messages.save_thread(table.id, NO_CHANNEL if number is None else number)
        except Unavailable:
            log.debug("thread not saved session=%s", table.id)


async def thread_of(
    message: discord.PartialMessage,
    name: str,
    retries: Retries,
    *,
    archived_after: Literal[1440, 10_080],
) -> int | None:
    """The thread of a message, opened unless there is one; None where the bot may not open it.

    Raises:
        Unreachable: Discord has trouble.
    """
    create = partial(message.create_thread, name=name, auto_archive_duration=archived_after)
    try:
        return (await tried(retries, create)).id
    except (discord.HTTPException, ValueError) as error:  # or the guild is not known just now
        if isinstance(error, discord.HTTPException) and error.code == THREAD_THERE:
            return message.id
        log.info("thread not opened message=%s error=%r", message.id, error)
        return None

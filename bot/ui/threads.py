"""Threads of tables' messages: for the talk about a game between people, and its reminders.

A thread is opened once the game has begun, and archives itself after the end. It is never locked,
as the buttons of a board in it would no longer work. If the bot stops before opening it, it is
opened when the board is drawn next.
"""

from __future__ import annotations

from functools import partial

import discord

from bot.message.text import text
from bot.storage.choices import GuildId, Guilds
from bot.storage.messages import Messages
from bot.table.session import Phase, SessionId
from bot.table.table import NO_CHANNEL, Table
from bot.ui.postman import Letter, NewThread, Post, PostKind, Postman
from bot.ui.words import Speech


class Threads:
    """The threads that servers want, as a kind of posts."""

    def __init__(
        self,
        client: discord.Client,
        speech: Speech,
        postman: Postman,
        guilds: Guilds,
        messages: Messages,
    ) -> None:
        self._client = client
        self._speech = speech
        self._postman = postman
        self._guilds = guilds
        self._messages = messages
        self._kind = PostKind("thread", self._draw)

    def open_soon(self, table: Table) -> None:
        """Open the thread of a table's message in the background, if it is to have one."""
        if self._is_wanted(table):
            self._postman.deliver_soon(Post(self._kind, table.id))

    async def _draw(self, session: SessionId) -> Letter | None:
        table = await self._messages.table(session)
        place = table.place
        if place.message is None or not self._is_wanted(table):
            return None
        words, key = self._speech.words(table.locale), table.session.game.key
        name = words.of(text("thread.name", game=text(f"game.{key}"), number=str(table.id)))
        save = partial(self._messages.save_thread, session)
        return Letter(
            channel=place.channel,
            guild=place.guild,
            message=place.message,
            thread=NewThread(name, archived_after=1440),
            there=lambda thread, _: save(thread),
            refused=lambda _: save(NO_CHANNEL),
            once=True,
        )

    def _is_wanted(self, table: Table) -> bool:
        """Whether a game between people has no thread, is not in one, and the server wants them."""
        place, played = table.place, table.session
        if place.guild is None or place.unreachable or place.thread is not None or played.solo:
            return False
        if played.phase is not Phase.RUNNING or self._client.get_guild(place.guild) is None:
            return False
        within = self._client.get_channel(place.channel)
        wanted = self._guilds.of(GuildId(place.guild)).threads
        return wanted and not isinstance(within, discord.Thread)

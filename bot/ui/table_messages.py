"""The message of a table as Discord has it: drawn, found, edited, sent, and noted in its row.

Where the bot cannot reach the channel, a message that answers an interaction can be changed by the
token of that interaction for 15 minutes. Every press brings a new one; a restart forgets all of
them, so that the next press draws the message.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, NamedTuple

import discord
from discord import ui
from discord.utils import MISSING

from bot.cache import MB, Cache
from bot.clock import Clock
from bot.message.blocks import BOARD_FILE
from bot.screens.board import forgotten, moved, screen
from bot.screens.look_closer import board_picture
from bot.storage.guild_settings import Guilds
from bot.storage.messages import Messages
from bot.table.session import Phase, SessionId
from bot.table.table import NO_CHANNEL, Table
from bot.ui.emojis import Emojis
from bot.ui.errors import UNDELIVERED, UNKNOWN_MESSAGE, lost
from bot.ui.message_kinds import found
from bot.ui.render import board_view, mentions, notice_view, picture_file
from bot.ui.response import Response
from bot.ui.retries import Retries, nonce
from bot.ui.shown_revisions import ShownRevisions
from bot.ui.threads import Threads
from bot.ui.words import Speech, Words, link

log = logging.getLogger(__name__)

MOST_REPLIES: Final = 3 * MB
"""The room for replies; the next press draws the tables of others."""

A_REPLY: Final = 768
"""The bytes of a reply with its webhook."""

TOKEN_LASTS: Final = timedelta(minutes=14, seconds=30)
"""For how long a token is used: a request with one that is dead counts towards a ban."""


@dataclass(frozen=True, slots=True)
class LiveReply:
    """A message that answers an interaction, and the webhook that changes it until its token dies.

    `revision` is the table's that it shows.
    """

    webhook: discord.Webhook
    message: int
    revision: int
    until: datetime


class Replies:
    """The latest reply of each table, as long as it can be changed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.latest: Cache[SessionId, LiveReply] = Cache("replies", MOST_REPLIES, lambda _: A_REPLY)

    @property
    def tables(self) -> Collection[SessionId]:
        """The tables whose message can be changed."""
        self._drop_dead()
        return self.latest.keys()

    def of(self, session: SessionId) -> LiveReply | None:
        """The reply of a table."""
        self._drop_dead()
        return self.latest.get(session)

    def keep(self, table: Table, message: int, webhook: discord.Webhook) -> None:
        """Keep the reply that has just drawn a table."""
        until = self._clock.now() + TOKEN_LASTS
        self.latest.keep(table.id, LiveReply(webhook, message, table.revision, until))
        self._drop_dead()

    def shows(self, table: Table) -> bool:
        """Whether the message of a table is known to show it as it is."""
        reply = self.of(table.id)
        return reply is not None and reply.revision >= table.revision

    def note_unchanged(self, table: Table) -> None:
        """Count the message of a table as up to date."""
        reply = self.latest.get(table.id)
        if reply is not None:
            self.latest.replace(table.id, replace(reply, revision=table.revision))

    async def change(
        self, reply: LiveReply, view: ui.LayoutView, files: list[discord.File] | None = None
    ) -> bool:
        """Change a reply; return False if it is gone."""
        attachments = MISSING if files is None else files
        try:
            await reply.webhook.edit_message(reply.message, view=view, attachments=attachments)
        except discord.HTTPException as error:
            if not lost(error) and not isinstance(error, discord.NotFound):
                raise
            log.info("reply gone message=%s error=%r", reply.message, error)
            self._forget(reply)
            return False
        return True

    def _forget(self, reply: LiveReply) -> None:
        gone = [session for session, latest in self.latest.items() if latest is reply]
        for session in gone:
            self.latest.drop(session)

    def _drop_dead(self) -> None:
        now = self._clock.now()
        while self.latest and self.latest[oldest := next(iter(self.latest))].until <= now:
            self.latest.drop(oldest)


class Drawn(NamedTuple):
    """A board's view, the file of its picture if it has one, and the people it notifies."""

    view: ui.LayoutView
    files: list[discord.File]
    notified: discord.AllowedMentions


class TableMessages:
    """Draws tables without an interaction, and notes what their messages show."""

    def __init__(
        self,
        client: discord.Client,
        speech: Speech,
        emojis: Emojis,
        messages: Messages,
        guilds: Guilds,
        *,
        clock: Clock,
        retries: Retries,
    ) -> None:
        self.shown = ShownRevisions(messages)
        self.threads = Threads(client, speech, guilds, messages)
        self._client = client
        self._speech = speech
        self._emojis = emojis
        self._messages = messages
        self._retries = retries
        self.replies = Replies(clock)
        self._unsaved: dict[SessionId, int] = {}
        """The messages that were sent and that the database has not taken."""

    async def drawn(self, table: Table) -> Drawn:
        """Draw a table, for one request: it reads the picture to its end."""
        shown = screen(table)
        files = []
        if shown.pictured:
            files.append(await picture_file(BOARD_FILE, board_picture, table))
        view = board_view(shown, table, self._words(table))
        return Drawn(view, files, mentions(shown.notifies))

    def signpost(self, table: Table) -> ui.LayoutView:
        """Return the view of a message that the table has left for another."""
        return notice_view(moved(link(table.place)), self._words(table))

    async def leave(self, table: Table, before: int, reply: LiveReply | None) -> None:
        """Delete the message that a table had before; its `reply` can only lead to the new one."""
        try:
            if not table.place.unreachable:
                await self._retries.send(self._at(table, before).delete)
            elif reply is not None and reply.message == before:
                await self.replies.change(reply, self.signpost(table), [])
        except UNDELIVERED as error:  # then a press on it leads to the new one
            log.info("board not deleted session=%s error=%r", table.id, error)

    async def retire(self, table: Table) -> None:
        """Take the controls off the message of a table whose place is about to be forgotten."""
        if table.place.message is None:
            return
        view = notice_view(forgotten(), self._words(table))
        edit = self._at(table, table.place.message).edit
        try:
            await self._retries.send(partial(edit, view=view, attachments=[]))
        except UNDELIVERED as error:  # then a press on it is refused in a sentence
            log.info("board not retired session=%s error=%r", table.id, error)

    async def draw(self, table: Table) -> None:
        """Draw a table into its message, or send that if it never was."""
        message, place = table.place.message, table.place
        unmissed = place.lost or table.session.phase is Phase.ABANDONED
        if place.channel == NO_CHANNEL or (message is None and unmissed):
            self.shown.note(table)
            return
        if place.unreachable:
            await self._change_reply(table)
            return
        channel = self._client.get_partial_messageable(place.channel)
        if message is None:
            message = self._unsaved.get(table.id) or await found(channel, table.id)
        if message is None:
            await self._emojis.sending(partial(self._send, channel, table))
            return
        try:
            await self._emojis.sending(partial(self._edit, self._at(table, message), table))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            self._unsaved.pop(table.id, None)
            self.shown.note(table)
            await self._messages.mark_lost(place.channel, message)

    async def note(self, table: Table, message: int, response: Response) -> None:
        """Note that a response shows a table in a message."""
        if table.place.unreachable:
            self.replies.keep(table, message, response.webhook)
        await self._note(table, message)

    def note_unchanged(self, table: Table) -> None:
        """Count a table's message as up to date after a change that it does not show."""
        latest = self._messages.latest(table)
        self.shown.note(latest)
        self.replies.note_unchanged(latest)

    def _words(self, table: Table) -> Words:
        return self._speech.words(table.locale)

    def _at(self, table: Table, message: int) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(table.place.channel)
        return channel.get_partial_message(message)

    async def _edit(self, message: discord.PartialMessage, table: Table) -> None:
        view, files, _ = await self.drawn(table)
        await message.edit(view=view, attachments=files or MISSING)
        await self._note(table, message.id)

    async def _send(self, channel: discord.PartialMessageable, table: Table) -> None:
        view, files, notified = await self.drawn(table)
        once = nonce("board", table.id, table.revision, channel.id)
        sent = await channel.send(view=view, files=files, allowed_mentions=notified, nonce=once)
        await self._note(table, sent.id)

    async def _change_reply(self, table: Table) -> None:
        """Draw a table that the bot cannot reach, if its last reply can be changed still."""
        reply = self.replies.of(table.id)
        if reply is None or reply.message != table.place.message or self.replies.shows(table):
            return
        view, files, _ = await self.drawn(table)
        if await self._emojis.sending(partial(self.replies.change, reply, view, files or None)):
            self.shown.note(table)
            self.replies.note_unchanged(table)

    async def _note(self, table: Table, message: int) -> None:
        """Note what a message shows, after all else that it takes: what breaks off is repaired."""
        if table.place.message != message:
            self._unsaved[table.id] = message
            await self._messages.save_message(table.id, message)
            del self._unsaved[table.id]
        self.shown.note(table)
        self.threads.open_soon(table, message)

"""The message of a table as Discord has it: found, edited, sent, and noted in its row."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import discord
from discord.utils import MISSING

from bot.screens.dice import seal
from bot.storage.messages import Messages
from bot.table.session import Phase
from bot.table.table import NO_CHANNEL, Table
from bot.ui.custom_ids import found
from bot.ui.drawing import drawn
from bot.ui.emojis import Emojis
from bot.ui.errors import UNKNOWN_MESSAGE
from bot.ui.render import notice_view
from bot.ui.replies import Replies
from bot.ui.response import NOBODY, Response
from bot.ui.retries import nonce
from bot.ui.shown_revisions import ShownRevisions
from bot.ui.words import Speech, Words


class TableMessages:
    """Draws tables without an interaction, and notes what their messages show."""

    def __init__(
        self,
        client: discord.Client,
        speech: Speech,
        emojis: Emojis,
        messages: Messages,
        replies: Replies,
    ) -> None:
        self.shown = ShownRevisions(messages)
        self._client = client
        self._speech = speech
        self._emojis = emojis
        self._messages = messages
        self._replies = replies

    def words(self, table: Table) -> Words:
        """Return words in the language of a table."""
        return self._speech.words(table.locale)

    def at(self, table: Table, message: int) -> discord.PartialMessage:
        """Return a message in the channel of a table."""
        channel = self._client.get_partial_messageable(table.place.channel)
        return channel.get_partial_message(message)

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
            message = await found(channel, table.id)
        if message is None:
            await self._emojis.sending(partial(self._send, channel, table))
            return
        try:
            await self._emojis.sending(partial(self._edit, self.at(table, message), table))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            self.shown.note(table)
            await self._messages.mark_lost(place.channel, message)

    async def note(self, table: Table, message: int, response: Response) -> None:
        """Note that a response shows a table in a message."""
        if table.place.unreachable:
            self._replies.keep(table, message, response.webhook)
        await self._note(table, message)

    def note_unchanged(self, table: Table) -> None:
        """Count a table's message as up to date after a change that it does not show."""
        latest = self._messages.latest(table)
        self.shown.note(latest)
        self._replies.note_unchanged(latest)

    async def post_seal(self, response: Response, table: Table) -> None:
        """Send what a table's dice are bound to in a message for all that is never edited.

        Pressed twice it is one message: Discord takes no second one of the same nonce.
        """
        view, place = notice_view(seal(table), self.words(table)), table.place
        channel = self._client.get_partial_messageable(place.channel)
        once = nonce("seal", table.id, channel.id)
        send = partial(channel.send, view=view, nonce=once, silent=True)
        sent: int | None = None
        if not place.unreachable:
            with suppress(discord.Forbidden):  # then an answer to the press may still be sent
                sent = (await send(allowed_mentions=NOBODY)).id
        if sent is None:
            await response.acknowledge()
            sent = await response.post(view, NOBODY, for_all=True)
        await self._messages.save_commitment(table.id, sent)

    async def _edit(self, message: discord.PartialMessage, table: Table) -> None:
        view, files, _ = await drawn(table, self.words(table))
        await message.edit(view=view, attachments=files or MISSING)
        await self._note(table, message.id)

    async def _send(self, channel: discord.PartialMessageable, table: Table) -> None:
        view, files, notified = await drawn(table, self.words(table))
        once = nonce("board", table.id, table.revision, channel.id)
        sent = await channel.send(view=view, files=files, allowed_mentions=notified, nonce=once)
        await self._note(table, sent.id)

    async def _change_reply(self, table: Table) -> None:
        """Draw a table that the bot cannot reach, if its last reply can be changed still."""
        reply = self._replies.of(table.id)
        if reply is None or reply.message != table.place.message or self._replies.shows(table):
            return
        view, files, _ = await drawn(table, self.words(table))
        if await self._emojis.sending(partial(self._replies.change, reply, view, files or None)):
            self.shown.note(table)
            self._replies.note_unchanged(table)

    async def _note(self, table: Table, message: int) -> None:
        """Note what a message shows, after all else that it takes: what breaks off is repaired."""
        if table.place.message != message:
            await self._messages.save_message(table.id, message)
        self.shown.note(table)

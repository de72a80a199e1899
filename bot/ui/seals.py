"""The messages with the seals of tables' dice: what the dice are bound to, for good."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import discord
from discord import ui

from bot.screens.dice import seal
from bot.storage.messages import Messages
from bot.table.table import InteractionId, Table
from bot.ui.errors import UNDELIVERED, UNKNOWN_MESSAGE
from bot.ui.postman import Letter, Post, PostKind, Postman
from bot.ui.render import notice_view
from bot.ui.response import NOBODY, Response
from bot.ui.words import Speech


class Seals:
    """Posts the seals of tables' dice, each in one message for all that is never edited."""

    def __init__(
        self, client: discord.Client, speech: Speech, postman: Postman, messages: Messages
    ) -> None:
        self._client = client
        self._speech = speech
        self._messages = messages
        self._postman = postman
        self._kind = PostKind("seal")

    async def standing(self, table: Table) -> Table:
        """The table; the id of its seal's message is removed if that was deleted.

        Where the bot is no member, this cannot be found out.
        """
        if table.place.unreachable or table.dice is None or table.dice.promise is None:
            return table
        try:
            await self._channel(table).fetch_message(table.dice.promise)
        except UNDELIVERED as error:
            if not isinstance(error, discord.NotFound) or error.code != UNKNOWN_MESSAGE:
                return table  # it may still be there
            await self._messages.save_commitment(table.id, None)
            return await self._messages.table(table.id)
        return table

    async def post(self, response: Response, table: Table, pressed: InteractionId) -> Table:
        """Post the seal of a table's dice unless that is done; return the table.

        Raises:
            Unseen: Discord showed the message to one reader; it was deleted.
            Unreachable: Discord has trouble; if the message was sent, the next press finds it.
        """
        async with self._postman.lock(post := Post(self._kind, table.id)):
            latest = await self._messages.table(table.id)
            if latest.dice is None or latest.dice.promise is not None:
                return latest
            sent = await self._sent(post, response, latest, pressed)
            await self._messages.save_commitment(table.id, sent)
            return await self._messages.table(table.id)

    async def _sent(
        self, post: Post, response: Response, table: Table, pressed: InteractionId
    ) -> int:
        view = notice_view(seal(table), self._speech.words(table.locale))
        if not table.place.unreachable:
            with suppress(discord.Forbidden):  # then an answer to the press may still be allowed
                return await self._sent_once(post, table, view, pressed)
        await response.acknowledge()
        return await response.post(view, NOBODY, for_all=True)

    async def _sent_once(
        self, post: Post, table: Table, view: ui.LayoutView, pressed: InteractionId
    ) -> int:
        """Send a seal, unless an earlier try was sent although no answer came.

        For some minutes, Discord makes no second message with the nonce of a deleted one.
        """
        letter = Letter(
            channel=table.place.channel,
            view=view,
            once=True,
            marked=(post.kind.name, table.id),
            silent=True,
            drawn_once=True,
        )
        try:
            return await self._postman.put(post, letter)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            return await self._postman.put(post, replace(letter, marked=(*letter.marked, pressed)))

    def _channel(self, table: Table) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(table.place.channel)

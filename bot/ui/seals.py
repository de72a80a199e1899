"""The messages that say for good what the dice of a table are bound to."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from weakref import WeakValueDictionary

import discord

from bot.screens.dice import seal
from bot.storage.messages import Messages
from bot.table.session import SessionId
from bot.table.table import InteractionId, Table
from bot.ui.errors import UNDELIVERED, UNKNOWN_MESSAGE
from bot.ui.render import notice_view
from bot.ui.response import NOBODY, Response
from bot.ui.retries import failing_at_once, nonce
from bot.ui.words import Speech


class Seals:
    """Posts the seals of tables' dice, each in one message for all that is never edited."""

    def __init__(self, client: discord.Client, speech: Speech, messages: Messages) -> None:
        self._client = client
        self._speech = speech
        self._messages = messages
        self._locks: WeakValueDictionary[SessionId, asyncio.Lock] = WeakValueDictionary()

    async def standing(self, table: Table) -> Table:
        """The table, without the message of its seal if that was deleted."""
        if table.dice is None or table.dice.promise is None:
            return table
        try:
            with failing_at_once():
                await self._channel(table).fetch_message(table.dice.promise)
        except UNDELIVERED as error:
            if not isinstance(error, discord.NotFound) or error.code != UNKNOWN_MESSAGE:
                return table  # it may be there
            await self._messages.save_commitment(table.id, None)
            return await self._messages.table(table.id)
        return table

    async def post(self, response: Response, table: Table, pressed: InteractionId) -> Table:
        """Post what a table's dice are bound to, unless that is done, and return the table.

        A press has a nonce of its own: Discord makes no second message of one that was deleted.

        Raises:
            Unseen: Discord showed it to one reader, so it is gone.
        """
        async with self._locks.setdefault(table.id, asyncio.Lock()):
            latest = await self._messages.table(table.id)
            if latest.dice is None or latest.dice.promise is not None:
                return latest
            sent = await self._sent(response, latest, pressed)
            await self._messages.save_commitment(table.id, sent)
            return await self._messages.table(table.id)

    async def _sent(self, response: Response, table: Table, pressed: InteractionId) -> int:
        view = notice_view(seal(table), self._speech.words(table.locale))
        if not table.place.unreachable:
            once = nonce("seal", table.id, table.place.channel, pressed)
            with suppress(discord.Forbidden):  # then an answer to the press may still be sent
                send = self._channel(table).send
                sent = await send(view=view, nonce=once, silent=True, allowed_mentions=NOBODY)
                return sent.id
        await response.acknowledge()
        return await response.post(view, NOBODY, for_all=True)

    def _channel(self, table: Table) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(table.place.channel)

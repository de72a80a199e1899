"""The messages of the tables, kept in step with them.

A message is a projection of its table: it may fall behind, when Discord or this process fails
between saving and showing, and is then mended. Of several changes to one message only the latest
is drawn.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

import discord

from bot import board
from bot.presenter import Mention, text
from bot.session import SessionId
from bot.store import Messages, Table, UnknownTable
from bot.ui.answer import Answer
from bot.ui.codes import UNDELIVERED, UNKNOWN_MESSAGE, passing
from bot.ui.view import board_view, mentions
from bot.ui.words import Words, link

if TYPE_CHECKING:
    from bot.ui.client import ParlourClient

log = logging.getLogger(__name__)

SETTLE_AFTER: Final = 1.0
"""Seconds for which notes of what is shown are gathered, so that a press writes to disk once."""


class Boards:
    """Draws tables into their messages."""

    def __init__(self, client: ParlourClient, messages: Messages) -> None:
        self._client = client
        self._messages = messages
        self._locks: WeakValueDictionary[SessionId, asyncio.Lock] = WeakValueDictionary()
        self._opening = 0
        self._pressing: Counter[SessionId] = Counter()
        self._shown: dict[SessionId, int] = {}
        self._settling: asyncio.Task[None] | None = None

    async def show(self, answer: Answer, table: Table, *, message: int) -> None:
        """Answers a press on `message` with the table as it is by now."""
        async with self._lock(table.id):
            latest = await self._messages.table(table.id)
            if latest.place.message == message and self._shown.get(table.id, 0) >= latest.revision:
                await answer.nod()
                return
            await answer.show(self._view(latest))
            await self._drawn(latest, message)
            await self._nudge(latest)

    async def post(self, answer: Answer, table: Table) -> None:
        """Answers with a new message for the table."""
        async with self._lock(table.id):
            screen = board.screen(table.session, due=table.due)
            message = await answer.post(self._view(table), mentions(screen))
            await self._drawn(table, message)

    async def mend(self, table: Table) -> None:
        """Brings a table's message up to date through its channel, without an interaction."""
        if table.id in self._pressing or (self._opening and table.place.message is None):
            return
        async with self._lock(table.id):
            latest = await self._messages.table(table.id)
            if self._shown.get(latest.id, 0) >= latest.revision and latest.nudge is None:
                return
            try:
                await self._redraw(latest)
                await self._nudge(latest)
            except UNDELIVERED as error:
                if passing(error):
                    log.warning("board not mended session=%s error=%r", table.id, error)
                    return
                log.info("board out of reach session=%s error=%r", table.id, error)
                await self._messages.nudged(table.id)
            self._note(latest)

    async def mend_all(self) -> None:
        """Brings every message up to date that has fallen behind."""
        await self.settle()
        for session in await self._messages.behind():
            with suppress(UnknownTable):
                await self.mend(await self._messages.table(session))

    async def settle(self) -> None:
        """Writes down what the messages show."""
        shown, self._shown = self._shown, {}
        await self._messages.settle(shown)

    @contextmanager
    def opening(self) -> Iterator[None]:
        """While it lasts, a table may be stored whose first message is still being sent."""
        self._opening += 1
        try:
            yield
        finally:
            self._opening -= 1

    @contextmanager
    def pressing(self, session: SessionId) -> Iterator[None]:
        """While it lasts, the table is about to be drawn by a press, and is not mended."""
        self._pressing[session] += 1
        try:
            yield
        finally:
            self._pressing[session] -= 1
            if not self._pressing[session]:
                del self._pressing[session]

    def settled(self, table: Table) -> None:
        """Takes a table's message for up to date, since the change does not show on it."""
        self._note(table)

    async def _redraw(self, table: Table) -> None:
        channel = self._client.get_partial_messageable(table.place.channel)
        if table.place.message is not None:
            try:
                await channel.get_partial_message(table.place.message).edit(view=self._view(table))
            except discord.NotFound as error:
                if error.code != UNKNOWN_MESSAGE:
                    raise
            else:
                return
        screen = board.screen(table.session, due=table.due)
        sent = await channel.send(view=self._view(table), allowed_mentions=mentions(screen))
        await self._drawn(table, sent.id)

    async def _nudge(self, table: Table) -> None:
        if table.nudge is None:
            return
        words = self._words(table)
        player, where = Mention(table.nudge), link(table.place)
        channel = self._client.get_partial_messageable(table.place.channel)
        await channel.send(
            words.of(text("nudge", player=player, link=where)),
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(table.nudge)]),
        )
        await self._messages.nudged(table.id)

    async def _drawn(self, table: Table, message: int) -> None:
        self._note(table)
        if table.place.message != message:
            await self._messages.place(table.id, message)

    def _lock(self, session: SessionId) -> asyncio.Lock:
        return self._locks.setdefault(session, asyncio.Lock())

    def _view(self, table: Table) -> discord.ui.LayoutView:
        return board_view(board.screen(table.session, due=table.due), table, self._words(table))

    def _words(self, table: Table) -> Words:
        return self._client.words(table.locale)

    def _note(self, table: Table) -> None:
        self._shown[table.id] = table.revision
        if self._settling is None or self._settling.done():
            self._settling = asyncio.create_task(self._settle_soon(), name="settle what is shown")

    async def _settle_soon(self) -> None:
        await asyncio.sleep(SETTLE_AFTER)
        await self.settle()

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
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from weakref import WeakValueDictionary

import discord

from bot.message.blocks import Prose, Screen, Tone
from bot.message.text import named, text
from bot.screens import screen
from bot.service.ports import Clock, Messages, UnknownTable
from bot.table.session import Phase, SessionId
from bot.table.table import Table
from bot.ui.errors import OUT_OF_REACH, UNDELIVERED, UNKNOWN_MESSAGE
from bot.ui.render import board_view, mentions
from bot.ui.response import NOBODY, Response
from bot.ui.words import Speech, Words, link

log = logging.getLogger(__name__)

SETTLE_AFTER: Final = 1.0
"""Seconds for which notes of what is shown are gathered, so that a press writes to disk once."""

TOGETHER: Final = 8
"""How many messages are mended at once: one that waits for Discord holds no other up."""

REWRITTEN_TOGETHER: Final = 4
"""How many messages of old games a round rewrites: somebody forgotten may have played thousands."""

SENDING_LASTS: Final = timedelta(seconds=30)
"""For how long a new table's first message may be on its way."""

SHORTEST_PAUSE: Final = timedelta(seconds=10)
LONGEST_PAUSE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Pause:
    """After a failure: until when a message is left alone, and how long that is."""

    until: datetime
    length: timedelta


class Boards:
    """Draws tables into their messages."""

    def __init__(
        self, client: discord.Client, speech: Speech, messages: Messages, clock: Clock
    ) -> None:
        self._client = client
        self._speech = speech
        self._messages = messages
        self._clock = clock
        self._locks: WeakValueDictionary[SessionId, asyncio.Lock] = WeakValueDictionary()
        self._mending = asyncio.Semaphore(TOGETHER)
        self._opening = 0
        self._pressing: Counter[SessionId] = Counter()
        self._pauses: dict[SessionId, Pause] = {}
        self._shown: dict[SessionId, int] = {}
        self._settling: asyncio.Task[None] | None = None

    async def show(self, response: Response, table: Table, *, message: int) -> None:
        """Answers a press on `message` with the table as it is by now.

        If the table has another message since, the one that was pressed leads to it.
        """
        async with self._lock(table.id):
            latest = self._messages.latest(table)
            if latest.place.message in {None, message}:
                await self._show(response, latest, message)
                return
            await response.show(self._signpost(latest))
        await self._mend(latest)

    async def post(self, response: Response, table: Table, *, notify: bool = True) -> int | None:
        """Answers with a new message for the table, and gives the one it had before."""
        async with self._lock(table.id):
            latest = self._messages.latest(table)
            drawn = screen(latest)
            allowed = mentions(drawn) if notify else NOBODY
            message = await response.post(self._view(latest, drawn), allowed)
            await self._drawn(latest, message)
        await self._mend(latest)
        return latest.place.message

    async def repost(self, response: Response, table: Table) -> None:
        """Answers with a table's board as a new message, and closes the old one with a link."""
        before = await self.post(response, table, notify=False)
        if before is None:
            return
        latest = await self._messages.table(table.id)
        channel = self._client.get_partial_messageable(latest.place.channel)
        try:
            await channel.get_partial_message(before).edit(view=self._signpost(latest))
        except UNDELIVERED as error:  # then a press on it will close it
            log.info("board not closed session=%s error=%r", table.id, error)

    async def mend(self, table: Table, *, resend: bool = True) -> None:
        """Brings a table's message up to date through its channel, without an interaction.

        If it is gone, another one is sent, unless it is not worth to `resend` it.
        """
        if table.id in self._pressing or self._is_being_sent(table):
            return
        if not self._pausing(table.id):
            await self._mend(table, resend=resend)

    async def mend_all(self) -> None:
        """Brings every message up to date that has fallen behind, and then some of old games."""
        await self.settle()
        behind, rewritten = await asyncio.gather(
            self._messages.behind(), self._messages.rewritten()
        )
        await asyncio.gather(*map(self._mend_apart, behind))
        few = [each for each in rewritten if not self._pausing(each)][:REWRITTEN_TOGETHER]
        await asyncio.gather(*(self._mend_apart(each, resend=False) for each in few))

    async def redraw(self) -> None:
        """Has every table that is not over drawn again in the next rounds."""
        await self.settle()
        await self._messages.redraw()

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

    async def _show(self, response: Response, table: Table, message: int) -> None:
        if table.place.message == message and self._shown.get(table.id, 0) >= table.revision:
            await response.nod()
            return
        await response.show(self._view(table))
        drawn = await self._drawn(table, message)
        if drawn.nudge is None:
            return
        try:
            await self._nudge(drawn)
        except UNDELIVERED as error:
            await self._failed(drawn, error)

    def _is_being_sent(self, table: Table) -> bool:
        young = self._clock.now() - table.moved_at < SENDING_LASTS
        return bool(self._opening) and table.place.message is None and young

    def _pausing(self, session: SessionId) -> bool:
        pause = self._pauses.get(session)
        return pause is not None and self._clock.now() < pause.until

    async def _mend_apart(self, session: SessionId, *, resend: bool = True) -> None:
        try:
            await self.mend(await self._messages.table(session), resend=resend)
        except UnknownTable:
            log.debug("table of an unknown game left alone session=%s", session)
        except Exception:
            log.exception("board not mended session=%s", session)

    async def _mend(self, table: Table, *, resend: bool = True) -> None:
        async with self._mending, self._lock(table.id):
            latest = await self._messages.table(table.id)
            if self._shown.get(latest.id, 0) >= latest.revision and latest.nudge is None:
                return
            try:
                await self._nudge(await self._redrawn(latest, resend=resend))
            except UNDELIVERED as error:
                await self._failed(latest, error)
            else:
                self._pauses.pop(latest.id, None)

    async def _failed(self, table: Table, error: Exception) -> None:
        if isinstance(error, discord.HTTPException) and error.code in OUT_OF_REACH:
            log.info("board out of reach session=%s error=%r", table.id, error)
            await self._messages.nudged(table)
            self._note(table)
            self._pauses.pop(table.id, None)
            return
        last = self._pauses.get(table.id)
        length = SHORTEST_PAUSE if last is None else min(2 * last.length, LONGEST_PAUSE)
        self._pauses[table.id] = Pause(self._clock.now() + length, length)
        log.warning("board not mended session=%s pause=%s error=%r", table.id, length, error)

    async def _redrawn(self, table: Table, *, resend: bool) -> Table:
        channel = self._client.get_partial_messageable(table.place.channel)
        message = table.place.message
        if message is not None:
            try:
                await channel.get_partial_message(message).edit(view=self._view(table))
            except discord.NotFound as error:
                if error.code != UNKNOWN_MESSAGE:
                    raise
            else:
                return await self._drawn(table, message)
        if not resend or table.session.phase is Phase.ABANDONED:  # nobody misses it
            return await self._drawn(table, message)
        told = message is not None  # by the message that somebody has deleted since
        drawn = screen(table)
        allowed = NOBODY if told else mentions(drawn)
        sent = await channel.send(view=self._view(table, drawn), allowed_mentions=allowed)
        return await self._drawn(table, sent.id)

    async def _nudge(self, table: Table) -> None:
        """Tells the person whose turn it is, if somebody has been waiting for it."""
        if table.nudge is None:
            return
        words = self._words(table)
        player, where = named(table.nudge), link(table.place)
        channel = self._client.get_partial_messageable(table.place.channel)
        await channel.send(
            words.of(text("nudge", player=player, link=where)),
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(table.nudge)]),
        )
        await self._messages.nudged(table)

    async def _drawn(self, table: Table, message: int | None) -> Table:
        self._note(table)
        if message is None or table.place.message == message:
            return table
        await self._messages.place(table.id, message)
        return replace(table, place=replace(table.place, message=message))

    def _lock(self, session: SessionId) -> asyncio.Lock:
        return self._locks.setdefault(session, asyncio.Lock())

    def _view(self, table: Table, drawn: Screen | None = None) -> discord.ui.LayoutView:
        return board_view(drawn or screen(table), table, self._words(table))

    def _signpost(self, table: Table) -> discord.ui.LayoutView:
        """What stands on a message that the table has left for another."""
        moved = Prose((text("board.moved", link=link(table.place)),))
        return board_view(Screen((moved,), Tone.OVER), table, self._words(table))

    def _words(self, table: Table) -> Words:
        return self._speech.words(table.locale)

    def _note(self, table: Table) -> None:
        self._shown[table.id] = table.revision
        if self._settling is None or self._settling.done():
            self._settling = asyncio.create_task(self._settle_soon(), name="settle what is shown")

    async def _settle_soon(self) -> None:
        await asyncio.sleep(SETTLE_AFTER)
        await self.settle()

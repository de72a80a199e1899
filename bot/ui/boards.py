"""The messages of the tables, kept in step with them.

A message is a projection of its table: it may fall behind, when Discord or this process fails
between saving and showing, and is then repaired. Of several changes to one message only the latest
is drawn.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

import discord
from discord.abc import Messageable
from discord.utils import MISSING

from bot.clock import Clock
from bot.screens.board import promise
from bot.service.meter import Meter, Size
from bot.storage.errors import Unavailable, UnknownTable
from bot.storage.messages import Messages
from bot.table.session import Phase, SessionId
from bot.table.table import NO_CHANNEL, Table
from bot.ui.custom_ids import found, is_board, written
from bot.ui.drawing import drawn, retired, signpost
from bot.ui.emojis import Emojis
from bot.ui.errors import UNDELIVERED, UNKNOWN_MESSAGE
from bot.ui.repairs import Repairs
from bot.ui.replies import Replies
from bot.ui.response import NOBODY, Response
from bot.ui.retries import Retries
from bot.ui.shown_revisions import ShownRevisions
from bot.ui.words import Speech, Words

log = logging.getLogger(__name__)

GoOn: TypeAlias = Callable[[SessionId], Awaitable[Table]]
"""Plays on at a table until a person decides, and returns the table."""

Add: TypeAlias = Callable[[str], Awaitable[int]]
"""Sends one more message to a channel, and returns its id."""

REWRITTEN_TOGETHER: Final = 4
"""The messages of old games that a round rewrites: one person may have played thousands."""

EMOJI_KEPT_FOR: Final = timedelta(days=7)
"""The time after its end in which a game's board is drawn again if emoji on it are lost."""

SENDING_LASTS: Final = timedelta(seconds=30)
"""The time in which a new table's first message may be on its way."""


class Boards:
    """Draws tables into their messages, those in guilds that this process `owns`."""

    def __init__(
        self,
        client: discord.Client,
        speech: Speech,
        emojis: Emojis,
        messages: Messages,
        clock: Clock,
        *,
        meter: Meter | None,
        owns: Callable[[int | None], bool],
        retries: Retries,
    ) -> None:
        self._client = client
        self._speech = speech
        self._emojis = emojis
        self._messages = messages
        self._clock = clock
        self._meter = meter
        self._owns = owns
        self._retries = retries
        self._locks: WeakValueDictionary[SessionId, asyncio.Lock] = WeakValueDictionary()
        self._repairs = Repairs(self._repair, clock)
        self._replies = Replies(clock)
        self._shown = ShownRevisions(messages)
        self._opening = 0
        self._pressing: Counter[SessionId] = Counter()
        self.save_shown = self._shown.save
        self.wake = self._repairs.wake

    async def show(self, response: Response, table: Table, *, message: int) -> None:
        """Answer a press on `message` with the table as it is by now.

        If the table has another message since, the pressed one leads to it.
        """
        with self._repaired_if_lost(table):
            async with self._lock(table.id):
                latest = self._messages.latest(table)
                if latest.place.message in {None, message}:
                    await self._show(response, latest, message)
                    return
                await response.show(signpost(latest, self._words(latest)))
        await self._repairs.repair(latest)

    async def open(self, response: Response, table: Table, go_on: GoOn) -> None:
        """Answer with a new table's first message, and then with what waits for its id.

        Dice roll by that id, so that a game which begins at once shows its board before.
        """
        await self.post(response, table)
        if not table.awaits_message:
            return
        with self.pressing(table.id):
            begun = await go_on(table.id)
            with self._repaired_if_lost(begun):
                async with self._lock(table.id):
                    latest = self._messages.latest(begun)
                    message = latest.place.message
                    if message is None or self._shown.up_to_date(latest):
                        return
                    view, files, _ = await drawn(latest, self._words(latest))
                    await response.redraw(message, view, files)
                    await self._note(latest, message, response.add, response)

    async def take_newer(self, table: Table, pressed: discord.Message | None) -> Table:
        """Make a pressed board the table's message if it is newer than the stored one.

        It was sent just before the process ended, so that the row still names an older message.
        """
        if pressed is None or not is_board(pressed, table.id):
            return table
        if table.place.channel != pressed.channel.id:  # a guild that is forgotten is left so
            return table
        async with self._lock(table.id):
            latest = await self._messages.table(table.id)
            if (latest.place.message or 0) >= pressed.id:
                return latest
            await self._messages.save_message(table.id, pressed.id)
            self._shown.drop(latest)  # it may show less than the older one did
            latest = await self._messages.table(table.id)
        self._repairs.repair_soon(latest)
        return latest

    async def post(self, response: Response, table: Table, *, notify: bool = True) -> int | None:
        """Answer with a new message for the table, and return the one it had before.

        Raises:
            ReadByOne: Others are to play there, but Discord showed it to one reader; it is gone.
        """
        with self._repaired_if_lost(table):
            async with self._lock(table.id):
                latest = self._messages.latest(table)
                view, files, notified = await drawn(latest, self._words(latest))
                for_all = latest.place.unreachable and not latest.session.solo
                notified = notified if notify else NOBODY
                message = await response.post(view, notified, *files, for_all=for_all)
                await self._note(latest, message, response.add, response)
        if latest.id not in self._pressing:  # a press draws what it has changed meanwhile
            await self._repairs.repair(latest)
        return latest.place.message

    async def repost(self, response: Response, table: Table) -> None:
        """Answer with a table's board as a new message, and delete the old one.

        Where only a reply can be changed, the old one leads to the new one as soon as it can.
        """
        reply = self._replies.of(table.id)
        before = await self.post(response, table, notify=False)
        if before is None:
            return
        latest = await self._messages.table(table.id)
        try:
            if not latest.place.unreachable:
                await self._retries.send(self._partial_message(latest, before).delete)
            elif reply is not None and reply.message == before:
                await self._replies.change(reply, signpost(latest, self._words(latest)), [])
        except UNDELIVERED as error:  # then a press on it leads to the new one
            log.info("board not deleted session=%s error=%r", table.id, error)

    async def refresh(self, table: Table) -> None:
        """Bring a table's message up to date through its channel, without an interaction.

        One that was deleted is not sent again. That of another process's share is left to it.
        """
        if not table.place.unreachable and not self._owns(table.place.guild):
            return
        if table.id in self._pressing or self._is_being_sent(table):
            return
        if not self._repairs.paused(table.id):
            await self._repairs.repair(table)

    async def refresh_all(self) -> None:
        """Bring every message up to date that has fallen behind, and then some of old games."""
        await self.save_shown()
        behind, rewritten = await asyncio.gather(
            self._messages.behind(self._replies.tables), self._messages.rewritten()
        )
        if self._meter is not None:
            self._meter.set(Size.BOARDS_BEHIND, len(behind))
        await asyncio.gather(*map(self._refresh_stored, behind))
        few = [each for each in rewritten if not self._repairs.paused(each)][:REWRITTEN_TOGETHER]
        await asyncio.gather(*map(self._refresh_stored, few))

    async def close(self) -> None:
        """Draw nothing any more without a press, and save the shown revisions."""
        self._repairs.close()
        await self.save_shown()

    async def catch_up(self, response: Response, table: Table, *, message: int) -> None:
        """Answer a press with the board if it may be behind, and only a press can draw it."""
        own = table.place.unreachable and table.place.message == message
        if own and response.on_board and not self._replies.shows(table):
            await self.show(response, table, message=message)

    async def retire(self, table: Table) -> None:
        """Take the controls off the message of a table whose place is about to be forgotten."""
        if table.place.message is None:
            return
        edit = self._partial_message(table, table.place.message).edit
        try:
            view = retired(self._words(table))
            await self._retries.send(partial(edit, view=view, attachments=[]))
        except UNDELIVERED as error:  # then a press on it is refused in a sentence
            log.info("board not retired session=%s error=%r", table.id, error)

    async def redraw(self, *, lost_emoji: bool = False) -> None:
        """Let the next rounds draw every table again that is not over.

        After a loss of emoji so are games that ended lately, since they may show some; others keep
        the names of their emoji.
        """
        await self.save_shown()
        await self._messages.redraw(self._clock.now() - EMOJI_KEPT_FOR if lost_emoji else None)

    @contextmanager
    def opening(self) -> Iterator[None]:
        """Allow meanwhile for stored tables whose first message is still being sent."""
        self._opening += 1
        try:
            yield
        finally:
            self._opening -= 1

    @contextmanager
    def pressing(self, session: SessionId) -> Iterator[None]:
        """Leave a table's message meanwhile to the press that is about to draw it."""
        self._pressing[session] += 1
        try:
            yield
        finally:
            self._pressing[session] -= 1
            if not self._pressing[session]:
                del self._pressing[session]

    def note_unchanged(self, table: Table) -> None:
        """Count a table's message as up to date after a change that it does not show."""
        latest = self._messages.latest(table)
        self._shown.note(latest)
        self._replies.note_unchanged(latest)

    async def _show(self, response: Response, table: Table, message: int) -> None:
        if table.place.message == message and self._shown.up_to_date(table):
            await response.acknowledge()
            self._keep_reply(response, table, message)
            return
        view, files, _ = await drawn(table, self._words(table))
        await response.show(view, files or None)
        await self._note(table, message, response.add, response)

    def _is_being_sent(self, table: Table) -> bool:
        young = self._clock.now() - table.moved_at < SENDING_LASTS
        return bool(self._opening) and table.place.message is None and young

    async def _refresh_stored(self, session: SessionId) -> None:
        if self._repairs.paused(session):
            return
        try:
            await self.refresh(await self._messages.table(session))
        except (UnknownTable, Unavailable) as error:
            log.debug("board left behind session=%s error=%r", session, error)

    async def _repair(self, table: Table) -> None:
        async with self._lock(table.id):
            latest = await self._messages.table(table.id)
            if not self._shown.up_to_date(latest):
                await self._draw(latest)

    @contextmanager
    def _repaired_if_lost(self, table: Table) -> Iterator[None]:
        """Repair a table's message soon if the answer that shows it does not arrive."""
        try:
            yield
        except UNDELIVERED:
            self._repairs.repair_soon(table)
            raise

    async def _draw(self, table: Table) -> None:
        """Draw a table into its message, or send that if it never was."""
        message, place = table.place.message, table.place
        unmissed = place.lost or table.session.phase is Phase.ABANDONED
        if place.channel == NO_CHANNEL or (message is None and unmissed):
            self._shown.note(table)
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
            edit = partial(self._edit, channel.get_partial_message(message), table)
            await self._emojis.sending(edit)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            self._shown.note(table)
            await self._messages.mark_lost(place.channel, message)

    async def _edit(self, message: discord.PartialMessage, table: Table) -> None:
        view, files, _ = await drawn(table, self._words(table))
        await message.edit(view=view, attachments=files or MISSING)
        await self._note(table, message.id, partial(_add, message.channel))

    async def _send(self, channel: discord.PartialMessageable, table: Table) -> None:
        view, files, notified = await drawn(table, self._words(table))
        sent = await channel.send(view=view, files=files, allowed_mentions=notified)
        await self._note(table, sent.id, partial(_add, channel))

    async def _change_reply(self, table: Table) -> None:
        """Draw a table that the bot cannot reach, if its last reply can be changed still."""
        reply = self._replies.of(table.id)
        if reply is None or reply.message != table.place.message or self._replies.shows(table):
            return
        view, files, _ = await drawn(table, self._words(table))
        if await self._emojis.sending(partial(self._replies.change, reply, view, files or None)):
            self.note_unchanged(table)

    def _keep_reply(self, response: Response, table: Table, message: int) -> None:
        if table.place.unreachable:
            self._replies.keep(table, message, response.webhook)

    async def _note(
        self, table: Table, message: int, add: Add, response: Response | None = None
    ) -> None:
        """Note what a message shows, after all else that it takes: what breaks off is repaired."""
        if response is not None:
            self._keep_reply(response, table, message)
        if table.place.message != message:
            await self._messages.save_message(table.id, message)
        await self._commit_dice(table, add)
        self._shown.note(table)

    async def _commit_dice(self, table: Table, add: Add) -> None:
        """Send what a table's dice are bound to in a message that is never edited."""
        said = promise(self._messages.latest(table))
        if said is None:
            return
        words = self._words(table).of(said)
        sent: int | None = None
        # It may have been sent already without an answer, unless the table is new.
        if table.place.message is not None and not table.place.unreachable:
            channel = self._client.get_partial_messageable(table.place.channel)
            sent = await written(channel, words)
        await self._messages.save_commitment(table.id, await add(words) if sent is None else sent)

    def _lock(self, session: SessionId) -> asyncio.Lock:
        return self._locks.setdefault(session, asyncio.Lock())

    def _words(self, table: Table) -> Words:
        return self._speech.words(table.locale)

    def _partial_message(self, table: Table, message: int) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(table.place.channel)
        return channel.get_partial_message(message)


async def _add(channel: Messageable, words: str) -> int:
    sent = await channel.send(words, allowed_mentions=NOBODY, silent=True)
    return sent.id

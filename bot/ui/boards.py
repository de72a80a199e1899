"""The messages of the tables, kept in step with them.

A message is a projection of its table: it may fall behind, when Discord or this process fails
between saving and showing, and is then mended. Of several changes to one message only the latest
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
from bot.message.blocks import BOARD_FILE, Picture
from bot.screens.board import forgotten, moved, promise, screen
from bot.screens.look_closer import board_picture
from bot.service.meter import Meter, Size
from bot.storage.errors import Unavailable, UnknownTable
from bot.storage.messages import Messages
from bot.table.session import Phase, SessionId
from bot.table.table import NO_CHANNEL, Table
from bot.ui.custom_ids import found, is_board, written
from bot.ui.emojis import Emojis
from bot.ui.errors import UNDELIVERED, UNKNOWN_MESSAGE
from bot.ui.render import board_view, mentions, notice_view, picture_file
from bot.ui.repairs import Repairs
from bot.ui.replies import LiveReply, Replies
from bot.ui.response import NOBODY, Response
from bot.ui.retries import Retries
from bot.ui.words import Speech, Words, link

log = logging.getLogger(__name__)

GoOn: TypeAlias = Callable[[SessionId], Awaitable[Table]]
"""Gives a table after what no person decides there."""

Add: TypeAlias = Callable[[str], Awaitable[int]]
"""Sends a channel one more message, and gives its id."""

SETTLE_AFTER: Final = 1.0
"""Seconds for which notes of what is shown are gathered, so that a press writes to disk once."""

REWRITTEN_TOGETHER: Final = 4
"""How many messages of old games a round rewrites: one person may have played thousands."""

REDRESSED_FOR: Final = timedelta(days=7)
"""For how long after its end a game's board is drawn again if emoji on it are lost."""

SENDING_LASTS: Final = timedelta(seconds=30)
"""For how long a new table's first message may be on its way."""


class Boards:
    """Draws tables into their messages, those in servers that this process `owns`."""

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
        self._repairs = Repairs(self._refresh, clock)
        self._replies = Replies(clock)
        self._opening = 0
        self._pressing: Counter[SessionId] = Counter()
        self._shown: dict[SessionId, int] = {}
        self._settling: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()

    async def show(self, response: Response, table: Table, *, message: int) -> None:
        """Answers a press on `message` with the table as it is by now.

        If the table has another message since, the one that was pressed leads to it.
        """
        with self._watched(table):
            async with self._lock(table.id):
                latest = self._messages.latest(table)
                if latest.place.message in {None, message}:
                    await self._show(response, latest, message)
                    return
                await response.show(self._signpost(latest))
        await self._repairs.mend(latest)

    async def open(self, response: Response, table: Table, go_on: GoOn) -> None:
        """Answers with a new table's first message, and then with what waits for its id.

        Dice roll by that id, so that a game which begins at once shows its board before.
        """
        await self.post(response, table)
        if not table.awaits_message:
            return
        with self.pressing(table.id):
            begun = await go_on(table.id)
            with self._watched(begun):
                async with self._lock(table.id):
                    latest = self._messages.latest(begun)
                    message = latest.place.message
                    if message is None or self._shown.get(latest.id, 0) >= latest.revision:
                        return
                    view, files, _ = await self._draw(latest)
                    await response.redraw(message, view, files)
                    await self._drawn(latest, message, response.add, response)

    async def take_newer(self, table: Table, pressed: discord.Message | None) -> Table:
        """Make a pressed board the table's message if it is newer than the stored one.

        It was sent just before the process ended, so that the row still names an older message.
        """
        if pressed is None or not is_board(pressed, table.id):
            return table
        if table.place.channel != pressed.channel.id:  # a server that is forgotten is left so
            return table
        async with self._lock(table.id):
            latest = await self._messages.table(table.id)
            if (latest.place.message or 0) >= pressed.id:
                return latest
            await self._messages.save_message(table.id, pressed.id)
            self._shown.pop(table.id, None)  # it may show less than the older one did
            latest = await self._messages.table(table.id)
        self._repairs.mend_soon(latest)
        return latest

    async def post(self, response: Response, table: Table, *, notify: bool = True) -> int | None:
        """Answers with a new message for the table, and gives the one it had before.

        Raises:
            ReadByOne: Others are to play there, but Discord showed it to one reader; it is gone.
        """
        with self._watched(table):
            async with self._lock(table.id):
                latest = self._messages.latest(table)
                view, files, notified = await self._draw(latest)
                for_all = latest.place.unreachable and not latest.session.solo
                notified = notified if notify else NOBODY
                message = await response.post(view, notified, *files, for_all=for_all)
                await self._drawn(latest, message, response.add, response)
        if latest.id not in self._pressing:  # a press draws what it has changed meanwhile
            await self._repairs.mend(latest)
        return latest.place.message

    async def repost(self, response: Response, table: Table) -> None:
        """Answers with a table's board as a new message, and deletes the old one.

        Where only a reply can be changed, the old one leads to the new one as soon as it can.
        """
        reply = self._replies.of(table.id)
        before = await self.post(response, table, notify=False)
        if before is None:
            return
        latest = await self._messages.table(table.id)
        try:
            if latest.place.unreachable:
                await self._leave(reply, before, latest)
                return
            channel = self._client.get_partial_messageable(latest.place.channel)
            await self._retries.send(channel.get_partial_message(before).delete)
        except UNDELIVERED as error:  # then a press on it leads to the new one
            log.info("board not deleted session=%s error=%r", table.id, error)

    async def mend(self, table: Table) -> None:
        """Brings a table's message up to date through its channel, without an interaction.

        One that was deleted is not sent again. That of another process's share is left to it.
        """
        if not table.place.unreachable and not self._owns(table.place.guild):
            return
        if table.id in self._pressing or self._is_being_sent(table):
            return
        if not self._repairs.hold(table.id):
            await self._repairs.mend(table)

    async def mend_all(self) -> None:
        """Brings every message up to date that has fallen behind, and then some of old games."""
        await self.settle()
        behind, rewritten = await asyncio.gather(
            self._messages.behind(self._replies.tables), self._messages.rewritten()
        )
        if self._meter is not None:
            self._meter.set(Size.BOARDS_BEHIND, len(behind))
        await asyncio.gather(*map(self._mend_apart, behind))
        few = [each for each in rewritten if not self._repairs.hold(each)][:REWRITTEN_TOGETHER]
        await asyncio.gather(*map(self._mend_apart, few))

    def wake(self, guild: int) -> None:
        """Tries messages again that were out of reach, since there is news of their server."""
        self._repairs.wake(guild)

    async def close(self) -> None:
        """Draws nothing any more by itself, and writes down what the messages show."""
        self._repairs.close()
        await self.settle()

    async def catch_up(self, response: Response, table: Table, *, message: int) -> None:
        """Answers a press with the board if it may be behind, and only a press can draw it."""
        own = table.place.unreachable and table.place.message == message
        if own and response.on_board and not self._replies.shows(table):
            await self.show(response, table, message=message)

    async def retire(self, table: Table) -> None:
        """Takes the controls off a table's message that nobody can find any more after this."""
        if table.place.message is None:
            return
        channel = self._client.get_partial_messageable(table.place.channel)
        view = notice_view(forgotten(), self._words(table))
        try:
            edit = channel.get_partial_message(table.place.message).edit
            await self._retries.send(partial(edit, view=view, attachments=[]))
        except UNDELIVERED as error:  # then a press on it is refused in a sentence
            log.info("board not retired session=%s error=%r", table.id, error)

    async def redraw(self, *, lost_emoji: bool = False) -> None:
        """Has every table that is not over drawn again in the next rounds.

        After the loss of emoji so are those that ended lately, since they may show some; the
        others keep their names in the place of emoji.
        """
        await self.settle()
        await self._messages.redraw(self._clock.now() - REDRESSED_FOR if lost_emoji else None)

    async def settle(self) -> None:
        """Writes down what the messages show, after what is being written down already."""
        async with self._writing:
            shown, self._shown = self._shown, {}
            try:
                await self._messages.save_shown(shown)
            except Unavailable:
                self._shown = shown | self._shown  # to be written down in a later round

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
        latest = self._messages.latest(table)
        self._note(latest)
        self._replies.settled(latest)

    async def _show(self, response: Response, table: Table, message: int) -> None:
        if table.place.message == message and self._shown.get(table.id, 0) >= table.revision:
            await response.nod()
            self._keep_reply(response, table, message)
            return
        view, files, _ = await self._draw(table)
        await response.show(view, files or None)
        await self._drawn(table, message, response.add, response)

    def _is_being_sent(self, table: Table) -> bool:
        young = self._clock.now() - table.moved_at < SENDING_LASTS
        return bool(self._opening) and table.place.message is None and young

    async def _mend_apart(self, session: SessionId) -> None:
        if self._repairs.hold(session):
            return
        try:
            await self.mend(await self._messages.table(session))
        except UnknownTable:
            log.debug("table of an unknown game left alone session=%s", session)
        except Unavailable:
            log.debug("board left behind session=%s", session)
        except Exception:
            log.exception("board not mended session=%s", session)

    async def _refresh(self, table: Table) -> None:
        """Brings a message up to date that is not already."""
        async with self._lock(table.id):
            latest = await self._messages.table(table.id)
            if self._shown.get(latest.id, 0) < latest.revision:
                await self._redraw(latest)

    @contextmanager
    def _watched(self, table: Table) -> Iterator[None]:
        """Has a table's message mended soon if the answer that shows it does not arrive."""
        try:
            yield
        except UNDELIVERED:
            self._repairs.mend_soon(table)
            raise

    async def _redraw(self, table: Table) -> None:
        message, place = table.place.message, table.place
        unmissed = place.lost or table.session.phase is Phase.ABANDONED
        if place.channel == NO_CHANNEL or (message is None and unmissed):
            self._note(table)
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
            await self._emojis.sending(
                partial(self._edit, channel.get_partial_message(message), table)
            )
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            self._note(table)
            await self._messages.mark_lost(place.channel, message)

    async def _edit(self, message: discord.PartialMessage, table: Table) -> None:
        view, files, _ = await self._draw(table)
        await message.edit(view=view, attachments=files or MISSING)
        await self._drawn(table, message.id, partial(_add, message.channel))

    async def _change_reply(self, table: Table) -> None:
        """Draws a table that the bot cannot reach, if its last reply can be changed still."""
        reply = self._replies.of(table.id)
        if (
            reply is None
            or reply.message != table.place.message
            or reply.revision >= table.revision
        ):
            return
        view, files, _ = await self._draw(table)
        if await self._emojis.sending(partial(self._replies.change, reply, view, files or None)):
            self._note(table)
            self._replies.settled(table)

    def _keep_reply(self, response: Response, table: Table, message: int) -> None:
        if table.place.unreachable:
            self._replies.keep(table, message, response.webhook)

    async def _leave(self, reply: LiveReply | None, message: int, latest: Table) -> None:
        """Has a message lead to the table's new one, if it is a reply that can be changed."""
        if reply is not None and reply.message == message:
            await self._replies.change(reply, self._signpost(latest), [])

    async def _send(self, channel: discord.PartialMessageable, table: Table) -> None:
        view, files, notified = await self._draw(table)
        sent = await channel.send(view=view, files=files, allowed_mentions=notified)
        await self._drawn(table, sent.id, partial(_add, channel))

    async def _drawn(
        self, table: Table, message: int, add: Add, response: Response | None = None
    ) -> None:
        """Notes what a message shows, after all else that it takes: what breaks off is mended."""
        if response is not None:
            self._keep_reply(response, table, message)
        if table.place.message != message:
            await self._messages.save_message(table.id, message)
        await self._promise(table, add)
        self._note(table)

    async def _promise(self, table: Table, add: Add) -> None:
        """Has what the dice of a table are bound to stand in a message that is never edited."""
        said = promise(self._messages.latest(table))
        if said is None:
            return
        words = self._words(table).of(said)
        sent: int | None = None
        # What has a message already may have this one too, of which nothing was heard.
        if table.place.message is not None and not table.place.unreachable:
            channel = self._client.get_partial_messageable(table.place.channel)
            sent = await written(channel, words)
        await self._messages.save_commitment(table.id, await add(words) if sent is None else sent)

    def _lock(self, session: SessionId) -> asyncio.Lock:
        return self._locks.setdefault(session, asyncio.Lock())

    async def _draw(
        self, table: Table
    ) -> tuple[discord.ui.LayoutView, list[discord.File], discord.AllowedMentions]:
        """A table's message, with the picture of its board if it shows one, and whom it notifies.

        The picture is drawn anew for each request, which reads it to its end.
        """
        drawn, files = screen(table), []
        if [block for block in drawn.blocks if isinstance(block, Picture)]:
            files = [await picture_file(BOARD_FILE, board_picture, table)]
        return board_view(drawn, table, self._words(table)), files, mentions(drawn.notifies)

    def _signpost(self, table: Table) -> discord.ui.LayoutView:
        """What stands on a message that the table has left for another."""
        return notice_view(moved(link(table.place)), self._words(table))

    def _words(self, table: Table) -> Words:
        return self._speech.words(table.locale)

    def _note(self, table: Table) -> None:
        self._shown[table.id] = table.revision
        if self._settling is None or self._settling.done():
            self._settling = asyncio.create_task(self._settle_soon(), name="settle what is shown")

    async def _settle_soon(self) -> None:
        await asyncio.sleep(SETTLE_AFTER)
        await self.settle()


async def _add(channel: Messageable, words: str) -> int:
    sent = await channel.send(words, allowed_mentions=NOBODY, silent=True)
    return sent.id

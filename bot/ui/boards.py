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
from datetime import datetime, timedelta
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

import discord

from bot.clock import Clock
from bot.service.jobs import apart
from bot.service.meter import Meter, Size
from bot.storage.guild_settings import Guilds
from bot.storage.messages import Messages
from bot.table.refusals import Refusal, UnknownControl
from bot.table.session import Phase, SessionId
from bot.table.table import Table
from bot.ui.emojis import Emojis
from bot.ui.errors import UNDELIVERED, UNKNOWN_MESSAGE, Unanswered, unavailable
from bot.ui.message_kinds import is_board
from bot.ui.repairs import Repairs
from bot.ui.response import NOBODY, Response
from bot.ui.retries import Retries
from bot.ui.seals import Seals
from bot.ui.table_messages import TableMessages
from bot.ui.words import Speech, link

log = logging.getLogger(__name__)

GoOn: TypeAlias = Callable[[SessionId], Awaitable[Table]]
"""Plays on at a table until a person decides, and returns the table."""

REWRITTEN_TOGETHER: Final = 4
"""The messages of old games that a round rewrites: one person may have played thousands."""

EMOJI_KEPT_FOR: Final = timedelta(days=7)
"""The time after a game's end in which a loss of emoji has its board drawn again."""

SENDING_LASTS: Final = timedelta(seconds=30)
"""The time in which a new table's first message may be on its way."""


SETTLED_AFTER: Final = timedelta(seconds=15)
"""The time after which a request that was lost is carried out no more."""


class Boards:
    """Draws the tables of the guilds that this process `owns` into their messages."""

    def __init__(
        self,
        client: discord.Client,
        speech: Speech,
        emojis: Emojis,
        messages: Messages,
        guilds: Guilds,
        *,
        clock: Clock,
        meter: Meter | None,
        owns: Callable[[int | None], bool],
        retries: Retries,
    ) -> None:
        self._messages = messages
        self._clock = clock
        self._meter = meter
        self._owns = owns
        self._locks: WeakValueDictionary[SessionId, asyncio.Lock] = WeakValueDictionary()
        self._repairs = Repairs(self._repair, clock)
        self._drawn = TableMessages(
            client, speech, emojis, messages, guilds, clock=clock, retries=retries
        )
        self.seals = Seals(client, speech, messages)
        self._replies, self._shown = self._drawn.replies, self._drawn.shown
        self._opening = 0
        self._pressing: Counter[SessionId] = Counter()
        self._doubts: dict[SessionId, datetime] = {}
        self._begun = clock.now()
        self.note_unchanged = self._drawn.note_unchanged
        self.retire = self._drawn.retire
        self.save_shown = self._shown.save
        self.shows = self._shown.drawn
        self.wake = self._repairs.wake
        self.caches = self._shown.drawn_last, self._replies.latest

    async def show(self, response: Response, table: Table, *, message: int) -> None:
        """Answer a press on `message` with the table as it is by now.

        If the table has another message since, the pressed one leads to it.

        Raises:
            Refusal: The pressed message is gone.
        """
        gone: Refusal | None = None
        with self._repaired_if_lost(table):
            async with self._lock(table.id):
                latest = self._messages.latest(table)
                moved = latest.place.message not in {None, message}
                try:
                    if moved:
                        await response.show(self._drawn.signpost(latest))
                    else:
                        await self._show(response, latest, message)
                except Unanswered as lost:
                    if lost.code != UNKNOWN_MESSAGE:
                        raise
                    gone = _gone(latest, moved=moved)
        if gone is not None:
            if moved:
                self._repairs.repair_soon(latest)
            raise gone
        if moved:
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
                    view, files, _ = await self._drawn.drawn(latest)
                    await response.redraw(message, view, files)
                    await self._note(latest, message, response)

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
            Unseen: Others are to play there, but Discord showed it to one reader; it is gone.
        """
        with self._repaired_if_lost(table):
            async with self._lock(table.id):
                latest = self._messages.latest(table)
                view, files, notified = await self._drawn.drawn(latest)
                for_all = latest.place.unreachable and not latest.session.solo
                notified = notified if notify else NOBODY
                message = await response.post(view, notified, *files, for_all=for_all)
                await self._note(latest, message, response)
        if latest.id not in self._pressing:  # a press draws what it has changed meanwhile
            await self._repairs.repair(latest)
        return latest.place.message

    async def repost(self, response: Response, table: Table) -> None:
        """Answer with a table's board as a new message, and delete the old one.

        Where only a reply can be changed, the old one leads to the new one as soon as it can.
        """
        reply = self._replies.of(table.id)
        before = await self.post(response, table, notify=False)
        if before is not None:
            await self._drawn.leave(await self._messages.table(table.id), before, reply)

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
        """Bring every message up to date that has fallen behind, then some doubtful and old ones.

        Raises:
            ExceptionGroup: What went wrong with some of them.
        """
        self._repairs.forget_past()
        await self.save_shown()
        behind, rewritten = await asyncio.gather(
            self._messages.behind(self._replies.tables), self._messages.rewritten()
        )
        if self._meter is not None:
            self._meter.set(Size.BOARDS_BEHIND, len(behind))
        few = [each for each in rewritten if not self._repairs.paused(each)][:REWRITTEN_TOGETHER]
        with apart() as items:

            async def draw(session: SessionId) -> None:
                await items.do(self._refresh_stored(session), session)

            async def draw_again(session: SessionId) -> None:
                await items.do(self._draw_again(session), session)

            await asyncio.gather(*map(draw, behind))
            await asyncio.gather(*map(draw_again, self._settled()))
            await asyncio.gather(*map(draw, few))

    async def close(self) -> None:
        """Draw nothing any more without a press, and save the shown revisions."""
        await self._repairs.close()
        await self._drawn.threads.close()
        await self.save_shown()

    async def catch_up(self, response: Response, table: Table, *, message: int) -> None:
        """Answer a press with the board if it may be behind, and only a press can draw it."""
        own = table.place.unreachable and table.place.message == message
        if own and response.on_board and not self._replies.shows(table):
            await self.show(response, table, message=message)

    async def redraw(self, *, lost_emoji: bool = False) -> None:
        """Let the next rounds draw every table again that is not over.

        After a loss of emoji, games that ended lately are drawn again too; older ones go on showing
        the names of their emoji.
        """
        await self._shown.save(forgetting=True)
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

    async def _show(self, response: Response, table: Table, message: int) -> None:
        if table.place.message == message and self._shown.up_to_date(table):
            await response.acknowledge()
            if table.place.unreachable:
                self._replies.keep(table, message, response.webhook)
            return
        view, files, _ = await self._drawn.drawn(table)
        await response.show(view, files or None)
        await self._note(table, message, response)

    async def _note(self, table: Table, message: int, response: Response) -> None:
        await self._drawn.note(table, message, response)
        if response.repeated:
            self._doubt(table)

    def _doubt(self, table: Table) -> None:
        """Have a message drawn once more, after a request whose answer was lost.

        Discord may carry that out late, and so cover a newer board with an older one.
        """
        self._doubts[table.id] = self._clock.now() + SETTLED_AFTER

    def _perhaps_killed_over(self, table: Table) -> bool:
        """Whether a process before this one may have sent a table's message when it was killed."""
        young = self._clock.now() < self._begun + SETTLED_AFTER
        return young and self._begun - SETTLED_AFTER < table.moved_at <= self._begun

    async def _draw_again(self, session: SessionId) -> None:
        if session in self._pressing:
            return
        self._doubts.pop(session, None)
        table = await self._messages.table(session)
        self._shown.drop(table)
        await self.refresh(table)

    def _is_being_sent(self, table: Table) -> bool:
        young = self._clock.now() - table.moved_at < SENDING_LASTS
        return bool(self._opening) and table.place.message is None and young

    async def _refresh_stored(self, session: SessionId) -> None:
        if not self._repairs.paused(session):
            await self.refresh(await self._messages.table(session))

    def _settled(self) -> list[SessionId]:
        """Some of the doubtful messages whose lost requests are past."""
        now = self._clock.now()
        past = [session for session, until in self._doubts.items() if until <= now]
        return [each for each in past if not self._repairs.paused(each)][:REWRITTEN_TOGETHER]

    async def _repair(self, table: Table) -> None:
        async with self._lock(table.id):
            latest = await self._messages.table(table.id)
            if self._shown.up_to_date(latest):
                return
            if self._perhaps_killed_over(latest):
                self._doubt(latest)
            try:
                await self._drawn.draw(latest)
            except UNDELIVERED as error:
                if unavailable(error):
                    self._doubt(latest)
                raise

    @contextmanager
    def _repaired_if_lost(self, table: Table) -> Iterator[None]:
        """Repair a table's message soon if the answer that shows it does not arrive."""
        try:
            yield
        except Unanswered:
            self._doubt(table)
            self._repairs.repair_soon(table)
            raise

    def _lock(self, session: SessionId) -> asyncio.Lock:
        return self._locks.setdefault(session, asyncio.Lock())


def _gone(table: Table, *, moved: bool) -> Refusal:
    """The sentence for a person who has pressed a message that is gone by now."""
    if moved:
        return Refusal("board_moved", link=link(table.place))
    over = table.session.solo or table.session.phase not in {Phase.LOBBY, Phase.RUNNING}
    return UnknownControl() if over else Refusal("board_deleted")

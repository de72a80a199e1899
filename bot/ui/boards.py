"""The boards of tables: drawn into their messages by presses, and by the postman.

A message is a projection of its table: it may fall behind, when Discord or this process fails
between saving and showing, and is then written again. Of several changes to one message only the
latest is drawn.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from random import sample
from typing import Final, NamedTuple, TypeAlias, TypeVar

import discord
from discord import ui

from bot.cache import Cache
from bot.message.blocks import BOARD_FILE
from bot.screens.board import forgotten, moved, screen
from bot.screens.table_views import board_picture
from bot.service.ports import Meter, Size
from bot.service.use_cases import UseCases
from bot.storage.errors import UnknownTable
from bot.table.refusals import Refusal, UnknownControl
from bot.table.seat_log import BoardLook
from bot.table.session import Phase, SessionId
from bot.table.table import NO_CHANNEL, Table
from bot.ui.board_memory import LiveReply, Replies, ShownRevisions
from bot.ui.custom_ids import board_id, custom_ids, is_board
from bot.ui.errors import UNDELIVERED, UNKNOWN_MESSAGE, Unanswered, reaching, refuses_files
from bot.ui.postman import Delivery, Letter, Post, PostKind, Postman, nothing
from bot.ui.render import Drawing, board_view, ids_of, mentions, notice_view, picture_file
from bot.ui.response import NOBODY, Response
from bot.ui.retries import Retries
from bot.ui.seals import Seals
from bot.ui.threads import Threads
from bot.ui.words import Speech, Words, link

log = logging.getLogger(__name__)

T = TypeVar("T")

GoOn: TypeAlias = Callable[[SessionId], Awaitable[Table]]
"""Plays on at a table until a person decides, and returns the table."""

REWRITTEN_AT_ONCE: Final = 4
"""The messages of old games that a round rewrites: one person may have played thousands."""

COMPARED: Final = 20
"""The messages that an hour holds against their rows."""

EMOJI_KEPT_FOR: Final = timedelta(days=7)
"""The time after a game's end in which a loss of emoji has its board drawn again."""

MOST_REFUSED: Final = 100
"""The messages without a table that are tried again, since a server may refuse them for good."""

MOST_UNPICTURED: Final = 100
"""The boards of which it is known that Discord refuses their pictures."""

A_REFUSAL: Final = 400
"""The bytes of one of either."""

SENDING_LASTS: Final = timedelta(seconds=30)
"""The time in which a new table's first message may be on its way."""


class Drawn(NamedTuple):
    """A board's view, the file of its picture if it has one, and the people it notifies."""

    view: Drawing
    files: list[discord.File]
    notified: discord.AllowedMentions


class Boards:
    """The boards of the guilds that this process `owns`, as a kind of posts."""

    def __init__(
        self,
        client: discord.Client,
        speech: Speech,
        postman: Postman,
        use_cases: UseCases,
        retries: Retries,
        *,
        meter: Meter | None,
    ) -> None:
        self._client = client
        self._speech = speech
        self._postman = postman
        self._messages = messages = use_cases.stores.messages
        self._clock = use_cases.clock
        self._meter = meter
        self._owns = use_cases.stores.share.owns
        self._retries = retries
        self._kind = PostKind("board", self._draw)
        self._left = PostKind("left board", self._draw_left)
        self.seals = Seals(client, speech, postman, messages)
        self._threads = Threads(client, speech, postman, use_cases.stores.guilds, messages)
        self._replies = Replies(use_cases.clock)
        self._shown = ShownRevisions(messages)
        self._refused = Cache[tuple[SessionId, int], int](
            "left_messages", MOST_REFUSED * A_REFUSAL, lambda _: A_REFUSAL
        )
        """Messages that tables have left and that Discord does not let the bot delete."""
        self._unpictured = Cache[SessionId, SessionId](
            "unpictured", MOST_UNPICTURED * A_REFUSAL, lambda _: A_REFUSAL
        )
        """Tables whose picture Discord has refused."""
        self._opening = 0
        self._pressing: Counter[SessionId] = Counter()
        self.save_shown = self._shown.save
        self.shows = self._shown.drawn
        self.caches = self._shown.drawn_last, self._replies.latest, self._refused, self._unpictured

    async def show(self, response: Response, table: Table, *, message: int) -> None:
        """Answer a press on `message` with the table as it is by now.

        If the table has another message since, the pressed one leads to it.

        Raises:
            Refusal: The pressed message is gone.
        """
        gone: Refusal | None = None
        async with self._postman.writing(post := self._post(table.id)):
            latest = self._messages.latest(table)
            moved = latest.place.message not in {None, message}
            try:
                if moved:
                    await response.show(self._signpost(latest))
                else:
                    await self._show(response, latest, message)
            except Unanswered as lost:
                if lost.code != UNKNOWN_MESSAGE:
                    raise
                gone = _gone(latest, moved=moved)
        if gone is not None:
            if moved:
                self._postman.deliver_soon(post)
            raise gone
        if moved:
            await self._postman.deliver(post)

    async def open(self, response: Response, table: Table, go_on: GoOn) -> None:
        """Answer with a new table's first message, and then with what waits for its id.

        Dice roll by that id, so that a game which begins at once shows its board before.
        """
        await self.post(response, table)
        if not table.awaits_message:
            return
        with self.pressing(table.id):
            begun = await go_on(table.id)
            async with self._postman.writing(self._post(table.id)):
                latest = self._messages.latest(begun)
                message = latest.place.message
                if message is None or self._shown.up_to_date(latest):
                    return
                await self._sent(latest, partial(_redraw, response, message))
                await self._note(latest, message, response)

    async def take_newer(self, table: Table, pressed: discord.Message | None) -> Table:
        """Make a pressed board the table's message if it is newer than the stored one.

        It was sent just before the process ended, so that the row still names an older message.
        """
        if pressed is None or not is_board(pressed, table.id):
            return table
        if table.place.channel != pressed.channel.id:  # a guild that is forgotten is left so
            return table
        async with self._postman.lock(post := self._post(table.id)):
            latest = await self._messages.table(table.id)
            if (latest.place.message or 0) >= pressed.id:
                return latest
            await self._messages.save_message(table.id, pressed.id)
            self._shown.drop(latest)  # it may show less than the older one did
            latest = await self._messages.table(table.id)
        self._postman.deliver_soon(post)
        return latest

    async def post(self, response: Response, table: Table, *, notify: bool = True) -> None:
        """Answer with a new message for the table, and delete the old one if there is one.

        Where only a reply can be changed, the old one leads to the new one as soon as it can. Where
        the bot may not delete it, it leads there once it is pressed, until the bot may.

        Raises:
            Unseen: Others are to play there, but Discord showed it to one reader; it is gone.
        """
        reply = self._replies.of(table.id)
        async with self._postman.writing(post := self._post(table.id)):
            latest = self._messages.latest(table)
            try:
                message = await self._sent(latest, partial(_post, response, latest, notify))
            except Unanswered as lost:
                if lost.code == UNKNOWN_MESSAGE and latest.place.message is None:
                    await self._messages.lose(table.id)  # it was there unheard, and deleted
                raise
            await self._note(latest, message, response)
        if latest.id not in self._pressing:  # a press draws what it has changed meanwhile
            await self._postman.deliver(post)
        before = latest.place.message
        if before is None:
            return
        if not table.place.unreachable:
            await self._leave((table.id, before))
        elif reply is not None and reply.message == before:
            view = self._signpost(await self._messages.table(table.id))
            try:
                await reply.webhook.edit_message(before, view=view, attachments=[])
            except UNDELIVERED as error:  # then a press on it leads to the new one
                log.info("board not left session=%s error=%r", table.id, error)

    async def refresh(self, table: Table) -> None:
        """Bring a table's message up to date through its channel, without an interaction.

        One that was deleted is not sent again. That of another process's share is left to it.
        """
        if not table.place.unreachable and not self._owns(table.place.guild):
            return
        post = self._post(table.id)
        left = table.id in self._pressing or self._is_being_sent(table)
        if not left and not self._postman.paused(post):
            await self._postman.deliver(post)

    async def run_due(self) -> None:
        """Bring every message up to date that has fallen behind, then some of old games."""
        self._postman.forget_past()
        await self.save_shown()
        behind = await self._messages.behind(self._replies.tables)
        rewritten = map(self._post, await self._messages.rewritten())
        if self._meter is not None:
            self._meter.set(Size.BOARDS_BEHIND, len(behind))
        few = [each for each in rewritten if not self._postman.paused(each)][:REWRITTEN_AT_ONCE]
        left = [each for each in behind if not await self._is_left_to_a_press(each)]
        await self._postman.go_round([*map(self._post, left), *few])
        for each in [*self._refused]:
            if not self._postman.paused(Post(self._left, each)):
                await self._leave(each)

    async def compare(self) -> None:
        """Hold some messages against their rows, and write those again that show something else.

        Raises:
            Unreachable: Discord has trouble.
        """
        known = await self._messages.shown()
        for session in sample(known, min(COMPARED, len(known))):
            table = await self._messages.table(session)
            try:
                with reaching():
                    assert table.place.message is not None, "it has been shown"
                    there = await self._at(table, table.place.message).fetch()
            except discord.HTTPException:
                continue  # a press, or news of its deletion, does what follows
            view, *_ = await self._drawn(table)
            if {*custom_ids(there)} != {*ids_of(view.to_components())}:
                log.warning("message shows something else session=%s", session)
                self._shown.drop(table)
                await self._postman.deliver(self._post(session))

    async def show_if_behind(self, response: Response, table: Table, *, message: int) -> None:
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

    def note_unchanged(self, table: Table) -> None:
        """Count a table's message as up to date after a change that it does not show."""
        latest = self._messages.latest(table)
        self._shown.note(latest)
        self._replies.note_unchanged(latest)

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

    def _post(self, session: SessionId) -> Post:
        return Post(self._kind, session)

    async def _show(self, response: Response, table: Table, message: int) -> None:
        if table.place.message == message and self._shown.up_to_date(table):
            await response.acknowledge()
            if table.place.unreachable:
                self._replies.keep(table, message, response.webhook)
            return
        await self._sent(table, partial(_edit, response))
        await self._note(table, message, response)

    async def _note(self, table: Table, message: int, response: Response) -> None:
        """Note what a message shows that a response has drawn."""
        post = self._post(table.id)
        webhook = response.webhook if table.place.unreachable else None
        sure = self._postman.is_sure(post, repeated=response.repeated)
        await self._postman.save(post, message, self._there(table, webhook, message, sure))

    async def _draw(self, session: SessionId) -> Letter | None:
        """The letter of a table, unless its message is right, gone, or drawn by presses alone."""
        table = await self._messages.table(session)
        place = table.place
        if self._shown.up_to_date(table):
            return None
        unmissed = place.lost or table.session.phase is Phase.ABANDONED
        if place.channel == NO_CHANNEL or (place.message is None and unmissed):
            self._shown.note(table)
            return None
        reply = self._replies.of(session) if place.unreachable else None
        known = reply is not None and reply.message == place.message
        if place.unreachable and (not known or self._replies.shows(table)):
            return None
        webhook = None if reply is None else reply.webhook
        view, files, notified = await self._drawn(table)
        return Letter(
            channel=place.channel,
            guild=place.guild,
            message=place.message,
            there=partial(self._there, table, webhook),
            gone=partial(self._lose, table, reply),
            unpictured=partial(self._do_without_picture, session),
            view=view,
            files=files,
            allowed=notified,
            known_by=board_id(session, 0, "").removesuffix(":0:"),
            marked=("board", session),
            webhook=webhook,
            changed_at=table.moved_at,
        )

    async def _leave(self, left: tuple[SessionId, int]) -> None:
        """Delete a message that a table has left, now or once Discord lets the bot do it."""
        self._refused.drop(left)
        if await self._postman.deliver(Post(self._left, left)) is Delivery.REFUSED:
            self._refused.keep(left, left[1])

    async def _draw_left(self, left: tuple[SessionId, int]) -> Letter | None:
        """The letter that deletes a message which a table has left for another."""
        session, message = left
        place = (await self._messages.table(session)).place
        if place.message == message:
            return None
        channel, guild = place.channel, place.guild
        return Letter(channel=channel, guild=guild, message=message, gone=nothing, away=True)

    async def _sent(self, table: Table, send: Callable[[Drawn], Awaitable[T]]) -> T:
        """Send a table, without its picture if Discord refuses that."""
        drawn = await self._drawn(table)
        try:
            return await send(drawn)
        except Unanswered as lost:
            if not drawn.files or not refuses_files(lost.error):
                raise
        self._do_without_picture(table.id)
        return await send(await self._drawn(table))

    def _do_without_picture(self, session: SessionId) -> None:
        log.warning("picture refused, the board is drawn with emoji session=%s", session)
        self._unpictured.keep(session, session)

    def _looking(self, table: Table) -> Table:
        """A table as it is drawn: with emoji where Discord has refused its picture."""
        if table.id not in self._unpictured:
            return table
        preferences = replace(table.session.preferences, board=BoardLook.EMOJI)
        return replace(table, session=replace(table.session, preferences=preferences))

    async def _drawn(self, table: Table) -> Drawn:
        """Draw a table, for one request: it reads the picture to its end."""
        table = self._looking(table)
        shown = screen(table)
        files = []
        if shown.pictured:
            files.append(await picture_file(BOARD_FILE, board_picture, table))
        view = board_view(shown, table, self._words(table))
        return Drawn(view, files, mentions(shown.notifies))

    async def _there(
        self, table: Table, webhook: discord.Webhook | None, message: int, sure: bool
    ) -> None:
        """Note what a message shows, after all else that it takes: what breaks off is repaired."""
        if webhook is not None:
            self._replies.keep(table, message, webhook, sure=sure)
        if table.place.message != message:
            await self._messages.save_message(table.id, message)
        if sure:
            self._shown.note(table)
        else:
            self._shown.drop(table)
        self._threads.open_soon(table)

    async def _lose(self, table: Table, reply: LiveReply | None) -> None:
        """Note that a table's message is gone, or that its reply can be changed no more."""
        if reply is not None:
            self._replies.drop(reply)
            return
        self._shown.note(table)
        if table.place.message is not None:
            await self._messages.mark_lost(table.place.channel, table.place.message)

    def _signpost(self, table: Table) -> ui.LayoutView:
        """The view of a message that the table has left for another."""
        return notice_view(moved(link(table.place)), self._words(table))

    async def _is_left_to_a_press(self, session: SessionId) -> bool:
        """Whether a press is about to draw a table, or to send its first message."""
        if self._opening and session not in self._pressing:
            with suppress(UnknownTable):
                return self._is_being_sent(await self._messages.table(session))
        return session in self._pressing

    def _is_being_sent(self, table: Table) -> bool:
        young = self._clock.now() - table.moved_at < SENDING_LASTS
        by_a_press = bool(self._opening) and not table.session.match
        return by_a_press and table.place.message is None and young

    def _words(self, table: Table) -> Words:
        return self._speech.words(table.locale)

    def _at(self, table: Table, message: int) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(table.place.channel)
        return channel.get_partial_message(message)


async def _post(response: Response, table: Table, notify: bool, drawn: Drawn) -> int:
    for_all = table.place.unreachable and not table.session.solo
    notified = drawn.notified if notify else NOBODY
    return await response.post(drawn.view, notified, *drawn.files, for_all=for_all)


async def _edit(response: Response, drawn: Drawn) -> None:
    await response.show(drawn.view, drawn.files or None)


async def _redraw(response: Response, message: int, drawn: Drawn) -> None:
    await response.redraw(message, drawn.view, drawn.files)


def _gone(table: Table, *, moved: bool) -> Refusal:
    """The sentence for a person who has pressed a message that is gone by now."""
    if moved:
        return Refusal("board_moved", link=link(table.place))
    over = table.session.solo or table.session.phase not in {Phase.LOBBY, Phase.RUNNING}
    return UnknownControl() if over else Refusal("board_deleted")

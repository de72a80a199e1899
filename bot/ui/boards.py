"""The boards of tables, drawn into their messages by answers to presses and by the postman.

A message is a projection of its table. It falls behind if Discord or this process fails between
saving and showing, and is then written again. Of several changes, only the latest is drawn.
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
from bot.storage.errors import Unavailable, UnknownTable
from bot.table.refusals import Refusal, UnknownControl
from bot.table.seat_log import BoardLook
from bot.table.session import Phase, SessionId
from bot.table.table import NO_CHANNEL, Table
from bot.ui.board_memory import LiveReply, Replies, ShownRevisions
from bot.ui.custom_ids import board_id, custom_ids, is_board, layout_of
from bot.ui.door import Slips
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
"""Plays the plies of a table that no person decides, and returns the table."""

REWRITTEN_AT_ONCE: Final = 4
"""How many messages of old games a round rewrites; forgetting a person may mark thousands."""

COMPARED: Final = 20
"""How many messages are compared with their rows every hour."""

EMOJI_KEPT_FOR: Final = timedelta(days=7)
"""When emoji are lost, boards of games that ended within this time are drawn again."""

MOST_REFUSED: Final = 100
"""The most left messages whose deletion is tried again, as a server may refuse it for good."""

MOST_UNPICTURED: Final = 100
"""The most boards remembered because Discord refused their pictures."""

A_REFUSAL: Final = 400
"""The estimated bytes of one of either."""

SENDING_LASTS: Final = timedelta(seconds=30)
"""How long a press may still be sending a new table's first message."""


class Drawn(NamedTuple):
    """A board's view and layout, its picture's file if it has one, and the people it notifies."""

    view: Drawing
    layout: str
    files: list[discord.File]
    notified: discord.AllowedMentions


class Boards:
    """The boards of the guilds that this process owns, as a kind of posts."""

    def __init__(
        self,
        client: discord.Client,
        speech: Speech,
        postman: Postman,
        use_cases: UseCases,
        retries: Retries,
        *,
        slips: Slips,
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
        self._slips = slips
        self._kind = PostKind("board", self._draw)
        self._left = PostKind("left board", self._draw_left)
        self.seals = Seals(client, speech, postman, messages)
        self._threads = Threads(client, speech, postman, use_cases.stores.guilds, messages)
        self._replies = Replies(use_cases.clock)
        self._shown = ShownRevisions(messages)
        self._refused = Cache[tuple[SessionId, int], int](
            "left_messages", MOST_REFUSED * A_REFUSAL, lambda _: A_REFUSAL
        )
        """Messages that tables have left but that Discord does not let the bot delete."""
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
        """Answer a press by drawing the table's present state into the pressed `message`.

        If the table has moved to another message, the pressed one is replaced by a link to it.

        Raises:
            Refusal: The pressed message was deleted.
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
        """Answer with a new table's first message, then play the plies that waited for its id.

        Dice need that id to roll, so a game that begins at once first shows the empty board. What
        the database does not take then is left to a later round: the game is open, and its board is
        there.
        """
        try:
            await self.post(response, table)
        except Unavailable:
            log.info("board not saved session=%s", table.id)
            return
        if not table.awaits_message:
            return
        with self.pressing(table.id):
            begun = await go_on(table.id)
            async with self._postman.writing(self._post(table.id)):
                latest = self._messages.latest(begun)
                message = latest.place.message
                if message is None or self._shown.up_to_date(latest):
                    return
                drawn, _ = await self._sent(latest, partial(_redraw, response, message))
                await self._note(latest, message, response, drawn)

    async def take_newer(self, table: Table, pressed: discord.Message | None) -> Table:
        """Make a pressed board the table's message if it is newer than the stored one.

        That happens if the process ended after sending a message, before its id was saved.
        """
        if pressed is None or not is_board(pressed, table.id):
            return table
        if table.place.channel != pressed.channel.id:  # its place was forgotten, and stays so
            return table
        async with self._postman.lock(post := self._post(table.id)):
            latest = await self._messages.table(table.id)
            if (latest.place.message or 0) >= pressed.id:
                return latest
            await self._messages.save_message(table.id, pressed.id)
            self._shown.drop(latest)  # it may show an older revision than the stored message did
            latest = await self._messages.table(table.id)
        self._postman.deliver_soon(post)
        return latest

    async def post(self, response: Response, table: Table, *, notify: bool = True) -> None:
        """Answer with a new message for the table, and delete the old one if there is one.

        Where the bot is no member, the old message is replaced by a link to the new one instead. If
        that or deleting fails, a press on the old message leads to the new one.

        Raises:
            Unseen: Others need to see the message, but Discord showed it to one reader; it was
                deleted.
        """
        reply = self._replies.of(table.id)
        async with self._postman.writing(post := self._post(table.id)):
            latest = self._messages.latest(table)
            try:
                send = partial(_post, response, latest, notify)
                drawn, message = await self._sent(latest, send)
            except Unanswered as lost:
                if lost.code == UNKNOWN_MESSAGE and latest.place.message is None:
                    await self._messages.lose(table.id)  # it was sent unheard, then deleted
                raise
            await self._note(latest, message, response, drawn)
        if latest.id not in self._pressing:  # else the press draws its changes itself
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

        A deleted message is not sent again; other processes refresh the tables of their share.
        """
        if not table.place.unreachable and not self._owns(table.place.guild):
            return
        post = self._post(table.id)
        left = table.id in self._pressing or self._is_being_sent(table)
        if not left and not self._postman.paused(post):
            await self._postman.deliver(post)

    async def run_due(self) -> None:
        """Bring all messages up to date that are behind, then some of old games."""
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
        """Fetch some random messages, and write those again whose controls are not as they should.

        Raises:
            Unreachable: Discord has trouble.
        """
        known = await self._messages.shown()
        for session in sample(known, min(COMPARED, len(known))):
            table = await self._messages.table(session)
            if table.place.message is None:  # it was deleted meanwhile
                continue
            try:
                with reaching():
                    there = await self._at(table, table.place.message).fetch()
            except discord.HTTPException:
                continue  # left to a press, or to the event of its deletion
            view, *_ = await self._drawn(table)
            if {*custom_ids(there)} != {*ids_of(view.to_components())}:
                log.warning("message shows something else session=%s", session)
                self._shown.drop(table)
                await self._postman.deliver(self._post(session))

    async def show_if_behind(self, response: Response, table: Table, *, message: int) -> None:
        """Answer a press with the board if it may be behind, and only presses can draw it."""
        own = table.place.unreachable and table.place.message == message
        if own and response.on_board and not self._replies.shows(table):
            await self.show(response, table, message=message)

    async def redraw(self, *, lost_emoji: bool = False) -> None:
        """Have the next rounds draw all unfinished tables again.

        After a loss of emoji, also games that ended within `EMOJI_KEPT_FOR`; older ones keep
        showing the names of their emoji.
        """
        await self._shown.save(forgetting=True)
        await self._messages.redraw(self._clock.now() - EMOJI_KEPT_FOR if lost_emoji else None)

    async def retire(self, table: Table) -> None:
        """Replace the message of a table whose place will be forgotten by one without controls."""
        if table.place.message is None:
            return
        view = notice_view(forgotten(), self._words(table))
        edit = self._at(table, table.place.message).edit
        try:
            await self._retries.send(partial(edit, view=view, attachments=[]))
        except UNDELIVERED as error:  # then a press on it is refused
            log.info("board not retired session=%s error=%r", table.id, error)

    def note_unchanged(self, table: Table) -> None:
        """Count a message that showed `table` as up to date after a change not visible on it."""
        if not self._shown.drawn(table):  # it was behind, or is to be drawn again
            return
        latest = self._messages.latest(table)
        self._shown.note(latest)
        self._replies.note(latest)

    @contextmanager
    def opening(self) -> Iterator[None]:
        """During the block, leave young tables without a message to the press that sends it."""
        self._opening += 1
        try:
            yield
        finally:
            self._opening -= 1

    @contextmanager
    def pressing(self, session: SessionId) -> Iterator[None]:
        """During the block, leave a table's message to the press that will draw it."""
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
        drawn, _ = await self._sent(table, partial(_edit, response))
        await self._note(table, message, response, drawn)

    async def _note(self, table: Table, message: int, response: Response, drawn: Drawn) -> None:
        """Save that a response has drawn a table into a message."""
        post = self._post(table.id)
        webhook = response.webhook if table.place.unreachable else None
        sure = self._postman.is_sure(post, repeated=response.repeated)
        there = self._there(table, webhook, drawn.layout, message, sure)
        await self._postman.save(post, message, there)

    async def _draw(self, session: SessionId) -> Letter | None:
        """The letter of a table; None if its message is up to date, gone, or only for presses."""
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
        view, layout, files, notified = await self._drawn(table)
        return Letter(
            channel=place.channel,
            guild=place.guild,
            message=place.message,
            there=partial(self._there, table, None, layout),
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
        """Delete a message that a table has left, now or when Discord allows it."""
        self._refused.drop(left)
        if await self._postman.deliver(Post(self._left, left)) is Delivery.REFUSED:
            self._refused.keep(left, left[1])

    async def _draw_left(self, left: tuple[SessionId, int]) -> Letter | None:
        """The letter that deletes a message that a table has left for another."""
        session, message = left
        place = (await self._messages.table(session)).place
        if place.message == message:
            return None
        channel, guild = place.channel, place.guild
        return Letter(channel=channel, guild=guild, message=message, gone=nothing, away=True)

    async def _sent(self, table: Table, send: Callable[[Drawn], Awaitable[T]]) -> tuple[Drawn, T]:
        """Send a table, without its picture if Discord refuses that."""
        drawn = await self._drawn(table)
        try:
            return drawn, await send(drawn)
        except Unanswered as lost:
            if not drawn.files or not refuses_files(lost.error):
                raise
        self._do_without_picture(table.id)
        drawn = await self._drawn(table)
        return drawn, await send(drawn)

    def _do_without_picture(self, session: SessionId) -> None:
        log.warning("picture refused, the board is drawn with emoji session=%s", session)
        self._unpictured.keep(session, session)

    def _looking(self, table: Table) -> Table:
        """The table to draw: with an emoji board if Discord has refused its picture."""
        if table.id not in self._unpictured:
            return table
        preferences = replace(table.session.preferences, board=BoardLook.EMOJI)
        return replace(table, session=replace(table.session, preferences=preferences))

    async def _drawn(self, table: Table) -> Drawn:
        """Draw a table for a single request, as the request consumes the picture's file."""
        table = self._looking(table)
        shown = screen(table)
        files = []
        if shown.pictured:
            files.append(await picture_file(BOARD_FILE, board_picture, table))
        view = board_view(shown, table, self._words(table))
        return Drawn(view, layout_of(shown), files, mentions(shown.notifies))

    async def _there(
        self, table: Table, webhook: discord.Webhook | None, layout: str, message: int, sure: bool
    ) -> None:
        """Save a table's message, then that it shows the table; a crash between is repaired.

        `webhook` is that of a press that has drawn it as a reply.
        """
        self._slips.drawn(message, layout, running=table.session.phase is Phase.RUNNING)
        if webhook is not None:
            self._replies.keep(table, message, webhook, sure=sure)
        else:
            self._replies.note(table, sure=sure)
        if table.place.message != message:
            await self._messages.save_message(table.id, message)
        if sure:
            self._shown.note(table)
        else:
            self._shown.drop(table)
        self._threads.open_soon(table)

    async def _lose(self, table: Table, reply: LiveReply | None) -> None:
        """Save that a table's message is gone, or drop its reply that can no longer be edited."""
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
        """Whether a press will draw a table, or is sending its first message."""
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
    """The refusal for a person whose pressed message was deleted meanwhile."""
    if moved:
        return Refusal("board_moved", link=link(table.place))
    over = table.session.solo or table.session.phase not in {Phase.LOBBY, Phase.RUNNING}
    return UnknownControl() if over else Refusal("board_deleted")

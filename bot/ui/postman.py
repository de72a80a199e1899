"""The postman, who writes every message that Parlour keeps right or sends once.

A post is the message of a kind for an owner, such as the board of a table. Its kind draws the
letter to write. The postman edits the message; if there is none, it first looks whether an earlier
try was sent although no answer came, and else sends it. A post has one writer at a time, the
postman or the answer to a press, and each draws the present state, so that no late letter covers a
newer one.

While Discord has trouble, posts wait, and one of them tries until Discord is back. A post that
Discord refuses is paused for longer and longer, or until there is news of its server.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from contextvars import Context
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import partial
from hashlib import blake2b
from typing import Any, Final, Literal, NamedTuple
from weakref import WeakValueDictionary

import discord
from discord import ui
from discord.utils import MISSING

from bot.clock import Backoff, Clock, ahead
from bot.service.jobs import GONE
from bot.service.ports import Meter, Occurrence, Unreachable
from bot.storage.errors import Unavailable
from bot.ui.custom_ids import NoHistory, found_by
from bot.ui.emojis import Emojis
from bot.ui.errors import (
    OUT_OF_REACH,
    RATE_LIMITED,
    THREAD_ARCHIVED,
    THREAD_THERE,
    UNDELIVERED,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    Unanswered,
    lacks_emoji,
    lost,
    refuses_files,
    unavailable,
)
from bot.ui.permissions import permissions_in
from bot.ui.response import NOBODY
from bot.ui.retries import Retries

log = logging.getLogger(__name__)

FIRST_TRY_AFTER: Final = 0.25
LONGEST_TRY_AFTER: Final = 2.0
"""Seconds between two tries while Discord has trouble, doubling from the first to the second."""

SHORTEST_PAUSE: Final = timedelta(seconds=10)
LONGEST_PAUSE: Final = timedelta(hours=1)
"""The first and the longest pause of a post that Discord refused."""

SETTLED_AFTER: Final = timedelta(seconds=15)
"""The time after which Discord will no longer carry out a request whose answer was lost."""

LAST_WRITTEN: Final = 1.0
"""Seconds to wait at the end for posts that are being written."""

WRITTEN_WITHIN: Final = 1.0
"""Seconds for which a round waits for another writer of one of its posts."""

MOST_AT_ONCE: Final = 8
"""The number of posts written at once, so that a slow one does not hold up the others."""

MOST_PROBED: Final = 10
"""The most posts in channels that the bot does not see that are tried after news of their guild.

Requests that are refused count towards a ban by Discord.
"""


async def nothing(*_: object) -> None:
    """Do nothing, for letters that have nothing to save."""


async def give_up(done: Callable[[], Awaitable[None]], error: discord.HTTPException) -> None:
    """Handle a refusal with `done`, unless the message is still there, though out of reach.

    Raises:
        HTTPException: It is, so the post is to be tried again.
    """
    if error.code in OUT_OF_REACH and error.code != UNKNOWN_CHANNEL:
        raise error
    await done()


class NewThread(NamedTuple):
    """A thread to open at a message, and the minutes of silence until it is archived."""

    name: str
    archived_after: Literal[1440, 10_080]


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What is to be written into a post's `message`, or sent to its channel if that is None.

    After success `there(message, sure)` saves that the message shows it; not `sure` means that an
    earlier request whose answer was lost may still overwrite it, so that it must be written again.
    `gone` saves that the message was deleted, and `refused` handles a refusal by Discord; without
    them, if it raises one, or if the letter `insists`, the post is paused. `unpictured` is called
    if Discord refuses the files, and the letter is then drawn again without them.

    `known_by`, the first parts of an id of its controls, is used to find a new message that was
    sent although no answer came; with `once` it is not edited then. The nonce is made of `marked`
    and the channel. `allowed` are those notified. Where the bot is no member, `webhook` edits the
    message. `changed_at` is when its content last changed. A letter that is `drawn_once` cannot be
    drawn again, so it is tried again for a short time only. One that is `away` deletes its message;
    one with a `thread` opens it at the message, and the thread's id counts as its message.
    """

    channel: int
    there: Callable[[int, bool], Awaitable[None]] = nothing
    gone: Callable[[], Awaitable[None]] | None = None
    guild: int | None = None
    message: int | None = None
    view: ui.LayoutView | None = None
    content: str | None = None
    files: Sequence[discord.File] = ()
    refused: Callable[[discord.HTTPException], Awaitable[object]] | None = None
    insists: bool = False
    unpictured: Callable[[], None] | None = None
    known_by: str | None = None
    once: bool = False
    marked: tuple[object, ...] = ()
    allowed: discord.AllowedMentions = NOBODY
    silent: bool = False
    webhook: discord.Webhook | None = None
    changed_at: datetime | None = None
    drawn_once: bool = False
    away: bool = False
    thread: NewThread | None = None


class PostKind(NamedTuple):
    """A kind of posts; `draw` returns the letter of an owner, or None if nothing is to be written.

    Posts of a kind without `draw` are written with `Postman.put`, or by the answer to a press.
    """

    name: str
    draw: Callable[[Any], Awaitable[Letter | None]] = nothing


class Post(NamedTuple):
    """The message of a kind for an owner."""

    kind: PostKind
    owner: Hashable

    def __str__(self) -> str:
        return f"{self.kind.name} {self.owner}"


class Delivery(Enum):
    """The outcome of a post: written, already right, refused by Discord, or to be tried again."""

    WRITTEN = auto()
    UNCHANGED = auto()
    REFUSED = auto()
    WAITS = auto()


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause during which a post of a channel is not written, if that is known."""

    guild: int | None
    channel: int | None
    until: datetime
    length: timedelta
    backoff: Backoff


class Postman:
    """Writes posts, each by one writer at a time; which of them wait is only in memory."""

    def __init__(
        self, client: discord.Client, emojis: Emojis, clock: Clock, meter: Meter | None
    ) -> None:
        self._client = client
        self._emojis = emojis
        self._clock = clock
        self._meter = meter
        self._retries = Retries()
        self._begun = clock.now()
        self._locks: WeakValueDictionary[Post, asyncio.Lock] = WeakValueDictionary()
        self._at_work = asyncio.Semaphore(MOST_AT_ONCE)
        self._waiting: dict[Post, int] = {}
        self._trying: asyncio.Task[None] | None = None
        self._attempts: dict[asyncio.Task[Delivery], None] = {}
        self._trouble = False
        self._pauses: dict[Post, Pause] = {}
        self._probes: dict[Post, int | None] = {}
        self._news: dict[int, float] = {}
        """When there was last news of a guild, by the event loop's time, as clocks can be set."""
        self._woken: dict[int, datetime] = {}
        self._doubts: dict[Post, datetime] = {}
        self._unsaved: dict[Post, int] = {}
        """The messages that were sent but are not saved yet."""
        self._closed = False

    def lock(self, post: Post) -> asyncio.Lock:
        """The lock of the one writer of a post."""
        return self._locks.setdefault(post, asyncio.Lock())

    @asynccontextmanager
    async def writing(self, post: Post) -> AsyncIterator[None]:
        """Be a post's only writer in the block; if that raises `Unanswered`, write it again."""
        try:
            async with self.lock(post):
                yield
        except Unanswered:
            self.doubt(post)
            self.deliver_soon(post)
            raise

    async def save(self, post: Post, message: int, saving: Awaitable[None]) -> None:
        """Await `saving`, and remember a post's message until it has succeeded."""
        self._unsaved[post] = message
        await saving
        del self._unsaved[post]

    def doubt(self, post: Post) -> None:
        """Note that the answer to a request for a post was lost.

        Discord may carry it out late, and so overwrite a newer state with an older one.
        """
        self._doubts[post] = self._clock.now() + SETTLED_AFTER

    def is_sure(self, post: Post, *, repeated: bool = False) -> bool:
        """Whether what was just written into a post cannot be overwritten by a lost request.

        If it was written by an answer that was `repeated`, one of its tries was lost.
        """
        if repeated:
            self.doubt(post)
        until = self._doubts.get(post)
        if until is None or self._is_ahead(until, SETTLED_AFTER):
            return until is None
        del self._doubts[post]
        return True

    @property
    def in_trouble(self) -> bool:
        """Whether posts are waiting because Discord has trouble."""
        return self._trouble and bool(self._waiting)

    def paused(self, post: Post) -> bool:
        """Whether a post is paused now."""
        pause = self._pauses.get(post)
        return pause is not None and self._is_ahead(pause.until, pause.length)

    async def deliver(self, post: Post, *, within: bool = False) -> Delivery:
        """Write a post now, or later if Discord or the database has trouble (`WAITS`).

        A post written `within` the writing of another does not count towards `MOST_AT_ONCE`, or
        both could wait for ever. If it waits, so does the other, and writes it when its turn comes.
        """
        if self._closed:
            return Delivery.WAITS
        in_vain = self._trouble and self._waiting
        outcome = Delivery.WAITS if in_vain else await self._attempt(post, within=within)
        if outcome is Delivery.WAITS and not within:
            self.deliver_soon(post)
        return outcome

    def deliver_soon(self, post: Post) -> None:
        """Write a post in the background, as soon as Discord accepts it."""
        if self._closed:
            return
        self._waiting[post] = self._waiting.get(post, 0) + 1
        if self._trying is None or self._trying.done():
            trying = self._try()  # for all posts, so not in the context of one interaction
            self._trying = asyncio.create_task(trying, name="waiting posts", context=Context())

    async def put(self, post: Post, letter: Letter) -> int:
        """Edit, send or delete as a letter says; return its message. The caller has the lock.

        A thread that has archived itself is opened for a change, and closed again.

        Raises:
            HTTPException: Discord refuses it.
            HTTPException, OSError: Discord has trouble.
        """
        message = letter.message
        if message is None and letter.known_by is not None:
            message = self._unsaved.get(post)
        attachments = [*letter.files] or MISSING  # without files, the message keeps its own
        if letter.webhook is not None:
            assert message is not None, "an answer has begun it"
            await letter.webhook.edit_message(message, view=letter.view, attachments=attachments)
            return message
        channel = self._client.get_partial_messageable(letter.channel, guild_id=letter.guild)
        if message is None and letter.known_by is not None:
            with suppress(discord.Forbidden, NoHistory):  # then it cannot be looked for
                message = await found_by(channel, letter.known_by)
                if message is not None and letter.once:
                    return message
        if message is not None:
            at = channel.get_partial_message(message)
            if letter.thread is not None:
                return await _opened(at, letter.thread)
            edit = partial(at.edit, view=letter.view, attachments=attachments)
            await self._changed(letter, at.delete if letter.away else edit)
            return message
        return await self._send(post, channel, letter)

    async def _changed(self, letter: Letter, change: Callable[[], Awaitable[object]]) -> None:
        """Edit or delete a message; an archived thread is opened for that."""
        try:
            await change()
        except discord.HTTPException as error:
            if error.code != THREAD_ARCHIVED:
                raise
            if (thread := await self._reopened(letter.channel)) is None:
                raise
            for file in letter.files:
                file.reset()
            await change()
            with suppress(discord.HTTPException):  # then it closes itself again
                await thread.edit(archived=True)

    async def _reopened(self, thread: int) -> discord.Thread | None:
        """An archived thread, opened; None if it is locked, or Discord does not allow that."""
        try:
            found = await self._client.fetch_channel(thread)
            if isinstance(found, discord.Thread) and not found.locked:
                return await found.edit(archived=False)
        except discord.HTTPException as error:
            if unavailable(error):
                raise
            log.info("thread not opened thread=%s error=%r", thread, error)
        return None

    async def go_round(self, posts: Iterable[Post], most: int | None = None) -> None:
        """Deliver posts in order, up to `MOST_AT_ONCE` at a time.

        Posts that are paused, or that another writer is busy with, are skipped. With a limit `most`
        of posts to write, failed ones are left to the next round, and while Discord has trouble
        only the first with anything to write is tried.
        """
        behind = [*posts]
        left, written = iter(behind), 0

        async def work() -> None:
            nonlocal written
            for post in left:
                if self.paused(post) or not await self._is_free(post):
                    continue
                if most is None:
                    await self.deliver(post)
                    continue
                outcome = await self._attempt(post)
                written += outcome is Delivery.WRITTEN  # shared by all that work at once
                in_vain = self._trouble and outcome is not Delivery.UNCHANGED
                if in_vain or written >= most:
                    return

        at_once = 1 if most is not None and self._trouble else MOST_AT_ONCE
        await asyncio.gather(*(work() for _ in behind[:at_once]))

    async def _is_free(self, post: Post) -> bool:
        """Whether a post has no writer, or loses it within `WRITTEN_WITHIN`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(WRITTEN_WITHIN), self.lock(post):
                return True
        return False

    def wake(self, guild: int) -> None:
        """End the pauses of a guild's posts after news of it, such as changed permissions.

        However often news comes, a post is tried at most once in `SHORTEST_PAUSE`. Of those in
        channels that the bot cannot see by what it knows, `MOST_PROBED` are; once one of them is
        written, so are the others of its channel.
        """
        now = self._clock.now()
        self._news[guild] = asyncio.get_running_loop().time()
        paused = [(post, each) for post, each in self._pauses.items() if each.guild == guild]
        if not paused:
            return
        again = self._woken.get(guild, now - SHORTEST_PAUSE) + SHORTEST_PAUSE
        waits = self._is_ahead(again, SHORTEST_PAUSE)
        if not waits:
            self._woken[guild] = now
        hidden = 0
        for post, pause in paused:
            if not self._sees(pause):
                hidden += 1
                if hidden > MOST_PROBED:
                    continue
                self._probes[post] = pause.channel
            if not waits:
                del self._pauses[post]
                self.deliver_soon(post)
            else:
                self._pauses[post] = replace(pause, until=min(pause.until, again))

    def _sees(self, pause: Pause) -> bool:
        """Whether the bot sees a channel by what it knows, which may be a little out of date."""
        guild = None if pause.guild is None else self._client.get_guild(pause.guild)
        if guild is None or pause.channel is None:
            return False
        known = guild.get_channel_or_thread(pause.channel) is not None
        return known and permissions_in(guild, pause.channel).view_channel

    def _follow_probe(self, post: Post, outcome: Delivery) -> None:
        """Write the other posts of a channel if the one that was tried first is written."""
        channel = self._probes.pop(post, None)
        if channel is None or outcome is not Delivery.WRITTEN:
            return
        for other in [other for other, each in self._pauses.items() if each.channel == channel]:
            del self._pauses[other]
            self.deliver_soon(other)

    def forget_past(self) -> None:
        """Forget pauses, news and doubts that ended long ago."""
        now = self._clock.now()
        for post in [
            post for post, each in self._pauses.items() if each.until <= now - LONGEST_PAUSE
        ]:
            del self._pauses[post]
        for guild in [guild for guild, at in self._woken.items() if at <= now - SHORTEST_PAUSE]:
            del self._woken[guild]
        long_ago = asyncio.get_running_loop().time() - LONGEST_PAUSE.total_seconds()
        for guild in [guild for guild, at in self._news.items() if at <= long_ago]:
            del self._news[guild]
        for post in [*self._doubts]:
            self.is_sure(post)

    async def close(self) -> None:
        """Start no more writing, and wait until what is being written is sent and saved."""
        self._closed = True
        if self._trying is not None:
            self._trying.cancel()
        if self._attempts:
            await asyncio.wait(self._attempts, timeout=LAST_WRITTEN)
        for attempt in self._attempts:
            attempt.cancel()
        await asyncio.gather(*self._attempts, return_exceptions=True)

    async def _try(self) -> None:
        backoff, failed = Backoff(FIRST_TRY_AFTER, LONGEST_TRY_AFTER), self._trouble
        while self._waiting:
            if failed:
                await asyncio.sleep(backoff.uneven_pause())
            failed = True
            while self._waiting:
                post, asked = next(iter(self._waiting.items()))
                outcome = await self._attempt(post)
                now_asked = self._waiting.pop(post)
                if outcome is Delivery.WAITS or now_asked > asked:  # or as something changed since
                    self._waiting[post] = now_asked  # behind the others
                if outcome is Delivery.WAITS:
                    break
                if outcome is not Delivery.UNCHANGED:
                    backoff.reset()
                    await self._deliver_waiting()

    async def _deliver_waiting(self) -> None:
        """Deliver all posts that wait, since Discord is back; those that still fail are paused."""
        waiting, self._waiting = [*self._waiting], {}
        outcomes = await asyncio.gather(*map(self._attempt, waiting))
        for post, outcome in zip(waiting, outcomes, strict=True):
            if outcome is Delivery.WAITS:
                self._pause(post)
        if waiting:
            taken = len(waiting) - outcomes.count(Delivery.WAITS)
            log.info("waiting posts delivered count=%d taken=%d", len(waiting), taken)

    async def _attempt(self, post: Post, *, within: bool = False) -> Delivery:
        """Write a post; `WAITS` if Discord or the database has trouble.

        It runs in a task of its own: what is sent is saved even if its round is cancelled.
        """
        attempt = asyncio.create_task(self._written(post, within=within), name=f"writing {post}")
        self._attempts[attempt] = None
        attempt.add_done_callback(self._attempts.pop)
        await asyncio.wait([attempt])
        return Delivery.WAITS if attempt.cancelled() else attempt.result()

    async def _written(self, post: Post, *, within: bool) -> Delivery:
        outcome = Delivery.UNCHANGED
        try:
            async with self.lock(post), nullcontext() if within else self._at_work:
                if self._closed:
                    return outcome
                outcome = await self._write(post)
        except GONE:
            log.debug("post left alone, since its owner is gone post=%s", post)
        except (*UNDELIVERED, Unreachable, Unavailable) as error:
            log.info("post not taken post=%s error=%r", post, error)
            self._trouble = self._trouble or not isinstance(error, Unavailable)
            return Delivery.WAITS
        except Exception as error:
            log.exception("post not written post=%s", post)
            self._count_fault(post)
            self._pause(post, error=error)
            return Delivery.REFUSED
        if outcome in {Delivery.WRITTEN, Delivery.REFUSED}:
            self._trouble = False  # Discord has answered
        if outcome is not Delivery.REFUSED:
            self._pauses.pop(post, None)
        self._follow_probe(post, outcome)
        return outcome

    async def _write(self, post: Post, deleted: int | None = None) -> Delivery:
        """Draw a post, write it, and save its message.

        If its message was `deleted` before that was saved, a new one needs another nonce.

        Raises:
            HTTPException, OSError: Discord has trouble.
        """
        letter = await post.kind.draw(post.owner)
        if letter is None:
            return Delivery.UNCHANGED
        if deleted is not None:
            letter = replace(letter, marked=(*letter.marked, deleted))
        if self._perhaps_killed_over(letter):
            self.doubt(post)
        begun = asyncio.get_running_loop().time()
        try:
            message = await self.put(post, letter)
        except UNDELIVERED as error:
            if unavailable(error) or not isinstance(error, discord.HTTPException):
                if _may_have_arrived(error):
                    self.doubt(post)
                raise
            return await self._refused(post, letter, error, begun)
        try:
            await self.save(post, message, letter.there(message, self.is_sure(post)))
        except discord.HTTPException as error:
            if unavailable(error):
                raise
            self._count_fault(post)
            self._pause(post, letter, error)  # Discord has refused a follow-up of `there`
            return Delivery.REFUSED
        return Delivery.WRITTEN

    async def _refused(
        self, post: Post, letter: Letter, error: discord.HTTPException, begun: float
    ) -> Delivery:
        """Handle Discord's refusal of a letter whose sending began at the loop's time `begun`.

        If it is out of reach but there was news of its guild since then, it waits: the refusal may
        be out of date.
        """
        if lacks_emoji(error) and self._emojis.ids:
            self._emojis.lose(error)
            return await self._write(post)
        if letter.files and letter.unpictured is not None and refuses_files(error):
            letter.unpictured()
            return await self._write(post)
        log.info("post refused post=%s error=%r", post, error)
        news = None if letter.guild is None else self._news.get(letter.guild)
        if news is not None and news >= begun and error.code in OUT_OF_REACH:
            return Delivery.WAITS
        gone = error.code == UNKNOWN_MESSAGE or (letter.webhook and _token_dead(error))
        if gone and (known := await self._gone(post, letter)) is not None:
            return known
        self._count_fault(post)
        if letter.refused is not None:
            try:
                await letter.refused(error)
            except discord.HTTPException as further:
                if unavailable(further):
                    raise
            else:
                if not letter.insists:
                    return Delivery.WRITTEN
        self._pause(post, letter, error)
        return Delivery.REFUSED

    async def _gone(self, post: Post, letter: Letter) -> Delivery | None:
        """Handle a deleted message: by the letter's `gone`, or a new one if it was not saved."""
        unsaved = self._unsaved.pop(post, None)
        if letter.gone is not None:
            await letter.gone()
            return Delivery.WRITTEN
        if letter.message is None and unsaved is not None:
            return await self._write(post, unsaved)
        return None

    async def _send(self, post: Post, channel: discord.PartialMessageable, letter: Letter) -> int:
        """Send a new message; if it is refused after a try of unknown outcome, doubt the post."""
        unheard = False
        said: dict[str, Any] = {"silent": letter.silent, "allowed_mentions": letter.allowed}
        said["nonce"] = nonce(*letter.marked, letter.channel)
        if letter.view is None:
            said["content"] = letter.content
        else:
            said["view"] = letter.view

        async def send() -> discord.Message:
            nonlocal unheard
            for file in letter.files:
                file.reset()
            try:
                return await channel.send(**said, files=letter.files)
            except UNDELIVERED as error:
                unheard = unheard or _may_have_arrived(error)
                raise

        try:
            sent = await (self._retries.send_briefly(send) if letter.drawn_once else send())
        except discord.HTTPException:
            if unheard:
                self.doubt(post)
            raise
        return sent.id

    def _perhaps_killed_over(self, letter: Letter) -> bool:
        """Whether an earlier process may have been killed while it wrote this letter."""
        young = self._is_ahead(self._begun + SETTLED_AFTER, SETTLED_AFTER)
        if letter.once or not young:
            return False
        changed_at = letter.changed_at
        return changed_at is None or self._begun - SETTLED_AFTER < changed_at <= self._begun

    def _is_ahead(self, moment: datetime, most: timedelta) -> bool:
        """Whether a moment is in the future, but by no more than `most`, as clocks can be set."""
        return ahead(moment, self._clock.now(), most)

    def _count_fault(self, post: Post) -> None:
        if self._meter is not None:
            self._meter.count(Occurrence.POST_FAULTS, post.kind.name)

    def _pause(
        self, post: Post, letter: Letter | None = None, error: Exception | None = None
    ) -> None:
        shortest, longest = SHORTEST_PAUSE.total_seconds(), LONGEST_PAUSE.total_seconds()
        last = self._pauses.get(post)
        if last is None or (error is None and last.length >= LONGEST_PAUSE):
            backoff = Backoff(shortest, longest)  # or only trouble now, after a refusal
        else:
            backoff = last.backoff
        if isinstance(error, discord.HTTPException) and error.code in OUT_OF_REACH:
            backoff = Backoff(longest)  # or until there is news
        length = timedelta(seconds=backoff.pause())
        guild, channel = (None, None) if letter is None else (letter.guild, letter.channel)
        until = self._clock.now() + length
        self._pauses[post] = Pause(guild, channel, until, length, backoff)
        log.info("post left alone post=%s pause=%s error=%r", post, length, error)


def _may_have_arrived(error: Exception) -> bool:
    """Whether Discord may have carried out a failed request: it has not said otherwise."""
    return unavailable(error) and getattr(error, "status", None) != RATE_LIMITED


def nonce(*parts: object) -> str:
    """The nonce of a new message; of several requests with the same one, Discord sends only one.

    `parts` must be stored values, so that it is the same after a restart, and contain the channel,
    as Discord may not tell channels apart. It has 24 of at most 25 characters.
    """
    return blake2b(repr(parts).encode(), digest_size=12).hexdigest()


async def _opened(message: discord.PartialMessage, thread: NewThread) -> int:
    """The id of a message's thread, which is opened unless there is one."""
    try:
        opened = await message.create_thread(
            name=thread.name, auto_archive_duration=thread.archived_after
        )
    except discord.HTTPException as error:
        if error.code != THREAD_THERE:
            raise
        return message.id
    return opened.id


def _token_dead(error: discord.HTTPException) -> bool:
    """Whether an answer's message can no longer be edited: its token is dead, or it is gone."""
    return lost(error) or isinstance(error, discord.NotFound)

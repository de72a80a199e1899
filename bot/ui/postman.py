"""The postman, who writes every message that Parlour keeps right or sends once.

A post is the message of a kind for an owner, such as the board of a table. Its kind draws the
letter that is to be written; the postman edits the message, or looks whether Discord has taken it
unheard and else sends it. A post has one writer at a time, be it the postman or the answer to a
press, and each writes it as it is by then, so that no late letter covers a newer one.

While Discord has trouble, one post tries for all that wait until it is back. A post that Discord
refuses is left alone for longer and longer, or until there is news of its server.
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
    THREAD_THERE,
    UNDELIVERED,
    UNKNOWN_MESSAGE,
    Unanswered,
    lacks_emoji,
    lost,
    refuses_files,
    unavailable,
)
from bot.ui.response import NOBODY
from bot.ui.retries import Retries

log = logging.getLogger(__name__)

FIRST_TRY_AFTER: Final = 0.25
LONGEST_TRY_AFTER: Final = 2.0
"""Seconds between two tries while Discord has trouble: they double from the one to the other."""

SHORTEST_PAUSE: Final = timedelta(seconds=10)
LONGEST_PAUSE: Final = timedelta(hours=1)
"""The time for which a post is left alone that Discord refused."""

SETTLED_AFTER: Final = timedelta(seconds=15)
"""The time after which a request that was lost is carried out no more."""

LAST_WRITTEN: Final = 1.0
"""Seconds for which posts that are being written are waited for at the end."""

WRITTEN_WITHIN: Final = 1.0
"""Seconds for which a round waits for another who writes one of its posts."""

MOST_AT_ONCE: Final = 8
"""The number of posts written at once: one that waits for Discord holds no other up."""


async def nothing(*_: object) -> None:
    """Save nothing of a letter: it is part of another, or saved before it is sent."""


class NewThread(NamedTuple):
    """A thread to open at a message, and the minutes without a word until it is archived."""

    name: str
    archived_after: Literal[1440, 10_080]


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What is to be written into a post's `message`, or sent to its channel.

    `there` saves that a message shows it; where that is not `sure`, because a request whose answer
    was lost may still cover it, it is saved as a message that is to be written again. `gone` saves
    that the message was deleted, and `refused` what follows where Discord refuses the letter.
    Without them the post is left alone for a while, and so is one that `insists` after that.
    `unpictured` has the letter drawn without its files from then on, if Discord refuses those.

    A new message is `known_by` the first parts of an id of its controls, by which it is found if
    Discord took it unheard, and `once` if it is not edited then; a kind without it looks itself for
    what it has sent. Its nonce is made of the parts of `marked` and the channel. It notifies those
    that are `allowed`. Where the bot is no member its `webhook` changes the message. `changed_at`
    is when what it shows has changed last. A letter that is `drawn_once` counts as sent, and is
    tried again for a little while only. One that is `away` deletes its message; one with a `thread`
    opens it there, unless there is one, and is then known by the thread.
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
    """A kind of posts; `draw` returns the letter of an owner, or None if none is to be written.

    A kind without it is put by hand, as part of another or of the answer to a press.
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
    """What came of a post: written, right as it was, refused by Discord, or to be tried again."""

    WRITTEN = auto()
    UNCHANGED = auto()
    REFUSED = auto()
    WAITS = auto()


@dataclass(frozen=True, slots=True)
class Pause:
    """The time in which a post is left alone."""

    guild: int | None
    until: datetime
    length: timedelta
    backoff: Backoff


class Postman:
    """Writes posts, each by one writer at a time; a restart forgets which of them wait."""

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
        self._waiting: dict[Post, None] = {}
        self._trying: asyncio.Task[None] | None = None
        self._attempts: dict[asyncio.Task[Delivery], None] = {}
        self._trouble = False
        self._pauses: dict[Post, Pause] = {}
        self._news: dict[int, float] = {}
        """When there was news of a guild last, by the event loop's time: clocks are set."""
        self._woken: dict[int, datetime] = {}
        self._doubts: dict[Post, datetime] = {}
        self._unsaved: dict[Post, int] = {}
        """The messages that were sent and that the database has not taken."""
        self._closed = False

    def lock(self, post: Post) -> asyncio.Lock:
        """The lock of the one writer of a post."""
        return self._locks.setdefault(post, asyncio.Lock())

    @asynccontextmanager
    async def writing(self, post: Post) -> AsyncIterator[None]:
        """Be the writer of a post, which is written again soon if the answer does not arrive."""
        try:
            async with self.lock(post):
                yield
        except Unanswered:
            self.doubt(post)
            self.deliver_soon(post)
            raise

    async def save(self, post: Post, message: int, saving: Awaitable[None]) -> None:
        """Save where a post is, and know it meanwhile and for as long as the database is away."""
        self._unsaved[post] = message
        await saving
        del self._unsaved[post]

    def doubt(self, post: Post) -> None:
        """Have a post written again, after a request whose answer was lost.

        Discord may carry that out late, and so cover a newer message with an older one.
        """
        self._doubts[post] = self._clock.now() + SETTLED_AFTER

    def is_sure(self, post: Post, *, repeated: bool = False) -> bool:
        """Whether what was just written into a post stays there: no lost request can cover it.

        One was lost if the answer that has written it was `repeated`.
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
        """Whether Discord takes nothing just now, for which posts wait."""
        return self._trouble and bool(self._waiting)

    def paused(self, post: Post) -> bool:
        """Whether a post is left alone now."""
        pause = self._pauses.get(post)
        return pause is not None and self._is_ahead(pause.until, pause.length)

    async def deliver(self, post: Post, *, within: bool = False) -> Delivery:
        """Write a post, now or as soon as Discord takes it.

        One `within` another that is being written has no place at work of its own: it would wait
        for ever where all others who are at work wait for such.
        """
        if self._closed:
            return Delivery.WAITS
        in_vain = self._trouble and self._waiting
        outcome = Delivery.WAITS if in_vain else await self._attempt(post, within=within)
        if outcome is Delivery.WAITS:
            self.deliver_soon(post)
        return outcome

    def deliver_soon(self, post: Post) -> None:
        """Let a post wait until Discord takes it."""
        if self._closed:
            return
        self._waiting[post] = None
        if self._trying is None or self._trying.done():
            trying = self._try()  # of all who wait, so that it is part of no answer
            self._trying = asyncio.create_task(trying, name="waiting posts", context=Context())

    async def put(self, post: Post, letter: Letter) -> int:
        """Bring a letter to Discord, as the writer of its post, and return its message.

        Raises:
            HTTPException: Discord refuses it.
            HTTPException, OSError: Discord has trouble.
        """
        message = letter.message
        if message is None and letter.known_by is not None:
            message = self._unsaved.get(post)
        attachments = [*letter.files] or MISSING  # those that are there stay
        if letter.webhook is not None:
            assert message is not None, "an answer has begun it"
            await letter.webhook.edit_message(message, view=letter.view, attachments=attachments)
            return message
        channel = self._client.get_partial_messageable(letter.channel, guild_id=letter.guild)
        if message is None and letter.known_by is not None:
            with suppress(discord.Forbidden, NoHistory):  # then there is no way to know
                message = await found_by(channel, letter.known_by)
                if message is not None and letter.once:
                    return message
        if message is not None:
            at = channel.get_partial_message(message)
            if letter.thread is not None:
                return await _opened(at, letter.thread)
            if letter.away:
                await at.delete()
            else:
                await at.edit(view=letter.view, attachments=attachments)
            return message
        return await self._send(post, channel, letter)

    async def go_round(self, posts: Iterable[Post], most: int | None = None) -> None:
        """Deliver posts that are behind, in order, a few at once.

        What another goes on writing is left to that one. With `most` that number is written at
        most. What is not taken is left to the next round, and while Discord has trouble one tries
        alone: the first of which anything is to be written.
        """
        left, written = iter(posts), 0

        async def work() -> None:
            nonlocal written
            for post in left:
                if self.paused(post) or not await self._is_free(post):
                    continue
                if most is None:
                    await self.deliver(post)
                    continue
                outcome = await self._attempt(post)
                written += outcome is Delivery.WRITTEN  # others count meanwhile
                in_vain = self._trouble and outcome is not Delivery.UNCHANGED
                if in_vain or written >= most:
                    return

        at_once = 1 if most is not None and self._trouble else MOST_AT_ONCE
        await asyncio.gather(*(work() for _ in range(at_once)))

    async def _is_free(self, post: Post) -> bool:
        """Whether nobody writes a post, or no longer in a moment."""
        with suppress(TimeoutError):
            async with asyncio.timeout(WRITTEN_WITHIN), self.lock(post):
                return True
        return False

    def wake(self, guild: int) -> None:
        """End the pauses of a guild, since there is news of it.

        Permissions are given back, threads opened again. However often news comes, a post is tried
        no more than once in the shortest pause.
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
        for post, pause in paused:
            if not waits:
                del self._pauses[post]
                self.deliver_soon(post)
            else:
                self._pauses[post] = replace(pause, until=min(pause.until, again))

    def forget_past(self) -> None:
        """Forget pauses that ended long ago: those messages are gone, or nobody plays there."""
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
        """Write nothing any more, and return when what is being written is sent and saved."""
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
                post = next(iter(self._waiting))
                outcome = await self._attempt(post)
                del self._waiting[post]
                if outcome is Delivery.WAITS:
                    self._waiting[post] = None  # behind the others
                    break
                if outcome is not Delivery.UNCHANGED:
                    backoff.reset()
                    await self._deliver_waiting()

    async def _deliver_waiting(self) -> None:
        """Deliver all that wait, since Discord is back; what still fails waits alone."""
        waiting, self._waiting = [*self._waiting], {}
        outcomes = await asyncio.gather(*map(self._attempt, waiting))
        for post, outcome in zip(waiting, outcomes, strict=True):
            if outcome is Delivery.WAITS:
                self._pause(post)
        if waiting:
            taken = len(waiting) - outcomes.count(Delivery.WAITS)
            log.info("waiting posts delivered count=%d taken=%d", len(waiting), taken)

    async def _attempt(self, post: Post, *, within: bool = False) -> Delivery:
        """Write a post; it waits if Discord or the database has trouble.

        What is sent is saved although its round is cancelled meanwhile, as at a stop.
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
        return outcome

    async def _write(self, post: Post, deleted: int | None = None) -> Delivery:
        """Write a post as it is by now, and save where it is.

        One whose message was `deleted` before it was saved is sent by another nonce than that.

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
            self._pause(post, letter.guild, error)  # what follows from it is refused
            return Delivery.REFUSED
        return Delivery.WRITTEN

    async def _refused(
        self, post: Post, letter: Letter, error: discord.HTTPException, begun: float
    ) -> Delivery:
        """Do what follows from Discord's refusal of a letter that was `begun` to be sent then.

        One that came out of reach waits if there was news of its guild meanwhile: the answer may be
        older than that.
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
        self._pause(post, letter.guild, error)
        return Delivery.REFUSED

    async def _gone(self, post: Post, letter: Letter) -> Delivery | None:
        """Do what follows where a message was deleted: another, if it was not even saved."""
        unsaved = self._unsaved.pop(post, None)
        if letter.gone is not None:
            await letter.gone()
            return Delivery.WRITTEN
        if letter.message is None and unsaved is not None:
            return await self._write(post, unsaved)
        return None

    async def _send(self, post: Post, channel: discord.PartialMessageable, letter: Letter) -> int:
        """Send a letter; a post that is refused after a try of unknown outcome is doubted."""
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
        """Whether a process before this one may have written a post when it was killed."""
        young = self._is_ahead(self._begun + SETTLED_AFTER, SETTLED_AFTER)
        if letter.once or not young:
            return False
        changed_at = letter.changed_at
        return changed_at is None or self._begun - SETTLED_AFTER < changed_at <= self._begun

    def _is_ahead(self, moment: datetime, most: timedelta) -> bool:
        """Whether a moment is still to come, by at `most` so much."""
        return ahead(moment, self._clock.now(), most)

    def _count_fault(self, post: Post) -> None:
        if self._meter is not None:
            self._meter.count(Occurrence.POST_FAULTS, post.kind.name)

    def _pause(self, post: Post, guild: int | None = None, error: Exception | None = None) -> None:
        shortest, longest = SHORTEST_PAUSE.total_seconds(), LONGEST_PAUSE.total_seconds()
        last = self._pauses.get(post)
        if last is None or (error is None and last.length >= LONGEST_PAUSE):
            backoff = Backoff(shortest, longest)  # what was out of reach meets mere trouble now
        else:
            backoff = last.backoff
        if isinstance(error, discord.HTTPException) and error.code in OUT_OF_REACH:
            backoff = Backoff(longest)  # or until there is news
        length = timedelta(seconds=backoff.pause())
        self._pauses[post] = Pause(guild, self._clock.now() + length, length, backoff)
        log.info("post left alone post=%s pause=%s error=%r", post, length, error)


def _may_have_arrived(error: Exception) -> bool:
    """Whether Discord may have carried out a request that failed: nothing says that it did not."""
    return unavailable(error) and getattr(error, "status", None) != RATE_LIMITED


def nonce(*parts: object) -> str:
    """Return the nonce of a new message: of several requests with one, Discord carries out one.

    It is made of stored values, so that a request after a restart has it too, with the channel
    among them: Discord does not say whether a nonce is for one channel. At most 25 characters.
    """
    return blake2b(repr(parts).encode(), digest_size=12).hexdigest()


async def _opened(message: discord.PartialMessage, thread: NewThread) -> int:
    """The thread of a message, opened unless there is one."""
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
    """Whether an answer's message can be changed no more: its token is dead, or it is gone."""
    return lost(error) or isinstance(error, discord.NotFound)

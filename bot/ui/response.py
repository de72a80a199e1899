"""One interaction's acknowledgement: given once, in time, whatever happens.

Discord takes an interaction for failed that is not acknowledged within 3 s. A handler may take
longer, so after half a second the interaction is deferred and the answer follows as an edit. It is
deferred at once where a handler asks Discord for anything else, of which nobody knows how long it
takes and how it ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from functools import partial
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import discord
from discord import Interaction, ui
from discord.utils import MISSING

from bot.table.refusals import Refusal, Unseen
from bot.ui.emojis import Emojis
from bot.ui.errors import ALREADY_ACKNOWLEDGED, UNDELIVERED, Unanswered, lost
from bot.ui.retries import Retries

log = logging.getLogger(__name__)

T = TypeVar("T")

DEFER_AFTER: Final = 0.5
"""Seconds for which an answer may wait for its turn, be it for the disk or for a search."""

ANSWERED_WITHIN: Final = 2.8
LONGEST_AFTER: Final = 30.0
"""Seconds for which an answer is tried: the first one, and one that was deferred."""

NOBODY: Final = discord.AllowedMentions.none()


ANSWERING: Final[ContextVar[Response | None]] = ContextVar("answering", default=None)
"""The response to the interaction whose handler is at work."""


async def acknowledge_first() -> None:
    """Defer the interaction whose handler is about to make another request, unless it is answered.

    If Discord does not take that, the request is made all the same: what is stored is shown.
    """
    response = ANSWERING.get()
    if response is not None:
        await response.defer()


class Response:
    """The response to an interaction; a context that defers in time and reports lost answers.

    All may read the deferred answer to a command if it is `public`; else it is for one person.
    `began` and `acknowledged` are of the event loop's time: when the interaction came, and when
    Discord had taken its first answer.
    """

    def __init__(
        self, interaction: Interaction[Any], emojis: Emojis, retries: Retries, *, public: bool
    ) -> None:
        self.public = public
        self.began = asyncio.get_running_loop().time()
        self.acknowledged: float | None = None
        self._interaction = interaction
        self._emojis = emojis
        self._retries = retries
        # `interaction.response` and its interaction would refer to each other, and wait with all
        # that was pressed for the garbage collector.
        self._response = discord.InteractionResponse(interaction)
        self._pressed = interaction.message is not None
        self._once = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._deferring: asyncio.Task[None] | None = None
        self._thinking = self._aloud = False
        self._beside = self._over = False
        self.repeated = False
        """Whether a try of the answer was lost, which Discord may still carry out later."""

    async def __aenter__(self) -> Self:
        ANSWERING.set(self)
        self._timer = asyncio.get_running_loop().call_later(DEFER_AFTER, self._start_deferring)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self._over = True
        if self._timer is not None:
            self._timer.cancel()
        if not isinstance(error, Unanswered):
            return False
        level = logging.DEBUG if lost(error.error) else logging.WARNING
        log.log(level, "answer lost interaction=%s error=%r", self._interaction.id, error.error)
        return True

    @property
    def webhook(self) -> discord.Webhook:
        """The webhook that changes the messages of this answer, for 15 minutes."""
        return self._interaction.followup

    @property
    def on_board(self) -> bool:
        """Whether a press can be answered still by changing the message that was pressed."""
        return self._pressed and not self._beside

    @property
    def open(self) -> bool:
        """Whether Discord has taken no answer yet, and may still take one."""
        return self.acknowledged is None and self._left > 0

    async def show(self, view: ui.LayoutView, files: Sequence[discord.File] | None = None) -> None:
        """Put a view in the place of the message whose button was pressed.

        `files` take the place of those that the message had, which else stay.
        """
        attachments = MISSING if files is None else files
        async with self._once:
            edit: Callable[..., Awaitable[object]] = (
                self._response.edit_message
                if self.acknowledged is None
                else self._interaction.edit_original_response
            )
            await self._send(partial(edit, view=view, attachments=attachments), files or [])

    async def post(
        self,
        view: ui.LayoutView,
        allowed: discord.AllowedMentions,
        file: discord.File | None = None,
        *,
        for_all: bool = False,
    ) -> int:
        """Send a new message to the channel, and return its id.

        Raises:
            Unseen: It is `for_all`, but Discord showed it to one reader, so it is taken back.
        """
        files = [] if file is None else [file]
        async with self._once:
            message, private = await self._post(files, view=view, allowed_mentions=allowed)
            if for_all and private:
                await self._ask(partial(self.webhook.delete_message, message))
                raise Unseen("read_by_one")
            return message

    async def redraw(
        self, message: int, view: ui.LayoutView, files: Sequence[discord.File]
    ) -> None:
        """Put another view in the place of a message of this answer."""
        edit = partial(self.webhook.edit_message, message, view=view)
        async with self._once:
            await self._send(partial(edit, attachments=files or MISSING), files)

    async def ask(self, modal: ui.Modal) -> None:
        """Open a form; its text comes as another interaction.

        Raises:
            Refusal: Discord opens none any more, since the press is acknowledged.
        """
        async with self._once:
            if self.acknowledged is not None:
                raise Refusal("form_late")
            await self._send(partial(self._response.send_modal, modal))

    async def say(self, words: str | ui.LayoutView, *attached: discord.File) -> None:
        """Tell something to the person who asked, and to nobody else."""
        files = [*attached]
        said: dict[str, Any] = {"content": words} if isinstance(words, str) else {"view": words}
        said["allowed_mentions"] = NOBODY
        async with self._once:
            if self.acknowledged is None:
                self._beside = True
                send: Callable[..., Awaitable[object]] = self._response.send_message
                said |= {"files": files, "ephemeral": True}
            elif self._thinking and not self._aloud:
                send = self._interaction.edit_original_response
                said["attachments"] = files
            else:
                if self._thinking:
                    await self._delete_original()
                send = self.webhook.send
                said |= {"files": files, "ephemeral": True}
            await self._send(partial(send, **said), files)
            self._thinking = False

    async def acknowledge(self) -> None:
        """Acknowledge a press that changes nothing on the message."""
        async with self._once:
            if self.acknowledged is None:
                await self._send(self._response.defer)

    async def defer(self) -> None:
        """Acknowledge the interaction if nothing has answered it, so that there is time for it."""
        async with self._once:
            if self.acknowledged is not None or self._over:
                return
            aloud = self.public
            how = {} if self._pressed else {"thinking": True, "ephemeral": not aloud}
            try:
                await self._send(partial(self._response.defer, **how))
                self._thinking, self._aloud = not self._pressed, aloud
            except Unanswered as lost:
                log.warning("deferral lost interaction=%s error=%s", self._interaction.id, lost)

    async def _post(self, files: list[discord.File], **said: Any) -> tuple[int, bool]:  # noqa: ANN401
        """Send a message; return its id, and whether Discord shows it to one reader alone."""
        message: discord.Message | None
        if self.acknowledged is None:
            self._beside = True
            send = partial(self._response.send_message, **said, files=files)
            sent = await self._send(send, files)
            if sent is not None and sent.message_id is not None:
                return sent.message_id, sent.is_ephemeral()
            message = None
        elif self._thinking and self._aloud:
            edit = partial(self._interaction.edit_original_response, **said, attachments=files)
            message = await self._send(edit, files)
        else:
            if self._thinking:
                await self._delete_original()
            more = partial(self.webhook.send, **said, files=files, wait=True)
            message = await self._send(more, files, lasting=0.0)  # it may be taken without a word
        self._thinking = False
        if message is None:  # it was taken by a try whose answer was lost
            message = await self._ask(self._interaction.original_response)
        return message.id, message.flags.ephemeral

    @property
    def _left(self) -> float:
        """The seconds in which an answer still makes sense."""
        lasting = ANSWERED_WITHIN if self.acknowledged is None else LONGEST_AFTER
        return self.began + lasting - asyncio.get_running_loop().time()

    async def _delete_original(self) -> None:
        try:
            await self._ask(self._interaction.delete_original_response)
        except Unanswered as lost:
            if not isinstance(lost.error, discord.NotFound):  # an earlier try may have deleted it
                raise
        self._thinking = False

    async def _send(
        self,
        send: Callable[[], Awaitable[T]],
        files: Sequence[discord.File] = (),
        *,
        lasting: float | None = None,
    ) -> T | None:
        """Send an answer, again if Discord did not take it, until it makes no sense any more.

        Return None if the next try finds out that one was taken whose answer was lost.
        """
        tries = 0

        async def attempt() -> T:
            nonlocal tries
            for file in files:
                file.reset(seek=tries > 0)
            tries += 1
            self.repeated = self.repeated or tries > 1
            return await send()

        sent: T | None = None
        try:
            sent = await self._ask(partial(self._emojis.sending, attempt), lasting=lasting)
        except Unanswered as lost:
            if lost.code != ALREADY_ACKNOWLEDGED or tries == 1:
                raise
        if self.acknowledged is None:
            self.acknowledged = asyncio.get_running_loop().time()
        return sent

    async def _ask(self, request: Callable[[], Awaitable[T]], *, lasting: float | None = None) -> T:
        """Make a request that is part of the answer.

        Raises:
            Unanswered: Discord does not take it.
        """
        try:
            return await self._retries.send(
                request, lasting=self._left if lasting is None else lasting
            )
        except UNDELIVERED as error:
            raise Unanswered(error) from error

    def _start_deferring(self) -> None:
        self._deferring = asyncio.create_task(self.defer(), name="defer an answer")

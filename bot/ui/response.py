"""The response to one interaction: acknowledged once and in time, whatever happens.

An interaction that is not acknowledged within 3 s fails. A handler may take longer, so after half a
second the interaction is deferred, and the answer follows as an edit. It is deferred at once if a
handler makes another request to Discord, as that may take any time.
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
from bot.ui.errors import ALREADY_ACKNOWLEDGED, UNDELIVERED, Unanswered, in_trouble, lost
from bot.ui.retries import Retries

log = logging.getLogger(__name__)

T = TypeVar("T")

DEFER_AFTER: Final = 0.5
"""Seconds that a handler may take before the interaction is deferred."""

ANSWERED_WITHIN: Final = 2.8
LONGEST_AFTER: Final = 30.0
"""Seconds for which an answer is tried: before the interaction is acknowledged, and after."""

NOBODY: Final = discord.AllowedMentions.none()


ANSWERING: Final[ContextVar[Response | None]] = ContextVar("answering", default=None)
"""The response to the interaction whose handler is running, if any."""


async def acknowledge_first() -> None:
    """Defer the interaction whose handler is running, unless it is acknowledged already.

    If that fails, the handler goes on all the same.
    """
    response = ANSWERING.get()
    if response is not None:
        await response.defer()


class Response:
    """The response to an interaction; a context that defers in time and logs lost answers.

    A deferred answer to a command is visible to all if `public`, else ephemeral. `began` and
    `acknowledged` are times of the event loop: of the interaction's arrival, and of its first
    answer's acceptance by Discord.
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
        # Not `interaction.response`: the two would refer to each other, and stay in memory, with
        # the pressed message, until the garbage collector runs.
        self._response = discord.InteractionResponse(interaction)
        self._pressed = interaction.message is not None
        self._once = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._deferring: asyncio.Task[None] | None = None
        self._thinking = self._aloud = False
        self._beside = self._over = False
        self.repeated = False
        """Whether a try of the answer was lost, so that Discord may still carry it out later."""

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
        """The webhook that can edit the messages of this answer, for 15 minutes."""
        return self._interaction.followup

    @property
    def on_board(self) -> bool:
        """Whether the answer can still be an edit of the pressed message."""
        return self._pressed and not self._beside

    @property
    def open(self) -> bool:
        """Whether nothing was answered yet, and there is still time for it."""
        return self.acknowledged is None and self._left > 0

    async def show(self, view: ui.LayoutView, files: Sequence[discord.File] | None = None) -> None:
        """Edit the message whose button was pressed; `files` replace its files unless None."""
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
            Unseen: It is `for_all`, but Discord showed it to one reader; it was deleted.
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
        """Edit a message that this answer has sent."""
        edit = partial(self.webhook.edit_message, message, view=view)
        async with self._once:
            await self._send(partial(edit, attachments=files or MISSING), files)

    async def ask(self, modal: ui.Modal) -> None:
        """Open a form; its submission is another interaction.

        Raises:
            Refusal: It is too late, since the press was acknowledged already.
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
        """Acknowledge the interaction, unless that is done, to have more time for the answer."""
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
        """Send a message; return its id, and whether it is ephemeral."""
        message: discord.Message | None
        if self.acknowledged is None:
            self._beside = True
            send = partial(self._response.send_message, **said, files=files)
            try:
                sent = await self._send(send, files)
            except Unanswered as lost:
                message = await self._sent_unheard(lost)
            else:
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
            message = await self._send(more, files, lasting=0.0)  # a second try might send it twice
        self._thinking = False
        if message is None:  # a try whose answer was lost has sent it
            message = await self._ask(self._interaction.original_response)
        return message.id, message.flags.ephemeral

    async def _sent_unheard(self, lost: Unanswered) -> discord.Message:
        """The message that a try of an answer given up has sent, although no answer came.

        Raises:
            Unanswered: There is none, or Discord has trouble for too long: `lost` itself.
        """
        if not self.repeated and not in_trouble(lost.error):
            raise lost
        try:
            message = await self._ask(
                self._interaction.original_response, lasting=self._left_of(LONGEST_AFTER)
            )
        except Unanswered:
            raise lost from None
        self.acknowledged = asyncio.get_running_loop().time()
        return message

    @property
    def _left(self) -> float:
        """The seconds left in which an answer makes sense."""
        return self._left_of(ANSWERED_WITHIN if self.acknowledged is None else LONGEST_AFTER)

    def _left_of(self, lasting: float) -> float:
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
        """Send an answer, repeatedly on trouble, for `lasting` seconds or while it makes sense.

        Return None if another try finds that an earlier one, whose answer was lost, was accepted.
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
            Unanswered: Discord refuses it, or has trouble for too long.
        """
        try:
            return await self._retries.send(
                request, lasting=self._left if lasting is None else lasting
            )
        except UNDELIVERED as error:
            raise Unanswered(error) from error

    def _start_deferring(self) -> None:
        self._deferring = asyncio.create_task(self.defer(), name="defer an answer")

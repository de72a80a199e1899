"""One interaction's acknowledgement: given once, in time, whatever happens.

Discord takes an interaction for failed that is not acknowledged within 3 s. A handler may take
longer, so after 2 s the interaction is deferred and the answer follows as an edit.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Final, Self, TypeVar

import discord
from discord import Interaction, InteractionType, ui
from discord.utils import MISSING

from bot.table.refusals import Unseen
from bot.ui.emojis import Emojis
from bot.ui.errors import ALREADY_ACKNOWLEDGED, UNDELIVERED, lost
from bot.ui.retries import Retries

log = logging.getLogger(__name__)

T = TypeVar("T")

DEFER_AFTER: Final = 2.0
ANSWERED_WITHIN: Final = 2.8
LONGEST_AFTER: Final = 30.0
"""Seconds for which an answer is tried: the first one, and one that was deferred."""

NOBODY: Final = discord.AllowedMentions.none()


@dataclass(frozen=True, slots=True)
class PostedMessage:
    """A message that was posted; Discord may have made it `private`, for one reader alone."""

    id: int
    private: bool


def _posted(message: discord.Message) -> PostedMessage:
    return PostedMessage(message.id, private=message.flags.ephemeral)


class Deferrals:
    """Defers the answers that take too long; all wait equally long, so one timer serves them.

    `emojis` and `retries` are what all answers share to be drawn anew and tried again.
    """

    def __init__(self, emojis: Emojis) -> None:
        self.emojis = emojis
        self.retries = Retries.brief()
        self._watched: deque[tuple[float, Response]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, response: Response) -> None:
        """Sees to it that a response is deferred in time unless it is given before."""
        self._watched.append((asyncio.get_running_loop().time() + DEFER_AFTER, response))
        if self._timer is None:
            self._wait()

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_at(self._watched[0][0], self._ring)

    def _ring(self) -> None:
        self._timer, now = None, asyncio.get_running_loop().time()
        while self._watched and (self._watched[0][1].given or self._watched[0][0] <= now):
            _, response = self._watched.popleft()
            response.start_deferring()
        if self._watched:
            self._wait()


class Response:
    """The response to an interaction; a context that defers in time and reports what was lost.

    `public` says that all may read the answer to a command, should it be deferred: what one person
    alone will be told is deferred for that person alone. `began` and `acknowledged` are of the
    event loop's time: when the interaction came, and when Discord had taken its first answer.
    """

    def __init__(self, interaction: Interaction[Any], shared: Deferrals, *, public: bool) -> None:
        self.given = False
        self.public = public
        self.began = asyncio.get_running_loop().time()
        self.acknowledged: float | None = None
        self._interaction = interaction
        self._emojis = shared.emojis
        self._retries = shared.retries
        self._response = interaction.response
        self._pressed = interaction.type in {
            InteractionType.component,
            InteractionType.modal_submit,
        }
        self._once = asyncio.Lock()
        self._deferring: asyncio.Task[None] | None = None
        self._thinking_aloud = False
        self._taken_back = False
        self._beside = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.given = True
        if not isinstance(error, UNDELIVERED):
            return False
        if lost(error):
            log.debug("answer lost interaction=%s error=%r", self._interaction.id, error)
        else:
            log.warning("answer lost interaction=%s error=%r", self._interaction.id, error)
        return True

    @property
    def webhook(self) -> discord.Webhook:
        """What changes the messages of this answer, for 15 minutes."""
        return self._interaction.followup

    @property
    def on_board(self) -> bool:
        """Whether a press can be answered still by changing the message that was pressed."""
        return self._pressed and not self._beside

    @property
    def open(self) -> bool:
        """Whether Discord has taken no answer yet, and may still take one."""
        return self.acknowledged is None and self._left > 0

    def start_deferring(self) -> None:
        """Acknowledges the interaction now, the answer to follow, unless it is given already."""
        if not self.given:
            self._deferring = asyncio.create_task(self._defer(), name="defer an answer")

    async def show(self, view: ui.LayoutView, files: Sequence[discord.File] | None = None) -> None:
        """Puts a view in the place of the message whose button was pressed.

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
        """Sends a new message to the channel, and gives its id.

        Raises:
            Unseen: It is `for_all`, but Discord showed it to one reader, so it is taken back.
        """
        files = [] if file is None else [file]
        said: dict[str, Any] = {"view": view, "allowed_mentions": allowed}
        async with self._once:
            posted = await self._post(said, files)
            if for_all and posted.private:
                delete = partial(self.webhook.delete_message, posted.id)
                await self._retries.send(delete, lasting=self._left)
                self._taken_back = True
                raise Unseen("read_by_one")
            return posted.id

    async def _post(self, said: dict[str, Any], files: list[discord.File]) -> PostedMessage:
        if self.acknowledged is None:
            self._beside = True
            send = partial(self._response.send_message, **said, files=files)
            sent = await self._send(send, files)
            if sent is None or sent.message_id is None:
                return await self._original()
            return PostedMessage(sent.message_id, private=sent.is_ephemeral())
        if not self._pressed and self._thinking_aloud:
            edit = partial(self._interaction.edit_original_response, **said, attachments=files)
            edited = await self._send(edit, files)
            return await self._original() if edited is None else _posted(edited)
        if not self._pressed:
            await self._delete_original()
        more = partial(self._interaction.followup.send, **said, files=files, wait=True)
        followed = await self._send(more, files, lasting=0.0)  # it may be taken without a word
        assert followed is not None, "only first answers are acknowledged already"
        return _posted(followed)

    async def redraw(
        self, message: int, view: ui.LayoutView, files: Sequence[discord.File]
    ) -> None:
        """Puts another view in the place of a message that this answered with."""
        edit = partial(self._interaction.followup.edit_message, message, view=view)
        async with self._once:
            await self._send(partial(edit, attachments=files or MISSING), files)

    async def add(self, words: str) -> int:
        """Sends the channel one more message that notifies nobody, and gives its id."""
        send = partial(self._interaction.followup.send, allowed_mentions=NOBODY, silent=True)
        async with self._once:
            sent = await self._send(partial(send, words, wait=True), lasting=0.0)
            assert sent is not None, "only first answers are acknowledged already"
            return int(sent.id)

    async def ask(self, modal: ui.Modal) -> None:
        """Opens a form; what is filled in comes as another interaction."""
        async with self._once:
            await self._send(partial(self._response.send_modal, modal))

    async def say(self, words: str | ui.LayoutView, file: discord.File | None = None) -> None:
        """Tells something to the one who asked, and to nobody else."""
        files = [] if file is None else [file]
        said: dict[str, Any] = {"content": words} if isinstance(words, str) else {"view": words}
        said["allowed_mentions"] = NOBODY
        async with self._once:
            if self.acknowledged is None:
                self._beside = True
                send = partial(self._response.send_message, **said, files=files, ephemeral=True)
                await self._send(send, files)
            elif self._pressed or self._thinking_aloud or self._taken_back:
                if not self._pressed and not self._taken_back:
                    await self._delete_original()
                more = partial(self._interaction.followup.send, **said, files=files, ephemeral=True)
                await self._send(more, files)
            else:
                edit = partial(self._interaction.edit_original_response, **said, attachments=files)
                await self._send(edit, files)

    async def acknowledge(self) -> None:
        """Acknowledge a press that changes nothing on the message."""
        async with self._once:
            if self.acknowledged is None:
                await self._send(self._response.defer)

    @property
    def _left(self) -> float:
        """The seconds in which an answer still makes sense."""
        lasting = ANSWERED_WITHIN if self.acknowledged is None else LONGEST_AFTER
        return self.began + lasting - asyncio.get_running_loop().time()

    async def _delete_original(self) -> None:
        """Delete the answer that was deferred, to send another in its place."""
        delete = self._interaction.delete_original_response
        with suppress(discord.NotFound):  # an earlier try may have deleted it
            await self._retries.send(delete, lasting=self._left)

    async def _send(
        self,
        send: Callable[[], Awaitable[T]],
        files: Sequence[discord.File] = (),
        *,
        lasting: float | None = None,
    ) -> T | None:
        """Sends an answer, again if Discord did not take it, until it makes no sense any more.

        One that was taken without a word of it is found out by the next try. If Discord lacks an
        emoji, it is drawn without them.
        """
        tries = 0

        async def attempt() -> T:
            nonlocal tries
            for file in files:
                file.reset(seek=tries > 0)
            tries += 1
            return await send()

        sent: T | None = None
        try:
            sent = await self._retries.send(
                partial(self._emojis.sending, attempt),
                lasting=self._left if lasting is None else lasting,
            )
        except discord.HTTPException as error:
            if error.code != ALREADY_ACKNOWLEDGED or tries == 1:
                raise
        if self.acknowledged is None:
            self.acknowledged = asyncio.get_running_loop().time()
        return sent

    async def _original(self) -> PostedMessage:
        """The message that was the first answer, which was taken without telling of it."""
        return _posted(
            await self._retries.send(self._interaction.original_response, lasting=self._left)
        )

    async def _defer(self) -> None:
        async with self._once:
            if self.acknowledged is not None:
                return
            aloud = self.public and not self._pressed
            how = {} if self._pressed else {"thinking": True, "ephemeral": not aloud}
            try:
                await self._send(partial(self._response.defer, **how))
                self._thinking_aloud = aloud
            except UNDELIVERED as error:
                log.warning("deferral lost interaction=%s error=%r", self._interaction.id, error)

"""One interaction's acknowledgement: given once, in time, whatever happens.

Discord takes an interaction for failed that is not acknowledged within 3 s. A handler may take
longer, so after 2 s the interaction is deferred and the answer follows as an edit.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Final, Self

import discord
from discord import Interaction, InteractionType, ui
from discord.utils import MISSING

from bot.service.meter import NO_METER, Meter, Span
from bot.ui.errors import ALREADY_ACKNOWLEDGED, TOKEN_DEAD, TOKEN_EXPIRED, UNDELIVERED

log = logging.getLogger(__name__)

DEFER_AFTER: Final = 2.0
LOST: Final = frozenset({ALREADY_ACKNOWLEDGED, TOKEN_DEAD, TOKEN_EXPIRED})
"""Errors that say only that this interaction cannot be answered any more."""

NOBODY: Final = discord.AllowedMentions.none()


class Deferrals:
    """Defers the answers that take too long; all wait equally long, so one timer serves them."""

    def __init__(self) -> None:
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
    """The response to an interaction; a context that defers in time and reports what was lost."""

    def __init__(self, interaction: Interaction[Any], meter: Meter = NO_METER) -> None:
        self.given = False
        self._meter = meter
        self._begun = time.monotonic()
        self._acknowledged = False
        self._interaction = interaction
        self._response = interaction.response
        self._pressed = interaction.type is InteractionType.component
        self._once = asyncio.Lock()
        self._deferring: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.given = True
        self._measure(Span.ANSWER)
        if not isinstance(error, UNDELIVERED):
            return False
        if isinstance(error, discord.HTTPException) and error.code in LOST:
            log.debug("answer lost interaction=%s code=%s", self._interaction.id, error.code)
        else:
            log.warning("answer lost interaction=%s error=%r", self._interaction.id, error)
        return True

    def _measure(self, span: Span) -> None:
        """Notes how long an answer took; the first of an interaction acknowledges it."""
        if not self._response.is_done():
            return
        elapsed = time.monotonic() - self._begun
        if not self._acknowledged:
            self._acknowledged = True
            self._meter.took(Span.ACKNOWLEDGEMENT, elapsed)
        if span is Span.ANSWER:
            self._meter.took(span, elapsed)

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
            if self._response.is_done():
                await self._interaction.edit_original_response(view=view, attachments=attachments)
            else:
                await self._response.edit_message(view=view, attachments=attachments)

    async def post(
        self,
        view: ui.LayoutView,
        allowed: discord.AllowedMentions,
        file: discord.File | None = None,
    ) -> int:
        """Sends a new message to the channel, and gives its id."""
        files = [] if file is None else [file]
        async with self._once:
            if not self._response.is_done():
                send = self._response.send_message
                sent = await send(view=view, files=files, allowed_mentions=allowed)
                assert sent.message_id is not None, "a message was sent"
                return sent.message_id
            if self._pressed:
                more = self._interaction.followup.send
                followed = await more(view=view, files=files, allowed_mentions=allowed, wait=True)
                return followed.id
            edit = self._interaction.edit_original_response
            return (await edit(view=view, attachments=files, allowed_mentions=allowed)).id

    async def say(self, words: str | ui.LayoutView, file: discord.File | None = None) -> None:
        """Tells something to the one who asked, and to nobody else."""
        async with self._once:
            if self._response.is_done() and not self._pressed:
                await self._interaction.delete_original_response()
            send = (
                self._interaction.followup.send
                if self._response.is_done()
                else self._response.send_message
            )
            files = [] if file is None else [file]
            if isinstance(words, str):
                await send(words, files=files, ephemeral=True, allowed_mentions=NOBODY)
            else:
                await send(view=words, files=files, ephemeral=True, allowed_mentions=NOBODY)

    async def nod(self) -> None:
        """Acknowledges a press that changes nothing on the message."""
        async with self._once:
            if not self._response.is_done():
                await self._response.defer()

    async def _defer(self) -> None:
        async with self._once:
            if self._response.is_done():
                return
            try:
                await self._response.defer(thinking=not self._pressed)
                self._measure(Span.ACKNOWLEDGEMENT)
            except UNDELIVERED as error:
                log.warning("deferral lost interaction=%s error=%r", self._interaction.id, error)

"""Where interactions come in: each gets a context, goes to its handler, and is answered.

Nothing leaves here unanswered. A refusal becomes a sentence for the person who asked; a fault is
logged and becomes a sentence too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

from discord import Interaction, InteractionType
from discord.app_commands import AppCommandError

from bot.message.text import text
from bot.service.cooldown import PRESS, Cooldown
from bot.service.meter import Meter, Occurrence
from bot.service.ports import Unavailable
from bot.service.tables import Service
from bot.table.refusals import Refusal, UnknownControl
from bot.table.session import SessionId
from bot.ui.context import Context
from bot.ui.custom_ids import BoardControl, Ids, read
from bot.ui.errors import UNDELIVERED, lost, unavailable
from bot.ui.origin import belongs
from bot.ui.refusals import refusal
from bot.ui.response import Deferrals, Response, Sending
from bot.ui.words import Speech
from engine.game import IllegalMove

log = logging.getLogger(__name__)

LAST_ANSWERS: Final = 3.0
"""Seconds for which answers under way are waited for at the end."""

Said = TypeVar("Said", bound=Ids)


class Router:
    """Carries out interactions, each in a context of its own."""

    def __init__(
        self,
        tables: Service,
        speech: Speech,
        sending: Sending,
        press_limit: int,
        meter: Meter,
    ) -> None:
        self._tables = tables
        self._speech = speech
        self._cooldown = Cooldown(press_limit)
        self._meter = meter
        self._handlers: dict[type, Callable[[Context, Any], Awaitable[None]]] = {}
        self._deferrals = Deferrals(sending)
        self._at_work: set[asyncio.Task[Any]] = set()

    def route(self, kind: type[Said], handler: Callable[[Context, Said], Awaitable[None]]) -> None:
        """Leads presses to a handler, by the kind of what their ids say."""
        self._handlers[kind] = handler

    async def pressed(self, interaction: Interaction[Any]) -> None:
        """Has a control's handler answer, or says that nothing answers to it any more.

        Commands come to their handlers by themselves.
        """
        if interaction.type is not InteractionType.component:
            return
        data: Mapping[str, object] = interaction.data or {}
        ids = read(str(data.get("custom_id", "")))
        session = ids.session if isinstance(ids, BoardControl) else None
        async with self.answering(interaction, session) as ctx:
            self.charge(ctx, PRESS)
            message = interaction.message
            if ids is None or message is None or not belongs(ids, message):
                raise UnknownControl
            await self._handlers[type(ids)](ctx, ids)

    def charge(self, ctx: Context, cost: float) -> None:
        """Takes the cost of what a person asks for off their allowance.

        Raises:
            TooFast: It is used up.
        """
        self._cooldown.charge(ctx.by, cost, asyncio.get_running_loop().time())

    async def outdated(self, interaction: Interaction[Any], error: AppCommandError) -> None:
        """Says that a command is not one of this version, as after an update."""
        log.info("command not known interaction=%s error=%s", interaction.id, error)
        async with self.answering(interaction) as ctx:
            await ctx.tell(text("outdated"))

    async def closed(self) -> None:
        """Returns when everybody who waits has been answered, or has waited for long."""
        if self._at_work:
            await asyncio.wait(self._at_work, timeout=LAST_ANSWERS)

    def context(self, interaction: Interaction[Any], *, public: bool = False) -> Context:
        """The context of an interaction, whose answer all may read if it is `public`."""
        response = Response(interaction, self._deferrals, self._meter, public=public)
        return Context.of(interaction, response, self._speech)

    @asynccontextmanager
    async def answering(
        self,
        interaction: Interaction[Any],
        session: SessionId | None = None,
        *,
        public: bool = False,
    ) -> AsyncIterator[Context]:
        """The context in which an interaction is answered, at a table if it is at one."""
        task = asyncio.current_task()
        assert task is not None, "interactions are carried out in tasks"
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        self._meter.count(Occurrence.INTERACTIONS, interaction.type.name)
        ctx = self.context(interaction, public=public)
        self._deferrals.watch(ctx.response)
        async with ctx.response:
            try:
                try:
                    yield ctx
                except (Refusal, IllegalMove) as error:
                    self._meter.count(Occurrence.REFUSALS, type(error).__name__)
                    await ctx.tell(await refusal(error, ctx, self._tables, session))
            except UNDELIVERED as error:
                if unavailable(error) or lost(error) or not ctx.response.open:
                    raise
                log.exception("answer refused id=%s session=%s", interaction.id, session)
                await ctx.tell(text("failure"))
            except Unavailable:
                log.info("interaction not carried out id=%s session=%s", interaction.id, session)
                await ctx.tell(text("unavailable"))
            except Exception:
                log.exception("interaction failed id=%s session=%s", interaction.id, session)
                await ctx.tell(text("failure"))

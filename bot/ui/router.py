"""The entry of interactions: each gets a context, goes to its handler, and is answered.

Refusals and errors become sentences for the person who asked; errors are also logged. People who
press far more often than play needs have to wait.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import takewhile
from typing import Any, Final

from discord import Interaction, InteractionType
from discord.app_commands import CommandTree

from bot.cache import MB, Cache
from bot.games.catalogue import CATALOGUE
from bot.message.text import CommandMention, Text, joined, player, text
from bot.screens.dice import WordForm
from bot.service.ports import Meter, Occurrence, Span
from bot.service.tables import TableService
from bot.storage.errors import Unavailable
from bot.table.refusals import ChannelFull, Linked, Refusal
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.table import NO_CHANNEL, Table
from bot.ui import door
from bot.ui.custom_ids import BoardControl
from bot.ui.door import Slips
from bot.ui.emojis import Emojis
from bot.ui.errors import UNDELIVERED, UNKNOWN_MESSAGE, Unanswered, in_trouble, lost, unavailable
from bot.ui.handlers import Context, Handlers
from bot.ui.response import Response
from bot.ui.retries import Retries
from bot.ui.words import Speech, link
from engine.game import IllegalMove

log = logging.getLogger(__name__)

LAST_ANSWERS: Final = 3.0
"""Seconds to wait at the end for answers under way."""

EARLIER_ANSWERS: Final = 60.0
"""Seconds to wait for the answers to a person's earlier presses."""

AT_ONCE: Final = 32
"""The number of answers under way that a small machine gives in half a second.

Further interactions are deferred first, since their answer would take longer.
"""

MOST_AT_WORK: Final = 1_000
"""The most answers under way; further interactions are refused, to save memory."""

PRESS: Final = 1.0
COMMAND: Final = 4.0
"""Costs in an allowance; a command's is higher, as it posts a message or reads many games."""

FULL: Final = 120
"""The default of a full allowance."""

REFILL: Final = 4.0
"""How much an allowance refills in a second."""

REMEMBERED: Final = MB
"""The bytes for the allowances of the latest people."""

AN_ALLOWANCE: Final = 256
"""The bytes of a person's allowance."""


class Cooldown:
    """The allowances of people, as token buckets of size `full`; 0 limits nobody.

    Times are of a monotonic clock, in seconds. Eight presses a second, the most that fingers can
    do, use up a bucket in half a minute.
    """

    def __init__(self, full: int = FULL) -> None:
        self._full = full
        self.left: Cache[PersonId, tuple[float, float]] = Cache(
            "allowances", REMEMBERED, lambda _: AN_ALLOWANCE
        )

    def charge(self, person: PersonId, cost: float, now: float) -> None:
        """Take a cost from a person's allowance, but never more than half of a full one.

        Raises:
            Refusal: Less than the cost is left.
        """
        if not self._full:
            return
        cost = min(cost, self._full / 2)
        left, since = self.left.get(person, (self._full, now))
        left = min(self._full, left + REFILL * max(0.0, now - since))
        allowed = left >= cost
        self.left.keep(person, (left - cost if allowed else left, max(now, since)))
        if not allowed:
            raise Refusal("too_fast")


class Router:
    """Carries out interactions, each in a context of its own."""

    def __init__(
        self,
        tables: TableService,
        speech: Speech,
        emojis: Emojis,
        *,
        press_limit: int,
        slips: Slips,
        meter: Meter | None,
    ) -> None:
        self._tables = tables
        self._speech = speech
        self.cooldown = Cooldown(press_limit)
        self.slips = slips
        self._meter = meter
        self.handlers = Handlers()
        self._emojis = emojis
        self._retries = Retries()
        self._at_work: dict[asyncio.Task[Any], PersonId] = {}
        """The tasks that answer interactions, the earliest first, with the person who asked."""

    async def pressed(self, interaction: Interaction[Any]) -> None:
        """Answer a press of a control or a form by its handler, or refuse it.

        Commands are dispatched to their handlers by discord.py.
        """
        if interaction.type not in {InteractionType.component, InteractionType.modal_submit}:
            return
        ids = door.contents(interaction)
        session = ids.session if isinstance(ids, BoardControl | WordForm) else None
        async with self.answering(interaction, session) as ctx:
            ctx.charge(PRESS)
            if interaction.type is InteractionType.modal_submit:
                ctx.filled = door.filled(interaction, ids)
            else:
                ctx.values = door.values(interaction, ids)
            await self.handlers[ids](ctx, ids)

    async def admits(self, interaction: Interaction[Any], tree: CommandTree[Any]) -> bool:
        """Whether a command is as declared; if not, answer it here.

        A request for suggestions is then answered with none.
        """
        if door.declares(tree, interaction):
            return True
        if interaction.type is InteractionType.autocomplete:
            with suppress(*UNDELIVERED):
                await interaction.response.autocomplete([])
        else:
            await self.outdated(interaction)
        return False

    async def outdated(self, interaction: Interaction[Any]) -> None:
        """Answer that a command is not one of this version, such as after an update."""
        log.info("command not as declared interaction=%s", interaction.id)
        async with self.answering(interaction):
            raise Refusal("outdated")

    def _charge(self, person: PersonId, cost: float) -> None:
        """Take a cost from a person's allowance.

        Raises:
            Refusal: Too little is left, or too many answers are under way.
        """
        if len(self._at_work) > MOST_AT_WORK:
            raise Refusal("too_fast")
        self.cooldown.charge(person, cost, asyncio.get_running_loop().time())

    async def earlier_answered(self, person: PersonId) -> None:
        """Wait for the answers to a person's earlier interactions, `EARLIER_ANSWERS` at most."""
        before = takewhile(lambda task: task is not asyncio.current_task(), self._at_work)
        if own := [task for task in before if self._at_work[task] == person]:
            await asyncio.wait(own, timeout=EARLIER_ANSWERS)

    async def closed(self) -> None:
        """Wait until all answers are given, `LAST_ANSWERS` at most."""
        if self._at_work:
            await asyncio.wait(self._at_work, timeout=LAST_ANSWERS)

    async def close(self) -> None:
        """Wait as `closed` does, then cancel the answers still under way."""
        await self.closed()
        if left := [*self._at_work]:
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=LAST_ANSWERS)

    def context(self, interaction: Interaction[Any], *, public: bool = False) -> Context:
        """The context of an interaction; its answer is visible to all if `public`."""
        message, by = interaction.message, PersonId(interaction.user.id)
        return Context(
            interaction,
            Response(interaction, self._emojis, self._retries, public=public),
            self._speech,
            by=by,
            charge=partial(self._charge, by),
            message=None if message is None else message.id,
        )

    @asynccontextmanager
    async def answering(
        self,
        interaction: Interaction[Any],
        session: SessionId | None = None,
        *,
        public: bool = False,
    ) -> AsyncIterator[Context]:
        """Yield the context of an interaction, and answer errors of the block with a sentence.

        `session` is the table in question, for the log.
        """
        task = asyncio.current_task()
        assert task is not None, "interactions are carried out in tasks"
        ctx = self.context(interaction, public=public)
        self._at_work[task] = ctx.by
        task.add_done_callback(lambda done: self._at_work.pop(done, None))
        async with ctx.response:
            try:
                if AT_ONCE < len(self._at_work) <= MOST_AT_WORK:
                    await ctx.response.defer()
                try:
                    yield ctx
                except (Refusal, IllegalMove) as error:
                    if self._meter is not None:
                        self._meter.count(Occurrence.REFUSALS, fact_of(error))
                    await ctx.tell(await refusal(error, ctx, self._tables))
            except Unanswered as error:
                cause = error.error
                if error.code == UNKNOWN_MESSAGE:  # it was deleted after the press
                    log.info("message gone id=%s session=%s", interaction.id, session)
                    await ctx.tell(text("message_deleted"))
                elif unavailable(cause) or lost(cause) or not ctx.response.open:
                    raise
                else:
                    log.exception("answer refused id=%s session=%s", interaction.id, session)
                    await ctx.tell(text("failure"))
            except Unavailable:
                log.info("interaction not carried out id=%s session=%s", interaction.id, session)
                await ctx.tell(text("unavailable"))
            except Exception as error:
                trouble = in_trouble(error)
                log.log(
                    logging.INFO if trouble else logging.ERROR,
                    "interaction failed id=%s session=%s",
                    interaction.id,
                    session,
                    exc_info=not trouble,
                )
                await ctx.tell(text("unreachable") if trouble else text("failure"))
        if self._meter is not None:
            _measure(self._meter, interaction, ctx.response)


def _measure(meter: Meter, interaction: Interaction[Any], response: Response) -> None:
    meter.count(Occurrence.INTERACTIONS, interaction.type.name)
    if response.acknowledged is not None:
        meter.took(Span.ACKNOWLEDGEMENT, response.acknowledged - response.began)
        meter.took(Span.ANSWER, asyncio.get_running_loop().time() - response.began)


def fact_of(error: Refusal | IllegalMove) -> str:
    """The name of a refusal, such as `not_your_turn`."""
    return error.fact if isinstance(error, Refusal) else "illegal_move"


async def refusal(error: Refusal | IllegalMove, ctx: Context, tables: TableService) -> Text:
    """The sentence for a refusal, with a link to the board that refused, if one did."""
    game = _typed(ctx)
    if ctx.table is not None:
        game = CATALOGUE[ctx.table.session.game.key].command.name
    values = dict(error.values) if isinstance(error, Refusal) else {}
    if isinstance(error, ChannelFull):
        unfinished = [await tables.table(SessionId(number)) for number in error.games]
        values["games"] = joined(map(_to_finish, unfinished))
    fact = fact_of(error)
    if isinstance(error, IllegalMove) and ctx.table is not None:
        fact = CATALOGUE[ctx.table.session.game.key].illegal
    said = text(
        f"refusal.{fact}",
        command=CommandMention(game),
        unblock=CommandMention("me"),
        puzzle=CommandMention("puzzle"),
        board=CommandMention("board"),
        **values,
    )
    board = None if ctx.table is None else ctx.table.place
    if board is None or not isinstance(error, Linked | IllegalMove):
        return said
    if board.message == ctx.message or board.channel == NO_CHANNEL:
        return said
    return text("refusal.linked", refusal=said, link=link(board))


def _to_finish(table: Table) -> Text:
    players = joined(player(seat) for seat in table.session.seats)
    return text("channel_full.game", link=link(table.place), players=players)


def _typed(ctx: Context) -> str:
    games = [entry.command.name for entry in CATALOGUE.values()]
    data: Mapping[str, object] = ctx.interaction.data or {}
    typed = data.get("name")
    return typed if isinstance(typed, str) and typed in games else games[0]

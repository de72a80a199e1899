"""*Play on from here*: a finished game played on another way by one of its players."""

from __future__ import annotations

from bot.screens.lesson import what_if
from bot.screens.variation import trial
from bot.service.explanations import Explanations
from bot.service.tables import Press, Service
from bot.service.variations import Trial
from bot.storage.people import Form, People
from bot.table.actions import Action, parsed
from bot.ui.context import Context
from bot.ui.custom_ids import VariationControl
from bot.ui.handlers import answers
from bot.ui.render import variation_view
from engine.game import Move


class VariationPresses:
    """Answers the controls of tries at finished games, each on a message for its player alone."""

    def __init__(self, tables: Service, lessons: Explanations, people: People) -> None:
        self._tables = tables
        self._lessons = lessons
        self._people = people

    @answers(VariationControl)
    async def pressed(self, ctx: Context, control: VariationControl) -> None:
        """Play on in a try, or leave it for the choice where it began.

        Raises:
            Refusal, IllegalMove: As in `Archive.admit` and `Variations.press`.
        """
        found = await self._tables.shown_by(ctx.message, control.session)
        table = self._tables.archive.admit(found, channel=ctx.place.channel, by=ctx.by)
        line = control.variation
        if control.action == Action.WHAT_IF:
            lesson = await self._lessons.what_if(table, line.ply + 1)
            await ctx.present(what_if(lesson, ctx.by, None), lesson.table, instead=True)
            return
        tried = await self._tables.variations.press(table, ctx.by, line, control.action)
        await self._show(ctx, tried)

    @answers(Action.PLAY_ON)
    async def _begin(self, ctx: Context, press: Press) -> None:
        table = press.table
        self._tables.archive.admit(table, channel=ctx.place.channel, by=ctx.by)
        _, number = parsed(press.action)
        first = None if number < 0 else Move(number)
        tried = await self._tables.variations.begin(table, ctx.by, press.ply, first)
        await self._show(ctx, tried)

    async def _show(self, ctx: Context, tried: Trial) -> None:
        in_words = self._people.choices(ctx.by).form is Form.WORDS
        await ctx.response.show(variation_view(trial(tried, in_words=in_words), tried, ctx.words))

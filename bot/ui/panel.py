"""A private panel of settings: each choice is saved at once, and the panel shows what is stored."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import discord

from bot.message.blocks import Prose, Screen
from bot.message.text import Text
from bot.screens.panel import AUTOMATIC
from bot.table.refusals import Refusal
from bot.ui.custom_ids import control_on
from bot.ui.handlers import Context
from bot.ui.render import Drawing, page_view


class Panel:
    """A panel of settings, drawn anew from what is stored whenever it is opened or used."""

    def __init__(self, draw: Callable[[Context], Awaitable[Screen]]) -> None:
        self._draw = draw

    async def open(self, ctx: Context) -> None:
        """Show the panel in a new message."""
        await self.tell(ctx)

    async def tell(self, ctx: Context, *told: Text) -> None:
        """Show the panel in a new message, under lines that tell of something."""
        await ctx.response.say(await self._view(ctx, *told))

    @asynccontextmanager
    async def changing(self, ctx: Context) -> AsyncIterator[list[Text]]:
        """Save a choice in the block; then show the panel with what is stored, even if refused.

        Lines that the block appends to the list are shown above the panel.
        """
        told: list[Text] = []
        try:
            yield told
        except Refusal:
            await self.show(ctx)
            raise
        await self.show(ctx, *told)

    async def show(self, ctx: Context, *told: Text) -> None:
        """Show the panel in place of the pressed message, below lines that tell the outcome."""
        await ctx.response.show(await self._view(ctx, *told))

    async def _view(self, ctx: Context, *told: Text) -> Drawing:
        screen = await self._draw(ctx)
        if told:
            screen = replace(screen, blocks=(Prose(told), *screen.blocks))
        return page_view(screen, ctx.words)


def chosen_language(ctx: Context, locales: Collection[str]) -> str | None:
    """The language that was chosen in a menu; None for the automatic one.

    Raises:
        Refusal: The menu is of a version that had other languages.
    """
    if ctx.chosen not in {AUTOMATIC, *locales}:
        raise Refusal("not_offered")
    return None if ctx.chosen == AUTOMATIC else ctx.chosen


def changed(ctx: Context) -> tuple[set[int], set[int]]:
    """The ids that the reader added to a menu of people or channels, and those they removed.

    They are compared with what the menu showed, so that choices made elsewhere since then stay.
    """
    data: Mapping[str, Any] = ctx.interaction.data or {}
    now = {int(value) for value in ctx.values}
    panel = ctx.interaction.message
    menu = None if panel is None else control_on(panel, str(data.get("custom_id")))
    shown = menu.default_values if isinstance(menu, discord.SelectMenu) else ()
    before = {int(each.id) for each in shown}  # discord.py leaves ids as text
    return now - before, before - now

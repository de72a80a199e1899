"""A private panel at work: what is chosen is saved at once, and the panel shows what holds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, Generic, TypeAlias, TypeVar

import discord

from bot.message.blocks import Prose, Screen
from bot.message.text import Text
from bot.screens.panel import AUTOMATIC, MenuSetting
from bot.table.refusals import Refusal
from bot.ui.context import Context
from bot.ui.render import Drawing, page_view

Setting = TypeVar("Setting", bound=StrEnum)
Save: TypeAlias = Callable[[Context], Awaitable[Text | None]]
"""Saves what was chosen, and returns what else there is to tell."""


class Panel(Generic[Setting]):
    """A panel of settings, drawn anew from what is stored whenever it is opened or used."""

    def __init__(
        self, draw: Callable[[Context], Awaitable[Screen]], saves: Mapping[Setting, Save]
    ) -> None:
        self.saves = saves
        self._draw = draw

    async def open(self, ctx: Context) -> None:
        """Show the panel in a new message."""
        await self.tell(ctx, None)

    async def tell(self, ctx: Context, told: Text | None) -> None:
        """Show the panel in a new message, under a line that tells of something."""
        await ctx.response.say(await self._view(ctx, told))

    async def change(self, ctx: Context, setting: Setting) -> None:
        """Save what was chosen, and show the panel as it is then.

        Raises:
            Refusal: It cannot be chosen; the panel shows what holds nevertheless.
        """
        try:
            told = await self.saves[setting](ctx)
        except Refusal:
            await self.show(ctx)
            raise
        await self.show(ctx, told)

    async def show(self, ctx: Context, told: Text | None = None) -> None:
        """Show the panel in place of the pressed message, under a line that tells the outcome."""
        await ctx.response.show(await self._view(ctx, told))

    async def _view(self, ctx: Context, told: Text | None) -> Drawing:
        screen = await self._draw(ctx)
        if told is not None:
            screen = replace(screen, blocks=(Prose((told,)), *screen.blocks))
        return page_view(screen, ctx.words)


def chosen(ctx: Context, setting: MenuSetting) -> Mapping[str, Any]:
    """The field of a setting with the value that was chosen in its menu.

    Raises:
        Refusal: The menu is of a version that had others.
    """
    for value in setting.choices:
        if value == ctx.chosen:
            return setting.stored(value)
    raise Refusal("not_offered")


def chosen_language(ctx: Context, locales: Collection[str]) -> str | None:
    """The language that was chosen in a menu; None for the automatic one.

    Raises:
        Refusal: The menu is of a version that had others.
    """
    if ctx.chosen not in {AUTOMATIC, *locales}:
        raise Refusal("not_offered")
    return None if ctx.chosen == AUTOMATIC else ctx.chosen


def changed(ctx: Context) -> tuple[set[int], set[int]]:
    """The ids that the reader added to a menu of people or channels, and those taken away.

    Only a change to what the reader saw counts: choices made elsewhere since then stay.
    """
    data: Mapping[str, Any] = ctx.interaction.data or {}
    now = {int(value) for value in ctx.values}
    before = _chosen_before(ctx.interaction.message, str(data.get("custom_id")))
    return now - before, before - now


def _chosen_before(message: discord.Message | None, custom_id: str) -> set[int]:
    ahead: list[Any] = [] if message is None else [*message.components]
    while ahead:
        component = ahead.pop()
        if getattr(component, "custom_id", None) == custom_id:
            # discord.py leaves their ids as text.
            return {int(each.id) for each in getattr(component, "default_values", ())}
        ahead += getattr(component, "children", ())
    return set()

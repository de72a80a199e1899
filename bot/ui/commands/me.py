"""`/me`: a person's own choices and personal data."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from io import BytesIO
from typing import Any, Final

from discord import File

from bot.message.blocks import Screen
from bot.message.text import text
from bot.screens.me import ForgetAnswer, OwnSetting, me, question
from bot.service.privacy import Privacy
from bot.service.tables import TableService
from bot.storage.choices import People
from bot.storage.privacy.read import ABOUT, written
from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from bot.table.table import Table
from bot.ui.boards import Boards
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.handlers import Context, answers
from bot.ui.panel import Panel, changed, chosen_language
from bot.ui.render import notice_view, page_view

log = logging.getLogger(__name__)

MEGABYTE: Final = 1 << 20


class MeCommand:
    """Shows a person's own choices in one panel, where they are changed."""

    def __init__(
        self,
        people: People,
        privacy: Privacy,
        tables: TableService,
        boards: Boards,
        earlier_answered: Callable[[PersonId], Awaitable[None]],
    ) -> None:
        self._earlier_answered = earlier_answered
        self._people = people
        self._privacy = privacy
        self._tables = tables
        self._boards = boards
        self._locales: list[str] = []
        self._panel = Panel(self._drawn)

    def command(self, slash: SlashCommands) -> Slash:
        """The command."""
        self._locales = slash.locales
        return slash.command("me", self._panel.open)

    async def _drawn(self, ctx: Context) -> Screen:
        return me(self._people.of(ctx.by), self._locales)

    @answers(OwnSetting)
    async def _choose(self, ctx: Context, setting: OwnSetting) -> None:
        """Save one of a few values."""
        async with self._panel.changing(ctx):
            if setting.values is not None:
                await self._people.choose(ctx.by, **setting.values.stored(ctx.chosen))

    @answers(OwnSetting.LANGUAGE)
    async def _choose_language(self, ctx: Context, _: OwnSetting) -> None:
        async with self._panel.changing(ctx):
            await self._people.choose(ctx.by, language=chosen_language(ctx, self._locales))

    @answers(OwnSetting.BLOCKED)
    async def _block(self, ctx: Context, _: OwnSetting) -> None:
        """Block the people who were added to the menu, and unblock those removed from it."""
        blocked, unblocked = changed(ctx)
        data: Mapping[str, Any] = ctx.interaction.data or {}
        described = data.get("resolved", {}).get("users", {})
        bots = {other for other in blocked if described.get(str(other), {}).get("bot")}
        async with self._panel.changing(ctx):
            if bots or ctx.by in blocked:
                raise Refusal("not_blockable")
            taken_off = [*map(PersonId, unblocked)]
            await self._people.block(ctx.by, *map(PersonId, blocked), unblocked=taken_off)

    @answers(OwnSetting.EXPORT, ForgetAnswer.EXPORT)
    async def _export(self, ctx: Context, _: OwnSetting | ForgetAnswer) -> None:
        """Send everything that is stored about the person, as a file."""
        most, at = ctx.interaction.filesize_limit, ctx.interaction.created_at
        data = await self._privacy.personal_data(ctx.by)
        file = await asyncio.to_thread(partial(written, data, at, _about(ctx), most=most))
        if file is None:
            await ctx.tell(text("me.export.too_large", most=most // MEGABYTE))
            return
        said = text("me.export.nothing") if data.empty else text("me.export")
        await ctx.tell(said, files=[File(BytesIO(file.content), filename=file.name)])

    @answers(OwnSetting.FORGET)
    async def _ask(self, ctx: Context, _: OwnSetting) -> None:
        if await self._privacy.knows(ctx.by):
            await ctx.response.show(page_view(question(), ctx.words))
        else:
            await self._panel.show(ctx, text("me.forget.nothing"))

    @answers(ForgetAnswer.KEEP)
    async def _keep(self, ctx: Context, _: ForgetAnswer) -> None:
        await self._panel.show(ctx, text("me.forget.kept"))

    @answers(ForgetAnswer.FORGET)
    async def _forget(self, ctx: Context, _: ForgetAnswer) -> None:
        """Forget the person; pressing again repeats the answer."""
        words = ctx.words  # before their language is forgotten
        await self._earlier_answered(ctx.by)  # or it would be stored after that
        left = await self._privacy.forget(ctx.by)
        log.info("person forgotten tables=%d", len(left))
        await ctx.response.show(notice_view(text("me.forgotten"), words))
        await self._go_on(left)

    async def _go_on(self, left: Sequence[Table]) -> None:
        """Let tables go on without a forgotten person; the next round repairs what fails.

        Tables in direct messages lose their place, so their controls can only be removed now.
        """
        for before in left:
            try:
                if before.place.direct:
                    await self._boards.retire(before)
                    continue
                table = await self._tables.table(before.id)
                await self._boards.refresh(await self._tables.updates.answered(table))
            except Exception:
                log.exception("table not told of a departure session=%s", before.id)


def _about(ctx: Context) -> Mapping[str, str]:
    return {part: ctx.words.of(text(f"me.export.about.{part}")) for part in ABOUT}

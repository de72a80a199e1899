"""`/me`: a person's own choices and personal data."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import partial
from io import BytesIO
from typing import Final

from discord import File, Member, User
from discord.app_commands import Group

from bot.locales import own_name
from bot.message.text import CommandMention, Mention, text
from bot.screens.forget import ForgetAnswer, question
from bot.service.privacy import Privacy
from bot.service.tables import Service
from bot.storage.people import Form, People, Reminding
from bot.storage.privacy.personal_data_file import written
from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from bot.table.table import Table
from bot.ui.boards import Boards
from bot.ui.commands.slash import AUTOMATIC, Handler, SlashCommands
from bot.ui.context import Context
from bot.ui.render import notice_view, page_view

log = logging.getLogger(__name__)

MEGABYTE: Final = 1 << 20

ABOUT: Final = ("file", "ids", "statistics", "games", "puzzles", "not_here")
"""The parts of the explanation in a file of personal data."""


class OnOff(StrEnum):
    """Whether something is wanted."""

    ON = "on"
    OFF = "off"


class MeCommand:
    """Changes a person's own choices, and answers with the new ones."""

    def __init__(self, people: People, privacy: Privacy, tables: Service, boards: Boards) -> None:
        self._people = people
        self._privacy = privacy
        self._tables = tables
        self._boards = boards

    def command(self, slash: SlashCommands) -> Group:
        """The command with its subcommands, and the answers to what it asks."""
        slash.router.route(ForgetAnswer, self.decide)
        handlers: dict[str, Handler] = {
            "board": self.choose_form,
            "language": self.choose_language,
            "challenges": self.take_challenges,
            "reminders": self.choose_reminders,
            "block": self.block,
            "unblock": self.unblock,
            "export": self.export,
            "forget": self.forget,
        }
        languages = {"language": slash.languages("language")}
        return slash.group("me", handlers, languages)

    async def choose_form(self, ctx: Context, *, form: Form) -> None:
        """Choose the form of boards."""
        await self._people.choose(ctx.by, form=form)
        await ctx.tell(text(f"me.board.{form}", board=CommandMention("board")))

    async def choose_language(self, ctx: Context, *, language: str) -> None:
        """Choose the person's language; the answer is in it already."""
        chosen = None if language == AUTOMATIC else language
        await self._people.choose(ctx.by, language=chosen)
        if chosen is None:
            await ctx.tell(text("me.language.automatic"))
        else:
            await ctx.tell(text("me.language.chosen", language=own_name(chosen)))

    async def take_challenges(self, ctx: Context, *, accept: OnOff) -> None:
        """Choose whether others may challenge and invite the person."""
        await self._people.choose(ctx.by, challenges=accept is OnOff.ON)
        await ctx.tell(text(f"me.challenges.{accept}"))

    async def choose_reminders(self, ctx: Context, *, reminders: Reminding) -> None:
        """Choose the way of reminders."""
        await self._people.choose(ctx.by, reminders=reminders)
        await ctx.tell(text(f"me.reminders.{reminders}"))

    async def block(self, ctx: Context, *, user: User | Member) -> None:
        """Block another person."""
        other = PersonId(user.id)
        if other == ctx.by or user.bot:
            raise Refusal("not_blockable")
        await self._people.block(ctx.by, other)
        await ctx.tell(
            text("me.blocked", person=Mention(other), unblock=CommandMention("me unblock"))
        )

    async def unblock(self, ctx: Context, *, user: User | Member) -> None:
        """Unblock another person."""
        other = PersonId(user.id)
        await self._people.unblock(ctx.by, other)
        await ctx.tell(text("me.unblocked", person=Mention(other)))

    async def export(self, ctx: Context) -> None:
        """Send everything that is stored about the person, as a file."""
        most, at = ctx.interaction.filesize_limit, ctx.interaction.created_at
        data = await self._privacy.personal_data(ctx.by)
        file = await asyncio.to_thread(partial(written, data, at, _about(ctx), most=most))
        if file is None:
            await ctx.tell(text("me.export.too_large", most=most // MEGABYTE))
            return
        said = text("me.export.nothing") if data.empty else text("me.export")
        await ctx.tell(said, file=File(BytesIO(file.content), filename=file.name))

    async def forget(self, ctx: Context) -> None:
        """Ask whether the person shall be forgotten, if anything is known."""
        if await self._privacy.knows(ctx.by):
            await ctx.response.say(page_view(question(), ctx.words))
        else:
            await ctx.tell(text("me.forget.nothing"))

    async def decide(self, ctx: Context, decision: ForgetAnswer) -> None:
        """Carry out the answer to that question; pressed again, it says that all is done."""
        words = ctx.words  # before their language is forgotten
        if decision is ForgetAnswer.KEEP:
            await ctx.response.show(notice_view(text("me.forget.kept"), words))
            return
        left = await self._privacy.forget(ctx.by)
        log.info("somebody forgotten tables=%d", len(left))
        await ctx.response.show(notice_view(text("me.forgotten"), words))
        await self._go_on(left)

    async def _go_on(self, left: Sequence[Table]) -> None:
        """Let tables go on without a person; the next round repairs what fails.

        Those of direct messages keep no place, so their boards are closed now or never. Where the
        bot is no member, boards wait for a press.
        """
        for before in left:
            try:
                if before.place.direct:
                    await self._boards.retire(before)
                    continue
                table = await self._tables.table(before.id)
                await self._boards.refresh(await self._tables.answered(table))
            except Exception:
                log.exception("table not told of a departure session=%s", before.id)


def _about(ctx: Context) -> Mapping[str, str]:
    return {part: ctx.words.of(text(f"me.export.about.{part}")) for part in ABOUT}

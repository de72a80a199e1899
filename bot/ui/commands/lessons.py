"""*Hint*, *Why?*, *Review*, *Tree* and *What if?*: what the computer explains to one reader."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from io import BytesIO

from discord import File

from bot.screens import animation, share, tree
from bot.screens.lesson import first_hint, hint, what_if, why, why_this
from bot.screens.review import PICTURE, review, review_picture
from bot.service.explanations import Explanations
from bot.service.tables import Press, Service
from bot.table.actions import Action
from bot.table.refusals import Refusal
from bot.table.table import Table
from bot.ui.boards import Boards
from bot.ui.context import Answer, Context
from bot.ui.render import board_view, picture_file
from bot.ui.response import NOBODY
from engine.game import Move


class LessonPresses:
    """Answers the buttons that ask for an explanation."""

    def __init__(self, tables: Service, lessons: Explanations, boards: Boards) -> None:
        self._tables = tables
        self._lessons = lessons
        self._boards = boards

    @property
    def answers(self) -> Mapping[str, Answer]:
        """The answers of buttons that ask for an explanation."""
        return {
            Action.HINT: self._ask_for_hint,
            Action.SHOW_HINT: self._hint,
            Action.WHY: lambda ctx, press, table: self.why(ctx, table, press.ply),
            Action.WHY_THIS: self._why_this,
            Action.TREE: self._tree,
            Action.REVIEW: lambda ctx, _, table: self.review(ctx, table),
            Action.SHARE_REVIEW: lambda ctx, _, table: self.review(ctx, table, shared=True),
            Action.SHARE_GAME: self._share,
            Action.ANIMATE: self._animate,
            Action.WHAT_IF: self._what_if,
            Action.TRY: self._what_if,
        }

    async def _ask_for_hint(self, ctx: Context, press: Press, table: Table) -> None:
        """Give a hint, but ask before the first: it marks the game for good."""
        if table.session.hints:
            await self._hint(ctx, press, table)
        else:
            await ctx.present(first_hint(), table)

    async def _hint(self, ctx: Context, press: Press, table: Table) -> None:
        lesson = await self._lessons.hint(table, ctx.by)
        asked = press.action == Action.SHOW_HINT
        await ctx.present(hint(lesson), lesson.table, instead=asked)
        await self._boards.refresh(lesson.table)

    async def _why_this(self, ctx: Context, press: Press, table: Table) -> None:
        lesson = await self._lessons.why_this(table, ctx.by, press.ply)
        await ctx.response.say(board_view(why_this(lesson), table, ctx.words))

    async def why(self, ctx: Context, table: Table, ply: int) -> None:
        """Give the reasons for the last choice before a ply.

        Raises:
            Refusal: As in `Explanations.why`.
        """
        lesson = await self._lessons.why(table, ctx.by, ply)
        await ctx.present(why(lesson), table)

    async def review(self, ctx: Context, table: Table, *, shared: bool = False) -> None:
        """Show the review of a game, to everybody if it is `shared`.

        Raises:
            Refusal: As in `Archive.admit` and `Explanations.review`.
        """
        self._tables.archive.admit(table, channel=ctx.place.channel, by=ctx.by)
        found = await self._lessons.review(table)
        view = board_view(review(table, found, None if shared else ctx.by), table, ctx.words)
        picture = await picture_file(PICTURE, review_picture, table, found, ctx.words)
        if shared:
            await ctx.response.post(view, NOBODY, picture)
        else:
            await ctx.response.say(view, picture)

    async def _share(self, ctx: Context, _: Press, table: Table) -> None:
        """Show a finished game to everybody, in the language of its channel."""
        self._tables.archive.admit(table, channel=ctx.place.channel, by=ctx.by)
        found = await self._lessons.review(table)
        words = ctx.speech.words(table.locale)
        picture = await picture_file(share.PICTURE, share.game_picture, table, found, words)
        view = board_view(share.shared_game(table, found), table, words)
        await ctx.response.post(view, NOBODY, picture)

    async def _animate(self, ctx: Context, _: Press, table: Table) -> None:
        """Show a finished game to everybody in motion, in the language of its channel."""
        session = self._tables.archive.admit(table, channel=ctx.place.channel, by=ctx.by).session
        found = await self._lessons.review(table) if session.game.dice else None
        words = ctx.speech.words(table.locale)
        frames = animation.frames(session, found, words)
        gif = await self._lessons.paint(animation.painted, session, frames)
        view = board_view(animation.shared_animation(table, found), table, words)
        await ctx.response.post(view, NOBODY, File(BytesIO(gif), animation.FILE))

    async def _what_if(self, ctx: Context, press: Press, table: Table) -> None:
        self._tables.archive.admit(table, channel=ctx.place.channel, by=ctx.by)
        tried = press.action == Action.TRY
        instead = Move(int(press.value)) if tried and press.value.isdecimal() else None
        lesson = await self._lessons.what_if(table, press.ply, instead)
        await ctx.present(what_if(lesson, ctx.by, instead), lesson.table, instead=tried)

    async def _tree(self, ctx: Context, _: Press, table: Table) -> None:
        self._tables.archive.admit(table, channel=ctx.place.channel, by=ctx.by)
        shown = await asyncio.to_thread(tree.last_moves, table.session)
        if shown is None:
            raise Refusal("nothing_to_explain")
        picture = await picture_file(tree.PICTURE, tree.picture, shown, ctx.words)
        await ctx.response.say(board_view(tree.screen(table, shown), table, ctx.words), picture)

"""*Hint*, *Why?*, *Review*, *Tree* and *What if?*: what the computer explains to one reader."""

from __future__ import annotations

import asyncio
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
from bot.ui.context import Context
from bot.ui.handlers import answers
from bot.ui.render import board_view, picture_file
from bot.ui.response import NOBODY
from engine.game import Move


class LessonPresses:
    """Answers the buttons that ask for an explanation."""

    def __init__(self, tables: Service, lessons: Explanations, boards: Boards) -> None:
        self._tables = tables
        self._lessons = lessons
        self._boards = boards

    @answers(Action.HINT)
    async def _ask_for_hint(self, ctx: Context, press: Press) -> None:
        """Give a hint, but ask before the first: it marks the game for good."""
        if press.table.session.hints:
            await self._hint(ctx, press)
        else:
            await ctx.present(first_hint(), press.table)

    @answers(Action.SHOW_HINT)
    async def _hint(self, ctx: Context, press: Press) -> None:
        lesson = await self._lessons.hint(press.table, ctx.by)
        asked = press.action == Action.SHOW_HINT
        await ctx.present(hint(lesson), lesson.table, instead=asked)
        await self._boards.refresh(lesson.table)

    @answers(Action.WHY)
    async def _why(self, ctx: Context, press: Press) -> None:
        await self.why(ctx, press.table, press.ply)

    @answers(Action.WHY_THIS)
    async def _why_this(self, ctx: Context, press: Press) -> None:
        lesson = await self._lessons.why_this(press.table, ctx.by, press.ply)
        await ctx.response.say(board_view(why_this(lesson), press.table, ctx.words))

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

    @answers(Action.REVIEW)
    async def _review(self, ctx: Context, press: Press) -> None:
        await self.review(ctx, press.table)

    @answers(Action.SHARE_REVIEW)
    async def _share_review(self, ctx: Context, press: Press) -> None:
        await self.review(ctx, press.table, shared=True)

    @answers(Action.SHARE_GAME)
    async def _share_game(self, ctx: Context, press: Press) -> None:
        """Show a finished game to everybody, in the language of its channel."""
        table = press.table
        self._tables.archive.admit(table, channel=ctx.place.channel, by=ctx.by)
        found = await self._lessons.review(table)
        words = ctx.speech.words(table.locale)
        picture = await picture_file(share.PICTURE, share.game_picture, table, found, words)
        view = board_view(share.shared_game(table, found), table, words)
        await ctx.response.post(view, NOBODY, picture)

    @answers(Action.ANIMATE)
    async def _animate(self, ctx: Context, press: Press) -> None:
        """Show a finished game to everybody in motion, in the language of its channel."""
        table = press.table
        session = self._tables.archive.admit(table, channel=ctx.place.channel, by=ctx.by).session
        found = await self._lessons.review(table) if session.game.dice else None
        words = ctx.speech.words(table.locale)
        frames = animation.frames(session, found, words)
        gif = await self._lessons.paint(animation.painted, session, frames)
        view = board_view(animation.shared_animation(table, found), table, words)
        await ctx.response.post(view, NOBODY, File(BytesIO(gif), animation.FILE))

    @answers(Action.WHAT_IF, Action.TRY)
    async def _what_if(self, ctx: Context, press: Press) -> None:
        self._tables.archive.admit(press.table, channel=ctx.place.channel, by=ctx.by)
        tried = press.action == Action.TRY
        instead = Move(int(press.value)) if tried and press.value.isdecimal() else None
        lesson = await self._lessons.what_if(press.table, press.ply, instead)
        await ctx.present(what_if(lesson, ctx.by, instead), lesson.table, instead=tried)

    @answers(Action.TREE)
    async def _tree(self, ctx: Context, press: Press) -> None:
        table = press.table
        self._tables.archive.admit(table, channel=ctx.place.channel, by=ctx.by)
        shown = await asyncio.to_thread(tree.last_moves, table.session)
        if shown is None:
            raise Refusal("nothing_to_explain")
        picture = await picture_file(tree.PICTURE, tree.picture, shown, ctx.words)
        await ctx.response.say(board_view(tree.screen(table, shown), table, ctx.words), picture)

"""*Hint*, *Why?*, *Review* and *Tree*: what the computer explains to one reader."""

from __future__ import annotations

import asyncio

from bot.screens import tree
from bot.screens.lesson import hint, why
from bot.screens.review import PICTURE, review, review_picture
from bot.service.lessons import Lessons
from bot.service.tables import Press, Service
from bot.table.actions import Action
from bot.table.refusals import NothingToExplain
from bot.ui.boards import Boards
from bot.ui.context import Context
from bot.ui.render import board_view, picture_file
from bot.ui.response import NOBODY


class LessonPresses:
    """Answers the controls that ask for an explanation."""

    def __init__(self, tables: Service, lessons: Lessons, boards: Boards) -> None:
        self._tables = tables
        self._lessons = lessons
        self._boards = boards

    async def pressed(self, ctx: Context, press: Press) -> None:
        """Explains what a control asks for.

        Raises:
            Refusal: As in `Lessons` and `Archive.game`.
            NotExplained: It could not be worked out in time.
        """
        match press.action:
            case Action.HINT:
                lesson = await self._lessons.hint(press.session, press.by, self._boards.mend)
                await ctx.response.say(board_view(hint(lesson), lesson.table, ctx.words))
            case Action.WHY:
                lesson = await self._lessons.why(press.session, press.by, press.ply)
                await ctx.response.say(board_view(why(lesson), lesson.table, ctx.words))
            case Action.TREE:
                await self._tree(ctx, press)
            case _:
                await self._review(ctx, press, shared=press.action == Action.SHARE_REVIEW)

    async def _review(self, ctx: Context, press: Press, *, shared: bool) -> None:
        table = await self._tables.archive.game(press.session, channel=ctx.place.channel, by=ctx.by)
        found = await self._lessons.review(table)
        view = board_view(review(table, found, shared=shared), table, ctx.words)
        picture = await picture_file(PICTURE, review_picture, table, found, ctx.words)
        if shared:
            await ctx.response.post(view, NOBODY, picture)
        else:
            await ctx.response.say(view, picture)

    async def _tree(self, ctx: Context, press: Press) -> None:
        """Shows how the computer thinks about a game's last moves.

        Raises:
            NothingToExplain: The game ended sooner.
        """
        table = await self._tables.archive.game(press.session, channel=ctx.place.channel, by=ctx.by)
        shown = await asyncio.to_thread(tree.last_moves, table.session)
        if shown is None:
            raise NothingToExplain
        picture = await picture_file(tree.PICTURE, tree.picture, shown)
        await ctx.response.say(board_view(tree.screen(table, shown), table, ctx.words), picture)

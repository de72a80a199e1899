"""`/board`: a table's board again, as a fresh message, in words, or as a picture."""

from __future__ import annotations

from typing import Final

from discord import File
from discord.ui import LayoutView

from bot.message.blocks import BOARD_FILE, Screen
from bot.message.text import Text
from bot.screens.lobby import how_to_play, rules
from bot.screens.table_views import (
    board_picture,
    board_story,
    board_words,
    choice_of,
    closer,
    in_words,
    shared,
)
from bot.service.tables import Press, TableService
from bot.storage.choices import Form, People
from bot.table.actions import Action
from bot.table.refusals import Refusal
from bot.table.table import Table
from bot.ui.boards import Boards
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.custom_ids import game_number
from bot.ui.handlers import Context, answers, shares
from bot.ui.render import board_view, picture_file
from bot.ui.words import Words, link

MOST_CONTENT: Final = 2_000
"""The most characters of a message's text."""


class BoardCommand:
    """Shows the board of a table of the channel."""

    def __init__(self, tables: TableService, people: People, boards: Boards) -> None:
        self._tables = tables
        self._people = people
        self._boards = boards

    def command(self, slash: SlashCommands) -> Slash:
        """The command."""
        return slash.command("board", self.show, suggest={"game": self.suggested})

    async def show(
        self, ctx: Context, *, game: str | None = None, form: Form | None = None
    ) -> None:
        """Shows the board of a game, as `TableService.board` finds it, in a form of their choice.

        Raises:
            Refusal: No such game is here, or it cannot move from the parent channel into a thread.
        """
        table = await self._tables.board(
            ctx.place.channel, game_number(game), ctx.by, parent=ctx.parent
        )
        form = form or self._people.of(ctx.by).form or Form.MESSAGE
        if form is Form.MESSAGE and not _may_move(ctx, table):
            await self.closer(ctx, table)
        elif form is Form.MESSAGE and table.place.channel != ctx.place.channel:
            raise Refusal("board_moved", link=link(table.place))
        elif form is Form.MESSAGE:
            ctx.response.public = True
            await self._boards.post(ctx.response, table, notify=False)
        else:
            await _tell(ctx, table, form)

    async def closer(self, ctx: Context, table: Table) -> None:
        """Shows a board to its reader: in words if they have chosen that, else as a picture."""
        form = self._people.of(ctx.by).form
        await _tell(ctx, table, Form.WORDS if form is Form.WORDS else Form.IMAGE)

    @answers(Action.SHARE)
    @shares
    async def _share(self, ctx: Context, press: Press) -> None:
        await self.share(ctx, press.table)

    @answers(Action.VIEW)
    async def _view(self, ctx: Context, press: Press) -> None:
        await self.closer(ctx, press.table)

    @answers(Action.IN_WORDS)
    async def _look_again(self, ctx: Context, press: Press) -> None:
        await self.look_again(ctx, press.table)

    @answers(Action.HOW_TO)
    async def _how_to(self, ctx: Context, press: Press) -> None:
        await ctx.tell(how_to_play(press.table.session.game.key))

    @answers(Action.RULES)
    async def _rules(self, ctx: Context, press: Press) -> None:
        await ctx.present(rules(press.table, ctx.by), press.table)

    async def look_again(self, ctx: Context, table: Table) -> None:
        """Replaces a board in words by its present state."""
        await ctx.present(_in_words(ctx, table), table, instead=True)

    async def share(self, ctx: Context, table: Table) -> None:
        """Post a board for all in the channel, in the form that its reader has chosen."""
        form = self._people.of(ctx.by).form
        drawn = table.session.position is not None and form is not Form.WORDS
        words = ctx.words_about(table)
        picture = await _picture(words, table) if drawn else None
        screen = shared(table, ctx.place.channel, drawn=drawn)
        await ctx.share(board_view(screen, table, words), picture)

    def rules(self, ctx: Context, table: Table) -> LayoutView:
        """The rules of a table, where its host can change them until the game begins."""
        return board_view(rules(table, ctx.by), table, ctx.words)

    async def suggested(self, ctx: Context) -> list[tuple[str, str]]:
        """The games of the channel, by name and number."""
        here, words = await self._tables.boards(ctx.place.channel, ctx.parent), ctx.words
        return [(words.of(choice_of(table)), str(table.id)) for table in here]


def _may_move(ctx: Context, table: Table) -> bool:
    """Whether a person may repost a board in the channel."""
    if ctx.read_by_one and not table.session.solo:
        return False
    own = ctx.by == table.session.host or table.session.concerns(ctx.by)
    return own or ctx.manages


async def _tell(ctx: Context, table: Table, form: Form) -> None:
    if form is Form.WORDS or table.session.position is None:
        await ctx.present(_in_words(ctx, table), table)
        return
    shown = closer(table, _latest(ctx, board_story(table)))
    await ctx.present(shown, table, await _picture(ctx.words, table))


def _in_words(ctx: Context, table: Table) -> Screen:
    return in_words(table, ctx.by, _latest(ctx, board_story(table)), link(table.place))


async def _picture(words: Words, table: Table) -> File:
    described = "\n".join(map(words.spoken().of, board_words(table)))
    return await picture_file(BOARD_FILE, board_picture, table, described=described)


def _latest(ctx: Context, lines: tuple[Text, ...]) -> tuple[Text, ...]:
    while len("\n".join(map(ctx.words.line, lines))) > MOST_CONTENT:
        lines = lines[1:]
    return lines

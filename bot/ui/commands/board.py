"""`/board`: a table's board again, as a fresh message, in words, or as a picture."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from io import BytesIO
from typing import Final

from discord import File

from bot.message.blocks import BOARD_FILE
from bot.screens.look_closer import board_picture, board_story, board_words, choice_of
from bot.service.people import Form
from bot.service.ports import People
from bot.service.tables import Service
from bot.table.table import Table
from bot.ui.boards import Boards
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.context import Context
from bot.ui.custom_ids import game_number
from bot.ui.render import MOST_ALTERNATIVE

MOST_CONTENT: Final = 2_000
"""How many characters Discord takes for a message's text."""


class BoardCommand:
    """Shows the board of a table of the channel."""

    def __init__(self, tables: Service, people: People, boards: Boards) -> None:
        self._tables = tables
        self._people = people
        self._boards = boards

    def command(self, slash: SlashCommands) -> Slash:
        """The command."""
        return slash.command("board", self.show, suggest={"game": self.suggested})

    async def show(
        self, ctx: Context, *, game: str | None = None, form: Form | None = None
    ) -> None:
        """Shows a game, or else the reader's own or the latest, in a form of their choice."""
        table = await self._tables.board(ctx.place.channel, game_number(game), ctx.by)
        form = form or self._people.choices(ctx.by).form or Form.MESSAGE
        if form is Form.MESSAGE:
            await self._boards.repost(ctx.response, table)
        else:
            await _tell(ctx, table, form)

    async def closer(self, ctx: Context, table: Table) -> None:
        """Shows a board in words, if the reader has chosen that, or else as a picture."""
        form = self._people.choices(ctx.by).form
        await _tell(ctx, table, Form.WORDS if form is Form.WORDS else Form.IMAGE)

    async def suggested(self, ctx: Context) -> list[tuple[str, str]]:
        """The games of the channel, by name and number."""
        here, words = await self._tables.boards(ctx.place.channel), ctx.words
        return [(words.of(choice_of(table)), str(table.id)) for table in here]


async def _tell(ctx: Context, table: Table, form: Form) -> None:
    """Shows a board to one reader, in words or as a picture."""
    described = "\n".join(map(ctx.words.of, board_words(table)))
    if form is Form.IMAGE and table.session.position is not None:
        png = await asyncio.to_thread(board_picture, table)
        picture = File(BytesIO(png), BOARD_FILE, description=described[:MOST_ALTERNATIVE])
        await ctx.response.say(_latest(map(ctx.words.of, board_story(table))), picture)
    else:
        await ctx.response.say(described)


def _latest(lines: Iterable[str]) -> str:
    """As many of the last lines as a message has room for."""
    told = deque(lines)
    while len("\n".join(told)) > MOST_CONTENT:
        told.popleft()
    return "\n".join(told)

"""What somebody asks to see of a table for themselves alone: its board, its rules, its dice."""

from __future__ import annotations

import asyncio
from io import BytesIO

from discord import File
from discord.ui import LayoutView

from bot.message.text import text
from bot.screens.dice import dice_proof
from bot.screens.look_closer import board_picture, board_words
from bot.screens.rules import rules
from bot.service.people import Form
from bot.service.ports import People
from bot.table.seats import PersonId
from bot.table.table import Table
from bot.ui.answer import Answer
from bot.ui.view import MOST_ALTERNATIVE, board_view
from bot.ui.words import Words


class Readings:
    """Shows tables to one reader each."""

    def __init__(self, people: People) -> None:
        self._people = people

    async def closer(self, answer: Answer, words: Words, table: Table, by: PersonId) -> None:
        """The board in words, if the reader has chosen that, or else as a picture."""
        form = self._people.choices(by).form
        form = Form.WORDS if form is Form.WORDS else Form.IMAGE
        await self.board(answer, words, table, form)

    async def board(self, answer: Answer, words: Words, table: Table, form: Form) -> None:
        """The board in words or as a picture."""
        described = "\n".join(map(words.of, board_words(table)))
        picture = None
        if form is Form.IMAGE and table.session.position is not None:
            png = await asyncio.to_thread(board_picture, table)
            picture = File(BytesIO(png), "board.png", description=described[:MOST_ALTERNATIVE])
        await answer.say("" if picture else described, picture)

    async def proof(self, answer: Answer, words: Words, table: Table) -> None:
        """What anybody needs to roll the dice of a finished game again.

        Raises:
            NotFinished, UnknownControl: As in `dice_proof`.
        """
        file = File(BytesIO(dice_proof(table).encode()), filename="dice.txt")
        await answer.say(words.of(text("dice.proof")), file)

    def rules(self, words: Words, table: Table, by: PersonId) -> LayoutView:
        """The rules; their host chooses them there until the game begins."""
        return board_view(rules(table, by), table, words)

"""*Check the dice*: their seal, a player's word for them, and the proof once the game is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from io import BytesIO
from typing import Final

from discord import File

from bot.message.blocks import Screen
from bot.message.text import text
from bot.screens.dice import WordForm, dice_proof, sealed_dice, word_form
from bot.service.tables import Press, TableService
from bot.table.actions import Action
from bot.table.session import Phase
from bot.table.table import InteractionId, Table
from bot.ui.boards import Boards
from bot.ui.handlers import Context, answers
from bot.ui.render import FormModal
from bot.ui.words import link

PAGE: Final = files("bot").joinpath("sandbox", "page", "verify.html")
"""The page that checks dice; it needs no other file."""


class DicePresses:
    """Answers the buttons about the dice of a game.

    `checker` gives the address of the page that checks dice; if None, players get the page's file.
    """

    def __init__(
        self, tables: TableService, boards: Boards, checker: Callable[[], str | None]
    ) -> None:
        self._tables = tables
        self._boards = boards
        self._checker = checker

    @answers(WordForm)
    async def give_word(self, ctx: Context, form: WordForm) -> None:
        """Save the word for the dice that a player has submitted in a form."""
        ctx.table = table = await self._tables.shown_by(ctx.message, form.session)
        interaction, ply = InteractionId(ctx.interaction.id), table.session.ply
        press = Press(interaction, table, ply, Action.WORD, ctx.by, ctx.filled["word"][0])
        assert ctx.message is not None, "the form was opened from a message"
        with self._boards.pressing(table.id):
            after = await self._tables.press(press)
            if ctx.seen_by_all:  # a lobby drawn by an older version, which had the button there
                await self._boards.show(ctx.response, after, message=ctx.message)
                return
            await ctx.present(_seal(ctx, after), after, instead=True)
        await self._boards.refresh(after)

    @answers(Action.PROOF)
    async def _check(self, ctx: Context, press: Press) -> None:
        table = press.table
        if table.session.phase in {Phase.LOBBY, Phase.RUNNING}:
            standing = await self._boards.seals.standing(table)
            await ctx.present(_seal(ctx, standing), standing)
            return
        sent, page = [File(BytesIO(dice_proof(table).encode()), "dice.txt")], self._checker()
        if page is None:
            sent.append(File(BytesIO(PAGE.read_bytes()), PAGE.name))
            await ctx.tell(text("dice.proof"), text("dice.check.page"), files=sent)
            return
        spoken = f"{page}?language={ctx.words.language.locale}"
        await ctx.tell(text("dice.proof"), text("dice.check", link=spoken), files=sent)

    @answers(Action.SEAL)
    async def _post(self, ctx: Context, press: Press) -> None:
        posted = await self._boards.seals.post(ctx.response, press.table, press.interaction)
        await ctx.present(_seal(ctx, posted), posted, instead=True)

    @answers(Action.WORD)
    async def _ask_word(self, ctx: Context, press: Press) -> None:
        await ctx.response.ask(FormModal(word_form(press.table, ctx.by), ctx.words))


def _seal(ctx: Context, table: Table) -> Screen:
    kept = None if table.dice is None else table.dice.promise
    there = None if kept is None else link(replace(table.place, message=kept))
    return sealed_dice(table, ctx.by, there)

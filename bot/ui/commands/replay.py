"""`/replay` and its controls: finished games, turn by turn, as files, by their dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Final

from discord import File
from discord.ui import LayoutView

from bot.message.text import text
from bot.screens.dice import dice_bound, dice_proof, word_form
from bot.screens.look_closer import ended_choice
from bot.screens.replay import STEPS, Replay, as_json, as_text
from bot.service.tables import Press, Service
from bot.table.actions import Action, shown_ply
from bot.table.session import Phase, SessionId
from bot.table.table import Table
from bot.ui.commands.board import BoardCommand
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.context import Context
from bot.ui.custom_ids import WordForm, game_number
from bot.ui.render import LineModal, board_view
from bot.ui.words import Words, link

ANSWERED: Final = STEPS | {
    *(Action.REPLAY, Action.AS_TEXT, Action.AS_JSON, Action.PROOF, Action.SHARE_REPLAY)
}
"""The actions of a board that are answered here."""


class ReplayCommand:
    """Shows finished games to one reader each."""

    def __init__(
        self, tables: Service, board: BoardCommand, checker: Callable[[], str | None]
    ) -> None:
        self._tables = tables
        self._checker = checker
        self._board = board

    def command(self, slash: SlashCommands) -> Slash:
        """The command, and the menu of a history."""
        slash.router.route(Action, self.picked)
        return slash.command("replay", self.show, suggest={"game": self.suggested})

    async def show(self, ctx: Context, *, game: str | None = None) -> None:
        """Shows a game, or the latest there is, before its first move.

        Raises:
            Refusal: As in `Archive.game`.
        """
        await self._begin(ctx, game_number(game))

    async def picked(self, ctx: Context, _: Action) -> None:
        """Shows a game that was picked from a history."""
        await self._begin(ctx, game_number(ctx.chosen))

    async def pressed(self, ctx: Context, press: Press) -> None:
        """Answers a control of a replay, or one that looks back at a game.

        Raises:
            Refusal: As in `Archive.game` and `dice_proof`.
        """
        if press.action == Action.PROOF:
            table = await self._tables.table(press.session)
            await self._tell_dice(ctx, table)
            return
        if press.action == Action.REPLAY:
            await self._begin(ctx, press.session)
            return
        table = await self._tables.archive.game(press.session, channel=ctx.place.channel, by=ctx.by)
        match press.action:
            case Action.AS_TEXT:
                file = _file(as_text(table), f"game-{table.id}.txt")
                await ctx.tell(text("replay.text"), file=file)
            case Action.AS_JSON:
                file = _file(as_json(table), f"game-{table.id}.json")
                await ctx.tell(text("replay.json"), file=file)
            case _:
                await self._show(ctx, press, Replay(table))

    async def ask_word(self, ctx: Context, table: Table) -> None:
        """Asks a player for a word for the dice.

        Raises:
            Refusal: As in `word_form`.
        """
        form = word_form(table, ctx.by, WordForm(table.id))
        await ctx.response.ask(LineModal(form, ctx.words))

    async def suggested(self, ctx: Context) -> list[tuple[str, str]]:
        """The games that may be replayed, by name and number."""
        ended, words = await self._tables.archive.offered(ctx.place.channel, ctx.by), ctx.words
        return [(words.of(ended_choice(game)), str(game.id)) for game in ended]

    async def _show(self, ctx: Context, press: Press, replay: Replay) -> None:
        """Shows the stop of a game that a control asks for."""
        ply = shown_ply(press.action)
        if press.action == Action.SHARE_REPLAY:
            await self._board.share(ctx, replay.board(replay.stop_at(press.ply)))
        elif ply is not None:
            await ctx.response.say(_view(replay, replay.stop_at(ply), ctx.words))
        else:
            stop = replay.led(press.action, press.ply, press.value)
            await ctx.response.show(_view(replay, stop, ctx.words))

    async def _tell_dice(self, ctx: Context, table: Table) -> None:
        """Tells what the dice are bound to, and when the game is over all that rolls them again."""
        if table.session.phase is Phase.RUNNING:
            kept = None if table.dice is None else table.dice.promise
            there = [] if kept is None else [link(replace(table.place, message=kept))]
            await ctx.tell(*dice_bound(table), *(text("dice.there", link=each) for each in there))
            return
        file, page = _file(dice_proof(table), "dice.txt"), self._checker()
        told = [text("dice.proof")]
        if page is not None:
            spoken = f"{page}?language={ctx.words.language.locale}"
            told.append(text("dice.check", link=spoken))
        await ctx.tell(*told, file=file)

    async def _begin(self, ctx: Context, number: SessionId | None) -> None:
        table = await self._tables.archive.game(number, channel=ctx.place.channel, by=ctx.by)
        await ctx.response.say(_view(Replay(table), 0, ctx.words))


def _view(replay: Replay, stop: int, words: Words) -> LayoutView:
    return board_view(replay.screen(stop), replay.board(stop), words)


def _file(content: str, name: str) -> File:
    return File(BytesIO(content.encode()), filename=name)

"""The controls of a table's message, as they are pressed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from bot.screens import resign
from bot.screens.instead import PressAgain, close_oldest, moved_on
from bot.screens.look_closer import asked_again
from bot.service.tables import Press, Service
from bot.table.actions import EXPLAINED, Action, is_rule, is_table, shown_ply
from bot.table.refusals import OUTDATED, Refusal, TooManyAlone
from bot.table.session import SessionId
from bot.table.table import InteractionId
from bot.ui.boards import Boards
from bot.ui.commands.board import BoardCommand
from bot.ui.commands.replay import ANSWERED, ReplayCommand
from bot.ui.context import Context
from bot.ui.custom_ids import BoardControl, WordForm
from bot.ui.render import board_view, page_view
from bot.ui.words import link

READ: Final = frozenset({Action.SHARE, Action.RULES, Action.HOW_TO, Action.VIEW})
"""The actions that change nothing: what they show is for the reader, or shared by them."""

ASKING: Final = frozenset({Action.ASK_TO_RESIGN, Action.REMATCH, *EXPLAINED, *READ, *ANSWERED})
"""The actions that another message answers, and not the board itself."""

Moved: TypeAlias = Callable[[SessionId], Awaitable[None]]
"""Hears of tables with reminders where something was pressed, once that is answered."""

Explain: TypeAlias = Callable[[Context, Press], Awaitable[None]]
"""Answers a control that asks the computer to explain something."""


class BoardPresses:
    """Carries out what is pressed at a table: what moves on there, and what one reader sees."""

    def __init__(
        self,
        tables: Service,
        boards: Boards,
        board: BoardCommand,
        replay: ReplayCommand,
        *,
        reminded: Container[SessionId],
        moved: Moved,
        explain: Explain,
    ) -> None:
        self._tables = tables
        self._boards = boards
        self._board = board
        self._replay = replay
        self._reminded = reminded
        self._moved = moved
        self._explain = explain

    @property
    def handlers(self) -> Mapping[type[Any], Callable[[Context, Any], Awaitable[None]]]:
        """What answers the controls of each kind."""
        return {BoardControl: self.pressed, PressAgain: self.repeat, WordForm: self.give_word}

    async def pressed(self, ctx: Context, control: BoardControl) -> None:
        """Carries out a control of a table's message."""
        table = await self._tables.shown_by(ctx.message, control.session)
        assert ctx.message is not None, "a press is on a message"
        if (table.place.message or 0) < ctx.message and (
            ctx.seen_by_all or table.place.unreachable
        ):
            table = await self._boards.take_newer(table, ctx.interaction.message)
        press = Press(
            interaction=InteractionId(ctx.interaction.id),
            session=control.session,
            ply=control.ply,
            action=control.action,
            by=ctx.by,
            value=ctx.chosen,
        )
        try:
            if _asks(press):
                await self._boards.catch_up(ctx.response, table, message=ctx.message)
            await self._carry_out(ctx, press)
            if press.session in self._reminded:
                await self._moved(press.session)
        except TooManyAlone as refused:
            close = SessionId(refused.oldest)
            again = PressAgain(close, press.session, Action(press.action))
            oldest = link((await self._tables.table(close)).place)
            await ctx.response.say(page_view(close_oldest(again, oldest), ctx.words))
        except (Refusal, *OUTDATED) as refused:
            table = await self._tables.table(press.session)
            if not isinstance(refused, OUTDATED):
                await self._boards.catch_up(ctx.response, table, message=ctx.message)
            elif ctx.message == table.place.message:
                await self._boards.show(ctx.response, table, message=ctx.message)
            raise

    async def give_word(self, ctx: Context, form: WordForm) -> None:
        """Takes what a player has filled in for a word of theirs."""
        table = await self._tables.shown_by(ctx.message, form.session)
        interaction, ply = InteractionId(ctx.interaction.id), table.session.ply
        press = Press(interaction, form.session, ply, Action.WORD, ctx.by, ctx.chosen)
        with self._boards.pressing(form.session):
            await self._play(ctx, press)

    async def repeat(self, ctx: Context, again: PressAgain) -> None:
        """Closes a game that is in the way, and presses a control that was refused for it."""
        table = await self._tables.shown_by(ctx.message, again.session)
        close = await self._tables.shown_by(ctx.message, again.close)
        await self._boards.mend(await self._tables.close_alone(close.id, ctx.by))
        interaction = InteractionId(ctx.interaction.id)
        press = Press(interaction, again.session, table.session.ply, again.action, ctx.by)
        if again.action is Action.REMATCH:
            await self._rematch(ctx, press)
            return
        table = await self._tables.press(press)
        await ctx.response.show(page_view(moved_on(link(table.place)), ctx.words))
        await self._boards.mend(table)

    async def _carry_out(self, ctx: Context, press: Press) -> None:
        if is_rule(press.action):
            await self._choose_rule(ctx, press)
            return
        if press.action == Action.RESIGN:
            await self._resign(ctx, press)
            return
        if press.action in EXPLAINED:
            await self._explain(ctx, press)
            return
        if press.action == Action.WORD:
            await self._replay.ask_word(ctx, await self._tables.table(press.session))
            return
        with self._boards.pressing(press.session):
            match press.action:
                case Action.ASK_TO_RESIGN:
                    await self._ask_to_resign(ctx, press)
                case Action.REMATCH:
                    await self._rematch(ctx, press)
                case action if action in READ or (is_table(action) and press.value == Action.RULES):
                    await self._read(ctx, press)
                case action if action in ANSWERED or shown_ply(action) is not None:
                    await self._replay.pressed(ctx, press)
                case _:
                    await self._play(ctx, press)

    async def _read(self, ctx: Context, press: Press) -> None:
        table = await self._tables.table(press.session)
        match press.action:
            case Action.SHARE:
                await self._board.share(ctx, table)
            case Action.VIEW:
                await self._board.closer(ctx, table)
            case Action.HOW_TO:
                await self._board.teach(ctx, table)
            case _:
                await ctx.response.say(self._board.rules(ctx, table))

    async def _ask_to_resign(self, ctx: Context, press: Press) -> None:
        table = await self._tables.table(press.session)
        table.session.acting_seat(press.by, table.session.ply)
        await ctx.response.say(board_view(resign.question(table.session), table, ctx.words))

    async def _resign(self, ctx: Context, press: Press) -> None:
        """Gives a game up, whatever has been played since the question was asked."""
        ply = (await self._tables.table(press.session)).session.ply
        table = await self._tables.press(replace(press, ply=ply))
        await ctx.response.show(page_view(resign.done(), ctx.words))
        await self._boards.mend(table)

    async def _play(self, ctx: Context, press: Press) -> None:
        table = await self._tables.press(press)
        assert ctx.message is not None, "a press is on a message"
        await self._boards.show(ctx.response, table, message=ctx.message)

    async def _choose_rule(self, ctx: Context, press: Press) -> None:
        try:
            table = await self._tables.press(press)
        except Refusal:  # a client goes on showing what was refused, unless it is drawn again
            await ctx.response.show(self._board.rules(ctx, await self._tables.table(press.session)))
            raise
        await ctx.response.show(self._board.rules(ctx, table))
        await self._boards.mend(table)

    async def _rematch(self, ctx: Context, press: Press) -> None:
        with self._boards.opening():
            rematch = await self._tables.rematch(press, ctx.place, parent=ctx.parent)
            if rematch.new:
                self._boards.settled(await self._tables.table(press.session))
                async with self._tables.called_off_unseen(rematch.table.id):
                    await self._boards.open(ctx.response, rematch.table, self._tables.go_on)
                return
        await ctx.tell(asked_again(rematch.table.session, ctx.by, link(rematch.table.place)))
        await self._boards.mend(rematch.table)


def _asks(press: Press) -> bool:
    """Whether a press on a board is answered by another message, and not by the board itself."""
    action = press.action
    read = is_table(action) and press.value == Action.RULES
    return read or action in ASKING or shown_ply(action) is not None

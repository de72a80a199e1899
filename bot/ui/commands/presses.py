"""The buttons of a table's message, as they are pressed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container
from contextlib import suppress
from typing import TypeAlias

from bot.message.text import text
from bot.screens.counteroffers import PressAgain, close_oldest
from bot.screens.replay import IN_MENU
from bot.screens.table_panel import more, resign_question
from bot.screens.table_views import asked_again
from bot.service.tables import Press, TableService
from bot.table.actions import Action, parsed
from bot.table.refusals import OUTDATED, Refusal, TooManyAlone, UnknownControl
from bot.table.seats import PersonId, player_of
from bot.table.session import Phase, Session, SessionId
from bot.table.table import InteractionId, Table
from bot.ui.boards import Boards
from bot.ui.commands.board import BoardCommand
from bot.ui.custom_ids import BoardControl
from bot.ui.door import Slips
from bot.ui.handlers import Context, Handlers, answers
from bot.ui.render import Drawing, board_view, notice_view, page_view
from bot.ui.words import link

Moved: TypeAlias = Callable[[SessionId], Awaitable[None]]
"""Called after the answer to a press at a table that has reminders."""

Came: TypeAlias = Callable[[Table, PersonId], Awaitable[None]]
"""Called before the answer to a press that may not tell by itself that its person came."""


class BoardPresses:
    """Answers the buttons of tables' messages."""

    def __init__(
        self,
        tables: TableService,
        boards: Boards,
        board: BoardCommand,
        *,
        handlers: Handlers,
        came: Came,
        reminded: Container[SessionId],
        moved: Moved,
        slips: Slips,
    ) -> None:
        self._tables = tables
        self._boards = boards
        self._board = board
        self._came = came
        self._reminded = reminded
        self._moved = moved
        self._slips = slips
        self._handlers = handlers

    @answers(BoardControl)
    async def pressed(self, ctx: Context, control: BoardControl) -> None:
        """Answer a button of a table's message.

        Raises:
            Refusal, IllegalMove: The person may not press it, or the table refuses it.
        """
        message = ctx.interaction.message
        assert message is not None, "a press is on a message"
        assert ctx.message is not None, "and on the same"
        if self._slips.is_one(message, control.action):
            await ctx.response.acknowledge()
            return
        ctx.table = await self._found(ctx, control.session)
        press = _press(ctx, ctx.table, control)
        action, _ = parsed(press.action)
        if action is None:
            raise UnknownControl
        if not _tells_by_itself(ctx.table.session, action, ctx.by):
            await self._came(ctx.table, ctx.by)
        try:
            if action.button.step is None:
                action.button.right(ctx.table.session, ctx.by, control.ply)
                await self._boards.show_if_behind(ctx.response, ctx.table, message=ctx.message)
            await self._carry_out(ctx, press, action)
        except (Refusal, *OUTDATED) as refused:
            await self._show_again(ctx, control, outdated=isinstance(refused, OUTDATED))
            raise

    async def _carry_out(self, ctx: Context, press: Press, action: Action) -> None:
        """Do what a button does, or offer to close another game to make room."""
        try:
            await (self._handlers.get(action) or self._play)(ctx, press)
            if press.table.id in self._reminded:
                await self._moved(press.table.id)
        except TooManyAlone as refused:
            oldest = await self._tables.make_room(refused, ctx.by)
            if oldest.session.phase is not Phase.RUNNING:
                await self._carry_out(ctx, press, action)
                await self._boards.refresh(oldest)
                return
            again = PressAgain(oldest.id, press.table.id, action)
            screen = close_oldest(again, oldest, link(oldest.place))
            await ctx.response.say(page_view(screen, ctx.words))

    @answers(PressAgain)
    async def repeat(self, ctx: Context, again: PressAgain) -> None:
        """Close a game to make room, and press again the button that was refused."""
        ctx.table = table = await self._tables.shown_by(ctx.message, again.session)
        close = await self._tables.shown_by(ctx.message, again.close)
        closed = await self._tables.close_alone(close.id, ctx.by)
        press = _press(ctx, table, BoardControl(table.id, table.session.ply, again.action))
        if again.action is Action.REMATCH:
            await self._rematch(ctx, press)
        else:
            table = await self._tables.press(press)
            done = text("instead.done", link=link(table.place))
            await ctx.response.show(notice_view(done, ctx.words))
            await self._boards.refresh(table)
        await self._boards.refresh(closed)

    async def _found(self, ctx: Context, session: SessionId) -> Table:
        """The table of a pressed message; see `Boards.take_newer`."""
        table = await self._tables.shown_by(ctx.message, session)
        newer = (table.place.message or 0) < (ctx.message or 0)
        if newer and (ctx.seen_by_all or table.place.unreachable):
            return await self._boards.take_newer(table, ctx.interaction.message)
        return table

    async def _show_again(self, ctx: Context, control: BoardControl, *, outdated: bool) -> None:
        """Beside a refusal, show the present board, unless the pressed one is up to date.

        It is up to date if the refused press was a move at the present ply of a shown board.
        """
        assert ctx.message is not None, "a press is on a message"
        ctx.table = await self._tables.table(control.session)
        square = parsed(control.action)[0] is Action.MOVE and control.ply == ctx.table.session.ply
        here = ctx.message == ctx.table.place.message
        if ctx.in_words:
            await self._board.look_again(ctx, ctx.table)
        elif ctx.in_panel:
            await self._refresh_more(ctx, ctx.table)
        elif not outdated:
            await self._boards.show_if_behind(ctx.response, ctx.table, message=ctx.message)
        elif here and not (square and self._boards.shows(ctx.table)):
            with suppress(Refusal):  # it is gone by now
                await self._boards.show(ctx.response, ctx.table, message=ctx.message)

    async def _play(self, ctx: Context, press: Press) -> None:
        """Carry out a button that changes its table, and show the new board or panel."""
        assert ctx.message is not None, "a press is on a message"
        if ctx.in_words:
            await self._play_in_words(ctx, press)
            return
        if ctx.in_panel:
            after = await self._tables.press(press)
            await self._refresh_more(ctx, after)
            self._note_change(ctx, press)
            await self._boards.refresh(after)
            return
        with self._boards.pressing(press.table.id):
            after = await self._tables.press(press)
            await self._boards.show(ctx.response, after, message=ctx.message)
        self._note_change(ctx, press)

    def _note_change(self, ctx: Context, press: Press) -> None:
        """Remember a running game's message as it was before a press on it changed it, for slips.

        Boards note what is drawn into their messages by others, but do not know of this button.
        """
        message = ctx.interaction.message
        assert message is not None, "a press is on a message"
        if press.table.session.phase is Phase.RUNNING:
            self._slips.changed(message, press.action)

    @answers(Action.PLAY, Action.ROLL_IN_WORDS)
    async def _play_in_words(self, ctx: Context, press: Press) -> None:
        after = await self._tables.press(press)
        await self._board.look_again(ctx, after)
        self._note_change(ctx, press)
        await self._boards.refresh(after)

    @answers(Action.MORE)
    async def _open_more(self, ctx: Context, press: Press) -> None:
        await ctx.response.say(_panel(ctx, press.table))

    @answers(Action.BACK_TO_MORE)
    async def _show_more(self, ctx: Context, press: Press) -> None:
        await ctx.response.show(_panel(ctx, press.table), [])

    async def _refresh_more(self, ctx: Context, table: Table) -> None:
        """Redraw the panel after a press on it, without buttons if the game has ended."""
        running = table.session.phase is Phase.RUNNING
        view = _panel(ctx, table) if running else _resigned(ctx)
        await ctx.response.show(view, [])

    @answers(Action.ASK_TO_RESIGN)
    async def _ask_to_resign(self, ctx: Context, press: Press) -> None:
        await ctx.present(resign_question(press.table.session), press.table)

    @answers(Action.RESIGN)
    async def _resign(self, ctx: Context, press: Press) -> None:
        after = await self._tables.press(press)
        await ctx.response.show(_resigned(ctx))
        await self._boards.refresh(after)

    @answers(Action.RULE)
    async def _choose_rule(self, ctx: Context, press: Press) -> None:
        try:
            table = await self._tables.press(press)
        except Refusal:  # the client shows the refused choice until the menu is drawn again
            table = await self._tables.table(press.table.id)
            await ctx.response.show(self._board.rules(ctx, table))
            raise
        await ctx.response.show(self._board.rules(ctx, table))
        await self._boards.refresh(table)

    @answers(Action.REMATCH)
    async def _rematch(self, ctx: Context, press: Press) -> None:
        with self._boards.opening():
            rematch = await self._tables.rematch(press, ctx.place, parent=ctx.parent)
            if rematch.new:
                self._boards.note_unchanged(press.table)
                async with self._tables.close_if_unseen(rematch.table.id):
                    await self._boards.open(ctx.response, rematch.table, self._tables.go_on)
                return
        await ctx.tell(asked_again(rematch.table.session, ctx.by, link(rematch.table.place)))
        await self._boards.refresh(rematch.table)


def _tells_by_itself(session: Session, action: Action, by: PersonId) -> bool:
    """Whether a press is a move that tells later that its person came, as they alone could make it.

    At a table of more than two the computer may play the seat later.
    """
    mover = session.mover
    own = mover is not None and player_of(mover) == by
    return action is Action.MOVE and own and len(session.seats) == 2


def _resigned(ctx: Context) -> Drawing:
    return notice_view(text("resign.done"), ctx.words)


def _panel(ctx: Context, table: Table) -> Drawing:
    return board_view(more(table, ctx.by), table, ctx.words)


def _press(ctx: Context, table: Table, control: BoardControl) -> Press:
    """A press for the use cases; in a menu with several actions, the value names the action."""
    word, value = control.action, ctx.chosen
    if word.startswith(Action.TABLE):
        word, _, value = value.partition(":")
    if word == Action.GO_TO and value in IN_MENU:
        word, value = value, ""
    interaction = InteractionId(ctx.interaction.id)
    return Press(interaction, table, control.ply, word, ctx.by, value, control.line)

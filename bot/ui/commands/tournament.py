"""`/tournament`: the panel that opens one, and the controls of its messages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeAlias

from bot.message.text import text
from bot.screens import tournament as screens
from bot.screens import tournament_table
from bot.screens.tournament import CupAction, TournamentControl
from bot.screens.tournament_panel import OPEN, chosen, first_draft, manage, panel
from bot.screens.tournament_picture import tournament_picture
from bot.service.matches import PATIENCE
from bot.service.tournaments import Step, Tournaments
from bot.table.refusals import Refusal, UnknownControl
from bot.table.seats import PersonId
from bot.table.table import InteractionId
from bot.tournaments import progress
from bot.tournaments.event import Event, TournamentDraft
from bot.tournaments.tournament import Stage, Tournament
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.context import Context
from bot.ui.handlers import answers
from bot.ui.postman import Delivery
from bot.ui.render import mentions, notice_view, page_view, picture_file
from bot.ui.tournament_messages import TournamentMessages

Pressed: TypeAlias = Callable[[Context, Event, int], Awaitable[None]]
"""Answers a press at a tournament, as it was then, on a control with a number."""


class TournamentCommand:
    """Opens tournaments, and answers what is pressed on their messages."""

    def __init__(self, tournaments: Tournaments, messages: TournamentMessages) -> None:
        self._tournaments = tournaments
        self._messages = messages
        self._presses: dict[CupAction, Pressed] = {
            CupAction.JOIN: self._join,
            CupAction.LEAVE: self._leave,
            CupAction.START: self._start,
            CupAction.RULES: self._rules,
            CupAction.TABLE: self._table,
            CupAction.MANAGE: self._manage,
            CupAction.PAUSE: partial(self._turn, paused=True),
            CupAction.GO_ON: partial(self._turn, paused=False),
            CupAction.END: self._end,
            CupAction.REMOVE: self._remove,
            CupAction.HERE: self._here,
            CupAction.AGAIN: self._again,
            CupAction.SHARE: self._share,
        }

    def command(self, slash: SlashCommands) -> Slash:
        """The command."""
        return slash.command("tournament", self._show)

    async def _show(self, ctx: Context) -> None:
        await ctx.response.say(page_view(panel(first_draft()), ctx.words))

    @answers(TournamentControl)
    async def _pressed(self, ctx: Context, control: TournamentControl) -> None:
        """Carry out what a control is for, in the server of its tournament.

        Raises:
            UnknownControl: There is no such tournament there.
        """
        event = await self._tournaments.event(control.tournament)
        if ctx.place.guild != event.guild:
            raise UnknownControl
        await self._presses[control.action](ctx, event, control.number)

    @answers(TournamentDraft)
    async def _draft(self, ctx: Context, draft: TournamentDraft) -> None:
        """Take a choice of the panel, or open the tournament."""
        if draft.then != OPEN:
            after = panel(chosen(draft, ctx.chosen))
            await ctx.response.show(page_view(after, ctx.words))
            return
        event = await self._tournaments.open(
            draft,
            ctx.by,
            ctx.place,
            ctx.speech.board_locale(ctx.interaction),
            InteractionId(ctx.interaction.id),
            parent=ctx.parent,
        )
        await self._first_message(event)
        await ctx.response.show(notice_view(text("tournament.opened"), ctx.words))

    async def _first_message(self, event: Event) -> None:
        """Send the message for all.

        Raises:
            Refusal: The bot may not write in the channel.
        """
        if await self._messages.refresh(event.id) is Delivery.REFUSED:
            await self._tournaments.change(event.id, progress.call_off)
            raise Refusal("tournament_cannot_write")

    async def _join(self, ctx: Context, event: Event, _: int) -> None:
        await self._step(ctx, event, lambda each: progress.join(each, ctx.by))

    async def _leave(self, ctx: Context, event: Event, _: int) -> None:
        await self._step(ctx, event, lambda each: progress.leave(each, ctx.by))

    async def _start(self, ctx: Context, event: Event, _: int) -> None:
        if ctx.by != event.tournament.host:
            raise Refusal("tournament_not_host")
        await self._shown(ctx, await self._tournaments.start(event.id))

    async def _rules(self, ctx: Context, event: Event, _: int) -> None:
        shown = screens.how(event, PATIENCE[event.tournament.pace])
        await ctx.response.say(page_view(shown, ctx.words))

    async def _table(self, ctx: Context, event: Event, number: int) -> None:
        if event.tournament.stage in {Stage.SIGN_UP, Stage.CALLED_OFF}:
            raise Refusal("tournament_over")
        shown, files = tournament_table.table(event, number), []
        if shown.pictured:
            name = tournament_table.PICTURE
            files.append(await picture_file(name, tournament_picture, event.tournament))
        view = page_view(shown, ctx.words)
        if ctx.seen_by_all:
            await ctx.response.say(view, next(iter(files), None))
        else:
            await ctx.response.show(view, files)

    async def _here(self, ctx: Context, event: Event, number: int) -> None:
        await self._tournaments.change(
            event.id, lambda each: progress.present(each, number, ctx.by)
        )
        await ctx.tell(text("tournament.here"))

    async def _again(self, ctx: Context, event: Event, _: int) -> None:
        interaction = InteractionId(ctx.interaction.id)
        again = await self._tournaments.again(event.id, ctx.by, interaction, parent=ctx.parent)
        await self._first_message(again)
        await ctx.tell(text("tournament.opened"))

    async def _share(self, ctx: Context, event: Event, _: int) -> None:
        """Show everybody how it ended, in the language of its channel."""
        if event.tournament.stage is not Stage.OVER:
            raise UnknownControl
        picture = await picture_file(tournament_table.PICTURE, tournament_picture, event.tournament)
        view = page_view(tournament_table.shared(event), ctx.speech.words(event.locale))
        await ctx.response.post(view, mentions(()), picture)

    async def _manage(self, ctx: Context, event: Event, _: int) -> None:
        _require_manager(ctx, event)
        await ctx.response.say(page_view(manage(event), ctx.words))

    async def _turn(self, ctx: Context, event: Event, _: int, *, paused: bool) -> None:
        await self._control(ctx, event, partial(progress.pause, paused=paused))

    async def _end(self, ctx: Context, event: Event, _: int) -> None:
        """End it, or call it off; who plays in it finishes their own match first."""

        def end(tournament: Tournament) -> Tournament:
            if tournament.stage is Stage.SIGN_UP:
                return progress.call_off(tournament)
            entry = tournament.entry_of(ctx.by)
            if any(entry and entry.number in leg.entries for leg in tournament.open_legs()):
                raise Refusal("tournament_own_match")
            return progress.end(tournament)

        await self._control(ctx, event, end)

    async def _remove(self, ctx: Context, event: Event, _: int) -> None:
        """Remove people, but not the opponent of who removes them."""
        removed = [PersonId(int(value)) for value in ctx.values]

        def remove(tournament: Tournament) -> Tournament:
            for person in removed:
                for leg in tournament.open_legs():
                    people = {tournament.by_number[number].person for number in leg.entries}
                    if person != ctx.by and {ctx.by, person} <= people:
                        raise Refusal("tournament_own_match")
                tournament = progress.leave(tournament, person)
            return tournament

        await self._control(ctx, event, remove)

    async def _control(self, ctx: Context, event: Event, step: Step) -> None:
        """Take a step as the host or a manager, and show the panel as it is then."""
        _require_manager(ctx, event)
        event = await self._tournaments.change(event.id, step)
        await ctx.response.show(page_view(manage(event), ctx.words))
        await self._on(event)

    async def _step(self, ctx: Context, event: Event, step: Step) -> None:
        await self._shown(ctx, await self._tournaments.change(event.id, step))

    async def _shown(self, ctx: Context, event: Event) -> None:
        """Show the message for all as it is after a step, and what follows of it."""
        await self._messages.answer(ctx.response, event.id)
        await self._on(event)

    async def _on(self, event: Event) -> None:
        """Take the steps that follow at once; what Discord does not take is for the next round."""
        if event.due is not None:
            await self._messages.go_on(event.id)


def _require_manager(ctx: Context, event: Event) -> None:
    """Return if the person who asks may manage a tournament.

    Raises:
        Refusal: They are neither its host nor a manager of the server.
    """
    may = ctx.interaction.permissions
    if ctx.by != event.tournament.host and not (may.manage_guild or may.administrator):
        raise Refusal("tournament_not_host")

"""`/tournament`: the server's open ones, the form for another, the controls of their messages."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from discord import File

from bot.message.text import text
from bot.screens import tournament as screens
from bot.screens import tournament_table
from bot.screens.tournament_controls import TournamentAction, TournamentControl
from bot.screens.tournament_panel import (
    NewTournament,
    TournamentForm,
    drafted,
    manage,
    open_tournaments,
)
from bot.service.tables import Press
from bot.service.tournaments import Step, Tournaments
from bot.storage.errors import Unavailable
from bot.table.actions import Action
from bot.table.refusals import Refusal, UnknownControl
from bot.table.seats import PersonId
from bot.table.table import InteractionId, Place
from bot.table.waiting import PATIENCE
from bot.tournaments import progress
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.tournament import CalledOff, Stage, Tournament, TournamentId
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.handlers import Context, Handlers, answers, shares
from bot.ui.postman import Delivery
from bot.ui.profiles import profiles_of
from bot.ui.render import FormModal, page_view, picture_file
from bot.ui.tournament_messages import TournamentMessages
from bot.ui.words import Words, link


@dataclass(frozen=True, slots=True)
class TournamentPress:
    """A press on a control of a tournament, as read for it; `number` is that of a leg or page."""

    hosted: HostedTournament
    action: TournamentAction
    number: int


class TournamentCommand:
    """Opens tournaments, and answers what is pressed on their messages."""

    def __init__(
        self, tournaments: Tournaments, messages: TournamentMessages, handlers: Handlers
    ) -> None:
        self._tournaments = tournaments
        self._messages = messages
        self._handlers = handlers

    def command(self, slash: SlashCommands) -> Slash:
        """The command."""
        return slash.command("tournament", self._show)

    async def _show(self, ctx: Context) -> None:
        """Show the open tournaments of the server; if there are none, the form for a new one."""
        tournaments = await self._tournaments.open_in(ctx.place)
        if not tournaments:
            await self._ask(ctx, NewTournament())
            return
        links = {
            each.id: link(Place(each.guild, each.channel, each.message))
            for each in tournaments
            if each.message is not None
        }
        shown = open_tournaments(tournaments, links, ctx.by, manages=ctx.manages)
        await ctx.response.say(page_view(shown, ctx.words))

    @answers(NewTournament)
    async def _ask(self, ctx: Context, _: NewTournament) -> None:
        """Open the form.

        Raises:
            Refusal: No tournament can be opened there.
        """
        self._tournaments.allow(ctx.place, parent=ctx.parent)
        await ctx.response.ask(FormModal(TournamentForm().form(), ctx.words))

    @answers(TournamentControl)
    async def _pressed(self, ctx: Context, control: TournamentControl) -> None:
        """Carry out a control, in the server of its tournament.

        Raises:
            UnknownControl: There is no such tournament there.
            Refusal: The person may not press it.
        """
        hosted = await self._tournaments.hosted(control.tournament)
        if ctx.place.guild != hosted.guild:
            raise UnknownControl
        control.action.button.require(hosted, ctx.by, manages=ctx.manages)
        press = TournamentPress(hosted, control.action, control.number)
        await self._handlers[control.action](ctx, press)

    @answers(TournamentForm)
    async def _open(self, ctx: Context, _: TournamentForm) -> None:
        """Open the tournament that was asked for."""
        hosted = await self._tournaments.open(
            drafted(ctx.filled),
            ctx.by,
            ctx.place,
            ctx.speech.board_locale(ctx.interaction),
            InteractionId(ctx.interaction.id),
            parent=ctx.parent,
        )
        await self._first_message(hosted)
        await ctx.tell(text("tournament.opened"))

    async def _first_message(self, hosted: HostedTournament) -> None:
        """Send the tournament's message.

        Raises:
            Refusal: The bot may not write in the channel.
        """
        if await self._messages.refresh(hosted.id) is Delivery.REFUSED:
            await self._tournaments.call_off(hosted.id, CalledOff.UNSEEN)
            raise Refusal("tournament_cannot_write")

    @answers(TournamentAction.JOIN, TournamentAction.BACK)
    async def _join(self, ctx: Context, press: TournamentPress) -> None:
        await self._step(ctx, press.hosted, lambda each: progress.join(each, ctx.by))

    @answers(TournamentAction.LEAVE)
    async def _leave(self, ctx: Context, press: TournamentPress) -> None:
        await self._step(ctx, press.hosted, lambda each: progress.leave(each, ctx.by))

    @answers(TournamentAction.START)
    async def _start(self, ctx: Context, press: TournamentPress) -> None:
        await self._shown(ctx, await self._tournaments.start(press.hosted.id))

    @answers(TournamentAction.RULES)
    async def _rules(self, ctx: Context, press: TournamentPress) -> None:
        shown = screens.how(press.hosted, PATIENCE[press.hosted.tournament.pace])
        await ctx.response.say(page_view(shown, ctx.words))

    @answers(TournamentAction.STANDINGS)
    async def _standings(self, ctx: Context, press: TournamentPress) -> None:
        await self._table(ctx, replace(press, number=0))

    @answers(Action.TOURNAMENT)
    async def _of_match(self, ctx: Context, press: Press) -> None:
        """Show the standings of the tournament of which a game was a match."""
        for number, _ in await self._tournaments.stored.legs_at(press.table.id):
            hosted = await self._tournaments.hosted(number)
            await self._table(ctx, TournamentPress(hosted, TournamentAction.TABLE, 0))
            return
        raise UnknownControl

    @answers(TournamentAction.TABLE)
    async def _table(self, ctx: Context, press: TournamentPress) -> None:
        tournament = press.hosted.tournament
        if tournament.stage in {Stage.SIGN_UP, Stage.CALLED_OFF}:
            raise Refusal("tournament_over")
        shown, files = tournament_table.table(press.hosted, press.number), []
        if shown.pictured:
            files.append(await self._picture(ctx, press.hosted, ctx.words))
        view = page_view(shown, ctx.words)
        if ctx.seen_by_all:
            await ctx.response.say(view, *files)
        else:
            await ctx.response.show(view, files)

    @answers(TournamentAction.HERE)
    async def _here(self, ctx: Context, press: TournamentPress) -> None:
        await self._tournaments.change(
            press.hosted.id, lambda each: progress.present(each, press.number, ctx.by)
        )
        await ctx.tell(text("tournament.here"))

    @answers(TournamentAction.AGAIN)
    async def _again(self, ctx: Context, press: TournamentPress) -> None:
        interaction = InteractionId(ctx.interaction.id)
        again = await self._tournaments.again(
            press.hosted.id, ctx.by, interaction, parent=ctx.parent
        )
        if again.id == TournamentId(interaction):
            await self._first_message(again)
        else:  # others opened it, so it stays open even if its message cannot be edited now
            await self._messages.refresh(again.id)
        await ctx.tell(text("tournament.opened"))

    @answers(TournamentAction.SHARE)
    @shares
    async def _share(self, ctx: Context, press: TournamentPress) -> None:
        """Post how a tournament ended for all, in the language of its channel."""
        hosted = press.hosted
        if hosted.tournament.stage is not Stage.OVER:
            raise UnknownControl
        words = ctx.speech.words(hosted.locale)
        picture = await self._picture(ctx, hosted, words)
        view = page_view(tournament_table.shared(hosted), words)
        await ctx.share(view, picture)

    async def _picture(self, ctx: Context, hosted: HostedTournament, words: Words) -> File:
        """The picture of a tournament, with the names and avatars that Discord sends in time."""
        ordered = [entry.person for entry in progress.standings(hosted.tournament)]
        known = await profiles_of(ctx.interaction.client, hosted.guild, ordered)
        drawn, about = tournament_table.tournament_picture, (hosted.tournament, words, known)
        return await picture_file(tournament_table.PICTURE, drawn, *about)

    @answers(TournamentAction.MANAGE)
    async def _manage(self, ctx: Context, press: TournamentPress) -> None:
        await ctx.response.say(page_view(manage(press.hosted), ctx.words))

    @answers(TournamentAction.PAUSE, TournamentAction.GO_ON)
    async def _turn(self, ctx: Context, press: TournamentPress) -> None:
        paused = press.action is TournamentAction.PAUSE
        await self._control(ctx, press.hosted, partial(progress.pause, paused=paused, by=ctx.by))

    @answers(TournamentAction.END)
    async def _end(self, ctx: Context, press: TournamentPress) -> None:
        """End a tournament, or call off its sign-up; see `progress.end`."""

        def end(tournament: Tournament) -> Tournament:
            if tournament.stage is Stage.SIGN_UP:
                return progress.call_off(tournament)
            return progress.end(tournament, ctx.by)

        await self._control(ctx, press.hosted, end)

    @answers(TournamentAction.REMOVE)
    async def _remove(self, ctx: Context, press: TournamentPress) -> None:
        """Remove people from a tournament; see `progress.remove`."""
        removed = [PersonId(int(value)) for value in ctx.values]
        remove = partial(progress.remove, people=removed, by=ctx.by)
        await self._control(ctx, press.hosted, remove)

    async def _control(self, ctx: Context, hosted: HostedTournament, step: Step) -> None:
        """Take a step, and show the panel after it."""
        hosted = await self._tournaments.change(hosted.id, step)
        await ctx.response.show(page_view(manage(hosted), ctx.words))
        await self._on(hosted)

    async def _step(self, ctx: Context, hosted: HostedTournament, step: Step) -> None:
        await self._shown(ctx, await self._tournaments.change(hosted.id, step))

    async def _shown(self, ctx: Context, hosted: HostedTournament) -> None:
        """Answer with the tournament's message after a step, and take the steps that follow."""
        await self._messages.answer(ctx.response, hosted)
        await self._on(hosted)

    async def _on(self, hosted: HostedTournament) -> None:
        """Take the steps that follow now; messages that fail are left to the next round."""
        if hosted.due is not None or hosted.tournament.stage is Stage.OVER:
            with suppress(Unavailable):  # what was pressed is saved
                await self._messages.go_on(hosted.id)

"""The games' own commands, such as `/tictactoe`, made from the catalogue."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Final

from discord import Member, User, app_commands
from discord.app_commands import ContextMenu

from bot.games.catalogue import CATALOGUE
from bot.games.command import OPPONENT, Field, Filled, Kind, Named, Request
from bot.games.entry import Entry
from bot.screens.counteroffers import OpenInstead, close_oldest, play_computers
from bot.service.tables import TableService
from bot.table.refusals import TooManyAlone, UnknownControl, Unseen
from bot.table.seats import PersonId
from bot.table.session import Phase
from bot.table.table import InteractionId
from bot.ui.boards import Boards
from bot.ui.commands.slash import Handler, Slash, SlashCommands, choice_keys
from bot.ui.handlers import Context, answers
from bot.ui.render import page_view
from bot.ui.words import link

ANNOTATIONS: Final[Mapping[Kind, Any]] = {
    Kind.PERSON: User | Member,
    Kind.FLAG: bool,
    Kind.CHOICE: str,
}


class PlayCommands:
    """Opens tables."""

    def __init__(self, tables: TableService, boards: Boards) -> None:
        self._tables = tables
        self._boards = boards

    def commands(self, slash: SlashCommands) -> list[Slash]:
        """A command for each game of the catalogue, with the game's fields as options."""
        return [
            slash.command(
                entry.command.name,
                self._proposing(entry),
                {
                    field.key: slash.choices(choice_keys(field.key, field.choices))
                    for field in entry.command.fields
                    if field.choices
                },
                options=[_option(field) for field in entry.command.fields],
                public=True,
            )
            for entry in CATALOGUE.values()
        ]

    def _proposing(self, entry: Entry) -> Handler:
        async def propose(ctx: Context, **options: Any) -> None:  # noqa: ANN401
            await self._propose(ctx, entry, _request(ctx, options))

        return propose

    def _challenging(self, entry: Entry) -> Handler:
        async def challenge(ctx: Context, *, user: User | Member) -> None:
            await self._propose(ctx, entry, _request(ctx, {OPPONENT.key: user}))

        return challenge

    def challenges(self, slash: SlashCommands) -> list[ContextMenu]:
        """A user command that challenges a person, for each game that takes an opponent."""
        return [
            slash.on_person(f"challenge.{entry.game.key}", self._challenging(entry), public=True)
            for entry in CATALOGUE.values()
            if OPPONENT in entry.command.fields
        ]

    @answers(OpenInstead)
    async def open_instead(self, ctx: Context, instead: OpenInstead) -> None:
        """Closes a game to make room, if one is named, and opens the game that was asked for."""
        entry = CATALOGUE.get(instead.game)
        values = None if entry is None else entry.command.decoded(instead.code, _own(ctx))
        if entry is None or values is None:
            raise UnknownControl
        request = Request(ctx.by, _own(ctx), values, private=_alone(ctx))
        if not instead.close:
            await self._propose(ctx, entry, request)
            return
        close = await self._tables.shown_by(ctx.message, instead.close)
        closed = await self._tables.close_alone(close.id, ctx.by)
        await self._propose(ctx, entry, request)
        await self._boards.refresh(closed)

    async def _propose(self, ctx: Context, entry: Entry, request: Request) -> None:
        with self._boards.opening():
            try:
                table = await self._tables.openings.propose(
                    entry,
                    request,
                    place=ctx.place,
                    parent=ctx.parent,
                    locale=ctx.speech.board_locale(ctx.interaction),
                    interaction=InteractionId(ctx.interaction.id),
                )
            except TooManyAlone as refused:
                oldest = await self._tables.make_room(refused, ctx.by)
                if oldest.session.phase is not Phase.RUNNING:
                    await self._propose(ctx, entry, request)
                    await self._boards.refresh(oldest)
                    return
                again = OpenInstead(oldest.id, entry.game.key, entry.command.encoded(request))
                screen = close_oldest(again, oldest, link(oldest.place))
                await ctx.response.say(page_view(screen, ctx.words))
            except Unseen as refused:
                if refused.fact != "computers_alone":
                    raise Unseen("read_by_one" if ctx.read_by_one else refused.fact) from None
                screen = play_computers(entry, request, read_by_one=ctx.read_by_one)
                await ctx.response.say(page_view(screen, ctx.words))
            else:
                async with self._tables.close_if_unseen(table.id):
                    await self._boards.open(ctx.response, table, self._tables.go_on)


def _option(field: Field) -> inspect.Parameter:
    return inspect.Parameter(
        field.key,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=app_commands.Range[int, field.least, field.most]
        if field.kind is Kind.NUMBER
        else ANNOTATIONS[field.kind],
    )


def _request(ctx: Context, options: Mapping[str, Any]) -> Request:
    own = _own(ctx)
    values = {key: _filled(value, own) for key, value in options.items() if value is not None}
    return Request(ctx.by, own, values, private=_alone(ctx))


def _alone(ctx: Context) -> bool:
    return ctx.place.direct or ctx.read_by_one


def _own(ctx: Context) -> PersonId:
    own = ctx.interaction.client.user
    assert own is not None, "commands come to a bot that is logged in"
    return PersonId(own.id)


def _filled(value: Any, own: int) -> Filled:  # noqa: ANN401
    if isinstance(value, User | Member):
        return Named(PersonId(value.id), robot=value.bot and value.id != own)
    filled: Filled = value
    return filled

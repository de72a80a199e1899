"""The games' own commands, such as `/tictactoe`, made of what the catalogue says of them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Final

from discord import Member, User, app_commands

from bot.games.catalogue import CATALOGUE
from bot.games.command import Field, Filled, Kind, Named, Request
from bot.games.entry import Entry
from bot.service.ports import InteractionId
from bot.service.tables import Service
from bot.table.seats import PersonId
from bot.ui.boards import Boards
from bot.ui.commands.slash import Handler, Slash, SlashCommands
from bot.ui.context import Context

ANNOTATIONS: Final[Mapping[Kind, Any]] = {
    Kind.PERSON: User | Member,
    Kind.FLAG: bool,
    Kind.CHOICE: str,
}


class PlayCommands:
    """Opens tables."""

    def __init__(self, tables: Service, boards: Boards) -> None:
        self._tables = tables
        self._boards = boards

    def commands(self, slash: SlashCommands) -> list[Slash]:
        """A command for each game of the catalogue, with the fields that the game asks for."""
        return [
            slash.command(
                entry.command.name,
                self._proposing(entry),
                {
                    field.key: slash.choices(field.key, field.choices)
                    for field in entry.command.fields
                    if field.choices
                },
            )
            for entry in CATALOGUE.values()
        ]

    def _proposing(self, entry: Entry) -> Handler:
        async def propose(ctx: Context, **options: Any) -> None:  # noqa: ANN401
            with self._boards.opening():
                table = await self._tables.propose(
                    entry,
                    _request(ctx, options),
                    place=ctx.place,
                    parent=ctx.parent,
                    locale=ctx.speech.board_locale(ctx.interaction),
                    interaction=InteractionId(ctx.interaction.id),
                )
                await self._boards.post(ctx.response, table)

        propose.__signature__ = _signature(entry.command.fields)  # type: ignore[attr-defined]  # PEP 362
        return propose


def _signature(fields: tuple[Field, ...]) -> inspect.Signature:
    """The signature of a handler with fields for options."""
    options = (
        inspect.Parameter(
            field.key,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=app_commands.Range[int, field.least, field.most]
            if field.kind is Kind.NUMBER
            else ANNOTATIONS[field.kind],
        )
        for field in fields
    )
    context = inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature([context, *options])


def _request(ctx: Context, options: Mapping[str, Any]) -> Request:
    own = ctx.interaction.client.user
    assert own is not None, "commands come to a bot that is logged in"
    values = {key: _filled(value, own.id) for key, value in options.items() if value is not None}
    return Request(ctx.by, PersonId(own.id), values, private=ctx.place.guild is None)


def _filled(value: Any, own: int) -> Filled:  # noqa: ANN401
    if isinstance(value, User | Member):
        return Named(PersonId(value.id), robot=value.bot and value.id != own)
    filled: Filled = value
    return filled

"""Refusals in words: why something cannot be done, with the boards and commands that help."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.text import Mention, Room, Text, TextList, TextValue, Typed, joined, player, text
from bot.service.tables import Service
from bot.storage.guild_settings import MOST_CHANNELS
from bot.table.refusals import (
    OUTDATED,
    ChallengesOff,
    ChannelFull,
    GamesElsewhere,
    OpponentBlocked,
    OptionRefused,
    Refusal,
    SeatHandedOver,
    TooManyChannels,
    UnknownControl,
)
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.table import NO_CHANNEL, Table
from bot.ui.context import Context
from bot.ui.words import link
from engine.game import IllegalMove

LINKED: Final = (*OUTDATED, SeatHandedOver)
"""Refusals that lead to the board, where another message was pressed."""


def refusal_key(kind: type[Refusal | IllegalMove]) -> str:
    """The key of a refusal's message: its class's name, in small letters with underscores."""
    return "refusal." + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


async def refusal(error: Refusal | IllegalMove, ctx: Context, tables: Service) -> Text:
    """The sentence for the person who asked; it leads to the board that refused, if one did."""
    game, board = _typed(ctx), None
    if ctx.table is not None and not isinstance(error, UnknownControl):
        game = CATALOGUE[ctx.table.session.game.key].command.name
        board = ctx.table.place
    key, values = refusal_key(type(error)), await _values(error, tables)
    if isinstance(error, OptionRefused):
        key = f"{key}.{error.game}.{error.option}"
    said = text(
        key, command=Typed(game), unblock=Typed("me unblock"), puzzle=Typed("puzzle"), **values
    )
    if board is None or not isinstance(error, LINKED):
        return said
    if board.message == ctx.message or board.channel == NO_CHANNEL:
        return said
    return text("refusal.linked", refusal=said, link=link(board))


async def _values(error: Refusal | IllegalMove, tables: Service) -> dict[str, TextValue]:
    """What is told of an error besides what is told of all."""
    match error:
        case GamesElsewhere():
            return {"channels": rooms(error.channels)}
        case ChannelFull():
            unfinished = [await tables.table(SessionId(number)) for number in error.games]
            return {"games": joined(_whose(table) for table in unfinished)}
        case ChallengesOff() | OpponentBlocked():
            return {"person": Mention(PersonId(error.person))}
        case TooManyChannels():
            return {"count": MOST_CHANNELS}
        case _:
            return {}


def _whose(table: Table) -> Text:
    """A game that could be finished, and who plays it."""
    players = joined(player(seat) for seat in table.session.seats)
    return text("channel_full.game", link=link(table.place), players=players)


def rooms(channels: Collection[int]) -> TextList:
    """At least one channel, as a list."""
    return joined(map(Room, sorted(channels)))


def _typed(ctx: Context) -> str:
    """The game's command that was typed, or else the first in the catalogue."""
    games = [entry.command.name for entry in CATALOGUE.values()]
    typed = ctx.interaction.command
    return typed.name if typed is not None and typed.name in games else games[0]

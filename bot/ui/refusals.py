"""Refusals in words, with the boards and commands that help."""

from __future__ import annotations

from collections.abc import Mapping

from bot.games.catalogue import CATALOGUE
from bot.message.text import CommandMention, Text, joined, player, text
from bot.service.tables import Service
from bot.table.refusals import ChannelFull, Linked, Refusal
from bot.table.session import SessionId
from bot.table.table import NO_CHANNEL, Table
from bot.ui.context import Context
from bot.ui.words import link
from engine.game import IllegalMove


def fact_of(error: Refusal | IllegalMove) -> str:
    """The name of the fact that stands against what was asked."""
    return error.fact if isinstance(error, Refusal) else "illegal_move"


async def refusal(error: Refusal | IllegalMove, ctx: Context, tables: Service) -> Text:
    """The sentence for the person who asked; it leads to the board that refused, if one did."""
    game = _typed(ctx)
    if ctx.table is not None:
        game = CATALOGUE[ctx.table.session.game.key].command.name
    values = dict(error.values) if isinstance(error, Refusal) else {}
    if isinstance(error, ChannelFull):
        unfinished = [await tables.table(SessionId(number)) for number in error.games]
        values["games"] = joined(map(_to_finish, unfinished))
    fact = fact_of(error)
    if isinstance(error, IllegalMove) and ctx.table is not None:
        fact = CATALOGUE[ctx.table.session.game.key].illegal
    said = text(
        f"refusal.{fact}",
        command=CommandMention(game),
        unblock=CommandMention("me"),
        puzzle=CommandMention("puzzle"),
        board=CommandMention("board"),
        **values,
    )
    board = None if ctx.table is None else ctx.table.place
    if board is None or not isinstance(error, Linked | IllegalMove):
        return said
    if board.message == ctx.message or board.channel == NO_CHANNEL:
        return said
    return text("refusal.linked", refusal=said, link=link(board))


def _to_finish(table: Table) -> Text:
    players = joined(player(seat) for seat in table.session.seats)
    return text("channel_full.game", link=link(table.place), players=players)


def _typed(ctx: Context) -> str:
    games = [entry.command.name for entry in CATALOGUE.values()]
    data: Mapping[str, object] = ctx.interaction.data or {}
    typed = data.get("name")
    return typed if isinstance(typed, str) and typed in games else games[0]

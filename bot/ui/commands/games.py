"""`/games`: the games of a channel for one reader, in as many pages as they need."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from discord import Member, User

from bot.message.text import Text
from bot.screens.games import GamesPage, games, listed
from bot.service.tables import TableService
from bot.table.seats import PersonId
from bot.ui.commands.slash import Slash, SlashCommands
from bot.ui.handlers import Context, answers
from bot.ui.render import MOST_LETTERS, Drawing, letters, page_view
from bot.ui.words import Words, link

KEPT_FREE: Final = 200
"""Characters reserved for the heading and the number of the page."""


class GamesCommand:
    """Lists the games of a channel, or of a thread, the latest first."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables

    def command(self, slash: SlashCommands) -> Slash:
        """The command."""
        return slash.command("games", self.show)

    async def show(self, ctx: Context, *, player: User | Member | None = None) -> None:
        """Shows the first page, of one player's games if one is named."""
        listing = GamesPage(None if player is None else PersonId(player.id))
        await ctx.response.say(await self._page(ctx, listing))

    @answers(GamesPage)
    async def turn(self, ctx: Context, listing: GamesPage) -> None:
        """Shows another page in place of the one before, made from the present tables."""
        await ctx.response.show(await self._page(ctx, listing))

    async def _page(self, ctx: Context, listing: GamesPage) -> Drawing:
        words, player = ctx.words, listing.player
        entries = [
            listed(table, link(table.place))
            for table in await self._tables.boards(ctx.place.channel, ctx.parent)
            if player is None or table.session.concerns(player)
        ]
        return page_view(games(portioned(entries, words), listing), words)


def portioned(entries: Iterable[Text], words: Words) -> list[list[Text]]:
    """The entries divided into pages that fit into a message in the reader's language."""
    pages: list[list[Text]] = []
    room = 0
    for entry in entries:
        length = letters(words.line(entry)) + 1
        if length > room:
            pages.append([])
            room = MOST_LETTERS - KEPT_FREE
        room -= length
        pages[-1].append(entry)
    return pages

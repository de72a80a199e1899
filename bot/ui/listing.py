"""`/games`: the games of a channel for one reader, in as many pages as they need."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.message.text import Text
from bot.screens.games import Listing, games, listed
from bot.service.tables import Service
from bot.table.seats import PersonId
from bot.ui.asking import Answering, Asked, Speaking
from bot.ui.view import Drawing, page_view
from bot.ui.words import Words, link

MOST_LETTERS: Final = 4000
"""How long all texts of a message may be together, as Discord counts: an emoji for two."""

KEPT_FREE: Final = 200
"""Letters for the heading, and for which page it is."""


class Listings:
    """Shows what waits or runs in a channel to one reader each, the latest first."""

    def __init__(self, service: Service, answering: Answering, words: Speaking) -> None:
        self._service = service
        self._answering = answering
        self._words = words

    async def open(self, interaction: Asked, player: PersonId | None) -> None:
        """`/games` was typed: its first page, of one player's games if one is named."""
        async with self._answering(interaction) as answer:
            await answer.say(await self._page(interaction, Listing(player)))

    async def turn(self, interaction: Asked, listing: Listing) -> None:
        """A control was pressed that leads to a page: it is made anew, from what is there now."""
        async with self._answering(interaction) as answer:
            await answer.show(await self._page(interaction, listing))

    async def _page(self, interaction: Asked, listing: Listing) -> Drawing:
        assert interaction.channel_id is not None, "games are asked for in a channel"
        words, player = self._words(interaction), listing.player
        tables = await self._service.boards(interaction.channel_id)
        entries = [
            listed(table, link(table.place))
            for table in tables
            if player is None or table.session.concerns(player)
        ]
        return page_view(games(portioned(entries, words), listing), words)


def portioned(entries: Iterable[Text], words: Words) -> list[list[Text]]:
    """The entries in pages, each as long as a message may be in the reader's language."""
    pages: list[list[Text]] = []
    room = 0
    for entry in entries:
        length = len(words.of(entry).encode("utf-16-le")) // 2 + 1
        if length > room:
            pages.append([])
            room = MOST_LETTERS - KEPT_FREE
        room -= length
        pages[-1].append(entry)
    return pages

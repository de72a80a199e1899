"""Parlour's own emoji: what the boards are drawn with that no common emoji shows.

Discord keeps them with the application. Those that are missing are uploaded in the background after
the start; a board that is drawn before says the same with common emoji. An emoji is known by its
name alone, so one that is to look different has to get another name.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import TypeAlias

import discord

from bot.games.catalogue import CATALOGUE
from bot.ui.errors import UNDELIVERED

log = logging.getLogger(__name__)

Sprites: TypeAlias = Mapping[str, Callable[[], bytes]]


def shipped() -> Sprites:
    """What paints the emoji that the games of the catalogue need."""
    return {name: paint for entry in CATALOGUE.values() for name, paint in entry.sprites.items()}


class Emojis:
    """The emoji that Discord has, by name, which grow as they are uploaded until `complete`."""

    def __init__(self, client: discord.Client, sprites: Sprites) -> None:
        self.ids: dict[str, int] = {}
        self.complete = asyncio.Event()
        self._client = client
        self._sprites = sprites
        self._found = False

    async def find(self) -> None:
        """Finds out which emoji Discord has, so that the first board is drawn with them."""
        if not self._sprites:
            return
        try:
            found = await self._client.fetch_application_emojis()
        except UNDELIVERED as error:
            log.warning("emoji not found, boards do without error=%r", error)
        else:
            self.ids.update({e.name: e.id for e in found if e.name in self._sprites})
            self._found = True

    async def upload(self) -> None:
        """Gives Discord the emoji that it does not have; none if it could not be asked."""
        if self._sprites and not self._found:
            return
        missing = self._sprites.keys() - self.ids.keys()
        try:
            for name in sorted(missing):
                image = await asyncio.to_thread(self._sprites[name])
                emoji = await self._client.create_application_emoji(name=name, image=image)
                self.ids[name] = emoji.id
        except UNDELIVERED as error:
            log.warning("emoji not uploaded, boards do without error=%r", error)
        else:
            self.complete.set()
            log.info("emoji ready count=%d uploaded=%d", len(self.ids), len(missing))

"""Parlour's own emoji: what the boards are drawn with that no common emoji shows.

Discord keeps them with the application. Those that are missing are uploaded in the background after
the start; a board that is drawn before says the same with common emoji. An emoji is known by its
name alone, so one that is to look different has to get another name.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final, TypeAlias, TypeVar

import discord

from bot.games.catalogue import CATALOGUE
from bot.ui.errors import UNDELIVERED
from bot.ui.requests import without_lost_emoji

log = logging.getLogger(__name__)

T = TypeVar("T")

FOUND_EVERY: Final = 60.0
TRIED_EVERY: Final = 600.0
"""Seconds between two looks at the emoji: at least, and at most while some are missing."""

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
        self._lost = asyncio.Event()
        self._may_look = 0.0

    async def sending(self, send: Callable[[], Awaitable[T]]) -> T:
        """Sends what is drawn with emoji; without them, if Discord does not know one any more."""
        return await without_lost_emoji(send, self.lose)

    def lose(self, error: discord.HTTPException) -> None:
        """Draws without emoji, until all are looked for and uploaded where they are missing."""
        log.warning("emoji lost, boards do without for now error=%s", error.text)
        self.ids.clear()
        self.complete.clear()
        self._lost.set()

    async def lost(self) -> None:
        """Returns when emoji were lost, or it is time to try again those that are missing.

        However often that happens, it does not return more than once a minute.
        """
        loop = asyncio.get_running_loop()
        with suppress(TimeoutError):
            async with asyncio.timeout(None if self.complete.is_set() else TRIED_EVERY):
                await self._lost.wait()
        await asyncio.sleep(self._may_look - loop.time())
        self._may_look = loop.time() + FOUND_EVERY
        self._lost.clear()

    @property
    def all_found(self) -> bool:
        """Whether Discord has every emoji that there is."""
        return self._sprites.keys() <= self.ids.keys()

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

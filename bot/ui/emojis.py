"""Parlour's own emoji: what the boards are drawn with that no common emoji shows.

Discord keeps them with the application. Those that are missing are uploaded in the background after
the start; a board that is drawn before says the same with common emoji. An emoji is known by its
name alone, so one that is to look different has to get another name.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import discord

if TYPE_CHECKING:
    from bot.ui.client import ParlourClient

log = logging.getLogger(__name__)

Sprites: TypeAlias = Mapping[str, Callable[[], bytes]]


class Emojis:
    """The emoji that Discord has, by name, which grow as they are uploaded until `complete`."""

    def __init__(self, client: ParlourClient, sprites: Sprites) -> None:
        self.ids: dict[str, int] = {}
        self.complete = asyncio.Event()
        self._client = client
        self._sprites = sprites

    async def upload(self) -> None:
        """Finds out which emoji Discord has, and gives it the others."""
        if not self._sprites:
            self.complete.set()
            return
        try:
            for emoji in await self._client.fetch_application_emojis():
                if emoji.name in self._sprites:
                    self.ids[emoji.name] = emoji.id
            missing = self._sprites.keys() - self.ids.keys()
            for name in sorted(missing):
                image = await asyncio.to_thread(self._sprites[name])
                emoji = await self._client.create_application_emoji(name=name, image=image)
                self.ids[name] = emoji.id
        except (discord.HTTPException, OSError) as error:
            log.warning("emoji not uploaded, boards do without error=%r", error)
        else:
            self.complete.set()
            log.info("emoji ready count=%d uploaded=%d", len(self.ids), len(missing))

"""Parlour's own emoji, for what no common emoji shows; and files that people hand in by a form.

Emoji belong to the application at Discord. Missing ones are uploaded in the background after the
start; until then messages use common emoji instead. An emoji is identified by its name, so one that
should look different needs a new name.

Files are fetched, with a limit, and read as text.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeAlias, TypeVar

import discord
from discord import Interaction

from bot.games.catalogue import CATALOGUE
from bot.screens.dice import PLAIN_TEXT
from bot.service.ports import Unreachable
from bot.table.refusals import Refusal
from bot.ui.discord_internals import from_cdn
from bot.ui.errors import UNDELIVERED, lacks_emoji
from bot.ui.retries import Retries

log = logging.getLogger(__name__)

T = TypeVar("T")

FOUND_EVERY: Final = 60.0
TRIED_EVERY: Final = 600.0
"""Seconds between two uploads: at least, and at most while some emoji are missing."""

Sprites: TypeAlias = Mapping[str, Callable[[], bytes]]


def shipped() -> Sprites:
    """Return the painters of the emoji that the games of the catalogue need."""
    return {name: paint for entry in CATALOGUE.values() for name, paint in entry.sprites.items()}


class Emojis:
    """The ids of emoji by name: more with each upload until all are `complete`."""

    def __init__(self, client: discord.Client, sprites: Sprites, retries: Retries) -> None:
        self.ids: dict[str, int] = {}
        self.complete = asyncio.Event()
        self._client = client
        self._sprites = sprites
        self._retries = retries
        self.names = sprites.keys()
        self._lost = asyncio.Event()
        self._may_look = 0.0

    async def sending(self, send: Callable[[], Awaitable[T]]) -> T:
        """Send a message; if Discord no longer knows one of its emoji, send it without them."""
        try:
            return await send()
        except discord.HTTPException as error:
            if not lacks_emoji(error):
                raise
            self.lose(error)
        return await send()

    def lose(self, error: discord.HTTPException) -> None:
        """Draw without emoji until the missing ones are uploaded."""
        log.warning("emoji lost, boards do without for now error=%s", error.text)
        self.ids.clear()
        self.complete.clear()
        self._lost.set()

    async def lost(self) -> None:
        """Wait until emoji are lost, or it is time to try uploading again.

        It returns at most once a minute, however often emoji are lost.
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
        """Find out which emoji Discord has, so that the first board is drawn with them."""
        try:
            await self._find()
        except UNDELIVERED as error:
            log.warning("emoji not found, boards do without error=%r", error)

    async def upload(self) -> None:
        """Give Discord the emoji that it does not have."""
        before = len(self.ids)
        try:
            await self._retries.send(self._upload)
        except UNDELIVERED as error:
            log.warning("emoji not uploaded, boards do without error=%r", error)
        else:
            self.complete.set()
            log.info("emoji ready count=%d more=%d", len(self.ids), len(self.ids) - before)

    async def _upload(self) -> None:
        """Upload missing emoji; ask first, as an earlier upload may have succeeded unheard."""
        if self._sprites:
            await self._find()
        for name in sorted(self._sprites.keys() - self.ids.keys()):
            image = await asyncio.to_thread(self._sprites[name])
            emoji = await self._client.create_application_emoji(name=name, image=image)
            self.ids[name] = emoji.id

    async def _find(self) -> None:
        if self._sprites:
            found = await self._client.fetch_application_emojis()
            self.ids.update({each.name: each.id for each in found if each.name in self._sprites})


LARGEST: Final = 64 * 1024
"""The most bytes of a file, about fifty times as many as a game takes."""

FETCHED_WITHIN: Final = 10.0
"""Seconds in which Discord has to deliver a file."""

MOST_SHOWN: Final = 40
"""The most characters of a file that a sentence quotes."""


async def handed_in(interaction: Interaction[Any], file: str) -> str:
    """The text of a file that came with a form.

    Raises:
        Refusal: It is too large, or not text in UTF-8.
        Unreachable: Discord does not deliver it.
    """
    data: Mapping[str, Any] = interaction.data or {}
    told = data["resolved"]["attachments"][file]
    if told["size"] > LARGEST:
        raise Refusal("file.large")
    try:
        async with asyncio.timeout(FETCHED_WITHIN):
            found = await from_cdn(interaction.client, told["url"])
    except UNDELIVERED as error:
        raise Unreachable from error
    if len(found) > LARGEST:
        raise Refusal("file.large")
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = found.count(b"\n", 0, error.start) + 1
        raise Refusal(
            "file.unclear", line=line, what=as_is(repr(found[error.start :][:4]))
        ) from None


def as_is(written: str) -> str:
    """A part of a file for a message, without its Markdown taking effect."""
    shown = written.replace("`", "'")[:MOST_SHOWN]
    return PLAIN_TEXT.format(shown or " ")

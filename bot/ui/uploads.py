"""Files that people hand in by a form: fetched, with a limit, and read as text."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from discord import Interaction

from bot.screens.dice import PLAIN_TEXT
from bot.service.ports import Unreachable
from bot.table.refusals import Refusal
from bot.ui.discord_internals import from_cdn
from bot.ui.errors import UNDELIVERED

LARGEST: Final = 64 * 1024
"""The bytes of a file: some fifty times as many as a game has."""

FETCHED_WITHIN: Final = 10.0
"""Seconds."""

MOST_SHOWN: Final = 40
"""The characters of a file that a sentence repeats."""


async def handed_in(interaction: Interaction[Any], file: str) -> str:
    """The text of a file that came with a form.

    Raises:
        Refusal: It is too large, or no text.
        Unreachable: Discord does not give it.
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
    """A part of a file as a message shows it, whatever it would mean there."""
    shown = written.replace("`", "'")[:MOST_SHOWN]
    return PLAIN_TEXT.format(shown or " ")

"""Embeds: the boxes of messages that have no components of the second version."""

from __future__ import annotations

from dataclasses import dataclass

from bot.sandbox.payload import Payload


@dataclass(frozen=True, slots=True)
class Embed:
    """An embed as Discord sends it, and all that can be read in it."""

    payload: Payload
    text: str

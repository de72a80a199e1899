"""Embeds: the boxes of messages that have no components of the second version."""

from __future__ import annotations

from dataclasses import dataclass

from bot.sandbox.model.attachments import Attachment
from bot.sandbox.payload import Payload


@dataclass(frozen=True, slots=True)
class Embed:
    """An embed as Discord sends it, all that can be read in it, and the attachments it shows."""

    payload: Payload
    text: str
    attachments: tuple[Attachment, ...] = ()

"""What `/me forget` asks before it does anything."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from bot.message.blocks import Control, Prose, Row, Screen, Style, Tone
from bot.message.text import Typed, text

EXPORT: Final = "me export"


class ForgetAnswer(StrEnum):
    """What the controls say."""

    FORGET = "forget"
    KEEP = "keep"


def question() -> Screen:
    """What would happen, and the choice."""
    lines = (
        text("me.forget.title"),
        text("me.forget.games"),
        text("me.forget.people"),
        text("me.forget.final", export=Typed(EXPORT)),
    )
    controls = (
        Control(ForgetAnswer.FORGET, text("control.forget"), style=Style.DANGEROUS),
        Control(ForgetAnswer.KEEP, text("control.keep")),
    )
    return Screen((Prose(lines), Row(controls)), Tone.WAITING)

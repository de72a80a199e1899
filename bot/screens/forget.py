"""The question of `/me forget`."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from bot.message.blocks import Control, Prose, Row, Screen, Style, Tone
from bot.message.text import CommandMention, text

EXPORT: Final = "me export"


class ForgetAnswer(StrEnum):
    """The answers to the question."""

    FORGET = "forget"
    KEEP = "keep"


def question() -> Screen:
    """The consequences, and the choice."""
    lines = (
        text("me.forget.title"),
        text("me.forget.games"),
        text("me.forget.people"),
        text("me.forget.final", export=CommandMention(EXPORT)),
    )
    controls = (
        Control(ForgetAnswer.FORGET, text("control.forget"), style=Style.DANGEROUS),
        Control(ForgetAnswer.KEEP, text("control.keep")),
    )
    return Screen((Prose(lines), Row(controls)), Tone.WAITING)

"""Refusals in words: the one place that says to a player why something cannot be done."""

from __future__ import annotations

import re

from bot.presenter import Text, TextValue, text
from bot.refusals import OptionRefused, Refusal
from engine.game import IllegalMove


def refusal_key(kind: type[Refusal | IllegalMove]) -> str:
    """The key of a refusal's message: its class's name, in small letters with underscores."""
    return "refusal." + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def refusal(error: Refusal | IllegalMove, **values: TextValue) -> Text:
    """What a refusal says; `values` are the link to the board and a command to play with."""
    key = refusal_key(type(error))
    if isinstance(error, OptionRefused):
        key = f"{key}.{error.game}.{error.option}"
    return text(key, **values)

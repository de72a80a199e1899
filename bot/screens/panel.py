"""The parts of panels: private messages of menus and buttons, each saved as it is chosen."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from bot.locales import own_name
from bot.message.blocks import Block, Choice, Menu, Picker, Prose
from bot.message.text import Text, text

AUTOMATIC: Final = "automatic"
"""Stands for a language that is nobody's choice but Discord's."""


class OnOff(StrEnum):
    """Whether something is wanted."""

    ON = "on"
    OFF = "off"


def labelled(label: Text, menu: Menu | Picker) -> tuple[Block, ...]:
    """A menu below its label: a closed menu shows only what is chosen."""
    return Prose((text("panel.label", label=label),)), menu


def chosen_one(action: object, label: Text, offered: Iterable[Choice]) -> tuple[Block, ...]:
    """A menu of choices of which one is always chosen."""
    return labelled(label, Menu(action, label, tuple(offered)))


def languages(locales: Iterable[str], chosen: str | None, automatic: Text) -> Iterable[Choice]:
    """The languages that a menu offers, each by its own name, after the automatic one."""
    yield Choice(AUTOMATIC, automatic, chosen=chosen is None)
    for locale in locales:
        named = text("panel.language", language=own_name(locale))
        yield Choice(locale, named, chosen=locale == chosen)

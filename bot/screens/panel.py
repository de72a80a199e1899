"""The parts of panels: private messages of menus and buttons, each saved as it is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class MenuSetting:
    """A setting that is one of a few values, chosen in the menu `control` and stored in `field`.

    `choices` have the texts of the values. On and off are stored as a flag; where nothing is
    stored, the first value holds.
    """

    control: StrEnum
    field: str
    label: Text
    choices: Mapping[StrEnum, Text]

    def menu(self, settings: object) -> tuple[Block, ...]:
        """The menu, with the value that the settings hold."""
        held = getattr(settings, self.field)
        if isinstance(held, bool):
            held = OnOff.ON if held else OnOff.OFF
        held = held or next(iter(self.choices))
        offered = (Choice(each, named, chosen=each is held) for each, named in self.choices.items())
        return chosen_one(self.control, self.label, offered)

    def stored(self, chosen: StrEnum) -> dict[str, object]:
        """A value as it is stored, by the name of its field."""
        return {self.field: chosen is OnOff.ON if isinstance(chosen, OnOff) else chosen}


def languages(locales: Iterable[str], chosen: str | None, automatic: Text) -> Iterable[Choice]:
    """The languages that a menu offers, each by its own name, after the automatic one."""
    yield Choice(AUTOMATIC, automatic, chosen=chosen is None)
    for locale in locales:
        named = text("panel.language", language=own_name(locale))
        yield Choice(locale, named, chosen=locale == chosen)

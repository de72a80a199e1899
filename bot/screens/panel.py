"""The parts of panels: private messages of menus and buttons, each saved as it is chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self, TypeVar

from bot.locales import own_name
from bot.message.blocks import Block, Choice, Menu, Picker, Prose
from bot.message.text import Text, text
from bot.table.refusals import Refusal

S = TypeVar("S", bound=str)

AUTOMATIC: Final = "automatic"
"""Stands for no choice of a language, which leaves it to Discord."""


class OnOff(StrEnum):
    """A setting that is on or off."""

    ON = "on"
    OFF = "off"


class Unchosen(StrEnum):
    """The choice of the default, stored as None."""

    USUAL = "usual"


def labelled(label: Text, menu: Menu | Picker) -> tuple[Block, ...]:
    """A menu below its label, as a closed menu shows only its choice."""
    return Prose((text("panel.label", label=label),)), menu


def choices(texts: Mapping[S, Text], chosen: str | None = None) -> tuple[Choice, ...]:
    """Values with their texts, of which one may be chosen."""
    return tuple(Choice(value, told, chosen=value == chosen) for value, told in texts.items())


def chosen_one(
    action: object, label: Text, texts: Mapping[S, Text], chosen: str
) -> tuple[Block, ...]:
    """A menu of values with their texts, of which one is always chosen."""
    return labelled(label, Menu(action, label, choices(texts, chosen)))


@dataclass(frozen=True, slots=True)
class FewValues:
    """A setting that is one of a few values, stored in `field`.

    `choices` are the values with their texts. `OnOff` is stored as a boolean, `Unchosen` as None.
    If nothing is stored, the first value holds.
    """

    field: str
    label: Text
    choices: Mapping[StrEnum, Text]

    def stored(self, value: str) -> dict[str, object]:
        """The field and stored form of a chosen value, such as `{"threads": True}`.

        Raises:
            Refusal: The menu is of a version that had other values.
        """
        for each in self.choices:
            if each == value and isinstance(each, Unchosen):
                return {self.field: None}
            if each == value:
                return {self.field: each is OnOff.ON if isinstance(each, OnOff) else each}
        raise Refusal("not_offered")


class PanelControl(StrEnum):
    """The controls of a panel, by their words in ids.

    A control with `FewValues` needs nothing else. Any other is drawn by its screen, and answered by
    a handler of its own.
    """

    values: FewValues | None

    def __new__(cls, word: str, values: FewValues | None = None) -> Self:
        """Make a member whose value is its word, with its `values` if they are few."""
        self = str.__new__(cls, word)
        self._value_ = word
        self.values = values
        return self

    def menu(self, settings: object) -> tuple[Block, ...]:
        """The menu of few values, with the one in the settings chosen; empty for other controls."""
        if self.values is None:
            return ()
        held = getattr(settings, self.values.field)
        if isinstance(held, bool):
            held = OnOff.ON if held else OnOff.OFF
        held = held or next(iter(self.values.choices))
        return chosen_one(self, self.values.label, self.values.choices, held)


def languages(locales: Iterable[str], automatic: Text) -> dict[str, Text]:
    """The languages that a menu offers, each by its own name, after the automatic one."""
    names = {locale: text("panel.language", language=own_name(locale)) for locale in locales}
    return {AUTOMATIC: automatic, **names}

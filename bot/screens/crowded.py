"""The buttons of a board that leaves them little room on a phone: signs in the place of words."""

from __future__ import annotations

from typing import Final, TypeAlias

from bot.message.blocks import BESIDE, WITH_WORDS, Control, Style
from bot.screens.buttons import BUTTONS
from bot.table.buttons import TableButton

Controls: TypeAlias = tuple[Control, ...]

CROWDED: Final = 3
"""So many choices, or more, take two lines of a phone."""


def crowded(
    choices: Controls, answers: Controls, controls: Controls, *, asked: bool
) -> tuple[Controls, Controls]:
    """The choices with what fits beside them, and what stands below them."""
    beside = 0 if asked else WITH_WORDS - 1 - len(choices)
    signs = [*answers[beside:], *(control.as_sign for control in controls)]
    helps = [sign for sign in signs if _button(sign).helps][: _spaces(choices)]
    below = _needed([sign for sign in signs if sign not in helps])
    return (*choices, *answers[:beside], *helps), tuple(below)


def wide(choices: Controls) -> bool:
    """Whether choices take two lines of a phone: many, or two with the longest of words."""
    return len(choices) >= CROWDED or [each.style for each in choices] == [Style.GOOD] * 2


def _spaces(choices: Controls) -> int:
    """The room for signs beside choices that take two lines of a phone."""
    longer = [choice for choice in choices if choice.style is not Style.PLAIN]
    return 0 if len(choices) > CROWDED and longer else BESIDE - len(choices)


def _needed(signs: list[Control]) -> list[Control]:
    """The signs for which a line has room; one with words takes that of two."""
    most = BESIDE - sum(sign.label is not None for sign in signs)
    spared = sorted((sign for sign in signs if _button(sign).spared), key=_spared)
    spared = spared[: max(0, len(signs) - most)]
    return [sign for sign in signs if sign not in spared]


def _spared(control: Control) -> int:
    return _button(control).spared


def _button(control: Control) -> TableButton:
    return BUTTONS[str(control.action)]

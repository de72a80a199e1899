"""Slips of the finger: presses meant for what stood on a board a moment before."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import discord

from bot.ui.message_kinds import board_controls

SETTLED_AFTER: Final = 0.7
"""Seconds in which nobody reads a board that has changed: the second tap of two comes sooner."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a message: as it was before, and the word of the button that was pressed.

    `at` is of the event loop's time, in seconds.
    """

    at: float
    before: discord.Message
    pressed: str


class Slips:
    """Tells presses on boards that have just changed, for `lasting` seconds after each change.

    A press is a slip on a button that was not there before, and on the one that made the change.
    """

    def __init__(self, lasting: float) -> None:
        self._lasting = lasting
        self._changes: dict[int, Change] = {}

    def changed(self, before: discord.Message, pressed: str) -> None:
        """Note that a press has just changed a message; only changes of late are remembered."""
        if not self._lasting:
            return
        now = asyncio.get_running_loop().time()
        late = {each: at for each, at in self._changes.items() if now - at.at < self._lasting}
        self._changes = late | {before.id: Change(now, before, pressed)}

    def is_one(self, message: int, word: str) -> bool:
        """Whether a press on a message now is a slip."""
        change = self._changes.get(message)
        if change is None or asyncio.get_running_loop().time() - change.at >= self._lasting:
            return False
        there = board_controls(change.before, enabled=True)
        return word == change.pressed or word not in [each.action for each in there]

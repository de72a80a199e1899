"""Emoji as plain data: those that every client has, and Parlour's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Sprite:
    """An emoji of Parlour's own, by its name; `fallback` stands for it where there is none.

    On a control the fallback may be empty, which shows nothing.
    """

    name: str
    fallback: str


Cell: TypeAlias = str | Sprite
"""An emoji, which fills one cell of a board."""

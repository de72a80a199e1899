"""The budgets of an open bot's caches, which hold at any moment of any test."""

from __future__ import annotations

from bot.app import Parlour


def over_budget(parlour: Parlour) -> list[str]:
    """The names of the caches that hold more bytes than they may."""
    return [each.name for each in parlour.caches if each.size > each.budget]

"""Refusals, by name."""

from __future__ import annotations

import pytest

from bot.table.refusals import Refusal


def refused(fact: str) -> pytest.RaisesExc[Refusal]:
    """Expects that `fact` stands against what is asked."""
    return pytest.raises(Refusal, match=f"^{fact}$")

"""What whoever answers is given: an interaction, and how its person is answered and spoken to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, TypeAlias

from discord import Interaction

from bot.ui.answer import Answer
from bot.ui.words import Words

if TYPE_CHECKING:
    from bot.ui.client import ParlourClient

Asked: TypeAlias = "Interaction[ParlourClient]"
Answering: TypeAlias = "Callable[[Asked], AbstractAsyncContextManager[Answer]]"
"""How the desk answers: a context that turns refusals into sentences."""
Speaking: TypeAlias = "Callable[[Asked], Words]"
"""How the desk speaks to whoever asks."""


def action_of(interaction: Interaction[Any]) -> str:
    """What the control that was used does: its id."""
    data: Mapping[str, object] = interaction.data or {}
    return str(data.get("custom_id", ""))


def chosen(interaction: Interaction[Any]) -> str:
    """What was chosen, if the control is a menu: of ours each offers one choice."""
    data: Mapping[str, object] = interaction.data or {}
    values = data.get("values")
    return str(values[0]) if isinstance(values, list) and values else ""

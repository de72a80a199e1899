"""What Parlour remembers of a person's own choices."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from bot.seats import PersonId


class Form(StrEnum):
    """How somebody wants to be shown a board."""

    MESSAGE = "message"
    WORDS = "words"
    IMAGE = "image"


class People(Protocol):
    """Keeps people's choices."""

    async def form(self, person: PersonId) -> Form | None:
        """How the person wants to be shown boards, if they have said so."""

    async def choose_form(self, person: PersonId, form: Form) -> None:
        """Remembers how the person wants to be shown boards."""

"""What Parlour remembers of a person's own choices."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.seats import PersonId


class Form(StrEnum):
    """How somebody wants to be shown a board."""

    MESSAGE = "message"
    WORDS = "words"
    IMAGE = "image"


@dataclass(frozen=True, slots=True)
class Choices:
    """What somebody has chosen.

    `form` is how they want to be shown boards and `language` is Discord's name of theirs, both None
    if they have not said so. Without `challenges` nobody can challenge or invite them. Whoever is
    `blocked` can neither do that nor sit down at a table where they are.
    """

    form: Form | None = None
    language: str | None = None
    challenges: bool = True
    blocked: frozenset[PersonId] = frozenset()


class People(Protocol):
    """Keeps people's choices, and has those of everybody at hand."""

    def choices(self, person: PersonId) -> Choices:
        """What the person has chosen."""

    async def choose_form(self, person: PersonId, form: Form) -> None:
        """Remembers how the person wants to be shown boards."""

    async def choose_language(self, person: PersonId, language: str | None) -> None:
        """Remembers the person's language; None for that of their Discord."""

    async def take_challenges(self, person: PersonId, *, wanted: bool) -> None:
        """Remembers whether the person wants to be challenged and invited."""

    async def block(self, person: PersonId, other: PersonId) -> None:
        """Keeps somebody else away from the person."""

    async def unblock(self, person: PersonId, other: PersonId) -> None:
        """Keeps them away no longer."""

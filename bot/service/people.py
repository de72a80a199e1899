"""What Parlour remembers of a person's own choices."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict

from bot.table.seats import PersonId


class Form(StrEnum):
    """How a person wants to be shown a board."""

    MESSAGE = "message"
    WORDS = "words"
    IMAGE = "image"


class Reminding(StrEnum):
    """How a person wants to be reminded of their games."""

    ON = "on"
    OFF = "off"
    DIRECT = "direct"


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person has chosen.

    `form` is how they want to be shown boards and `language` is Discord's name of theirs, both None
    if they have not said so. Without `challenges` nobody can challenge or invite them. Who is
    `blocked` can neither do that nor sit down at a table where they are. `reminders` come to the
    board's channel, by direct message, or not at all.
    """

    form: Form | None = None
    language: str | None = None
    challenges: bool = True
    reminders: Reminding = Reminding.ON
    blocked: frozenset[PersonId] = frozenset()


class Chosen(TypedDict, total=False):
    """Those of `Choices` that a person makes anew."""

    form: Form
    language: str | None
    challenges: bool
    reminders: Reminding

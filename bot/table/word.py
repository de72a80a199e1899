"""A word of a player's own, which the rolls of a game follow from too.

Dice take it by its SHA-256, so that the rolls can be checked after the player is forgotten, when
the word itself is gone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from operator import attrgetter
from typing import Final, Self
from unicodedata import category, normalize
from urllib.parse import quote

LONGEST: Final = 32
"""In characters."""

_HASHED: Final = "sha256:"
"""Stands before the hash of a word that is forgotten; no word has a colon when it is quoted."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word by its SHA-256 in hexadecimal; `text` is None once it is forgotten."""

    digest: str
    text: str | None = None

    @classmethod
    def of(cls, text: str) -> Self:
        """A word that is not empty."""
        return cls(sha256(text.encode()).hexdigest(), text)

    @classmethod
    def typed(cls, text: str) -> Self | None:
        """A typed text as a word that reads the same everywhere; None if nothing is left.

        Signs that cannot be seen go, white space is one space, and a backtick is an apostrophe, so
        that a word stands in a message as it is.
        """
        seen = "".join(" " if each.isspace() else each for each in normalize("NFC", text))
        seen = "".join(each for each in seen if not category(each).startswith("C"))
        word = " ".join(seen.replace("`", "'").split())[:LONGEST].rstrip()
        return cls.of(word) if word else None


def by_digest(words: Iterable[Word | None]) -> list[Word]:
    """The words that were given, in an order that tells nothing of the seats."""
    return sorted((word for word in words if word is not None), key=attrgetter("digest"))


def digests(words: Iterable[Word | None]) -> str:
    """Words as dice take them: digests between commas, or nothing."""
    return ",".join("" if word is None else word.digest for word in words)


def shown_words(words: Iterable[Word | None]) -> str:
    """Words as a proof has them: `apple,,caf%C3%A9,sha256:5b4b…`."""
    return ",".join(map(_quoted, words))


def _quoted(word: Word | None) -> str:
    if word is None:
        return ""
    return f"{_HASHED}{word.digest}" if word.text is None else quote(word.text, safe="")

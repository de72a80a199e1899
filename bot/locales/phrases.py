"""The messages of a catalogue: their forms, and the reading of them from a file.

Babel's reader takes twenty times as long, and keeps what translators need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from gettext import c2py
from pathlib import Path
from typing import Final

PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")

FORMULA: Final = re.compile(r"(?:\{\w+\}|[^\w{}])*[+\u2011→](?:\{\w+\}|[^\w{}])*")
"""A score, a step or a way, such as `{token} +{pips}`: signs between values, without a word."""

STRING: Final = r'".*"(?:\n".*")*'
"""A string in a catalogue, which may go over several lines."""

MESSAGE: Final = re.compile(
    rf"^msgid ({STRING})\n(?:msgid_plural {STRING}\n)?((?:msgstr(?:\[\d\])? {STRING}\n?)+)",
    re.MULTILINE,
)
TRANSLATION: Final = re.compile(rf"msgstr(?:\[\d\])? ({STRING})")
TRANSLATED: Final = re.compile(r'^msgstr(?:\[0\])? (?:"[^"]|""\n")', re.MULTILINE)
PLURAL: Final = re.compile(r"plural=(.*?);")
ESCAPED: Final = re.compile(r"\\(.)")
ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A message's forms; `chosen` maps a count to its form's index."""

    forms: tuple[str, ...]
    chosen: Callable[[int], int]

    def form(self, count: int | None) -> str:
        """The form for a count."""
        if len(self.forms) == 1 or count is None:
            return self.forms[0]
        return self.forms[self.chosen(count)]

    def isolated(self) -> Phrase:
        """The message, kept from left to right in any sentence if it is a formula."""
        if not all(map(FORMULA.fullmatch, self.forms)):
            return self
        return replace(self, forms=tuple(f"\u2066{form}\u2069" for form in self.forms))

    def fits(self, english: Phrase) -> bool:
        """Whether the English message has all placeholders of this translation."""
        return self.placeholders <= english.placeholders

    @property
    def placeholders(self) -> set[str]:
        """The names of the values that its forms take."""
        return set(PLACEHOLDER.findall("".join(self.forms)))


def fitting(own: Mapping[str, Phrase], english: Mapping[str, Phrase]) -> dict[str, Phrase]:
    """A language's messages, in English where it lacks one.

    A translation with a placeholder that the English message lacks is left out: nobody fills it.
    """
    found = {key: each for key, each in own.items() if each.fits(english.get(key, each))}
    return {**english, **found}


def translated(file: Path) -> int:
    """The number of messages that a file has a translation of."""
    return len(TRANSLATED.findall(file.read_text("utf-8")))


def read(file: Path) -> dict[str, Phrase]:
    """The messages of a file by key, without those that have no translation yet."""
    found: dict[str, tuple[str, ...]] = {}
    for key, translations in MESSAGE.findall(file.read_text("utf-8")):
        found[_string(key)] = tuple(map(_string, TRANSLATION.findall(translations)))
    rule = PLURAL.search(found.pop("")[0])
    chosen = c2py(rule[1] if rule else "n != 1")
    return {key: Phrase(forms, chosen) for key, forms in found.items() if all(forms)}


def _string(quoted: str) -> str:
    """A string as it is meant, of the lines of a catalogue."""
    joined = quoted[1:-1].replace('"\n"', "")
    if "\\" not in joined:
        return joined
    return ESCAPED.sub(lambda found: ESCAPES.get(found[1], found[1]), joined)

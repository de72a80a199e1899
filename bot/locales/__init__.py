"""The texts that players read, in every language there is a catalogue for.

A catalogue is a gettext file, `<Discord's name of the locale>.po` in this folder, read at start by
Babel; adding a language is adding a file. Messages are found by key; what a catalogue lacks comes
from the English one, which is complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

ENGLISH: Final = "en-US"


class MissingText(KeyError):
    """No catalogue has a message; the error says so in a sentence, and what to do about it."""

    def __str__(self) -> str:
        return (
            f"The message catalogue {ENGLISH}.po has no text for {self.args[0]!r}; add it there, "
            "or install Parlour again."
        )


class Language:
    """One language's messages."""

    def __init__(self, locale: str, messages: Mapping[str, str]) -> None:
        self.locale = locale
        self._messages = messages

    @property
    def name(self) -> str:
        """What those who speak the language call it."""
        return own_name(self.locale)

    def template(self, key: str) -> str:
        """The message of a key, with its placeholders.

        Raises:
            MissingText: No catalogue has the key.
        """
        try:
            return self._messages[key]
        except KeyError:
            raise MissingText(key) from None

    def keys(self, beginning: str) -> list[str]:
        """The keys that begin so."""
        return [key for key in self._messages if key.startswith(beginning)]

    def decimal(self, value: float) -> str:
        """A number with one decimal, written as the language does."""
        return format_decimal(value, "#,##0.0", Locale.parse(self.locale, sep="-"))


def languages(catalogues: Mapping[str, Catalog]) -> Mapping[str, Language]:
    """The languages of some catalogues; both by Discord's name of the locale."""
    english = _messages(catalogues[ENGLISH])
    return {
        locale: Language(locale, {**english, **_messages(catalogue)})
        for locale, catalogue in catalogues.items()
    }


@cache
def shipped() -> Mapping[str, Language]:
    """The languages that come with Parlour."""
    return languages(
        {
            file.name.removesuffix(".po"): read_po(BytesIO(file.read_bytes()))
            for file in files(__name__).iterdir()
            if file.name.endswith(".po")
        }
    )


def own_name(locale: str) -> str:
    """What those who speak a language call it, by Discord's name of its locale."""
    return Locale.parse(locale, sep="-").get_display_name() or locale


def negotiated(wanted: Iterable[str | None], available: Mapping[str, Language]) -> Language:
    """The first wanted language there is, else one with the same mother tongue, else English."""
    for locale in wanted:
        if locale is None:
            continue
        if locale in available:
            return available[locale]
        for name in available:
            if name.partition("-")[0] == locale.partition("-")[0]:
                return available[name]
    return available[ENGLISH]


def _messages(catalogue: Catalog) -> Mapping[str, str]:
    """What a catalogue says, by key; a message that is not translated yet is none."""
    return {str(m.id): str(m.string) for m in catalogue if m.id and m.string and not m.fuzzy}

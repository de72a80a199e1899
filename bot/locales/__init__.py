"""The texts that players read, in every language there is a catalogue for.

A catalogue is a gettext file, `<Discord's name of the locale>.po` in this folder, read at start by
Babel; adding a language is adding a file. Messages are found by key; what a catalogue lacks comes
from the English one, which is complete. A message with plural forms has the placeholder `{count}`,
which chooses the form. Numbers, shares, days, durations and lists are written by Babel, with the
digits 0-9 in every language, as Discord writes its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from gettext import c2py
from importlib.resources import files
from io import BytesIO
from typing import Final

from babel import Locale
from babel.dates import format_date, format_timedelta
from babel.lists import format_list
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from babel.numbers import (
    format_decimal,
    format_percent,
    get_minus_sign_symbol,
    get_plus_sign_symbol,
)

ENGLISH: Final = "en-US"
MINUS: Final = "−"

FORMULA: Final = re.compile(r"(?:\{\w+\}|[^\w{}])*[+\u2011→](?:\{\w+\}|[^\w{}])*")
"""A score, a step or a way, such as `{token} +{pips}`: signs between values, without a word."""


class MissingText(KeyError):
    """No catalogue has a message; the error says so in a sentence, and what to do about it."""

    def __str__(self) -> str:
        return (
            f"The message catalogue {ENGLISH}.po has no text for {self.args[0]!r}; add it there, "
            "or install Parlour again."
        )


@dataclass(frozen=True, slots=True)
class Phrase:
    """A message's forms; if there are several, `chosen` has the place of the one for a count."""

    forms: tuple[str, ...]
    chosen: Callable[[int], int]

    def form(self, count: int | None) -> str:
        """The form for a count, which one form serves all."""
        if len(self.forms) == 1 or count is None:
            return self.forms[0]
        return self.forms[self.chosen(count)]

    def isolated(self) -> Phrase:
        """The message, kept from left to right in any sentence if it is a formula."""
        if not all(map(FORMULA.fullmatch, self.forms)):
            return self
        return replace(self, forms=tuple(f"\u2066{form}\u2069" for form in self.forms))


class Language:
    """One language's messages."""

    def __init__(self, locale: str, messages: Mapping[str, Phrase]) -> None:
        self.locale = locale
        self._manners = Locale.parse(locale, sep="-")
        self.direction: str = self._manners.text_direction
        """`ltr` or `rtl`: which way its lines run."""
        if self.direction == "rtl":
            messages = {key: message.isolated() for key, message in messages.items()}
        self._messages = messages

    def template(self, key: str, count: int | None = None) -> str:
        """The message of a key for a count, with its placeholders.

        Raises:
            MissingText: No catalogue has the key.
        """
        try:
            return self._messages[key].form(count)
        except KeyError:
            raise MissingText(key) from None

    def keys(self, beginning: str) -> list[str]:
        """The keys that begin so."""
        return [key for key in self._messages if key.startswith(beginning)]

    def listed(self, items: Sequence[str]) -> str:
        """At least one item, with the language's "and" before the last."""
        return format_list(items, "standard", self._manners)

    def number(self, value: float) -> str:
        """A number, written as the language does; a fraction with one decimal."""
        if isinstance(value, int):
            return str(value) if 0 <= value < 1000 else format_decimal(value, locale=self._manners)
        return format_decimal(value, "#,##0.0", self._manners)

    def percent(self, share: float, *, signed: bool = False) -> str:
        """A share of 1 in whole percent; with its sign, if it is a change."""
        whole = round(share, 2)
        if not signed:
            return format_percent(whole, locale=self._manners)
        sign = get_minus_sign_symbol if whole < 0 else get_plus_sign_symbol
        written = format_percent(abs(whole), locale=self._manners)
        return sign(self._manners).replace("-", MINUS) + written

    def day(self, day: date) -> str:
        """A day, short but with the month's name where the language has it so."""
        return format_date(day, "medium", self._manners)

    def duration(self, lasting: timedelta) -> str:
        """A duration in its largest unit: "5 minutes", "3 days"."""
        return format_timedelta(lasting, locale=self._manners)


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
    return languages(_catalogues())


def one_of(wanted: str) -> Language | None:
    """The language of a locale, read without the others; None if it does not come with Parlour."""
    return languages(_catalogues(ENGLISH, wanted)).get(wanted)


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


def _catalogues(*wanted: str) -> Mapping[str, Catalog]:
    """The catalogues of some locales, or all that come with Parlour."""
    found = ((file, file.name.removesuffix(".po")) for file in files(__name__).iterdir())
    return {
        locale: read_po(BytesIO(file.read_bytes()))
        for file, locale in found
        if locale != file.name and (not wanted or locale in wanted)
    }


def _messages(catalogue: Catalog) -> Mapping[str, Phrase]:
    """What a catalogue says, by key; a message that is not translated yet is none."""
    chosen = c2py(catalogue.plural_expr)
    found: dict[str, Phrase] = {}
    for message in catalogue:
        key = message.id if isinstance(message.id, str) else message.id[0]
        forms = (message.string,) if isinstance(message.string, str) else message.string
        if key and not message.fuzzy and forms and all(forms):
            found[key] = Phrase(tuple(map(str, forms)), chosen)
    return found

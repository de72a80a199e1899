"""The texts that players read, in every language that has a catalogue.

A catalogue is a gettext file, `<Discord's name of the locale>.po` in this folder; adding a language
is adding a file. Messages are found by key. The English catalogue is complete; a message that
another one lacks is in English, and an outdated translation is shown until a translator has looked
at it. A message with plural forms has the placeholder `{count}`, which chooses the form. Babel
writes numbers, shares, days, durations and lists, with the digits 0-9 in every language, as Discord
does.
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
PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")

FORMULA: Final = re.compile(r"(?:\{\w+\}|[^\w{}])*[+\u2011→](?:\{\w+\}|[^\w{}])*")
"""A score, a step or a way, such as `{token} +{pips}`: signs between values, without a word."""


class MissingText(KeyError):
    """No catalogue has a message."""

    def __str__(self) -> str:
        return (
            f"The message catalogue {ENGLISH}.po has no text for {self.args[0]!r}; add it there, "
            "or install Parlour again."
        )


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


class Language:
    """One language's messages, and how it writes numbers, days and lists."""

    def __init__(self, locale: str, messages: Mapping[str, Phrase]) -> None:
        self.locale = locale
        self._manners = Locale.parse(locale, sep="-")
        self.direction: str = self._manners.text_direction
        """`ltr` or `rtl`."""
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
        """The keys with a beginning."""
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
        """A day in the language's medium form, such as "Nov 2, 2026"."""
        return format_date(day, "medium", self._manners)

    def duration(self, lasting: timedelta) -> str:
        """A duration in its largest unit: "5 minutes", "3 days"."""
        return format_timedelta(lasting, locale=self._manners)


def languages(catalogues: Mapping[str, Catalog]) -> Mapping[str, Language]:
    """The languages of some catalogues, by Discord's name of the locale.

    A translation with a placeholder that the English message lacks is left out: nobody fills it.
    """
    english = messages(catalogues[ENGLISH])
    found = {}
    for locale, catalogue in catalogues.items():
        own = messages(catalogue)
        fitting = {key: each for key, each in own.items() if each.fits(english.get(key, each))}
        found[locale] = Language(locale, {**english, **fitting})
    return found


@cache
def known() -> Mapping[str, Language]:
    """The languages of all catalogues, begun or complete, English first."""
    found = languages(_catalogues())
    return {
        locale: found[locale] for locale in sorted(found, key=lambda each: (each != ENGLISH, each))
    }


@cache
def shipped() -> Mapping[str, Language]:
    """The languages that players are offered."""
    catalogues = _catalogues()
    english = catalogues[ENGLISH]
    return {name: each for name, each in known().items() if is_offered(catalogues[name], english)}


def is_offered(catalogue: Catalog, english: Catalog) -> bool:
    """Whether a catalogue has half of the texts or more."""
    return 2 * len(messages(catalogue)) >= len(messages(english))


def one_of(wanted: str) -> Language | None:
    """The language of a locale, read without the others; None if it has no catalogue."""
    return languages(_catalogues(ENGLISH, wanted)).get(wanted)


def own_name(locale: str) -> str:
    """A language's name in the language itself."""
    return Locale.parse(locale, sep="-").get_display_name() or locale


def negotiated(wanted: Iterable[str | None], available: Mapping[str, Language]) -> Language:
    """The first wanted language available, in any region; else English."""
    for locale in wanted:
        if locale is None:
            continue
        if locale in available:
            return available[locale]
        for name in available:
            if name.partition("-")[0] == locale.partition("-")[0]:
                return available[name]
    return available[ENGLISH]


@cache
def _catalogues(*wanted: str) -> Mapping[str, Catalog]:
    """The catalogues of some locales, or all that come with Parlour."""
    found = ((file, file.name.removesuffix(".po")) for file in files(__name__).iterdir())
    return {
        locale: read_po(BytesIO(file.read_bytes()))
        for file, locale in found
        if locale != file.name and (not wanted or locale in wanted)
    }


def messages(catalogue: Catalog) -> Mapping[str, Phrase]:
    """A catalogue's messages by key, without those that have no translation yet."""
    chosen = c2py(catalogue.plural_expr)
    found: dict[str, Phrase] = {}
    for message in catalogue:
        key = message.id if isinstance(message.id, str) else message.id[0]
        forms = (message.string,) if isinstance(message.string, str) else message.string
        if key and forms and all(forms):
            found[key] = Phrase(tuple(map(str, forms)), chosen)
    return found

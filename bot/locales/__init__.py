"""The texts that players read, in every language that has a catalogue.

A catalogue is a gettext file, `<Discord's name of the locale>.po` in this folder; adding a language
is adding a file. It is read when its language is first spoken, in 3 ms, and kept as long as the
language is in use. Messages are found by key. The English catalogue is complete; a message that
another one lacks is in English, and an outdated translation is shown until a translator has looked
at it. A message with plural forms has the placeholder `{count}`, which chooses the form. Babel
writes numbers, shares, days, durations and lists, with the digits 0-9 in every language, as Discord
does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from babel import Locale, localedata
from babel.core import get_global
from babel.dates import format_date, format_skeleton, format_timedelta, get_day_names
from babel.lists import format_list
from babel.numbers import (
    format_decimal,
    format_percent,
    get_minus_sign_symbol,
    get_plus_sign_symbol,
)

from bot.locales.phrases import Phrase, fitting, read, translated

FOLDER: Final = Path(str(files(__name__)))

ENGLISH: Final = "en-US"
MINUS: Final = "−"
RIGHT_TO_LEFT: Final = frozenset({"Arab", "Hebr", "Nkoo", "Syrc", "Thaa"})
"""The scripts that run from right to left; Babel knows too, with a megabyte for each language."""

LOADED: Final = "_cache"
"""Babel's cache of languages, a megabyte for each name in a menu; nothing public empties it.

Parlour uses nothing else of Babel beyond its documentation, and a test fails where it is gone.
"""


class MissingText(KeyError):
    """No catalogue has a message."""

    def __str__(self) -> str:
        return (
            f"The message catalogue {ENGLISH}.po has no text for {self.args[0]!r}; add it there, "
            "or install Parlour again."
        )


class Language:
    """One language's messages, and how it writes numbers, days and lists."""

    def __init__(self, locale: str, messages: Mapping[str, Phrase]) -> None:
        self.locale = locale
        self._manners = Locale.parse(locale, sep="-")
        self.direction = direction(locale)
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

    def weekday(self, day: int) -> str:
        """The name of a day of the week, where 0 is Monday, as it stands alone."""
        return str(get_day_names("wide", "stand-alone", self._manners)[day])

    def month(self, day: date) -> str:
        """The month of a day, such as "November 2026"."""
        return format_skeleton("yMMMM", day, locale=self._manners)

    def duration(self, lasting: timedelta) -> str:
        """A duration in its largest unit: "5 minutes", "3 days"."""
        return format_timedelta(lasting, locale=self._manners)


class Catalogues(Mapping[str, Language]):
    """The languages of some files, each read when it is asked for, and kept while it is in use.

    English comes first and stays.
    """

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = files
        self._messages = read(files[ENGLISH])
        self._english = Language(ENGLISH, self._messages)
        self._in_use = WeakValueDictionary({ENGLISH: self._english})

    def __getitem__(self, locale: str) -> Language:
        found = self._in_use.get(locale)
        if found is None:
            own = fitting(read(self._files[locale]), self._messages)
            found = self._in_use[locale] = Language(locale, own)
        return found

    def __contains__(self, locale: object) -> bool:
        return locale in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._files, key=lambda each: (each != ENGLISH, each)))

    def __len__(self) -> int:
        return len(self._files)


@cache
def known() -> Mapping[str, Language]:
    """The languages of all catalogues, begun or complete, English first."""
    return Catalogues({file.stem: file for file in FOLDER.glob("*.po")})


@cache
def shipped() -> Mapping[str, Language]:
    """The languages that players are offered."""
    return Catalogues(offered(FOLDER))


def offered(folder: Path) -> dict[str, Path]:
    """The files of catalogues that have half of the texts or more, by Discord's names."""
    files = {file.stem: file for file in folder.glob("*.po")}
    texts = {name: translated(file) for name, file in files.items()}
    return {name: file for name, file in files.items() if 2 * texts[name] >= texts[ENGLISH]}


def one_of(wanted: str) -> Language | None:
    """The language of a locale; None if it has no catalogue."""
    return known().get(wanted)


def direction(locale: str) -> str:
    """The direction in which a language is written: `ltr` or `rtl`."""
    return "rtl" if script(locale) in RIGHT_TO_LEFT else "ltr"


def script(locale: str) -> str:
    """The script that a language is usually written in, by its code in ISO 15924."""
    likely = get_global("likely_subtags")
    tag = locale.replace("-", "_")
    full: str = likely.get(tag) or likely[tag.partition("_")[0]]
    return full.split("_")[1]


@cache
def own_name(locale: str) -> str:
    """A language's name in the language itself."""
    loaded: dict[str, object] = getattr(localedata, LOADED)
    before = {*loaded}
    name = Locale.parse(locale, sep="-").get_display_name()
    for other in {*loaded} - before:
        del loaded[other]
    return name or locale


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

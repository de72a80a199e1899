"""All that is written while tests run, written once more in every language there is.

A screen is plain data, so it is drawn again in each language, with English for what is missing
there. Screens that differ in nothing but their values are drawn once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Final, TypeAlias

import pytest

from bot.locales import ENGLISH, Language, shipped
from bot.message.blocks import AnyOf, FormScreen, OneOf, Screen
from bot.message.text import Text
from bot.ui.render import MOST_OF_A_CHOICE, Drawing, FormModal, Identify
from bot.ui.words import Words
from tests.bot.ui.limits import long, too_much

MOST_SAID: Final = 2_000
"""The most characters of a message without components."""

LONGEST_TITLE, LONGEST_DESCRIPTION = 45, 100
"""The most characters of a form's title, of a field's name and of its description."""

FIELDS: Final[dict[type, tuple[str, ...]]] = {}
"""The fields of kinds of data that were looked at."""

Written: TypeAlias = tuple[Screen, Identify, Words] | tuple[FormScreen | Text, Words]


def others() -> list[Language]:
    """Each language but English."""
    return [language for locale, language in shipped().items() if locale != ENGLISH]


def keys(value: object) -> Iterator[str]:
    """The messages that plain data is made of."""
    if isinstance(value, Text):
        yield value.key
        value = tuple(value.values.values())
    if isinstance(value, tuple):
        for each in value:
            yield from keys(each)
    else:
        kind = type(value)
        if kind not in FIELDS:
            named = fields(kind) if is_dataclass(kind) else ()
            FIELDS[kind] = tuple(field.name for field in named)
        for name in FIELDS[kind]:
            yield from keys(getattr(value, name))


class EveryLanguage:
    """Remembers what is written, and draws it in all of some languages."""

    def __init__(self, languages: Sequence[Language]) -> None:
        self.keys: set[str] = set()
        self._languages = languages
        self._shipped = {*shipped()[ENGLISH].keys("")}
        self._seen: set[tuple[object, ...]] = set()
        self._waiting: list[Written] = []

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Looks at every screen and every text that is written from now on."""
        draw, ask, write = Drawing.__init__, FormModal.__init__, Words.of

        def drawn(self: Drawing, screen: Screen, identify: Identify, words: Words) -> None:
            every.note(screen, (screen, identify, words))
            draw(self, screen, identify, words)

        def asked(self: FormModal, form: FormScreen, words: Words) -> None:
            every.note(form, (form, words))
            ask(self, form, words)

        def written(self: Words, text: Text) -> str:
            every.note(text, (text, self))
            return write(self, text)

        every = self
        monkeypatch.setattr(Drawing, "__init__", drawn)
        monkeypatch.setattr(FormModal, "__init__", asked)
        monkeypatch.setattr(Words, "of", written)

    def note(self, what: Screen | FormScreen | Text, written: Written) -> None:
        """Keeps something for later, unless something like it has been kept before.

        The bot's own emoji make texts longer. Texts of a test's own are in no catalogue shipped.
        """
        found = tuple(keys(what))
        like = (bool(written[-1].emojis), *found)
        if like not in self._seen and self._shipped.issuperset(found):
            self._seen.add(like)
            self.keys.update(found)
            self._waiting.append(written)

    def faults(self) -> Iterator[str]:
        """The faults, in any language, of everything kept since the last call."""
        waiting, self._waiting = self._waiting, []
        for written in waiting:
            for language in self._languages:
                try:
                    yield from (f"{language.locale}: {each}" for each in wrong(written, language))
                except LookupError as error:
                    yield f"{language.locale}: {error}"


def wrong(written: Written, language: Language) -> Iterator[str]:
    """The limits that are broken in one language."""
    *what, words = written
    translated = replace(words, language=language)
    match what:
        case [Screen() as screen, identify] if callable(identify):
            yield from too_much(Drawing(screen, identify, translated).to_components())
        case [FormScreen() as form]:
            yield from long("title", translated.of(form.title), LONGEST_TITLE)
            for asked in form.questions:
                yield from long("label", translated.of(asked.label), LONGEST_TITLE)
                if asked.about is not None:
                    yield from long("about", translated.of(asked.about), LONGEST_DESCRIPTION)
                lines = asked.answer.choices if isinstance(asked.answer, OneOf | AnyOf) else ()
                for line in lines:
                    yield from long("line", translated.of(line.label), MOST_OF_A_CHOICE)
        case [Text() as text]:
            yield from long("text", translated.of(text), MOST_SAID)

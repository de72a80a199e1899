"""Languages of catalogues that a test has made, without files."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import c2py

from babel.messages.catalog import Catalog

from bot.locales import ENGLISH, Language
from bot.locales.phrases import Phrase, fitting


def languages(catalogues: Mapping[str, Catalog]) -> Mapping[str, Language]:
    """The languages of some catalogues, by Discord's name of the locale."""
    english = _messages(catalogues[ENGLISH])
    return {
        locale: Language(locale, fitting(_messages(catalogue), english))
        for locale, catalogue in catalogues.items()
    }


def _messages(catalogue: Catalog) -> Mapping[str, Phrase]:
    """A catalogue's messages by key, without those that have no translation yet."""
    chosen = c2py(catalogue.plural_expr)
    found: dict[str, Phrase] = {}
    for message in catalogue:
        key = message.id if isinstance(message.id, str) else message.id[0]
        forms = (message.string,) if isinstance(message.string, str) else message.string
        if key and forms and all(forms):
            found[key] = Phrase(tuple(map(str, forms)), chosen)
    return found

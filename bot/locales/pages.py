"""Texts of web pages: as the data that a page reads, and within a page that works as a file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final, TypedDict

from bot.locales import Language

WORDS: Final = re.compile(r'(<script id="words" type="application/json">).*?(</script>)', re.DOTALL)

BORROWED: Final = {"verify": {"button": "control.proof", "more": "control.more"}}
"""Texts of the bot's messages that a page names, by the page and the key it has there."""


class PageTexts(TypedDict):
    """A page's texts in one language, by their keys without the page's prefix."""

    locale: str
    direction: str
    texts: Mapping[str, str]


def page_texts(page: str, language: Language) -> PageTexts:
    """The texts of a page, whose keys begin with its name: `page.cancel`."""
    prefix = f"{page}."
    keys = {key.removeprefix(prefix): key for key in language.keys(prefix)}
    keys |= BORROWED.get(page, {})
    texts = {name: language.template(key) for name, key in keys.items()}
    return {"locale": language.locale, "direction": language.direction, "texts": texts}


def filled(html: str, page: str, languages: Mapping[str, Language]) -> str:
    """A page with its texts in some languages, a line each, in its element `words`.

    A language that is begun, but has no text of the page yet, is left out.
    """
    english, *others = (page_texts(page, language) for language in languages.values())
    found = [english, *(each for each in others if each["texts"] != english["texts"])]
    lines = (json.dumps(each, ensure_ascii=False).replace("</", "<\\/") for each in found)
    block = "\n[{}]\n".format(",\n".join(lines))
    return WORDS.sub(lambda element: f"{element[1]}{block}{element[2]}", html)

"""English texts by key, so that a test holds for any wording."""

from __future__ import annotations

import re
from functools import cache

from bot.locales import ENGLISH, shipped
from bot.message.text import Text, TextValue
from bot.ui.words import Words


@cache
def words() -> Words:
    """English, with commands as they are typed."""
    return Words(shipped()[ENGLISH])


def said(key: str, /, **values: TextValue) -> str:
    """The text of a key; with `values`, those are filled in."""
    if not values:
        return words().template(key)
    return words().of(Text(key, values))


def like(key: str, /, **values: str) -> re.Pattern[str]:
    """A pattern of the text of a key, in any of its forms, with anything for other placeholders."""
    language = words().language
    forms = {language.template(key, count) for count in (None, 1, 2)}
    return re.compile("|".join(_pattern(form, values) for form in sorted(forms)), re.DOTALL)


def _pattern(form: str, values: dict[str, str]) -> str:
    pieces = re.split(r"\{(\w+)\}", form)
    return "".join(
        (re.escape(values[piece]) if piece in values else ".+?") if odd else re.escape(piece)
        for odd, piece in ((index % 2, piece) for index, piece in enumerate(pieces))
    )

"""English texts by key, so that a test holds for any wording."""

from __future__ import annotations

import re
from typing import Final

from bot.locales import ENGLISH, shipped
from bot.message.text import Text, TextValue
from bot.ui.words import Words

ENGLISH_WORDS: Final = Words(shipped()[ENGLISH])
"""English, with commands as they are typed."""


def says(key: str, /, **values: TextValue) -> str:
    """The text of a key; with `values`, those are filled in."""
    if not values:
        return ENGLISH_WORDS.template(key)
    return ENGLISH_WORDS.of(Text(key, values))


def piece(key: str) -> str:
    """The longest piece of a text between its values, to be looked for where those are unknown."""
    return max(re.split(r"\{\w+\}", ENGLISH_WORDS.template(key)), key=len).strip()


def pattern(key: str, /, **values: str) -> str:
    """A regular expression of the text of a key, with one for each of its values."""
    pieces = re.split(r"\{(\w+)\}", ENGLISH_WORDS.template(key))
    return "".join(
        values[piece] if index % 2 else re.escape(piece) for index, piece in enumerate(pieces)
    )


def mover_in(board: str) -> str | None:
    """The id of the person whose turn it is by the text of a board, also of one short of room."""
    player = "\u2068<@(\\d+)>\u2069"
    keys = ("board.roll", "board.turn", "board.rolled", "board.stuck")
    turns = [pattern(key, emblem=r"\S+", player=player, die=r"\S+") for key in keys]
    mover = pattern("board.mover", emblem=r"\S+", player=player)
    turns.append(pattern("board.until", turn=mover, deadline=r"<t:\d+:R>"))
    found = re.search("|".join(turns), board)
    return None if found is None else next(filter(None, found.groups()))


def like(*keys: str, **values: str) -> re.Pattern[str]:
    """A pattern of the text of any key, in any form, with anything for other placeholders.

    A value may be isolated, as names are in sentences.
    """
    language = ENGLISH_WORDS.language
    forms = {language.template(key, count) for key in keys for count in (None, 1, 2)}
    return re.compile("|".join(_pattern(form, values) for form in sorted(forms)), re.DOTALL)


def _pattern(form: str, values: dict[str, str]) -> str:
    pieces = re.split(r"\{(\w+)\}", form)
    return "".join(
        (_value(values[piece]) if piece in values else ".+?") if odd else re.escape(piece)
        for odd, piece in ((index % 2, piece) for index, piece in enumerate(pieces))
    )


def _value(value: str) -> str:
    return f"\u2068?{re.escape(value)}\u2069?"

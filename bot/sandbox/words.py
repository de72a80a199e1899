"""The page's own words, from the catalogues of `bot.locales`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from bot.locales import ENGLISH, known, one_of
from bot.locales.pages import PageTexts, filled, page_texts

_PAGE: Final = files("bot.sandbox").joinpath("page")


@cache
def words(locale: str) -> PageTexts:
    """The page's texts in a language, or in English where that has no catalogue."""
    return page_texts("page", one_of(locale) or known()[ENGLISH])


@cache
def index() -> str:
    """The page, with the English that it needs while the sandbox cannot be reached."""
    english = {ENGLISH: known()[ENGLISH]}
    return filled(_PAGE.joinpath("index.html").read_text("utf-8"), "page", english)


@cache
def verify_page() -> str:
    """The page that checks dice, in every language."""
    return filled(_PAGE.joinpath("verify.html").read_text("utf-8"), "verify", known())

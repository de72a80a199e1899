"""Screens that tests have written are drawn in every language, and faults are found."""

from __future__ import annotations

import pytest
from babel.messages.catalog import Catalog

from bot.locales import ENGLISH
from bot.message.blocks import Control, Row, Screen
from bot.message.text import text
from tests.bot.catalogues import languages
from tests.bot.english import ENGLISH_WORDS
from tests.bot.ui.every_language import EveryLanguage
from tests.bot.ui.unwritten import unwritten


def drawn(german: Catalog) -> EveryLanguage:
    """A button that a test has had drawn, to be drawn in German."""
    every = EveryLanguage([languages({ENGLISH: Catalog(), "de": german})["de"]])
    screen = Screen((Row((Control("join", text("control.join")),)),))
    every.note(screen, (screen, "p1:1:0:{}".format, ENGLISH_WORDS))
    return every


@pytest.mark.parametrize(
    ("label", "fault"), [("x" * 81, "de: a label of 81 characters"), ("{name}", "de: 'name'")]
)
def test_a_translation_that_is_too_long_or_wants_a_value_is_a_fault(label: str, fault: str) -> None:
    german = Catalog()
    german.add("control.join", label)
    every = drawn(german)
    assert [each.startswith(fault) for each in every.faults()] == [True]
    assert [*every.faults()] == []


def test_a_room_of_which_no_text_was_written_is_named() -> None:
    assert len(unwritten(set())) > 20
    assert "games/ludo" not in unwritten({"ludo.option.tokens.4", "ludo.rules.changed"})

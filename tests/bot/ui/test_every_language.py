"""That the tests of this folder had every screen written in every language, by coming last."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from babel.messages.catalog import Catalog

import bot
from bot.locales import ENGLISH, languages, shipped
from bot.message.blocks import Control, Row, Screen
from bot.message.text import text
from bot.ui.words import Words
from tests.bot.ui.every_language import EveryLanguage, alone

BOT: Final = Path(bot.__file__).parent
SCREENS: Final = [*BOT.glob("screens/*.py"), *BOT.glob("games/*/*.py"), *BOT.glob("games/*/*/*.py")]


def keys(module: Path) -> Iterator[str]:
    """The messages that a module names."""
    known = shipped()[ENGLISH].keys("")
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and node.value in known:
            yield str(node.value)


def test_there_are_nineteen_other_languages_that_never_fall_back_on_english() -> None:
    assert {language.locale for language in alone()} == {*shipped()} - {ENGLISH}
    assert len(alone()) == 19


@pytest.mark.parametrize(
    ("german", "fault"),
    [
        (None, "no text for 'control.join'"),
        ("", "no text for 'control.join'"),
        ("x" * 81, "a label of 81 characters"),
        ("{name}", "'name'"),
    ],
)
def test_a_button_without_german_or_with_too_much_of_it_is_a_fault(
    german: str | None, fault: str
) -> None:
    catalogue = Catalog()
    if german is not None:
        catalogue.add("control.join", german)
    found = languages({ENGLISH: Catalog(), "de": catalogue})
    every = EveryLanguage([found["de"]])
    screen = Screen((Row((Control("join", text("control.join")),)),))
    every.note(screen, (screen, "p1:1:0:{}".format, Words(shipped()[ENGLISH])))
    assert [fault in each for each in every.faults()] == [True]
    assert [*every.faults()] == []


def test_what_every_module_of_screens_says_has_been_written_in_every_language(
    every_language: EveryLanguage, request: pytest.FixtureRequest
) -> None:
    ran = {item.path for item in request.session.items}
    if not ran.issuperset(Path(__file__).parent.glob("test_*.py")):
        pytest.skip("it takes all tests of this folder")
    said = {module: {*keys(module)} for module in SCREENS}
    assert sum(map(bool, said.values())) > 20
    unseen = {
        str(module.relative_to(BOT)): keys
        for module, keys in said.items()
        if keys and not keys & every_language.keys
    }
    assert unseen == {}

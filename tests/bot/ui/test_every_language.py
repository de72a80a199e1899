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
from tests.bot.ui.every_language import EveryLanguage

BOT: Final = Path(bot.__file__).parent
SCREENS: Final = [*BOT.glob("screens/*.py"), *BOT.glob("games/*/*.py"), *BOT.glob("games/*/*/*.py")]


KNOWN: Final = {*shipped()[ENGLISH].keys("")}


def keys(module: Path) -> Iterator[str]:
    """The messages that a module names, whole or by how they begin."""
    english = shipped()[ENGLISH]
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        match node:
            case ast.Constant(str(name)) if name.endswith("."):
                yield from english.keys(name)
            case ast.Constant(str(name)) if name in KNOWN:
                yield name


def drawn(german: Catalog) -> EveryLanguage:
    """A button that a test has had drawn, to be drawn in German."""
    every = EveryLanguage([languages({ENGLISH: Catalog(), "de": german})["de"]])
    screen = Screen((Row((Control("join", text("control.join")),)),))
    every.note(screen, (screen, "p1:1:0:{}".format, Words(shipped()[ENGLISH])))
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


def test_what_every_screen_and_game_says_has_been_written_in_every_language(
    every_language: EveryLanguage, request: pytest.FixtureRequest
) -> None:
    ran = {item.path for item in request.session.items}
    if not ran.issuperset(Path(__file__).parent.glob("test_*.py")):
        pytest.skip("it takes all tests of this folder")
    said: dict[str, set[str]] = {}
    for module in SCREENS:
        room = module if module.parent.name == "screens" else module.parent
        said.setdefault(str(room.relative_to(BOT)), set()).update(keys(module))
    spoken = {room: keys for room, keys in said.items() if keys}
    assert len(spoken) > 20
    assert {room for room, keys in spoken.items() if not keys & every_language.keys} == set()

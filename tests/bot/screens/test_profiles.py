"""Names of players in pictures, in any script."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.message.fonts import Caption
from bot.message.text import TextValue
from bot.screens.profiles import LONGEST, Profile


class AllFonts:
    """Lettering of a machine that can write anything."""

    def spelled(self, value: TextValue) -> str:
        """A value as it stands."""
        return str(value)

    def captions(self, *values: TextValue) -> Sequence[Caption]:
        """A caption of each value."""
        return [Caption(self.spelled(value)) for value in values]


def drawn(name: str) -> str:
    """A name as a picture has it; empty if it has none."""
    return "".join(caption.words for caption in Profile(name).captions(AllFonts()))


@pytest.mark.parametrize(
    "name",
    [
        "प्रिया",
        "สมศรี",
        "พิมพ์ชนกพงศ์",
        "مُحَمَّد",
        "নন্দিতা",
        "Zoë",
        "Ngọc",
        "x̂",
        "क्\u200dष",
        "می\u200cخواهم",
        "O'Neil-2",
    ],
)
def test_a_name_keeps_the_marks_of_its_letters(name: str) -> None:
    assert drawn(name) == name


def test_a_letter_and_its_accent_are_written_as_one() -> None:
    assert drawn("Zoe\u0308") == "Zoë"


@pytest.mark.parametrize("name", ["ก็" * 20, "कि" * 20, "e\u0323\u0302" * 20, "क्\u200d" * 20])
def test_a_long_name_is_cut_between_letters(name: str) -> None:
    whole, cut = drawn(name[: len(name) * (LONGEST - 1) // 20]), drawn(name)
    assert cut == f"{whole}…"


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("Ann ❤️", "Ann"),
        ("1️⃣ Ann", "1 Ann"),
        ("👩\u200d🚀Ann", "Ann"),
        ("\u0301Ann", "Ann"),
        ("Ann\u200d🎲", "Ann"),
    ],
)
def test_what_is_left_of_an_emoji_belongs_to_no_letter(name: str, left: str) -> None:
    assert drawn(name) == left


@pytest.mark.parametrize("name", ["☆★☆", "❤️", "👩\u200d🚀", " "])
def test_a_name_of_signs_alone_has_no_captions(name: str) -> None:
    assert not Profile(name).captions(AllFonts())

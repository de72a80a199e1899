"""The words in pictures: letters that the fonts have, shaped and running as the language does."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from arabic_reshaper import reshape
from bidi.algorithm import get_display
from fontTools.ttLib import TTFont
from PIL import Image, ImageChops, ImageDraw, ImageFont, features

from bot.locales import ENGLISH, script, shipped
from bot.locales.letters import words
from bot.message.fonts import FOLDER, PILLOW, SHAPED, Caption, Face, captions
from tests.bot.english import says
from tests.bot.process import environment

INSTALL = "FriBiDi is not installed, which joins its letters"


@cache
def said(locale: str) -> list[str]:
    """All that pictures say in a language."""
    return [*words(shipped()[locale])]


def letters(face: Face) -> set[int]:
    """The letters of a font, by fontTools."""
    return set(TTFont(str(ImageFont.truetype(face.file, 24).path)).getBestCmap())


@pytest.mark.parametrize("locale", sorted(shipped()))
def test_all_letters_of_the_words_in_pictures_are_in_their_font(locale: str) -> None:
    found = captions(said(locale), locale)
    if script(locale) in SHAPED and not features.check("raqm"):
        pytest.skip(INSTALL)
    assert [caption.words for caption in found] == said(locale)
    (face,) = {caption.face for caption in found}
    seen = {ord(letter) for word in said(locale) for letter in word if not letter.isspace()}
    if face == PILLOW:
        assert seen <= set(range(128))
    else:
        assert seen <= letters(face)


@pytest.mark.parametrize("locale", ["ja", "ko", "ar", "zh-CN", "en-US"])
@pytest.mark.parametrize(
    "called",
    ["Цветана", "Ёжик", "Євген", "Ґалаґан", "Łukasz", "Őrs", "Ștefan", "Trần Thị", "ığdır"],
)
def test_a_name_of_europe_or_vietnam_is_written_in_pictures_of_every_language(
    locale: str, called: str
) -> None:
    if script(locale) in SHAPED and not features.check("raqm"):
        pytest.skip(INSTALL)
    (name,) = captions([called], locale)
    assert {*map(ord, name.words)} <= letters(name.face)
    assert name.direction is None


def test_words_that_no_font_has_letters_for_are_left_out_together() -> None:
    assert captions([says("outcome.win"), "ᚠᚢᚦ\U0010fffd"], ENGLISH) == ()


def test_all_fonts_together_are_small_and_come_with_their_licence() -> None:
    assert sum(file.stat().st_size for file in FOLDER.glob("*.ttf")) < 210_000
    assert "SIL OPEN FONT LICENSE" in (FOLDER / "OFL.txt").read_text("utf-8")


def test_english_needs_no_font() -> None:
    assert len(captions(said(ENGLISH), ENGLISH)) == len(said(ENGLISH))


def drawn(words: str, face: Face, *, shaped: bool) -> Image.Image:
    """Black words on white, cut out; without Raqm a letter follows the other from the left."""
    engine = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    font = ImageFont.truetype(face.file, 90, layout_engine=engine)
    image = Image.new("L", (1200, 300), 255)
    way = Caption(words, face, "ar").direction if shaped else None
    ImageDraw.Draw(image).text((600, 150), words, 0, font, "mm", direction=way)
    return image.crop(ImageChops.invert(image).getbbox())


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "words",
    [
        shipped()["ar"].template(key)
        for part in ("picture.", "outcome.", "choice.level.")
        for key in shipped()["ar"].keys(part)
    ],
)
def test_arabic_is_shaped_and_runs_from_right_to_left(words: str) -> None:
    """Its letters look as Unicode's presentation forms do, in the order that they are seen."""
    face = Face("DejaVuSans-Bold.ttf")
    if not captions([words], "ar"):
        pytest.skip(INSTALL)
    seen = get_display(reshape(words))
    if any(ord(form) not in letters(face) for form in seen):
        pytest.skip("DejaVu, which has the presentation forms, is not installed")
    expected = drawn(str(seen), face, shaped=False)
    found = drawn(words, face, shaped=True)
    assert abs(found.width - expected.width) <= 3
    difference = ImageChops.difference(found.resize(expected.size), expected)
    assert sum(difference.histogram()[128:]) < 0.02 * expected.width * expected.height
    unshaped = drawn(words, face, shaped=False)
    assert unshaped.size != expected.size


WITHOUT_RAQM = """
from PIL import features
has = features.check
features.check = lambda name: name != "raqm" and has(name)
from bot.locales import shipped
from bot.message.fonts import captions
for name, language in shipped().items():
    if not captions([language.template("picture.rating")], name):
        print(name)
"""


def test_without_raqm_there_are_no_words_of_languages_that_are_shaped(tmp_path: Path) -> None:
    script = tmp_path / "without_raqm.py"
    script.write_text(WITHOUT_RAQM, encoding="utf-8")
    done = subprocess.run(
        (sys.executable, script),
        env=environment(PYTHONPATH=str(Path(__file__).parents[3])),
        capture_output=True,
        text=True,
        check=True,
    )
    bare = set(done.stdout.split())
    assert {"ar", "hi", "th"} <= bare
    assert ENGLISH not in bare

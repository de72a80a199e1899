"""Trees and reviews in other languages, from the catalogues of the bot, which the engine finds."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from bot.locales import one_of, shipped
from engine.files import json_text
from engine.files.record import PLAYED, UNFINISHED, Record
from engine.game import Move
from engine.games.ludo import GAME as LUDO
from engine.games.tictactoe import GAME
from engine.notation import notation
from engine.review import Review, review
from engine.search.agent import Budget
from engine.terminal.review import sentences
from engine.terminal.translation import Translation, language
from tests.engine.terminal.test_terminal import run

ROOT = Path(__file__).parents[3]
LATIN_WORD = re.compile(r"[A-Za-z]{3,}")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A file with a game of tic-tac-toe in which O blunders first."""
    moves = tuple(map(Move, (2, 1, 4, 0, 7, 8, 5, 6, 3)))
    record = Record(GAME, 2, GAME.settled({}), moves, PLAYED, (Fraction(1), Fraction(-1)), 17)
    file = tmp_path / "game.json"
    file.write_text(json_text.written(record), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ar", ("تحليل اللعبة 17", "(\u200e−50%)", "السبب: ")),
        ("zh-CN", ("对局 17 复盘", "（−50%）", "理由：")),
        ("de", ("Analyse von Partie 17", "(−50\u00a0%)", "Warum: ")),
    ],
)
def test_a_review_is_told_in_another_language(
    game: Path, name: str, words: tuple[str, ...]
) -> None:
    seen = run(f"review {game} --language {name}").seen
    for each in words:
        assert each in seen
    assert "**" not in seen
    assert not re.search("^(?:#|-#)", seen, re.MULTILINE)
    assert "wins" not in seen


@pytest.fixture(scope="module")
def reviewed() -> tuple[Record, Review]:
    """A short game of Ludo with dice, random moves and captures."""
    rng, options = Random(4), LUDO.settled({"tokens": 2})
    state, moves = LUDO.start(2, options), list[Move]()
    while state.moves():
        moves.append(rng.choice(state.moves()))
        state = state.play(moves[-1])
    result = tuple(map(Fraction, state.payoff() or ()))
    record = Record(LUDO, 2, options, tuple(moves), PLAYED, result)
    budget = Budget.within(math.inf, monotonic)
    return record, review(LUDO.key, 2, options, record.moves, budget)


@pytest.mark.parametrize("name", sorted(shipped()))
def test_a_review_of_ludo_is_told_in_every_language(
    name: str, reviewed: tuple[Record, Review]
) -> None:
    record, found = reviewed
    words = Translation(shipped()[name], LUDO, notation(LUDO))
    seen = "\n".join(sentences(record, found, words, every=True))
    assert "{" not in seen
    assert words.skipped(1234)
    if name in {"ar", "hi", "ja", "ko", "ru", "th", "uk", "zh-CN", "zh-TW"}:
        assert not LATIN_WORD.findall(seen)


@pytest.mark.parametrize("stars", ["yes", "no"])
@pytest.mark.parametrize(
    ("name", "words"),
    [("en", "Chances at this table are only about right."), ("de", "nur ungefähr")],
)
def test_a_review_says_where_chances_are_only_about_right(
    tmp_path: Path, name: str, words: str, stars: str
) -> None:
    options = LUDO.settled({**LUDO.presets["quick"], "stars_safe": stars})
    record = Record(LUDO, 2, options, (Move(3),), UNFINISHED, (Fraction(0), Fraction(0)))
    file = tmp_path / "game.json"
    file.write_text(json_text.written(record), encoding="utf-8")
    assert (words in run(f"review {file} --language {name}").seen) is (stars == "no")


@pytest.mark.parametrize(("name", "way"), [("ar", "rtl"), ("zh-CN", "ltr")])
def test_a_page_says_its_language_and_which_way_it_runs(name: str, way: str) -> None:
    tags: list[tuple[str, dict[str, str | None]]] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.append((tag, dict(attrs)))

    command = "tree tictactoe --moves 7 5 6 9 1 --format html"
    seen = run(f"{command} --language {name}").seen
    Tags().feed(seen)
    assert ("html", {"lang": name, "dir": way}) in tags
    found = one_of(name)
    assert found is not None
    titles = [attributes["title"] for tag, attributes in tags if tag == "button"]
    assert titles[0] == f"{found.template('control.first')} (Home)"
    assert f">{found.template('engine.tree.pruning')} (P) <" in seen
    for told in ("try", "max", "min", "cut", "end"):
        sentence = found.template(f"engine.tree.told.{told}")
        assert max(re.split(r"{\w+}", sentence), key=len) in seen
    assert "Step" not in seen
    assert 'lang="en" dir="ltr"' in run(command).seen


def test_a_picture_in_arabic_has_its_title_from_right_to_left() -> None:
    seen = run("tree tictactoe --moves 7 5 6 9 1 --format svg --language ar").seen
    (title,) = re.findall(r'<text class="title rtl"[^>]*>([^<]*)</text>', seen)
    assert title.startswith("alphabeta · الوضعيات: ")


def test_a_language_without_a_catalogue_is_english_with_a_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = "tree tictactoe --moves 7 5 6 9 1"
    assert run(f"{command} --language tlh").seen == run(command).seen
    assert capsys.readouterr().err == "There are no words in 'tlh' here, so these are in English.\n"


def test_english_is_english_without_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert language("en-US") is language(None) is None
    assert not capsys.readouterr().err


def test_the_engine_alone_speaks_english() -> None:
    """Without installed packages there are no catalogues to find."""
    command = (sys.executable, "-S", "-m", "engine", "tree", "tictactoe", "--moves", "7", "5", "6")
    done = subprocess.run(
        (*command, "9", "1", "--language", "ar"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "alphabeta: 38 nodes" in done.stdout
    assert done.stderr == "There are no words in 'ar' here, so these are in English.\n"

"""Pages of `/games` are as long as a message may be."""

from __future__ import annotations

import pytest

from bot.message.blocks import Tone
from bot.message.text import Mention, Text, text
from bot.screens.games import GamesPage, games
from bot.table.seats import PersonId
from bot.ui.commands.games import portioned
from bot.ui.render import page_view
from bot.ui.words import Words
from tests.bot.english import ENGLISH_WORDS
from tests.bot.ui.limits import too_much

LARGEST = PersonId((1 << 63) - 1)


@pytest.fixture
def words() -> Words:
    return ENGLISH_WORDS


def entry(waits: str) -> Text:
    """A line of a list; texts take any name for what they wait for."""
    return text("games.entry", what=waits, link="", sides=Mention(LARGEST), turn="")


@pytest.mark.parametrize("letter", ["x", "🔴"])
@pytest.mark.parametrize("length", [1, 30, 500, 1700])
def test_pages_are_full_and_no_fuller_than_discord_allows(
    words: Words, letter: str, length: int
) -> None:
    entries = [entry(letter * (length // len(letter.encode("utf-16-le")) * 2))] * 60
    pages = portioned(entries, words)
    assert [each for page in pages for each in page] == entries
    for number in range(len(pages)):
        view = page_view(games(pages, GamesPage(None, number)), words)
        faults = [*too_much(view.to_components())]
        assert [fault for fault in faults if "characters" in fault] == []
    assert len(pages) == 1 or len(pages[0]) * (length + 40) > 3000


def test_a_page_past_the_last_is_the_last(words: Words) -> None:
    pages = portioned([entry("x" * 3000)] * 3, words)
    assert games(pages, GamesPage(None, 999)) == games(pages, GamesPage(None, 2))


def test_without_a_game_nothing_can_be_turned() -> None:
    screen = games([], GamesPage(PersonId(7), 3))
    assert (screen.tone, len(screen.blocks)) == (Tone.OVER, 1)

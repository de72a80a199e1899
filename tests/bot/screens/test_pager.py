"""Controls that name the page they lead to, and screens that stay within Discord's limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.games.catalogue import CATALOGUE
from bot.locales import ENGLISH, shipped
from bot.message.blocks import Control, Menu, Row, Screen
from bot.records.puzzles import Edition, LeagueLine, PuzzleAnswer, PuzzleDay, PuzzleRecord
from bot.records.rating import ALL_TIME, Rating, Season
from bot.records.results import Outcome
from bot.records.standings import Standing, Tally
from bot.records.summaries import (
    GAMES_ON_A_PAGE,
    PAGE,
    Finished,
    History,
    Leaderboard,
    LevelResult,
    Opponent,
    Point,
    Ranked,
    Remembered,
    Stats,
)
from bot.screens.history import history
from bot.screens.leaderboard import leaderboard
from bot.screens.pager import EVERY_GAME, PUZZLE, RecordKind, RecordsPage, Scope, When, with_game
from bot.screens.puzzle import news
from bot.screens.stats import stats
from bot.table.refusals import Refusal
from bot.table.seats import Absent, Level, PersonId
from bot.table.session import Ending, SessionId
from bot.table.table import Place
from bot.ui.emojis import shipped as sprites
from bot.ui.render import page_view, puzzle_view
from bot.ui.words import Words
from engine import review
from engine.game import Move, Seat
from tests.bot.ui.limits import MOST_CHARACTERS, nested, too_much

LARGEST = PersonId((1 << 63) - 1)
"""The longest possible id."""
MANY = Tally(99_999, 99_999, 99_999)
NOW = datetime(2026, 5, 1, tzinfo=UTC)


def controls(screen: Screen) -> dict[str, Control]:
    """The controls by their labels."""
    rows = (block for block in screen.blocks if isinstance(block, Row))
    return {control.label.key: control for row in rows for control in row.controls if control.label}


def test_a_page_beyond_the_last_leads_on_from_the_last() -> None:
    asked = RecordsPage(RecordKind.HISTORY, "ludo", Scope.HERE, LARGEST, 9)
    found = controls(history(History(1, 6, ()), asked, reader=LARGEST, place=Place(1, 1)))
    before = found["control.page_before"].action
    assert isinstance(before, RecordsPage)
    assert before.number == 0
    assert not found["control.page_after"].enabled


def test_another_game_or_scope_begins_at_its_first_page() -> None:
    asked = RecordsPage(RecordKind.LEADERBOARD, "ludo", Scope.EVERYWHERE, LARGEST, 3, When.EVER)
    board: Leaderboard[Ranked] = Leaderboard(3, 100, (), None)
    found = controls(leaderboard(board, asked, ALL_TIME, reader=LARGEST, private=False))
    assert found["control.scope.here"].action == RecordsPage(
        RecordKind.LEADERBOARD, "ludo", Scope.HERE, LARGEST, when=When.EVER
    )
    assert with_game(asked, "tictactoe") == RecordsPage(
        RecordKind.LEADERBOARD, "tictactoe", Scope.EVERYWHERE, LARGEST, when=When.EVER
    )
    for forged in ("chess", EVERY_GAME, ""):
        with pytest.raises(Refusal, match="not_offered"):
            with_game(asked, forged)
    assert found["control.when.season"].action == RecordsPage(
        RecordKind.LEADERBOARD, "ludo", Scope.EVERYWHERE, LARGEST, when=When.SEASON
    )


def test_each_game_can_be_chosen_and_only_in_private_no_scope() -> None:
    asked = RecordsPage(RecordKind.HISTORY, None, Scope.HERE, LARGEST)
    for private in (True, False):
        shown = history(
            History(0, 0, ()), asked, reader=LARGEST, place=Place(None if private else 1, 1)
        )
        (menu,) = (block for block in shown.blocks if isinstance(block, Menu))
        assert [choice.value for choice in menu.choices] == [EVERY_GAME, *CATALOGUE]
        assert ("control.scope.everywhere" in controls(shown)) is not private


def fullest() -> Iterator[Screen]:
    """Each screen with as much on it as there can be."""
    asked = RecordsPage(RecordKind.STATS, "ludo", Scope.EVERYWHERE, LARGEST, 99_998)
    opponents = tuple(Opponent(LARGEST, MANY) for _ in range(3))
    levels = tuple(LevelResult(level, MANY) for level in Level)
    point = Point(NOW, Rating(-1234.5, 8.3))
    record = Stats(
        LARGEST,
        "ludo",
        None,
        Standing(point.rating, MANY, streak=-99_999, best_streak=99_999),
        favourites=opponents,
        toughest=opponents,
        levels=levels,
        curve=(point,) * 200,
    )
    answers = {date.fromordinal(20_000 + day): PuzzleAnswer(solved=True) for day in range(99)}
    puzzles = PuzzleRecord(answers, date.fromordinal(20_099))
    for page in (replace(asked, number=0), asked):
        yield stats(record, puzzles, page, reader=LARGEST, private=False, lettered=False)
    standing = Standing(point.rating, MANY)
    line = Ranked(999_999, LARGEST, standing)
    other = Ranked(999_999, PersonId(1), standing)
    board = Leaderboard(99_998, 999_999, (other,) * PAGE, line)
    yield leaderboard(board, asked, ALL_TIME, reader=LARGEST, private=False)
    best = LeagueLine(999_999, LARGEST, 99_999.5, 99_999)
    table = Leaderboard(99_998, 999_999, (best._replace(person=PersonId(1)),) * PAGE, best)
    puzzle = replace(asked, what=RecordKind.LEADERBOARD, game=PUZZLE, when=When.EVER)
    yield leaderboard(table, puzzle, ALL_TIME, reader=LARGEST, private=False)
    away = (Absent(LARGEST, Level.PERFECT),) * 4
    numbers = (SessionId((1 << 53) - each) for each in range(GAMES_ON_A_PAGE))
    games = (
        Finished(number, "ludo", None, 1, NOW, Ending.RESIGNED, away, (1,) * 4, None)
        for number in numbers
    )
    entries = tuple(Remembered(ended, Outcome.DRAW, (Seat(1), Seat(2), Seat(3))) for ended in games)
    past = History(99_998, 999_999, entries)
    yield history(past, asked, reader=LARGEST, place=Place(1, 1))


def test_the_fullest_news_stay_within_discords_limits_in_every_language() -> None:
    """A board of Ludo with the bot's own emoji leaves no room for all else: it has common ones."""
    day, people = date(2027, 7, 1), [PersonId(LARGEST - each) for each in range(40)]
    solved = {person: PuzzleAnswer(solved=True, tried=(Move(1), Move(2))) for person in people}
    today, before = PuzzleDay(day, solved), PuzzleDay(day - timedelta(1), solved)
    best = tuple(LeagueLine(place, person, 21.5, 7) for place, person in enumerate(people[:3], 1))
    standing, month = Standing(Rating(40.0, 1.0), MANY), Season(202706)
    podium = tuple(Ranked(place, person, standing) for place, person in enumerate(people[:3], 1))
    podiums = dict.fromkeys(CATALOGUE, podium)
    edition = Edition(today, 345, before, 12, best, month, podiums, 3)
    told = news(review.puzzle(day), edition, review.puzzle(before.day))
    for language in shipped().values():
        words = Words(language, {}, dict.fromkeys(sprites(), LARGEST))
        assert not [*too_much(puzzle_view(told, day, words).to_components())]


@pytest.mark.parametrize("screen", [*fullest()])
def test_the_fullest_screens_stay_within_discords_limits(screen: Screen) -> None:
    words = Words(shipped()[ENGLISH], {game: f"</{game}:{LARGEST}>" for game in CATALOGUE})
    components = page_view(screen, words).to_components()
    assert not [*too_much(components)]
    ids = [part["custom_id"] for part in nested(components) if "custom_id" in part]
    assert len(ids) == len(set(ids)) >= 2
    assert all(len(each) <= 100 for each in ids)
    written = sum(len(part.get("content", "")) for part in nested(components))
    assert written < MOST_CHARACTERS / 1.4, "languages longer than English have room"

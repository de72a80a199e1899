"""Badges are found in finished games alone, each once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import combinations

import pytest

from bot.games.catalogue import CATALOGUE, badges_of
from bot.games.ludo.feats import HOME_ALONE, THREE_CAPTURES
from bot.records.badges import GamePart
from bot.records.rating import season_of
from bot.records.results import judged
from bot.records.standings import Pair, Standing, StandingKey, entered
from bot.records.summaries import Finished
from bot.table.seats import Absent, Computer, Human, Level, Occupant, PersonId
from bot.table.session import Ending, SessionId
from tests.bot.english import says
from tests.bot.kit import ANN, BEN

SUNDAY = datetime(2026, 5, 3, 12, tzinfo=UTC)
DUEL = (1.0, -1.0)
LOST = (-1.0, 1.0)


def people(*ids: int) -> tuple[Occupant, ...]:
    return tuple(Human(PersonId(each)) for each in ids)


@dataclass
class Book:
    """The games of one kind, entered one after the other."""

    game: str = "tictactoe"
    standings: dict[StandingKey, Standing] = field(default_factory=dict)
    met: dict[Pair, int] = field(default_factory=dict)
    held: dict[PersonId, list[str]] = field(default_factory=dict)

    def enter(
        self,
        *occupants: Occupant,
        payoff: tuple[float, ...] = DUEL,
        sides: tuple[int, ...] | None = None,
        at: datetime = SUNDAY,
        number: int = 1,
        feats: tuple[frozenset[str], ...] = (),
        apart: Level | None = None,
    ) -> list[str]:
        """Enters a game, and returns the badges that it earns Ann."""
        seats = tuple(range(len(occupants))) if sides is None else sides
        result = judged(occupants, seats, payoff, apart=apart)
        assert result is not None
        over = Finished(
            SessionId(number), self.game, 7, 1, at, Ending.PLAYED, occupants, seats, result, feats
        )
        entry = entered(result, 7, season_of(at), self.standings, self.met)
        self.met.update(entry.met)
        given = []
        for verdict in result.verdicts:
            held = self.held.setdefault(verdict.person, [])
            part = GamePart(over, verdict, self.standings, entry.standings)
            new = [b.key for b in badges_of(self.game) if b.key not in held and b.earned(part)]
            held += new
            given += new if verdict.person == ANN else []
        self.standings.update(entry.standings)
        return given


def test_a_first_win_is_told_once() -> None:
    book = Book()
    assert book.enter(*people(1, 2), payoff=LOST) == []
    assert book.enter(*people(1, 2)) == ["first_win"]
    assert book.enter(*people(1, 2)) == []
    assert book.held[BEN] == ["first_win"]


@pytest.mark.parametrize(
    ("games", "key"),
    [(3, "three_in_a_row"), (10, "ten_wins"), (10, "ten_in_a_row"), (20, "busy_season")],
)
def test_wins_add_up(games: int, key: str) -> None:
    book = Book()
    given = [book.enter(*people(1, 2)) for _ in range(games)]
    assert [key in each for each in given] == [False] * (games - 1) + [True]


def test_a_hundred_wins_need_no_row() -> None:
    book = Book()
    wins = [book.enter(*people(1, 2), payoff=DUEL if number % 2 else LOST) for number in range(200)]
    assert [number for number, given in enumerate(wins) if "hundred_wins" in given] == [199]
    assert not {"three_in_a_row", "ten_in_a_row"} & {*book.held[ANN]}


def test_a_season_is_busy_with_its_own_games_alone() -> None:
    book = Book()
    for month in (4, 5):
        for _ in range(19):
            book.enter(*people(1, 2), at=SUNDAY.replace(month=month))
    assert "busy_season" not in book.held[ANN]
    assert "busy_season" in book.enter(*people(1, 2))


def test_ten_different_people_are_good_company() -> None:
    book = Book()
    for other in (*range(2, 11), 2, 3):
        assert "ten_opponents" not in book.enter(*people(1, other), payoff=LOST)
    assert book.enter(*people(1, 11), payoff=LOST) == ["ten_opponents"]


def test_a_giant_has_two_hundred_points_more_and_is_no_newcomer() -> None:
    book = Book()
    strangers = range(3, 13)
    for one, other in combinations(strangers, 2):
        book.enter(*people(one, other))
    for other in strangers:
        book.enter(*people(2, other))
    assert "giant_killer" in book.enter(*people(1, 2))
    assert "giant_killer" not in Book().enter(*people(1, 2))


def test_the_best_of_four_people_and_winning_partners_have_badges_of_their_own() -> None:
    four, payoff = people(1, 2, 3, 4), (1.0, -1.0, 1.0, -1.0)
    alone = Book("ludo").enter(*four, payoff=(1.0, 1 / 3, -1 / 3, -1.0))
    assert {"first_win", "full_table"} <= {*alone}
    together = Book("ludo").enter(*four, payoff=payoff, sides=(0, 1, 0, 1))
    assert {*together} == {"first_win", "partners"}


@pytest.mark.parametrize("level", [Level.MEDIUM, Level.HARD, Level.EXPERT])
def test_a_computer_is_beaten_at_its_level_and_without_help(level: Level) -> None:
    occupants = (Human(ANN), Computer(level))
    assert Book("ludo").enter(*occupants) == [f"beat_{level}"]
    assert Book("ludo").enter(*occupants, payoff=LOST) == []
    assert Book("ludo").enter(*occupants, apart=Level.HINTS) == []


def test_what_a_computer_does_for_one_who_has_left_is_no_feat_of_theirs() -> None:
    done = (frozenset({THREE_CAPTURES, HOME_ALONE}), frozenset[str]())
    left = Absent(ANN, Level.MEDIUM)
    assert Book("ludo").enter(left, Human(BEN), payoff=LOST, feats=done) == []
    stayed = Book("ludo").enter(Human(ANN), Human(BEN), payoff=LOST, feats=done)
    assert {*stayed} == {THREE_CAPTURES, HOME_ALONE}


def test_a_draw_with_the_perfect_computer_counts_where_there_is_one() -> None:
    perfect = (Human(ANN), Computer(Level.PERFECT))
    assert Book().enter(*perfect, payoff=(0.0, 0.0)) == ["perfect_draw"]
    assert Book().enter(*perfect, payoff=(0.0, 0.0), apart=Level.TRIED) == []
    assert "perfect_draw" not in {badge.key for badge in badges_of("ludo")}


def test_a_win_after_five_losses_in_a_row_is_a_return() -> None:
    book = Book()
    for _ in range(5):
        book.enter(*people(1, 2), payoff=LOST)
    assert "back_again" in book.enter(*people(1, 2))


@pytest.mark.parametrize(
    ("key", "at", "number"),
    [
        ("new_year", datetime(2027, 1, 1, tzinfo=UTC), 1),
        ("friday_13", datetime(2026, 11, 13, 23, tzinfo=UTC), 1),
        ("round_number", SUNDAY, 3000),
    ],
)
def test_days_and_numbers_are_hidden_badges(key: str, at: datetime, number: int) -> None:
    assert key in Book().enter(*people(1, 2), at=at, number=number)
    assert key not in Book().enter(*people(1, 2))
    assert {badge.key: badge.hidden for badge in badges_of("tictactoe")}[key]


@pytest.mark.parametrize("feat", ["three_captures", "home_alone", "from_behind"])
def test_a_feat_is_for_the_seat_that_did_it(feat: str) -> None:
    done, nothing = frozenset({feat}), frozenset[str]()
    assert feat in Book("ludo").enter(*people(1, 2), feats=(done, nothing))
    assert feat not in Book("ludo").enter(*people(1, 2), feats=(nothing, done))
    helped = (Human(ANN), Computer(Level.EASY))
    assert Book("ludo").enter(*helped, feats=(done, nothing), apart=Level.HINTS) == []


def keys() -> Iterator[str]:
    for game in CATALOGUE:
        yield from (badge.key for badge in badges_of(game))


def test_every_badge_has_a_key_a_name_and_says_how() -> None:
    for game in CATALOGUE:
        own = [badge.key for badge in badges_of(game)]
        assert len(own) == len({*own})
    for key in {*keys()}:
        assert len(key) <= 32
        assert says(f"badge.{key}")
        assert says(f"badge.{key}.how")

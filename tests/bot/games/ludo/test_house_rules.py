"""The rules of a Ludo table in a few words: a preset, and the differences from it."""

from __future__ import annotations

import pytest

from bot.games.ludo.presenter import LudoPresenter
from bot.games.ludo.words.house_rules import house, option
from engine.game import Options, Seat
from engine.games.ludo import GAME
from tests.bot.games.ludo.ludo_tables import ENGLISH_WORDS, table


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({}, "classic"),
        (GAME.presets["quick"], "quick"),
        (GAME.presets["damascus"], "Damascus"),
        ({"tokens": 2}, "classic, but: 2 tokens each"),
        (
            {"tokens": 2, "leave_on": "1 or 6", "teams": "yes"},
            "quick, but: two against two (🔴🟡 against 🟢🔵)",
        ),
        ({"tokens": 1}, "classic, but: 1 token each"),
        (
            {**GAME.presets["damascus"], "stars_safe": "no", "finish": "places"},
            "Damascus, but: stars are not safe, all places are played for",
        ),
    ],
    ids=str,
)
def test_the_nearest_preset_is_named_and_what_differs_from_it(chosen: Options, told: str) -> None:
    assert ENGLISH_WORDS.of(house(chosen)) == told


def test_every_value_of_every_option_has_its_words() -> None:
    told = [
        ENGLISH_WORDS.of(option(choice.key, value))
        for choice in GAME.options
        for value in choice.values
    ]
    assert len(told) == len(set(told)) > 20


@pytest.mark.parametrize(("seats", "emblems"), [(2, "🔴🟡"), (3, "🔴🟢🟡"), (4, "🔴🟢🟡🔵")])
def test_a_seat_has_the_colour_of_its_corner(seats: int, emblems: str) -> None:
    presenter = LudoPresenter()
    signs = [presenter.emblem(seats, Seat(seat)) for seat in range(seats)]
    assert "".join(ENGLISH_WORDS.cell(sign) for sign in signs) == emblems


def test_in_brief_many_house_rules_are_counted() -> None:
    far: Options = dict.fromkeys(("extra_six", "extra_home", "stars_safe", "extra_capture"), "no")
    told = [LudoPresenter().rules_in_brief(table(2, options)) for options in ({}, far)]
    told.append(LudoPresenter().rules_in_brief(table(2, {"tokens": 2})))
    assert [ENGLISH_WORDS.of(each) for each in told] == [
        "classic",
        "classic +4 rules",
        "classic +1 rule",
    ]

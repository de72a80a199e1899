"""The rules of a Ludo table in a few words: a preset, and the differences from it."""

from __future__ import annotations

import pytest

from bot.games.ludo.presenter import LudoPresenter
from bot.games.ludo.words.description import house, option
from engine.game import Options, Seat
from engine.games.ludo import GAME
from tests.bot.english import ENGLISH_WORDS, says
from tests.bot.games.ludo.ludo_tables import table


def changed(preset: str, *options: str) -> str:
    """A preset's name with options that differ from it."""
    changes = says("list.comma").join(says(f"ludo.option.{option}") for option in options)
    return says("ludo.rules.changed", preset=says(f"preset.ludo.{preset}"), changes=changes)


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({}, says("preset.ludo.classic")),
        (GAME.presets["quick"], says("preset.ludo.quick")),
        (GAME.presets["damascus"], says("preset.ludo.damascus")),
        ({"tokens": 2}, changed("classic", "tokens.2")),
        (
            {"tokens": 2, "leave_on": "1 or 6", "teams": "yes"},
            changed("quick", "teams.yes"),
        ),
        ({"tokens": 1}, changed("classic", "tokens.1")),
        (
            {**GAME.presets["damascus"], "stars_safe": "no", "finish": "places"},
            changed("damascus", "stars_safe.no", "finish.places"),
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
    classic = says("preset.ludo.classic")
    assert [ENGLISH_WORDS.of(each) for each in told] == [
        classic,
        says("ludo.rules.several", preset=classic, count=4),
        says("ludo.rules.several", preset=classic, count=1),
    ]

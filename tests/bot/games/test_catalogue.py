"""The laws that every game of the bot obeys: its emoji, its levels, its command, its names."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from bot.games.catalogue import CATALOGUE
from bot.games.command import OPPONENT, Filled, Kind, Named, Request
from bot.games.entry import Entry
from bot.locales.letters import DRAWN
from bot.table.seats import Computer, Human, Level, PersonId
from bot.table.session import Phase
from engine.game import Seat
from engine.notation import notation

MOST_EMOJI = 2_000
MOST_IN_A_MENU = 5
"""The commands on a person that discord.py registers."""
BOT = PersonId(9)

every_game = pytest.mark.parametrize("entry", CATALOGUE.values(), ids=CATALOGUE)


def test_an_emoji_has_one_picture_in_all_games_and_a_name_to_be_read_out() -> None:
    names = Counter(name for entry in CATALOGUE.values() for name in entry.sprites)
    assert [name for name, games in names.items() if games > 1] == []
    plain = re.compile(r"[a-z]+(_[a-z1-9]+)*|[a-e][1-5]")
    assert [name for name in names if not plain.fullmatch(name)] == []
    assert len(names) <= MOST_EMOJI


def test_a_persons_menu_has_room_for_the_challenges_and_one_command_more() -> None:
    duels = [entry for entry in CATALOGUE.values() if OPPONENT in entry.command.fields]
    assert 0 < len(duels) < MOST_IN_A_MENU


@every_game
def test_a_game_has_the_level_that_plays_for_people_who_leave(entry: Entry) -> None:
    assert Level.MEDIUM in entry.levels


@every_game
def test_a_game_with_nothing_chosen_but_a_computer_begins_at_once(entry: Entry) -> None:
    computers: dict[str, Filled] = {"computers": 1, OPPONENT.key: Named(BOT)}
    session = entry.command.propose(Request(PersonId(1), BOT, computers, private=True), Random(0))
    assert session.phase is Phase.RUNNING
    assert Computer(Level.MEDIUM) in session.seats


@every_game
@pytest.mark.parametrize("computers", range(1, 4))
def test_a_person_moves_or_rolls_first_against_computers(entry: Entry, computers: int) -> None:
    values: dict[str, Filled] = {"computers": computers}
    for seed in range(5):
        request = Request(PersonId(1), BOT, values, private=True)
        session = entry.command.propose(request, Random(seed))
        assert session.mover == Human(PersonId(1))
        assert not session.unattended
        assert not session.game.dice or session.rolling


@every_game
def test_what_a_command_asks_for_fits_a_button_and_is_read_from_it(entry: Entry) -> None:
    values: dict[str, Filled] = {}
    for field in entry.command.fields:
        values[field.key] = field.choices[-1] if field.choices else field.most
        if field.kind in {Kind.PERSON, Kind.FLAG}:
            values[field.key] = Named(BOT) if field.kind is Kind.PERSON else True
    code = entry.command.encoded(Request(PersonId(1), BOT, values))
    assert entry.command.decoded(code, BOT) == values


@every_game
def test_the_letters_of_pictures_are_cut_for_the_names_of_all_seats(entry: Entry) -> None:
    """A game without an explainer has no names of seats in pictures."""
    explainers = [entry.explainer] if entry.explainer is not None else []
    keys = {
        explainer.name(seats, Seat(seat)).key
        for explainer in explainers
        for seats in entry.game.seats
        for seat in range(seats)
    }
    assert [key for key in keys if not DRAWN.match(key)] == []


@every_game
def test_a_move_has_a_name_short_enough_for_a_button(entry: Entry) -> None:
    for seats in entry.game.seats:
        first = entry.game.start(seats, {})
        names = [notation(entry.game).names(first, move)[-1] for move in first.moves()]
        assert len({*names}) == len(names)
        assert max(map(len, names)) <= 3

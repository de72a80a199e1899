"""Ludo in words: the position can be read back from them, and they fit a message."""

from __future__ import annotations

import re

import pytest

from bot.games.ludo.words.description import description
from engine.game import CHANCE, Options
from engine.games.ludo import LudoPosition
from engine.games.ludo.board import HOME, LAST_ON_RING, YARD, Square, progress_on
from tests.bot.english import says
from tests.bot.games.ludo.ludo_tables import (
    ANN,
    BEN,
    ENGLISH_WORDS,
    TABLES,
    random_positions,
    standing_at,
)

COLOURS = ("red", "green", "yellow", "blue")
ALTERNATIVE_TEXT = 1_024

every_table = pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)


def written(position: LudoPosition, options: Options) -> list[str]:
    people = (ANN, BEN, ANN, BEN)[: position.table.seats]
    return [ENGLISH_WORDS.of(line) for line in description(standing_at(position, people, options))]


def progress_read(corner: int, place: str) -> tuple[list[int], int]:
    """The numbers of the tokens in one place, and their progress."""
    told = re.fullmatch(r"(\d[\d, ]*(?:and \d)?) (\D.*)", place)
    assert told, place
    tokens, where = told.groups()
    reached: int | None = {"in the yard": YARD, "home": HOME}.get(where)
    if found := re.fullmatch(r"(?:safe )?on square (\d+)", where):
        reached = progress_on(corner, Square(int(found[1]) - 1))
    if found := re.fullmatch(r"on square ([1-5]) of the home lane", where):
        reached = LAST_ON_RING + int(found[1])
    assert reached is not None, place
    return [int(number) for number in re.findall(r"\d+", tokens)], reached


def tokens_read(corner: int, line: str) -> tuple[int, ...]:
    found = re.fullmatch(rf"Tokens of {COLOURS[corner]}: (.+)\.", line)
    assert found
    places = [progress_read(corner, place) for place in found[1].split("; ")]
    reached = {number: progress for numbers, progress in places for number in numbers}
    assert len(reached) == sum(len(numbers) for numbers, _ in places), "every token once"
    return tuple(reached[number] for number in sorted(reached))


@every_table
def test_the_position_can_be_read_back_from_its_words(seats: int, options: Options) -> None:
    for position in random_positions(seats, options, 2_000, seed=3):
        lines = written(position, options)
        home_from = position.table.home_from
        for seat, corner in enumerate(position.table.corners):
            expected = tuple(HOME if p >= home_from else p for p in position.tokens[seat])
            assert tokens_read(corner, lines[1 + seat]) == expected
        colour = COLOURS[position.table.corners[position.seat]]
        if not position.moves():
            assert lines[0] == says("ludo.words.over")
        elif position.opening:
            assert lines[0] == f"Roll for who begins: {colour}."
        elif position.turn == CHANCE:
            assert lines[0] == f"To roll: {colour}."
        else:
            assert lines[0] == f"To move: {colour}, with a {position.die}."
            whose = COLOURS[position.table.corners[position.owner]]
            of = "" if whose == colour else f" of {whose}, the partner"
            assert lines[-1].startswith(f"Possible moves{of}: ")
            moves = lines[-1].partition(": ")[2].split("; ")
            assert [int(move.split()[1]) - 1 for move in moves] == [*position.moves()]


@every_table
def test_the_words_fit_the_alternative_text_of_a_picture(seats: int, options: Options) -> None:
    for position in random_positions(seats, options, 1_000, seed=4):
        assert len("\n".join(written(position, options))) < ALTERNATIVE_TEXT * 2 // 3

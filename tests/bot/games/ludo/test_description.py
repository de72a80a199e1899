"""Ludo in words: the position can be read back from them, and they fit a message."""

from __future__ import annotations

import re

import pytest

from bot.games.ludo.words.description import description
from engine.game import CHANCE, Options
from engine.games.ludo import LudoPosition
from engine.games.ludo.board import HOME, LAST_ON_RING, YARD, Square, progress_on
from tests.bot.english import ENGLISH_WORDS, pattern, says
from tests.bot.games.ludo.ludo_tables import ANN, BEN, TABLES, random_positions, standing_at
from tests.samples import Sample

COLOURS = [says(f"side.{colour}") for colour in ("red", "green", "yellow", "blue")]
PLACES = {
    place: pattern(
        f"ludo.words.{place}", tokens=r"(\d[\d, ]*(?:and \d)?)", square=r"(\d+)", step="([1-5])"
    )
    for place in ("yard", "safe", "ring", "lane", "home")
}
MOVE = "|".join(
    pattern(f"ludo.words.move.{effect}", token=r"(\d)", whom=".+", pips="[1-6]")
    for effect in ("home", "capture", "leave", "start", "star", "lane", "block", "walk")
)
ALTERNATIVE_TEXT = 1_024

every_table = pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)


def written(position: LudoPosition, options: Options) -> list[str]:
    people = (ANN, BEN, ANN, BEN)[: position.table.seats]
    return [ENGLISH_WORDS.of(line) for line in description(standing_at(position, people, options))]


def progress_read(corner: int, place: str) -> tuple[list[int], int]:
    """The numbers of the tokens in one place, and their progress."""
    for where, form in PLACES.items():
        if told := re.fullmatch(form, place):
            numbers = [int(number) for number in re.findall(r"\d+", told[1])]
            return numbers, reached(corner, where, told)
    raise AssertionError(place)


def reached(corner: int, where: str, told: re.Match[str]) -> int:
    """The progress of a token that the words place somewhere."""
    match where:
        case "yard":
            return YARD
        case "home":
            return HOME
        case "lane":
            return LAST_ON_RING + int(told[2])
        case _:
            progress = progress_on(corner, Square(int(told[2]) - 1))
            assert progress is not None
            return progress


def token_told(move: str) -> int:
    """The token that a move in words is one of."""
    found = re.fullmatch(MOVE, move)
    assert found, move
    return next(int(number) - 1 for number in found.groups() if number)


def tokens_read(corner: int, line: str) -> tuple[int, ...]:
    found = re.fullmatch(pattern("ludo.words.seat", colour=COLOURS[corner], places="(.+)"), line)
    assert found
    told = found[1].split(says("list.semicolon"))
    places = [progress_read(corner, place) for place in told]
    reached = {number: progress for numbers, progress in places for number in numbers}
    assert len(reached) == sum(len(numbers) for numbers, _ in places), "every token once"
    return tuple(reached[number] for number in sorted(reached))


@pytest.mark.sampled(3)
@every_table
def test_the_position_can_be_read_back_from_its_words(
    seats: int, options: Options, sample: Sample
) -> None:
    for position in sample(random_positions(seats, options, 2_000, seed=3), 500):
        lines = written(position, options)
        home_from = position.table.home_from
        for seat, corner in enumerate(position.table.corners):
            expected = tuple(HOME if p >= home_from else p for p in position.tokens[seat])
            assert tokens_read(corner, lines[1 + seat]) == expected
        colour = COLOURS[position.table.corners[position.seat]]
        if not position.moves():
            assert lines[0] == says("board.words.over")
        elif position.opening:
            assert lines[0] == says("ludo.words.roll_off", colour=colour)
        elif position.turn == CHANCE:
            assert lines[0] == says("ludo.words.to_roll", colour=colour)
        else:
            assert lines[0] == says("ludo.words.to_move", colour=colour, pips=position.die)
            whose = COLOURS[position.table.corners[position.owner]]
            key = "ludo.words.moves" if whose == colour else "ludo.words.partners_moves"
            told = re.fullmatch(pattern(key, colour=whose, moves="(.+)"), lines[-1])
            assert told, lines[-1]
            moves = told[1].split(says("list.semicolon"))
            assert [token_told(move) for move in moves] == [*position.moves()]


@pytest.mark.sampled(3)
@every_table
def test_the_words_fit_the_alternative_text_of_a_picture(
    seats: int, options: Options, sample: Sample
) -> None:
    for position in sample(random_positions(seats, options, 1_000, seed=4), 300):
        assert len("\n".join(written(position, options))) < ALTERNATIVE_TEXT * 2 // 3

"""Ludo in a terminal: the cross that is drawn, and a game to its end."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Final

import pytest

from engine.__main__ import COMMANDS, parser
from engine.game import Move
from engine.games.ludo import GAME
from engine.games.ludo.board import FIELDS, LANES
from engine.games.ludo.evaluation.race import SHIPPED, STEPS_A_TURN, packed, race, solve
from engine.games.ludo.notation import NOTATION
from engine.games.ludo.rules import rules
from engine.notation import value_name
from engine.terminal.console import BadCommand, Outside

ENDS: Final = 5_000
"""The ranks of a race that are solved in every run; all of them are with `--exhaustive`."""


class AnyToken:
    """The console of a red player that tries one token after the other, for one game."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.tokens: Iterator[str] = itertools.cycle("1234")

    def say(self, line: str = "") -> None:
        self.lines.append(line)

    def ask(self, prompt: str) -> str:
        self.lines.append(prompt)
        return next(self.tokens) if prompt.startswith("Your move") else "no"

    def note(self, line: str) -> None:
        """Drop the passing line."""


def test_the_ring_is_closed_and_its_starts_and_stars_are_where_the_rules_draw_them() -> None:
    assert len(set(FIELDS)) == 52
    for (row, column), (next_row, next_column) in itertools.pairwise([*FIELDS, FIELDS[0]]):
        assert max(abs(row - next_row), abs(column - next_column)) == 1
    assert [FIELDS[square] for square in (0, 13, 26, 39)] == [(1, 7), (9, 11), (15, 5), (7, 1)]
    assert [FIELDS[square] for square in (8, 21, 34, 47)] == [(7, 10), (14, 7), (9, 2), (2, 5)]
    assert not set(FIELDS) & {field for lane in LANES for field in lane}


def test_a_token_is_drawn_on_its_square_and_told_in_steps() -> None:
    state = GAME.start(2, {"tokens": 2})._replace(tokens=((5, 5), (53, 0)), opening=())
    rows = NOTATION.drawing(state).splitlines()
    assert rows[5] == " " * 15 + "  .  - R+"
    assert rows[14] == " " * 15 + "  . G1  *"
    assert rows[-2:] == ["red    1: step 5  2: step 5", "green  1: lane 2  2: yard"]


def test_the_dice_say_who_rolls_and_may_be_typed_as_pips() -> None:
    assert NOTATION.names(GAME.start(2, {}), Move(4)) == ("red rolls 4", "4")


def run(command: str) -> list[str]:
    """Run a command on one core; the lines that it says."""
    console = AnyToken()
    arguments = parser().parse_args(command.split())
    COMMANDS[arguments.command].run(arguments, Outside(console, lambda: 0.0, Random(1), cores=1))
    return console.lines


NEAREST = (
    "expectiminimax:1: its evaluation is trained for quick, the preset nearest to these rules."
)


def test_at_four_seats_a_matrix_plays_one_against_three_both_ways() -> None:
    lines = run(
        "arena --matrix expectiminimax:1 random --game ludo --seats 4 --preset quick --games 8"
    )
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    assert [row[0] for row in rows] == ["8 games a pair", "---", "expectiminimax:1", "random"]
    one_smart, one_random = (float(cell.split(" / ")[0]) for cell in (rows[2][2], rows[3][1]))
    assert one_smart > one_random
    assert one_smart + one_random < 100


def test_a_match_says_which_weights_serve_where_none_were_learned_for_the_rules() -> None:
    match = "arena expectiminimax:1 random --game ludo --games 2 -o tokens=1"
    assert run(match)[0] == NEAREST
    assert run(match.replace("-o tokens=1", "--preset quick"))[0].startswith("expectiminimax:1 aga")


def test_a_comparison_says_which_weights_serve_and_what_each_move_is_worth() -> None:
    lines = run("compare ludo --agents expectiminimax:1 -o tokens=2 -o stars_safe=no --seed 2")
    assert NEAREST in lines
    assert lines[-1].startswith("| expectiminimax:1 | ")


def test_a_game_against_the_computer_says_which_weights_serve() -> None:
    lines = run("play ludo --against expectiminimax:1 --as red -o tokens=1")
    assert lines[0] == "expectiminimax: " + NEAREST.partition(": ")[2]


def test_what_dice_leave_open_is_a_number_however_near_to_a_win() -> None:
    assert value_name(0.99) == "+0.990"
    assert value_name(-0.9512) == "-0.951"
    assert value_name(28.0) == "+28.000"


def test_a_game_is_played_to_its_end() -> None:
    console = AnyToken()
    arguments = parser().parse_args(["play", "ludo", "--preset", "quick", "--as", "red"])
    outside = Outside(console, lambda: 0.0, Random(1), cores=1)
    COMMANDS["play"].run(arguments, outside)
    assert console.lines[-2] in {"You have won!", "green has won."}
    assert any("you rolled 6; which token? " in line for line in console.lines)


def test_a_race_is_solved_and_written_packed(tmp_path: Path) -> None:
    out = tmp_path / "race.z"
    said = run(f"race quick --out {out}")
    assert out.read_bytes() == packed(solve(rules(GAME.settled(GAME.presets["quick"]))))
    assert said == ["1,711 placings, 34.00 turns from the yard, 0 s", f"written to {out}"]


@pytest.mark.parametrize("preset", SHIPPED)
def test_the_end_of_a_shipped_race_is_solved_as_it_says(preset: str) -> None:
    house = rules(GAME.settled(GAME.presets[preset]))
    solved, shipped = (each.turns[-ENDS:] for each in (solve(house, ENDS), race(house)))
    assert [round(turns * STEPS_A_TURN) / STEPS_A_TURN for turns in solved] == [*shipped]


@pytest.mark.exhaustive
def test_the_shipped_race_is_the_one_that_the_command_makes(tmp_path: Path) -> None:
    out = tmp_path / "race.z"
    run(f"race damascus --out {out}")
    shipped = files("engine.games.ludo.evaluation") / "data" / "race-damascus.z"
    # The numbers alone: another version of zlib may write them in other bytes.
    assert zlib.decompress(out.read_bytes()) == zlib.decompress(shipped.read_bytes())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("chess", "ludo has no preset 'chess'; there are: classic, quick, damascus"),
        ("quick --out /nowhere/race.z", "cannot write /nowhere/race.z: No such file"),
    ],
)
def test_a_race_that_cannot_be_solved_or_kept_is_refused(words: str, sentence: str) -> None:
    with pytest.raises(BadCommand, match=sentence):
        run(f"race {words}")


def test_a_search_that_nothing_bounds_looks_as_deep_as_it_usually_does() -> None:
    words = ["play", "ludo", "--against", "expectiminimax", "--as", "red", "-o", "tokens=2"]
    console, ticks = AnyToken(), iter(range(100_000))
    outside = Outside(console, lambda: next(ticks), Random(1), cores=1)

    COMMANDS["play"].run(parser().parse_args(words), outside)

    assert console.lines[-1].startswith("Play again")

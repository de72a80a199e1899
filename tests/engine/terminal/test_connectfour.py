"""Connect four in a terminal: played, compared, drawn as a tree, and reviewed."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Final

from engine.files import json_text
from engine.files.record import PLAYED, Record
from engine.game import Move
from engine.games.connectfour import GAME
from engine.games.connectfour.notation import NOTATION
from engine.search.agent import Thought
from engine.terminal.compare import worth
from tests.engine.terminal.test_terminal import Typist, run

DOUBLE: Final = "4 4 5 5"
"""The first seat makes two threats next."""


def test_a_game_is_played_by_typing_columns() -> None:
    typist = Typist(seat=["X"], moves=itertools.cycle("1234567"))
    seen = run("play connectfour --against random", typist).seen
    assert "Your move (1-7):" in seen
    assert "1 2 3 4 5 6 7" in seen
    assert "Play again?" in seen


def test_algorithms_are_compared_and_drawn() -> None:
    agents = ("alphabeta:3", "negamax:3", "minimax:3")
    seen = run(f"compare connectfour --agents {' '.join(agents)} --moves {DOUBLE}").seen
    assert all(f"| {agent:<11} | X wins in 3 | 3 6 " in seen for agent in agents)
    assert "alphabeta: " in run(f"tree connectfour --depth 2 --moves {DOUBLE}").seen


def test_a_win_of_which_it_is_not_known_how_soon_it_comes_has_no_number_of_plies() -> None:
    win, later = Move(3), Move(0)
    values = {win: 1 - 43 / 1024, later: 1 - 5 / 1024}
    thought = Thought(win, values, proven=frozenset(values), untimed=frozenset({win}))
    assert (worth(thought, win), worth(thought, later)) == ("wins", "wins in 5")
    assert "| expert | X wins | 4 " in run("compare connectfour --agents expert").seen


def test_a_match_is_played() -> None:
    seen = run("arena rules random --game connectfour --games 4 --cores 1 -o size=9x7").seen
    assert "connectfour (size=9x7), 2 seats" in seen


def test_a_review_names_columns_and_cells(tmp_path: Path) -> None:
    moves = tuple(Move(int(column) - 1) for column in "4455316")
    record = Record(GAME, 2, {}, moves, PLAYED, (Fraction(1), Fraction(-1)))
    file = tmp_path / "game.json"
    file.write_text(json_text.written(record), encoding="utf-8")
    seen = run(f"review {file} --all").seen
    assert "lets the other win on b1 and f1" in seen
    seen = run(f"review {file} --all --language de").seen
    assert "c1" in seen
    assert "None" not in seen


def test_the_board_is_drawn_with_its_numbers() -> None:
    state = GAME.replay(2, {}, [Move(3), Move(3)])
    assert NOTATION.drawing(state).splitlines()[-3:] == [
        ". . . O . . .",
        ". . . X . . .",
        "1 2 3 4 5 6 7",
    ]

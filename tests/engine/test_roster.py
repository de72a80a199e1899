"""Games and agents by name, among them a third game that no other file names."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from engine import games as games_package
from engine import roster
from engine.files import json_text
from engine.files.record import PLAYED, Record
from engine.game import Move
from engine.games import tictactoe
from engine.notation import Plain, notation
from engine.roster import Unknown
from engine.search.agent import Budget
from engine.search.depth_first import NotForTwo
from tests import toy
from tests.engine.terminal.test_terminal import Typist, run

SEARCHING = [p.name for p in roster.players(tictactoe.GAME).values() if p.searching]

NIM = '''
"""Nim with one heap: take one, two or three; whoever takes the last one wins."""
from typing import NamedTuple
from engine.game import Game, Move, Seat

class Heap(NamedTuple):
    left: int
    turn: Seat
    def moves(self):
        return [Move(n) for n in (1, 2, 3) if n <= self.left]
    def odds(self):
        return ()
    def play(self, move):
        return Heap(self.left - move, Seat(1 - self.turn))
    def payoff(self):
        return None if self.left else ((-1.0, 1.0) if self.turn == 0 else (1.0, -1.0))

GAME = Game(key="nim", seats=(2,), options=(), first=lambda *_: Heap(10, Seat(0)), settle=dict)
'''


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "nim.py").write_text(NIM)
    monkeypatch.setattr(games_package, "__path__", [*games_package.__path__, str(tmp_path)])
    roster.games.cache_clear()
    yield
    sys.modules.pop("engine.games.nim", None)
    roster.games.cache_clear()


@pytest.mark.usefixtures("nim")
def test_a_module_in_the_games_folder_is_a_game() -> None:
    assert set(roster.games()) >= {"tictactoe", "nim"}


@pytest.mark.usefixtures("nim")
def test_every_command_takes_a_new_game(tmp_path: Path) -> None:
    typist = Typist(seat=["player 1"], moves=itertools.cycle("21"))
    assert "Play again?" in run("play nim --against minimax --think", typist).seen
    assert "nim (), 2 seats" in run("arena minimax random --game nim --games 2 --cores 1").seen
    assert "player 2 wins in 2" in run("compare nim --moves 3 3").seen
    assert "alphabeta: " in run("tree nim --moves 3 3").seen
    moves = tuple(map(Move, (3, 1, 2, 1, 3)))
    record = Record(roster.game("nim"), 2, {}, moves, PLAYED, (Fraction(1), Fraction(-1)))
    file = tmp_path / "game.json"
    file.write_text(json_text.written(record), encoding="utf-8")
    assert "player 1 has won." in run(f"replay {file} --end").seen
    assert "1. player 1 plays 3: blunder" in run(f"review {file}").seen


def test_no_command_but_those_for_ludos_own_files_knows_a_game() -> None:
    terminal = Path(roster.__file__).parent / "terminal"
    naming = {file.stem for file in terminal.glob("*.py") if "engine.games." in file.read_text()}
    assert naming == {"race", "train"}


@pytest.mark.usefixtures("nim")
def test_a_new_game_is_played_by_the_agents_for_any_game() -> None:
    game = roster.game("nim")
    offered = roster.players(game)
    assert {"random", "minimax", "negamax", "alphabeta"} <= set(offered)
    assert "rules-corner" not in offered
    state = game.start(2, {})
    assert roster.entrant(game, "alphabeta").agent(Random(1)).think(state).move == 2
    assert roster.entrant(game, "minimax-in-one").agent(Random(1)).think(state).move == 2


def test_a_game_from_outside_the_folder_has_the_agents_for_any_game_of_its_kind() -> None:
    assert set(roster.players(toy.GAME)) == {"random", "mcts"}  # three may sit at its table
    assert isinstance(notation(toy.GAME), Plain)


@pytest.mark.parametrize("name", roster.players(tictactoe.GAME))
def test_every_agent_on_offer_plays_a_legal_move_within_a_budget(name: str) -> None:
    state = tictactoe.GAME.start(2, {"size": 5})
    agent = roster.entrant(tictactoe.GAME, f"{name}").agent(Random(1))
    assert agent.think(state, Budget(nodes=500)).move in state.moves()


@pytest.mark.parametrize("name", SEARCHING)
def test_every_agent_that_searches_can_tell_the_value_of_every_legal_move(name: str) -> None:
    state = tictactoe.GAME.replay(2, {}, [Move(4), Move(0), Move(1)])
    agent = roster.entrant(tictactoe.GAME, name).agent(Random(1), weigh_all=True)
    thought = agent.think(state)
    assert set(thought.values) == set(state.moves())
    assert thought.variation[0] == thought.move


def test_an_agent_is_asked_for_with_its_depth_evaluation_and_seconds() -> None:
    entrant = roster.entrant(tictactoe.GAME, "alphabeta:2:none@0.5")
    assert entrant.player.name == "alphabeta"
    assert entrant.setting.depth == 2
    assert entrant.setting.evaluation is roster.evaluations(tictactoe.GAME)["none"]
    assert entrant.seconds == 0.5


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("alphabet", "there is no agent called 'alphabet'; there are random, "),
        ("alphabeta:two", "'two' in 'alphabeta:two' is not a number"),
        ("alphabeta:0", "'0' in 'alphabeta:0' has to be above 0"),
        ("alphabeta:2:beauty", "there is no evaluation called 'beauty'; there are open-lines"),
        ("perfect@soon", "'soon' in 'perfect@soon' is not a number"),
        ("random:2", "random does not search"),
    ],
)
def test_what_does_not_exist_is_refused_with_a_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(Unknown, match=sentence):
        roster.entrant(tictactoe.GAME, spec)


def test_an_unknown_game_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(Unknown, match=r"no game called 'chess'; there are .*tictactoe"):
        roster.game("chess")


@pytest.mark.usefixtures("nim")
def test_an_algorithm_for_two_refuses_a_game_in_which_a_third_seat_is_to_move() -> None:
    game = roster.game("nim")
    stuck = game.start(2, {})._replace(left=4, turn=7)
    with pytest.raises(NotForTwo, match="for two seats, without dice"):
        roster.entrant(game, "minimax").agent(Random(1)).think(stuck)

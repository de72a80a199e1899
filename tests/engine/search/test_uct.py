"""Monte Carlo tree search: laws of its tree, forced wins, and the outcome it comes to."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import roster
from engine.game import CHANCE, Move, Seat
from engine.games.connectfour import GAME as CONNECT_FOUR
from engine.games.ludo import GAME as LUDO
from engine.games.tictactoe import GAME
from engine.search.agent import Budget, Effort
from engine.search.uct import Uct, UctNode
from tests import toy
from tests.engine.games.ludo.positions import standing
from tests.engine.search.test_classics import different, worth

ROLLED = standing((5, 9, 0, 0), (3, 0, 20, 0)).play(Move(3))
STARTS = [
    GAME.start(2, {"size": 4}),
    CONNECT_FOUR.start(2, {}),
    ROLLED,
    toy.GAME.start(3, {}),
]


def grown(state: Any, playouts: int, seed: int = 1) -> UctNode:
    agent = Uct(Random(seed), playouts)
    root = agent.root(state)
    assert len(list(agent.grown(root, Effort()))) == playouts
    return root


def every(node: UctNode) -> list[UctNode]:
    return [node, *(below for child in node.children.values() for below in every(child))]


@pytest.mark.parametrize("state", STARTS)
def test_every_playout_is_counted_in_each_position_that_it_passes(state: Any) -> None:
    root = grown(state, 60)
    assert root.playouts == 60
    assert len(every(root)) <= 61, "one position more a playout at most"
    for node in every(root):
        own = 0 if node is root or node.state.payoff() is not None else 1
        if node.state.payoff() is None:
            assert node.playouts == own + sum(child.playouts for child in node.children.values())
        assert sum(node.sums) == pytest.approx(0)
        assert all(abs(node.mean(Seat(seat))) <= 1 for seat in range(len(node.sums)))
        assert node.state.turn != CHANCE or not node.untried


@pytest.mark.parametrize(
    ("state", "win"),
    [
        (GAME.replay(2, {}, [Move(0), Move(3), Move(1), Move(4)]), 2),
        (CONNECT_FOUR.replay(2, {}, [Move(n) for n in (0, 6, 0, 6, 0, 5)]), 0),
        (standing((57, 57, 57, 54), (3, 0, 20, 0)).play(Move(3)), 3),
    ],
)
def test_it_finds_the_win_in_one(state: Any, win: int) -> None:
    for seed in range(5):
        thought = Uct(Random(seed), 100).think(state)
        assert thought.move == win
        assert thought.values[thought.move] == 1


def test_it_stops_a_win_in_one() -> None:
    state = GAME.replay(2, {}, [Move(0), Move(3), Move(8), Move(4)])
    assert {Uct(Random(seed), 300).think(state).move for seed in range(5)} == {5}


def test_with_more_playouts_it_comes_to_the_best_move_of_solved_positions() -> None:
    few = [state for state in different() if len(state.moves()) == 5][::6]
    right = []
    for playouts in (10, 1000):
        thoughts = [(state, Uct(Random(7), playouts).think(state)) for state in few]
        outcomes = [
            (round(worth(state, each.move)), max(round(worth(state, m)) for m in state.moves()))
            for state, each in thoughts
        ]
        right.append(sum(found == best for found, best in outcomes))
    assert right[0] < right[1] == len(few)


def test_the_same_seed_thinks_the_same_and_another_seed_something_else() -> None:
    thoughts = [Uct(Random(seed), 50).think(ROLLED) for seed in (1, 1, 2)]
    assert thoughts[0] == thoughts[1] != thoughts[2]


def test_the_choice_is_the_move_with_the_most_playouts_and_values_are_their_means() -> None:
    state = CONNECT_FOUR.start(2, {})
    thought = Uct(Random(3), 200).think(state)
    assert sum(thought.playouts.values()) == 200
    assert thought.playouts[thought.move] == max(thought.playouts.values())
    assert set(thought.values) == set(state.moves())
    assert thought.variation[0] == thought.move
    assert not thought.proven


@given(nodes=st.integers(0, 400))
def test_a_budget_of_nodes_is_kept_to_the_node(nodes: int) -> None:
    state = GAME.start(2, {"size": 5})
    thought = Uct(Random(1)).think(state, Budget(nodes=nodes))
    assert thought.nodes == nodes
    assert thought.move in state.moves()


def test_the_dice_fall_in_the_tree_by_their_odds() -> None:
    only = standing((5, 57, 57, 57), (3, 57, 57, 57)).play(Move(2))
    rolls = next(iter(grown(only, 600).children.values()))
    assert set(rolls.children) == {1, 2, 3, 4, 5, 6}
    assert all(70 < child.playouts < 130 for child in rolls.children.values())


def test_where_there_is_one_move_it_makes_one_playout() -> None:
    only = standing((5, 57, 57, 57), (3, 0, 20, 0)).play(Move(3))
    assert len(only.moves()) == 1
    assert Uct(Random(1)).think(only).playouts == {only.moves()[0]: 1}


@pytest.mark.parametrize("game", [GAME, CONNECT_FOUR, LUDO])
def test_it_is_asked_for_by_name_with_its_playouts(game: Any) -> None:
    entrant = roster.entrant(game, "mcts:20")
    state = ROLLED if game is LUDO else game.start(2, {})
    assert sum(entrant.agent(Random(1)).think(state).playouts.values()) == 20

"""The environment of PettingZoo, by PettingZoo's own tests and against the game itself."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="the extra gym is not installed")

import numpy as np
from pettingzoo.test import api_test, seed_test

from engine import IllegalMove, Move, Seat, roster
from engine.games.ludo.notation import planes
from engine.gym import GameEnv
from tests.engine.games.ludo.positions import standing

TABLES: list[dict[str, Any]] = [
    {"game": "tictactoe"},
    {"game": "tictactoe", "options": {"size": 5}},
    {"game": "connectfour", "options": {"size": "8x7"}},
    {"game": "ludo", "options": {"tokens": 2}},
    {"game": "ludo", "seats": 4, "options": {"tokens": 1}},
    {"game": "tictactoe", "planes": True},
    {"game": "connectfour", "options": {"size": "8x7"}, "planes": True},
    {"game": "ludo", "seats": 3, "options": {"tokens": 2}, "planes": True},
]


@pytest.mark.filterwarnings("ignore::UserWarning")  # what it thinks of the names of the spaces
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_it_passes_the_tests_of_pettingzoo(table: dict[str, Any]) -> None:
    api_test(GameEnv(**table), num_cycles=200, verbose_progress=False)
    seed_test(lambda: GameEnv(**table), num_cycles=100)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_game_is_that_of_the_rules_and_its_rewards_are_the_payoffs(table: dict[str, Any]) -> None:
    env, rng = GameEnv(**table, render_mode="ansi"), Random(1)
    env.reset(seed=1)
    rewards: dict[str, float] = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        rewards[agent] += reward
        space = env.observation_space(agent)
        assert space.contains(observation)
        legal = [move for move, may in enumerate(observation["action_mask"]) if may]
        env.step(None if over else rng.choice(legal))
        assert env.render()
    assert max(rewards.values()) >= 0
    assert sum(rewards.values()) == pytest.approx(0)


def test_each_seat_sees_itself_first() -> None:
    env = GameEnv("tictactoe")
    env.reset()
    env.step(4)
    mine, theirs = (env.observe(f"seat_{seat}")["observation"] for seat in (0, 1))
    assert mine[4] == theirs[9 + 4] == 1
    assert sum(mine) == sum(theirs) == 1


def test_planes_are_the_board_as_it_is_drawn_and_whose_turn_it_is() -> None:
    env = GameEnv("connectfour", planes=True)
    env.reset()
    for column in (3, 3, 2):
        env.step(column)
    own, other, turn = env.observe("seat_1")["observation"]
    assert own.shape == (6, 7)
    assert [tuple(each) for each in np.argwhere(own)] == [(4, 3)]
    assert [tuple(each) for each in np.argwhere(other)] == [(5, 2), (5, 3)]
    assert turn.all()
    assert not env.observe("seat_0")["observation"][2].any()
    small = GameEnv("tictactoe", planes=True)
    small.reset()
    small.step(2)
    assert small.observe("seat_0")["observation"][0][0][2] == 1


def test_planes_of_ludo_have_ring_lane_home_yard_turn_and_die_from_the_seat_that_looks() -> None:
    state = standing((1, 40, 57, 0), (14, 52, 56, 57)).play(Move(6))
    seen = np.array(planes(state, Seat(1)))
    assert seen.shape == (2 + 2 + 6, 5, 13)
    assert np.allclose(seen[:2].sum(axis=(1, 2)), 1)
    own = [tuple(each) for each in np.argwhere(seen[0])]
    assert own == [(1, 0), (4, 0), (4, 4), (4, 5)], "14 is a quarter on; lane's ends; home"
    theirs = [tuple(each) for each in np.argwhere(seen[1])]
    assert theirs == [(1, 0), (2, 0), (4, 5), (4, 6)], "40, 1 from the opposite; home; yard"
    assert seen[2].sum() == 0, "it is the other's turn"
    assert seen[3].all()
    assert [plane.all() for plane in seen[4:]] == [False] * 5 + [True]


def test_dice_fall_the_same_way_by_the_same_seed_and_a_seat_that_waits_has_no_move() -> None:
    def began(seed: int) -> tuple[str, list[float]]:
        env = GameEnv("ludo", seats=4)
        env.reset(seed=seed)
        waiting = next(agent for agent in env.agents if agent != env.agent_selection)
        assert not env.observe(waiting)["action_mask"].any()
        return env.agent_selection, list(env.observe(env.agent_selection)["observation"])

    assert began(5) == began(5)
    assert len({began(seed)[0] for seed in range(20)}) > 1


def test_a_move_that_is_not_legal_is_refused() -> None:
    env = GameEnv("tictactoe")
    env.reset()
    env.step(4)
    with pytest.raises(IllegalMove):
        env.step(4)


def test_every_game_of_the_roster_can_be_observed() -> None:
    for key, game in roster.games().items():
        env = GameEnv(key)
        env.reset()
        assert env.observe(env.agent_selection)["action_mask"].any()
        assert len(env.possible_agents) == game.seats[0]

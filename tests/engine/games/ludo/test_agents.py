"""The Ludo players: each aim of the rule-based one, and all of them at every table to the end."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from engine import roster
from engine.game import CHANCE, Move, Options
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.agents import LudoRules
from engine.search.agent import Agent, Budget
from tests.engine.games.ludo.drawing import drawn, rolled
from tests.engine.games.ludo.positions import TABLES, standing, to_move

AGENTS = ("random", "rules", "expectiminimax:1", "expectiminimax:2:report")


def chosen(position: LudoPosition, die: int) -> set[tuple[int, int]]:
    """The progress, before and after, of each token that the rules would move."""
    position = rolled(position, die)
    own = position.tokens[position.owner]
    choices = LudoRules(Random(1)).choices(position)
    return {(own[token], position.target(token)) for token in choices}


def test_it_captures_what_has_walked_farthest_before_anything_else() -> None:
    # With a 6 it could leave the yard, bring the token on 51 home, or capture either b.
    position = drawn(
        """
        .............
        ...a.....b...
        ....a.....b..
        .............
        """,
        lanes={"a": (51,)},
    )
    assert position.tokens[1][:2] == (49, 11)
    assert chosen(position, 6) == {(17, 23)}


def test_it_leaves_the_yard_before_it_brings_a_token_home() -> None:
    assert chosen(standing((51, 20, 0, 0), (0, 0, 0, 0)), 6) == {(0, 1)}


def test_it_brings_a_token_home_before_it_flees() -> None:
    # a's progress 33 stands four squares before b.
    assert chosen(standing((55, 33, 5, 5), (3, 0, 0, 0)), 2) == {(55, 57)}


def test_it_flees_with_the_foremost_token_that_a_rival_can_capture() -> None:
    # b stands on a's progress 29: 33 and 31 are before it, 33 + 3 = 36 lies out of its reach.
    assert chosen(standing((45, 33, 31, 57), (3, 0, 0, 0)), 3) == {(33, 36)}


def test_it_does_not_flee_to_where_it_can_be_captured_as_well() -> None:
    # From 31 a 2 leads to 33, four squares before b: no better, so the foremost token advances.
    assert chosen(standing((45, 31, 57, 57), (3, 0, 0, 0)), 2) == {(45, 47)}


def test_it_secures_a_token_on_a_star_in_a_block_or_in_the_lane() -> None:
    rival = (0, 0, 0, 0)
    assert chosen(standing((41, 5, 57, 57), rival), 4) == {(5, 9)}
    assert chosen(standing((41, 5, 8, 57), rival), 3) == {(5, 8)}
    assert chosen(standing((20, 49, 57, 57), rival), 4) == {(49, 53)}


def test_it_secures_the_foremost_of_those_it_can() -> None:
    assert chosen(standing((5, 31, 57, 57), (0, 0, 0, 0)), 4) == {(31, 35)}


def test_otherwise_it_moves_the_foremost_token() -> None:
    assert chosen(standing((30, 20, 57, 57), (0, 0, 0, 0)), 1) == {(30, 31)}


def test_a_token_in_the_lane_has_nothing_to_flee_from() -> None:
    assert chosen(standing((53, 20, 57, 57), (0, 0, 0, 0)), 1) == {(53, 54)}


def test_of_moves_that_serve_its_aim_alike_it_takes_any() -> None:
    position = rolled(standing((33, 20, 57, 57), (0, 0, 0, 0), blocks="off"), 1)
    assert LudoRules(Random(1), aims=()).choices(position) == position.moves()
    seen = {LudoRules(Random(seed), aims=()).think(position).move for seed in range(20)}
    assert seen == set(position.moves())


@given(position=to_move())
def test_its_move_is_legal_at_every_table(position: LudoPosition) -> None:
    assert LudoRules(Random(1)).think(position).move in position.moves()


@pytest.mark.sampled(20)
@pytest.mark.parametrize("spec", AGENTS)
@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_every_agent_plays_every_table_to_the_end(spec: str, seats: int, options: Options) -> None:
    rng = Random(f"{spec} {seats} {options}")
    agent: Agent[LudoPosition] = roster.entrant(GAME, spec).agent(rng)
    state = GAME.start(seats, options)
    while state.moves():
        if state.turn == CHANCE:
            state = state.play(rng.choice(state.moves()))
        else:
            move = agent.think(state, Budget(nodes=300)).move
            assert move in state.moves()
            state = state.play(move)
    payoff = state.payoff()
    assert payoff is not None
    assert max(payoff) == 1


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_it_tells_the_value_of_every_legal_move_its_depth_nodes_and_variation(
    seats: int, options: Options
) -> None:
    rng = Random(7)
    state = GAME.start(seats, options)
    while state.turn == CHANCE or len(state.moves()) < 2:
        state = state.play(rng.choice(state.moves()))
    for evaluation in roster.evaluations(GAME):
        entrant = roster.entrant(GAME, f"expectiminimax:2:{evaluation}")
        thought = entrant.agent(Random(1), weigh_all=True).think(state)
        assert set(thought.values) == set(state.moves())
        assert thought.values[thought.move] == max(thought.values.values())
        assert thought.nodes > len(state.moves())
        assert thought.depth == 2
        assert thought.variation[0] == thought.move


def test_the_expert_looks_five_moves_ahead_if_four_tokens_of_two_seats_are_on_their_way() -> None:
    def depth(*tokens: tuple[int, ...]) -> int:
        expert = roster.entrant(GAME, "expert").agent(Random(1))
        return expert.think(standing(*tokens).play(Move(6))).depth

    assert depth((57, 57, 20, 19), (57, 57, 40, 40)) == 5
    assert depth((57, 57, 20, 18), (57, 40, 40, 40)) == 4
    assert depth((57, 57, 20, 19), (57, 57, 57, 40), (57, 57, 57, 40)) == 4


def test_weights_of_other_rules_are_remarked_on_and_only_those() -> None:
    def remark(spec: str, options: Options) -> str:
        return roster.entrant(GAME, spec).remark(GAME.start(2, options))

    assert remark("expectiminimax", {}) == remark("expert", {}) == ""
    assert remark("expectiminimax", GAME.presets["damascus"]) == ""
    assert remark("expectiminimax:2:report", {"tokens": 1}) == ""
    assert remark("rules", {"tokens": 1}) == ""
    expected = "its evaluation is trained for quick, the preset nearest to these rules"
    assert remark("expectiminimax", {"tokens": 1}) == remark("expert", {"tokens": 1}) == expected

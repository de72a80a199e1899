"""The rule-based players: the threats that they see, and the lines of play that beat them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Move, Seat
from engine.games.tictactoe import CROSSES, GAME, NOUGHTS, TicTacToePosition
from engine.games.tictactoe.agents import CENTRE, CORNER, FORK, Rule, RuleAgent

RULES = {"rules-corner": CORNER, "rules-centre": CENTRE, "rules-fork": FORK}
BOARDS = [(3, 3), (4, 3), (4, 4), (5, 3), (5, 4), (5, 5)]

every_list = pytest.mark.parametrize("rules", RULES.values(), ids=RULES.keys())


def winning_cells(state: TicTacToePosition, seat: Seat) -> set[Move]:
    """The free cells that make a row for `seat`, found by walking both ways from each."""
    marks = {
        divmod(c, state.size) for c in range(25) if (state.crosses, state.noughts)[seat] >> c & 1
    }

    def run(cell: tuple[int, int], step: tuple[int, int]) -> int:
        after = (cell[0] + step[0], cell[1] + step[1])
        return 1 + run(after, step) if after in marks else 0

    def longest(cell: tuple[int, int]) -> int:
        steps = ((0, 1), (1, 0), (1, 1), (1, -1))
        return max(1 + run(cell, step) + run(cell, (-step[0], -step[1])) for step in steps)

    return {move for move in state.moves() if longest(divmod(move, state.size)) >= state.line}


@st.composite
def running(draw: st.DrawFn) -> TicTacToePosition:
    size, line = draw(st.sampled_from(BOARDS))
    state = GAME.start(2, {"size": size, "line": line})
    for cell in draw(st.permutations(range(size * size)))[: draw(st.integers(0, size * size))]:
        after = state.play(Move(cell))
        if after.payoff() is not None:
            break
        state = after
    return state


@every_list
@given(state=running(), seed=st.integers(0, 9))
def test_a_rule_player_takes_a_win_and_otherwise_stops_a_threat(
    rules: tuple[Rule, ...], state: TicTacToePosition, seed: int
) -> None:
    move = RuleAgent(rules, Random(seed)).think(state).move
    wins = winning_cells(state, state.turn)
    threats = winning_cells(state, Seat(1 - state.turn))
    assert move in (wins or threats or state.moves())


@every_list
@given(state=running())
def test_a_rule_player_always_has_a_legal_choice(
    rules: tuple[Rule, ...], state: TicTacToePosition
) -> None:
    choices = RuleAgent(rules, Random()).choices(state)
    assert choices
    assert set(choices) <= set(state.moves())


def lost_lines(agent: RuleAgent, seat: Seat, state: TicTacToePosition) -> int:
    """The number of continuations, over all choices of both sides, that the agent loses."""
    payoff = state.payoff()
    if payoff is not None:
        return int(payoff[seat] == -1)
    moves = agent.choices(state) if state.turn == seat else state.moves()
    return sum(lost_lines(agent, seat, state.play(move)) for move in moves)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [("rules-centre", 0, 12), ("rules-corner", 32, 360), ("rules-fork", 0, 0)],
)
def test_as_many_lines_of_play_beat_a_rule_player_as_are_known(
    name: str, first: int, second: int
) -> None:
    agent = RuleAgent(RULES[name], Random())
    assert lost_lines(agent, CROSSES, GAME.start(2, {})) == first
    assert lost_lines(agent, NOUGHTS, GAME.start(2, {})) == second


def test_corner_prefers_corners_and_centre_the_middle() -> None:
    empty = GAME.start(2, {})
    assert RuleAgent(RULES["rules-corner"], Random()).choices(empty) == [0, 2, 6, 8]
    assert RuleAgent(RULES["rules-centre"], Random()).choices(empty) == [4]


def test_centre_takes_cells_in_the_order_of_the_texts() -> None:
    order, state = [], GAME.start(2, {})
    agent = RuleAgent(RULES["rules-centre"][2:], Random())
    taken = 0
    while taken != 0b111_111_111:
        cell = agent.choices(state._replace(noughts=taken))[0]
        order.append(cell)
        taken |= 1 << cell
    assert order == [4, 0, 2, 6, 8, 1, 3, 5, 7]

"""The perfect player, against alpha-beta near the end of the game and against known results."""

from __future__ import annotations

import itertools
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.game import Move, Seat
from engine.games.tictactoe import CROSSES, GAME, NOUGHTS, TicTacToePosition
from engine.games.tictactoe.agents import FORK, RuleAgent
from engine.games.tictactoe.perfect import Knowledge, Perfect, Proofs, entry
from engine.games.tictactoe.solver import Solver, board, potential, symmetry, threats
from engine.search.agent import UNLIMITED, Agent, Budget, Effort
from engine.search.depth_first import DepthFirst
from engine.search.minimax import alphabeta
from engine.search.players import RandomAgent
from tests.samples import Sample

BOARDS = [(3, 3), (4, 3), (4, 4), (5, 3), (5, 4), (5, 5)]


def start(size: int, line: int) -> TicTacToePosition:
    return GAME.start(2, {"size": size, "line": line})


def unfinished() -> list[TicTacToePosition]:
    found, reached = set[TicTacToePosition](), {start(3, 3)}
    while reached:
        found |= reached
        reached = {state.play(move) for state in reached for move in state.moves()}
    return sorted(state for state in found if state.payoff() is None)


@st.composite
def running(draw: st.DrawFn, *, least: float = 0, most: float = 1) -> TicTacToePosition:
    """An unfinished position of any board, with a share of its cells marked."""
    size, line = draw(st.sampled_from(BOARDS))
    cells = draw(st.permutations(range(size * size)))
    wanted = draw(st.integers(int(size * size * least), int(size * size * most)))
    state = start(size, line)
    for cell in cells:
        after = state.play(Move(cell))
        if after.payoff() is None:
            state = after
        if (state.crosses | state.noughts).bit_count() == wanted:
            break
    assume((state.crosses | state.noughts).bit_count() >= size * size * least)
    return state


def test_the_table_has_every_unfinished_position_and_agrees_with_alphabeta_on_all(
    sample: Sample,
) -> None:
    states = unfinished()
    assert len(states) == 4520
    assert all(entry(state) for state in states)
    agent = DepthFirst(alphabeta, Random(1), weigh_all=True)
    for state in sample(states, 300):
        values = agent.think(state).values
        best = max(values.values())
        bests = [move for move, value in values.items() if value == best]
        assert [thought.move for thought in entry(state)] == bests
        assert all(thought.values == values for thought in entry(state))


def test_the_solver_proves_on_3x3_what_the_table_says(sample: Sample) -> None:
    knowledge = Knowledge(3, 3)
    for state in sample(unfinished(), 500):
        proofs = Proofs(knowledge, state, Effort())
        proofs.prove_the_best()
        assert set(proofs.best) <= {thought.move for thought in entry(state)}
        proofs.weigh_the_rest()
        assert proofs.values == entry(state)[0].values


@given(state=running(least=0.64))
def test_near_the_end_of_any_board_perfect_and_alphabeta_give_the_same_values(
    state: TicTacToePosition,
) -> None:
    thought = Perfect(Random(1), weigh_all=True).think(state)
    plain = DepthFirst(alphabeta, Random(1), weigh_all=True).think(state)
    assert thought.values == plain.values
    assert thought.values[thought.move] == max(plain.values.values())


@pytest.mark.parametrize(
    ("size", "line", "value"),
    [
        # Uiterwijk and van den Herik, "The Advantage of the Initiative", 2000.
        (3, 3, 0.0),
        (4, 4, 0.0),
        (5, 4, 0.0),
        (5, 5, 0.0),
        # Three in a row on a larger board: the third mark makes two threats.
        (4, 3, 1 - 5 / 1024),
        (5, 3, 1 - 5 / 1024),
    ],
)
def test_the_empty_board_is_worth_what_is_known(size: int, line: int, value: float) -> None:
    thought = Perfect(Random(1)).think(start(size, line))
    assert thought.values[thought.move] == value


def test_every_answer_to_a_first_mark_in_the_centre_of_5x5_loses_but_the_diagonal_ones() -> None:
    agent = Perfect(Random(1), weigh_all=True)
    thought = agent.think(start(5, 4).play(Move(12)))
    assert {move for move, value in thought.values.items() if value == 0} == {6, 8, 16, 18}
    assert all(value < 0 for move, value in thought.values.items() if move not in {6, 8, 16, 18})


def test_a_win_is_taken_at_once_and_the_soonest_is_preferred() -> None:
    state = GAME.replay(2, {"size": 4, "line": 3}, [Move(m) for m in (5, 0, 6, 15)])
    thought = Perfect(Random(1)).think(state)
    assert thought.values == {Move(4): 1 - 1 / 1024, Move(7): 1 - 1 / 1024}
    assert thought.move in {4, 7}


def test_the_variation_is_a_whole_game_that_ends_as_valued(sample: Sample) -> None:
    for size, line in sample(BOARDS, 3):
        thought = Perfect(Random(1), weigh_all=True).think(start(size, line))
        end = GAME.replay(2, {"size": size, "line": line}, thought.variation)
        payoff = end.payoff()
        assert payoff is not None
        faded = payoff[0] * (1 - len(thought.variation) / 1024)
        assert thought.values[thought.move] == faded
        assert thought.variation[0] == thought.move


def result(
    crosses: Agent[TicTacToePosition], noughts: Agent[TicTacToePosition], state: TicTacToePosition
) -> float:
    while (payoff := state.payoff()) is None:
        state = state.play((crosses, noughts)[state.turn].think(state).move)
    return payoff[0]


@pytest.mark.parametrize(("size", "line"), BOARDS)
def test_perfect_never_loses_moving_first(size: int, line: int, sample: Sample) -> None:
    agent = Perfect(Random(1))
    for seed in sample(range(8), 3):
        for other in (RandomAgent(Random(seed)), RuleAgent(FORK, Random(seed))):
            assert result(agent, other, start(size, line)) >= 0


@pytest.mark.parametrize(("size", "line"), [(3, 3), (4, 4), (5, 4), (5, 5)])
def test_perfect_never_loses_moving_second_where_the_game_is_a_draw(
    size: int, line: int, sample: Sample
) -> None:
    agent = Perfect(Random(1))
    for seed in sample(range(8), 3):
        for other in (RandomAgent(Random(seed)), RuleAgent(FORK, Random(seed))):
            assert result(other, agent, start(size, line)) <= 0


@pytest.mark.parametrize(("size", "line"), BOARDS)
def test_perfect_against_itself_ends_as_the_empty_board_is_valued(
    size: int, line: int, sample: Sample
) -> None:
    value = Perfect(Random(1)).think(start(size, line)).values
    outcome = round(max(value.values()))
    for seed in sample(range(3), 1):
        assert result(Perfect(Random(seed)), Perfect(Random(9)), start(size, line)) == outcome


@given(state=running(), nodes=st.integers(0, 500))
def test_within_any_number_of_nodes_a_legal_move_is_found_and_no_value_is_wrong(
    state: TicTacToePosition, nodes: int
) -> None:
    assume(state.size != 3)
    thought = Perfect(Random(1)).think(state, Budget(nodes=nodes))
    assert thought.nodes <= nodes
    assert thought.move in state.moves()
    if (state.crosses | state.noughts).bit_count() > 3:
        truth = Perfect(Random(1), weigh_all=True).think(state).values
        assert thought.values.items() <= truth.items()


def test_a_search_stops_within_8_nodes_of_its_deadline() -> None:
    ticks = itertools.count()
    budget = Budget(deadline=5, clock=lambda: next(ticks))
    assert Perfect(Random(1)).think(start(5, 4), budget).nodes == 5 * 8


def test_what_was_proven_is_not_searched_again() -> None:
    agent = Perfect(Random(1))
    first = agent.think(start(5, 4), UNLIMITED)
    again = agent.think(start(5, 4), UNLIMITED)
    assert again.nodes < first.nodes / 10
    assert again.values == first.values


@given(state=running())
def test_sides_kept_from_mark_to_mark_are_those_of_the_position(state: TicTacToePosition) -> None:
    lines = board(state.size, state.line)
    for move in state.moves():
        bit = 1 << move
        after = state.play(move)
        assert lines.sides(state).after(bit, lines.through[bit]) == lines.sides(after)


@given(state=running())
def test_threats_and_potential_are_what_counting_line_by_line_gives(
    state: TicTacToePosition,
) -> None:
    lines = board(state.size, state.line)
    sides = lines.sides(state)
    marks = [
        (row & sides.own).bit_count() for row in lines.cells_of.values() if not row & sides.other
    ]
    lacking_one = marks.count(state.line - 1)
    assert threats(sides.own_marks, sides.own_live).bit_count() == lacking_one
    if not lacking_one:
        weights = (2 ** (5 - state.line + count) for count in marks)
        assert potential(sides.own_marks, sides.own_live) == sum(weights)


@given(state=running(), turns=st.integers(0, 3), mirror=st.booleans())
def test_turned_and_mirrored_positions_have_the_same_canonical_image(
    state: TicTacToePosition, turns: int, *, mirror: bool
) -> None:
    size = state.size
    images = []
    for bits in (state.crosses, state.noughts):
        cells = {divmod(cell, size) for cell in range(size * size) if bits >> cell & 1}
        for _ in range(turns):
            cells = {(column, size - 1 - row) for row, column in cells}
        if mirror:
            cells = {(row, size - 1 - column) for row, column in cells}
        images.append(sum(1 << row * size + column for row, column in cells))
    canonical = symmetry(size).canonical
    assert canonical(*images) == canonical(state.crosses, state.noughts)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seat", [CROSSES, NOUGHTS])
def test_on_5x5_twenty_thousand_nodes_a_move_give_nothing_away_whatever_the_first_two_replies(
    seat: Seat, sample: Sample, exhaustive: bool
) -> None:
    # Positions that turn or mirror into each other are tried once.
    truth = Solver(5, 4)
    seen = set[int]()

    def valued(state: TicTacToePosition) -> int:
        return truth.value(truth.board.sides(state), Effort())

    def explore(state: TicTacToePosition, replies: int) -> None:
        image = truth.symmetry.canonical(state.crosses, state.noughts)
        if image in seen or state.payoff() is not None:
            return
        seen.add(image)
        if state.turn == seat:
            after = state.play(Perfect(Random(1)).think(state, Budget(nodes=20_000)).move)
            assert after.won or -valued(after) == valued(state)
            explore(after, replies)
        elif replies:
            for move in sample(state.moves(), 5):
                explore(state.play(move), replies - 1)

    explore(start(5, 4), 2)
    assert len(seen) > (100 if exhaustive else 12)

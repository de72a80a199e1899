"""The classic algorithms on 3x3, against a naive solver written apart from them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Move, Seat
from engine.games.tictactoe import GAME, TicTacToePosition
from engine.games.tictactoe.agents import open_lines
from engine.search.agent import Budget, Effort, OutOfBudget
from engine.search.depth_first import Algorithm, DepthFirst
from engine.search.minimax import alphabeta, alphabeta_negamax, minimax, minimax_in_one, negamax
from engine.search.players import RandomAgent
from tests.samples import Sample

EXHAUSTIVE: list[Algorithm] = [minimax, minimax_in_one, negamax]
PRUNING: list[Algorithm] = [alphabeta, alphabeta_negamax]

CORNER, SIDE, CENTRE = 59_705, 63_905, 55_505
"""The positions along all games that begin there, the one after the first move among them."""

TRIPLES = ("012", "345", "678", "036", "147", "258", "048", "246")


@cache
def solved(board: str) -> tuple[int, int]:
    """The outcome for the mark to move (1, 0, -1), and after how many plies at best play."""
    mark, other = "XO" if board.count("X") == board.count("O") else "OX"
    if any(all(board[int(cell)] == other for cell in triple) for triple in TRIPLES):
        return -1, 0
    if "." not in board:
        return 0, 0
    return max(
        (weighed(board, cell, mark) for cell in range(9) if board[cell] == "."), key=preference
    )


def weighed(board: str, cell: int, mark: str) -> tuple[int, int]:
    outcome, plies = solved(board[:cell] + mark + board[cell + 1 :])
    return -outcome, plies + 1


def preference(result: tuple[int, int]) -> int:
    """An order of outcomes: wins by how soon, then draws, then losses by how late."""
    outcome, plies = result
    return outcome * (100 - plies)


def drawn(state: TicTacToePosition) -> str:
    return "".join(state.mark(Move(cell)) or "." for cell in range(9))


def worth(state: TicTacToePosition, move: Move) -> float:
    """The naive solver's value of a move, in the algorithms' scale."""
    outcome, plies = weighed(drawn(state), move, "XO"[state.turn])
    return outcome * (1 - plies / 1024)


@cache
def unfinished() -> list[TicTacToePosition]:
    found, reached = set[TicTacToePosition](), {GAME.start(2, {})}
    while reached:
        found |= reached
        reached = {state.play(move) for state in reached for move in state.moves()}
    return sorted(state for state in found if state.payoff() is None)


def mirrored(state: TicTacToePosition) -> str:
    """The same drawing for positions that turn or mirror into each other."""
    board = drawn(state)
    images = []
    for _ in range(4):
        board = "".join(board[3 * (2 - n % 3) + n // 3] for n in range(9))
        images += [board, "".join(board[3 * (n // 3) + 2 - n % 3] for n in range(9))]
    return min(images)


class Heap(NamedTuple):
    """A heap from which who takes two moves again, and who takes the last has won."""

    left: int
    turn: Seat

    def moves(self) -> Sequence[Move]:
        return [Move(taken) for taken in (1, 2, 3) if taken <= self.left]

    def odds(self) -> Sequence[float]:
        return ()

    def play(self, move: Move) -> Heap:
        return Heap(self.left - move, self.turn if move == 2 and self.left > 2 else self.other)

    def payoff(self) -> Sequence[float] | None:
        return None if self.left else ((-1.0, 1.0) if self.turn == 0 else (1.0, -1.0))

    @property
    def other(self) -> Seat:
        return Seat(1 - self.turn)


@cache
def worth_of_heap(left: int, *, mine: bool, ply: int) -> float:
    """The naive value of a heap for a seat, which moves first if it is `mine`."""
    if not left:
        return (-1 if mine else 1) * (1 - ply / 1024)
    after = [
        worth_of_heap(left - taken, mine=mine is (taken == 2 and left > 2), ply=ply + 1)
        for taken in range(1, min(left, 3) + 1)
    ]
    return max(after) if mine else min(after)


@cache
def different() -> list[TicTacToePosition]:
    """The unfinished positions of which none turns or mirrors into another."""
    return list({mirrored(state): state for state in unfinished()}.values())


def test_the_naive_solver_knows_the_published_counts() -> None:
    assert len(unfinished()) == 4520
    assert len(different()) == 627  # of 765 essentially different positions, 138 are finished
    assert solved("." * 9) == (0, 9)


@pytest.mark.parametrize("algorithm", PRUNING)
def test_alphabeta_gives_every_move_of_every_position_its_exact_value(
    algorithm: Algorithm, sample: Sample
) -> None:
    agent = DepthFirst(algorithm, Random(1), weigh_all=True)
    for state in sample(unfinished(), 200):
        assert agent.think(state).values == {move: worth(state, move) for move in state.moves()}


@pytest.mark.parametrize("algorithm", PRUNING)
def test_alphabeta_never_loses_wins_as_fast_and_loses_as_late_as_it_can(
    algorithm: Algorithm, sample: Sample
) -> None:
    agent = DepthFirst(algorithm, Random(1))
    for state in sample(unfinished(), 200):
        values = {move: worth(state, move) for move in state.moves()}
        best = max(values.values())
        thought = agent.think(state)
        assert thought.move in thought.values
        equals = {move for move, value in thought.values.items() if value == best}
        assert equals == {move for move, value in values.items() if value == best}
        assert max(thought.values.values()) == best == values[thought.move]


@pytest.mark.parametrize("algorithm", EXHAUSTIVE)
def test_minimax_and_negamax_agree_with_the_naive_solver_on_every_position(
    algorithm: Algorithm, sample: Sample
) -> None:
    # Positions that turn or mirror into each other are searched once.
    agent = DepthFirst(algorithm, Random(1), weigh_all=True)
    for state in sample(different(), 30):
        assert agent.think(state).values == {move: worth(state, move) for move in state.moves()}


@pytest.mark.parametrize("algorithm", PRUNING)
def test_cutoffs_save_nodes_and_change_nothing(algorithm: Algorithm) -> None:
    state = GAME.replay(2, {}, [Move(0)])
    plain = DepthFirst(negamax, Random(1)).think(state)
    pruned = DepthFirst(algorithm, Random(1)).think(state)
    assert pruned.move == plain.move
    assert pruned.values[pruned.move] == plain.values[plain.move]
    assert pruned.nodes < plain.nodes / 5
    assert plain.cutoffs == 0 < pruned.cutoffs


@pytest.mark.parametrize("algorithm", EXHAUSTIVE + PRUNING)
@pytest.mark.parametrize("left", range(1, 10))
def test_a_seat_may_move_twice_in_a_row(algorithm: Algorithm, left: int) -> None:
    heap = Heap(left, Seat(1))
    thought = DepthFirst(algorithm, Random(1), weigh_all=True).think(heap)
    assert thought.values == {
        move: worth_of_heap(left - move, mine=heap.play(move).turn == heap.turn, ply=1)
        for move in heap.moves()
    }
    one_of_best = DepthFirst(algorithm, Random(1)).think(heap)
    assert one_of_best.values[one_of_best.move] == max(thought.values.values())


@pytest.mark.parametrize("algorithm", PRUNING)
def test_cutoffs_save_nodes_where_a_seat_moves_twice_too(algorithm: Algorithm) -> None:
    plain, pruned = (
        DepthFirst(each, Random(1)).think(Heap(12, Seat(0))) for each in (negamax, algorithm)
    )
    assert pruned.values[pruned.move] == plain.values[plain.move]
    assert pruned.nodes < plain.nodes


@pytest.mark.sampled(3)
@pytest.mark.parametrize("algorithm", [minimax, negamax])
@pytest.mark.parametrize("cell", range(9))
def test_minimax_visits_the_whole_tree_below_a_first_move(algorithm: Algorithm, cell: int) -> None:
    # Along all games 549,946 positions are counted, the empty board among them.
    assert 4 * CORNER + 4 * SIDE + CENTRE == 549_945
    below = CENTRE if cell == 4 else SIDE if cell % 2 else CORNER
    first = GAME.start(2, {}).play(Move(cell))
    assert DepthFirst(algorithm, Random(1)).think(first).nodes + 1 == below


@pytest.mark.exhaustive  # beside the same after a first move
@pytest.mark.parametrize("algorithm", [minimax, negamax])
def test_minimax_from_the_start_visits_the_whole_tree(algorithm: Algorithm) -> None:
    assert DepthFirst(algorithm, Random(1)).think(GAME.start(2, {})).nodes == 549_945


@pytest.mark.parametrize("algorithm", EXHAUSTIVE + PRUNING)
def test_the_principal_variation_is_a_game_that_ends_as_valued(
    algorithm: Algorithm, sample: Sample
) -> None:
    for state in sample(different()[1:], 30):
        thought = DepthFirst(algorithm, Random(3)).think(state)
        end = state
        for move in thought.variation:
            end = end.play(move)
        payoff = end.payoff()
        assert thought.variation[0] == thought.move
        assert payoff is not None
        plies = len(thought.variation)
        assert payoff[state.turn] * (1 - plies / 1024) == thought.values[thought.move]


@pytest.mark.parametrize("algorithm", EXHAUSTIVE + PRUNING)
def test_every_equally_good_move_is_chosen_by_some_seed_and_the_same_seed_chooses_again(
    algorithm: Algorithm,
) -> None:
    state = GAME.replay(2, {}, [Move(8), Move(0), Move(4)])
    moves = [DepthFirst(algorithm, Random(seed)).think(state).move for seed in range(16)]
    again = [DepthFirst(algorithm, Random(seed)).think(state).move for seed in range(16)]
    assert set(moves) == {2, 6}
    assert moves == again


@pytest.mark.parametrize("algorithm", EXHAUSTIVE + PRUNING)
def test_at_the_depth_limit_the_evaluation_decides(algorithm: Algorithm) -> None:
    def likes_the_last_corner(state: TicTacToePosition, seat: Seat) -> float:
        marks = (state.crosses, state.noughts)
        return 0.1 * ((marks[seat] >> 8 & 1) - (marks[1 - seat] >> 8 & 1))

    agent = DepthFirst(algorithm, Random(1), depth=2, evaluation=likes_the_last_corner)
    thought = agent.think(GAME.start(2, {}))
    assert thought.move == 8
    assert thought.values[Move(8)] == 0.1
    assert thought.depth == 2


@pytest.mark.parametrize("depth", range(1, 5))
def test_the_algorithms_agree_at_every_depth_limit(depth: int, sample: Sample) -> None:
    def crowded(state: TicTacToePosition, seat: Seat) -> float:
        return (hash(state) % 7 - 3) / 10 * (1 if seat == 0 else -1)

    for state in sample(different(), 30):
        thoughts = [
            DepthFirst(a, Random(1), depth=depth, evaluation=crowded, weigh_all=True).think(state)
            for a in EXHAUSTIVE + PRUNING
        ]
        assert all(a.values == b.values for a, b in itertools.pairwise(thoughts))


@given(nodes=st.integers(0, 3000), seed=st.integers(0, 3))
def test_a_budget_of_nodes_is_kept_to_the_node(nodes: int, seed: int) -> None:
    state = GAME.start(2, {"size": 5})
    thought = DepthFirst(alphabeta, Random(seed)).think(state, Budget(nodes=nodes))
    assert thought.nodes == nodes
    assert thought.move in state.moves()


def test_a_search_stops_at_the_first_node_after_its_deadline() -> None:
    ticks = itertools.count()
    budget = Budget(deadline=500, clock=lambda: next(ticks))
    thought = DepthFirst(alphabeta, Random(1)).think(GAME.start(2, {"size": 5}), budget)
    assert thought.nodes == 500
    assert thought.values


def test_a_budget_that_is_not_needed_changes_neither_value_nor_choice(sample: Sample) -> None:
    for state in sample(different(), 20):
        free = DepthFirst(alphabeta, Random(1)).think(state)
        bounded = DepthFirst(alphabeta, Random(1)).think(state, Budget(nodes=10**9))
        assert bounded.move == free.move
        assert bounded.values[bounded.move] == free.values[free.move]


def test_under_a_budget_too_small_for_the_end_a_near_win_is_still_found() -> None:
    state = GAME.replay(2, {"size": 5}, [Move(m) for m in (0, 20, 1, 21, 2, 24)])
    thought = DepthFirst(alphabeta, Random(1)).think(state, Budget(nodes=2000))
    assert thought.move == 3
    assert thought.values[Move(3)] == 1 - 1 / 1024


def test_the_random_agent_plays_every_legal_move() -> None:
    state = GAME.replay(2, {}, [Move(4)])
    moves = {RandomAgent(Random(seed)).think(state).move for seed in range(200)}
    assert moves == set(state.moves())


def test_open_lines_count_more_with_every_mark_and_as_much_for_one_seat_as_against_the_other() -> (
    None
):
    empty = GAME.start(2, {})
    centre, corner, edge = (open_lines(empty.play(Move(cell)), Seat(0)) for cell in (4, 0, 1))
    assert open_lines(empty, Seat(0)) == 0 < edge < corner < centre < 0.9
    assert open_lines(empty.play(Move(4)), Seat(1)) == -centre


def test_two_plies_and_open_lines_take_the_centre() -> None:
    agent = DepthFirst(alphabeta, Random(1), depth=2, evaluation=open_lines)
    assert agent.think(GAME.start(2, {})).move == 4


def test_a_fraction_of_a_node_ends_a_search_as_well() -> None:
    effort = Effort(Budget(nodes=2.5))
    for _ in range(3):
        effort.visit()
    with pytest.raises(OutOfBudget):
        effort.visit()


def test_the_textbooks_alphabeta_visits_as_many_nodes_as_the_textbooks_count() -> None:
    agent = DepthFirst(alphabeta, Random(0), textbook=True)
    found = agent.think(GAME.start(2, {}))
    assert found.nodes + 1 == 18_297, "with the root"
    assert found.values == {0: 0.0}, "the first best move alone, as a plain number"
    assert found.move == 0


def test_the_textbooks_alphabeta_finds_the_plain_outcome(sample: Sample) -> None:
    for state in sample(unfinished(), 40):
        thought = DepthFirst(alphabeta, Random(0), textbook=True).think(state)
        assert thought.values[thought.move] == solved(drawn(state))[0]

"""The expert: its proofs against a naive solver, and its play where nothing can be proven."""

from __future__ import annotations

import time
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Move, Seat
from engine.games.connectfour import GAME, ConnectFourPosition
from engine.games.connectfour.expert import Expert
from engine.games.connectfour.threat_search import threats
from engine.search.agent import Budget
from engine.search.depth_first import FADING
from tests.engine.games.connectfour.drawing import board
from tests.samples import Sample

SIZES = ("7x6", "8x7", "9x7")


@cache
def naive(state: ConnectFourPosition) -> float:
    """The value for the seat to move, by looking at everything."""
    payoff = state.payoff()
    if payoff is not None:
        return payoff[state.turn]
    return max(later(-naive(state.play(move))) for move in state.moves())


def later(value: float) -> float:
    """A value a ply further away."""
    return value - FADING * ((value > 0) - (value < 0))


def position(number: int, size: str = "7x6", free: int | None = None) -> ConnectFourPosition:
    """An unfinished position of random moves with few free cells, 16 at most."""
    rng = Random(number)
    left = rng.randint(2, 16) if free is None else free
    while True:
        state = GAME.start(2, {"size": size})
        while state.payoff() is None:
            if state.columns * state.rows - (state.first | state.second).bit_count() == left:
                return state
            state = state.play(rng.choice(state.moves()))


def mirrored(state: ConnectFourPosition) -> ConnectFourPosition:
    lines = [line.split()[::-1] for line in str(state).splitlines()]
    return board("\n".join(map(" ".join, lines)))


def weighed(state: ConnectFourPosition) -> dict[Move, float]:
    thought = Expert(Random(1), weigh_all=True).think(state)
    assert thought.proven == set(state.moves())
    return dict(thought.values)


def solved(state: ConnectFourPosition) -> dict[Move, float]:
    """The value of each move."""
    exact = {move: later(-naive(state.play(move))) for move in state.moves()}
    naive.cache_clear()
    return exact


def test_proofs_agree_with_a_naive_solver(sample: Sample) -> None:
    for number in sample(range(1000), 10):
        state = position(number)
        exact = solved(state)
        assert weighed(state) == exact, f"\n{state}"
        thought = Expert(Random(number)).think(state)
        assert exact[thought.move] == max(exact.values()), f"\n{state}"


@pytest.mark.parametrize("number", [129, 659, 694, 974])
def test_who_is_lost_holds_out_longest_where_one_move_is_not_proven_to_lose(number: int) -> None:
    """The last move is left unproven once all others lose, for it can be no worse than they."""
    state = position(number)
    exact, thought = solved(state), Expert(Random(number)).think(state)
    assert max(exact.values()) < 0
    assert exact[thought.move] == max(exact.values()), f"\n{state}"


def test_mirrored_positions_have_mirrored_values(sample: Sample) -> None:
    for number in sample(range(300), 10):
        state = position(number, SIZES[number % 3], free=15)
        values = weighed(mirrored(state)).items()
        assert {Move(state.columns - 1 - move): value for move, value in values} == weighed(state)


@pytest.mark.parametrize(("size", "centre"), [("7x6", {3}), ("8x7", {3, 4}), ("9x7", {4})])
def test_it_opens_in_the_centre(size: str, centre: set[int]) -> None:
    thought = Expert(Random(1)).think(GAME.start(2, {"size": size}), Budget(nodes=3000))
    assert thought.move in centre
    assert bool(thought.proven) == (size == "7x6")  # whose book knows


def test_it_wins_at_once_before_it_stops_a_four() -> None:
    state = board("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X . . . . . O
        X . . . . . O
        X . . . . . O
    """)
    thought = Expert(Random(1)).think(state)
    assert thought.move == 0
    assert thought.values[thought.move] == 1 - FADING


def test_it_finds_a_win_by_two_threats_without_a_full_proof() -> None:
    state = board("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . O O . . .
        . . X X . . .
    """)
    thought = Expert(Random(1)).think(state, Budget(nodes=5000))
    assert thought.move in {1, 4}
    assert thought.values[thought.move] == 1 - 3 * FADING
    assert thought.move in thought.proven


def test_values_without_a_proof_are_estimates_of_all_moves() -> None:
    begin = GAME.start(2, {"size": "9x7"})
    thought = Expert(Random(1), weigh_all=True).think(begin, Budget(nodes=2000))
    assert set(thought.values) == set(range(9))
    assert all(-0.9 < value < 0.9 for value in thought.values.values())
    assert thought.depth > 1


def test_a_deadline_is_kept() -> None:
    began = time.process_time()
    Expert(Random(1)).think(GAME.start(2, {"size": "9x7"}), Budget.within(0.05, time.process_time))
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("size", SIZES)
@given(data=st.data())
def test_what_the_evaluation_gives_one_seat_it_takes_from_the_other(
    size: str, data: st.DataObject
) -> None:
    state = GAME.start(2, {"size": size})
    for column in data.draw(st.lists(st.integers(0, 8), max_size=40)):
        if column in state.moves() and state.play(Move(column)).payoff() is None:
            state = state.play(Move(column))
    first, second = (threats(state, seat) for seat in (state.turn, Seat(1 - state.turn)))
    assert first == -second
    assert -0.9 < first < 0.9
    assert threats(mirrored(state), state.turn) == first

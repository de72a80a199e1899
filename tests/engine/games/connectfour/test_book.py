"""The opening book: its entries proven again, that it has no gap, and games that follow it."""

from __future__ import annotations

from random import Random

import pytest

from engine import roster
from engine.game import Move
from engine.games.connectfour import GAME, ConnectFourPosition
from engine.games.connectfour.agents import forks
from engine.games.connectfour.book import COLUMNS, book, known
from engine.games.connectfour.expert import Expert, Searches, Weighing
from engine.games.connectfour.position import discs, next_cells, wins
from engine.games.connectfour.solver import DRAW, LOSS, WIN, Results
from engine.search.agent import Budget
from tests.samples import Sample

PRESS = Budget(nodes=100_000)
MOST_PROVEN = 29
"""The most cells left of a position that is proven again here."""
ALL_LEFT = 28
"""The fewest free cells of a position of the expert's games that the book always has."""


def left(state: ConnectFourPosition) -> int:
    return state.board.cells - (state.first | state.second).bit_count()


def at_least(state: ConnectFourPosition, result: int, searches: Results) -> bool:
    """Whether the seat to move gets that result, by the solver."""
    own, other = discs(state)
    taken, empty = own | other, state.board
    if state.payoff() is not None:
        return bool(state.payoff() == (0, 0)) and result <= DRAW
    if wins(own, taken, empty) & next_cells(taken, empty):
        return True
    dangers = wins(other, taken, empty)
    return searches.bound(own, other, dangers, left(state), result - 1) >= result


def after_random_replies(rng: Random) -> ConnectFourPosition:
    """The last position of the book in a game of the expert against random replies."""
    state = GAME.start(2, {})
    if rng.random() < 0.5:
        state = state.play(Move(rng.randrange(COLUMNS)))
    found = state
    while entry := known(state):
        found, state = state, state.play(entry.move)
        if state.moves():
            state = state.play(rng.choice(state.moves()))
    return found


def test_a_move_of_the_book_keeps_what_the_book_says(sample: Sample) -> None:
    for number in sample(range(200), 2):
        rng = Random(number)
        while left(state := after_random_replies(rng)) > MOST_PROVEN:
            pass
        entry = known(state)
        assert entry is not None
        searches = Results(state.board)
        if entry.result < WIN:
            assert not at_least(state, entry.result + 1, searches), f"\n{state}"
        if entry.result > LOSS:
            after = state.play(entry.move)
            assert not at_least(after, 1 - entry.result, searches), f"\n{state}"


def test_the_book_has_every_position_of_a_game_that_follows_it(sample: Sample) -> None:
    for number in sample(range(5000), 100):
        rng = Random(number)
        state = GAME.start(2, {})
        if number % 2:
            state = state.play(rng.choice(state.moves()))
        while left(state) >= ALL_LEFT and (entry := known(state)):
            state = state.play(entry.move)
            if state.moves():
                state = state.play(rng.choice(state.moves()))
        if left(state) >= ALL_LEFT:
            assert state.payoff() is not None or plain(state), f"\n{state}"


def plain(state: ConnectFourPosition) -> bool:
    """Whether the best move is plain to see: a win at once or in three, or the only one."""
    own, other = discs(state)
    cells = next_cells(own | other, state.board)
    weighing = Weighing(state, Searches.of(state.board))
    return weighing.plain or bool(forks(own, other, cells, state.board))


def test_a_position_and_its_mirror_image_have_mirrored_moves() -> None:
    for column in range(COLUMNS):
        one = known(GAME.start(2, {}).play(Move(column)))
        other = known(GAME.start(2, {}).play(Move(COLUMNS - 1 - column)))
        assert one is not None
        assert other is not None
        assert one.result == other.result
        if column != COLUMNS // 2:
            assert one.move == COLUMNS - 1 - other.move


def test_the_book_knows_who_wins_after_each_first_disc() -> None:
    first = [known(GAME.start(2, {}).play(Move(column))) for column in range(COLUMNS)]
    assert [entry and entry.result for entry in first] == [1, 1, 0, -1, 0, 1, 1]
    assert known(GAME.start(2, {})) == (1, 3)


def test_the_book_takes_little_room_and_is_of_one_board_alone() -> None:
    entries = book()
    assert list(entries) == sorted({*entries})
    assert known(GAME.start(2, {"size": "8x7"})) is None


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rival", ["random", "rules", "alphabeta:2"])
def test_the_expert_wins_every_game_that_it_begins(rival: str, sample: Sample) -> None:
    for number in sample(range(50), 1):
        rng = Random(number)
        players = Expert(rng), roster.entrant(GAME, rival).agent(rng)
        state = GAME.start(2, {})
        while (payoff := state.payoff()) is None:
            state = state.play(players[state.turn].think(state, PRESS).move)
        assert payoff == (1, -1), f"\n{state}"


def test_the_only_move_that_draws_is_found_by_ruling_out_all_others() -> None:
    moves = [Move(int(column) - 1) for column in "235533322412"]
    state = GAME.replay(2, {}, moves)
    thought = Expert(Random(1)).think(state, Budget(nodes=170_000))
    assert thought.move == 3
    assert {*state.moves()} - thought.proven <= {3}

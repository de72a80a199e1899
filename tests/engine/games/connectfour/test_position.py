"""The rules of connect four, against the published counts and on drawn boards."""

from __future__ import annotations

import pytest

from engine.game import IllegalMove, InvalidOptions, Move
from engine.games.connectfour import FIRST, GAME, SECOND, ConnectFourPosition, winning_line
from engine.games.connectfour.position import cell_name, next_cells, numbers, wins
from tests.engine.games.connectfour.drawing import board

# John Tromp, "Number of legal 7 X 6 Connect-Four positions after n plies", OEIS A212693, 2012.
COUNTS = (1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275, 558_186, 1_662_623)


def counted(plies: int) -> list[int]:
    """The number of different positions after 0, 1, 2 plies and on."""
    reached = {GAME.start(2, {})}
    found = [1]
    for _ in range(plies):
        reached = {state.play(move) for state in reached for move in state.moves()}
        found.append(len(reached))
    return found


def test_there_are_as_many_positions_after_each_ply_as_published() -> None:
    assert counted(7) == list(COUNTS[:8])


@pytest.mark.exhaustive
def test_there_are_as_many_positions_after_ten_plies_as_published() -> None:
    assert counted(10) == list(COUNTS)


def test_the_first_seat_begins_and_then_the_seats_take_turns() -> None:
    state = GAME.start(2, {})
    turns = []
    for column in (3, 3, 0, 6):
        turns.append(state.turn)
        state = state.play(Move(column))
    assert turns == [FIRST, SECOND, FIRST, SECOND]


def test_a_disc_lies_on_those_in_its_column() -> None:
    state = GAME.replay(2, {}, [Move(3), Move(3), Move(0)])
    assert [state.at(3, row) for row in range(3)] == [FIRST, SECOND, None]
    assert [state.height(column) for column in range(7)] == [1, 0, 0, 2, 0, 0, 0]
    assert str(state).endswith(". . . O . . .\nX . . X . . .")


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ("1212121", "a1 a2 a3 a4"),
        ("4455667", "d1 e1 f1 g1"),
        ("12233434464", "a1 b2 c3 d4"),
        ("76655454424", "d4 e3 f2 g1"),
    ],
)
def test_four_in_a_row_win_upwards_across_and_slanting(moves: str, line: str) -> None:
    won = GAME.replay(2, {}, [Move(int(column) - 1) for column in moves])
    assert won.payoff() == (1, -1)
    assert not won.moves()
    assert " ".join(cell_name(won, cell) for cell in winning_line(won)) == line


def test_the_second_seat_wins_too() -> None:
    won = GAME.replay(2, {}, [Move(column) for column in (0, 3, 0, 3, 0, 3, 1, 3)])
    assert won.payoff() == (-1, 1)


def test_one_disc_may_complete_two_fours() -> None:
    state = board("""
        . . . . . . .
        . . . . . . .
        . O . . . . .
        . X O . . . .
        X X X O . . .
        X O O O . X X
    """)
    won = state.play(Move(4))
    assert won.payoff() == (-1, 1)
    assert [cell_name(won, cell) for cell in winning_line(won)] == [
        "b1", "b4", "c1", "c3", "d1", "d2", "e1",
    ]  # fmt: skip


def test_a_row_does_not_go_on_at_the_other_edge() -> None:
    state = board("""
        . . . . . . .
        . . . . . . .
        X O . . . . .
        X O . . . . .
        X O . . . . .
        O X . . O . X
    """)
    assert state.payoff() is None
    assert winning_line(state) == ()


def test_a_full_board_without_a_four_is_drawn() -> None:
    drawn = board("""
        O O X O O X O
        X X O X X O X
        O O X O O X O
        X X O X X O X
        O O X O O X O
        X X O X X O X
    """)
    assert drawn.payoff() == (0, 0)
    assert not drawn.moves()


def test_the_cells_that_complete_a_four_are_those_that_are_free_reached_or_not() -> None:
    state = board("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . O O O . . .
        O X X X . . .
    """)
    taken = state.first | state.second
    found = wins(state.first, taken, state.board), wins(state.second, taken, state.board)
    assert [[cell_name(state, cell) for cell in numbers(cells)] for cells in found] == [
        ["e1"],
        ["a2", "e2"],
    ]
    assert [cell_name(state, cell) for cell in numbers(next_cells(taken, state.board))] == [
        "a2", "b3", "c3", "d3", "e1", "f1", "g1",
    ]  # fmt: skip


@pytest.mark.parametrize(("size", "columns", "rows"), [("7x6", 7, 6), ("8x7", 8, 7), ("9x7", 9, 7)])
def test_a_board_has_its_columns_and_rows(size: str, columns: int, rows: int) -> None:
    state = GAME.start(2, {"size": size})
    assert state == ConnectFourPosition(0, 0, FIRST, columns, rows)
    assert state.moves() == list(range(columns))
    for _ in range(rows):
        state = state.play(Move(0))
    assert state.moves() == [*range(1, columns)] or state.won
    assert state.height(0) == rows


def test_a_board_is_7x6_unless_chosen() -> None:
    assert GAME.settled({}) == {"size": "7x6"}
    with pytest.raises(InvalidOptions, match="size must be one of 7x6, 8x7, 9x7, not 6x7"):
        GAME.settled({"size": "6x7"})


def test_a_full_column_is_refused_with_its_ply() -> None:
    with pytest.raises(IllegalMove, match="ply 6"):
        GAME.replay(2, {}, [Move(3)] * 7)

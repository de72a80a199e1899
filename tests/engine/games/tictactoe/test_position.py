"""The rules of tic-tac-toe, against the published counts and on drawn boards."""

from __future__ import annotations

import itertools

import pytest

from engine.game import IllegalMove, InvalidOptions, Move
from engine.games.tictactoe import CROSSES, GAME, NOUGHTS, TicTacToePosition, winning_line
from engine.games.tictactoe.position import cell_name, lines, wins


def board(drawing: str, *, line: int | None = None) -> TicTacToePosition:
    marks = drawing.split()
    size = int(len(marks) ** 0.5)
    options = GAME.settled({"size": size} | ({"line": line} if line else {}))
    xs, os = (sum(1 << n for n, mark in enumerate(marks) if mark == seat) for seat in "XO")
    turn = NOUGHTS if marks.count("X") > marks.count("O") else CROSSES
    return TicTacToePosition(xs, os, turn, size, int(options["line"]))


def test_3x3_has_5478_positions_and_255168_games() -> None:
    # The counts are those of Henry Bottomley, "How many Tic-Tac-Toe games are possible?", 2001.
    games = {GAME.start(2, {}): 1}
    positions = set(games)
    finished = 0
    while games:
        after: dict[TicTacToePosition, int] = {}
        for state, ways in games.items():
            if state.payoff() is not None:
                finished += ways
            for move in state.moves():
                reached = state.play(move)
                after[reached] = after.get(reached, 0) + ways
        positions |= set(after)
        games = after
    assert len(positions) == 5478
    assert finished == 255_168


def test_of_the_finished_positions_626_are_won_by_x_316_by_o_and_16_drawn() -> None:
    positions, reached = set(), {GAME.start(2, {})}
    while reached:
        positions |= reached
        reached = {state.play(move) for state in reached for move in state.moves()}
    payoffs = [state.payoff() for state in positions]
    counted = [payoffs.count(payoff) for payoff in ((1, -1), (-1, 1), (0, 0), None)]
    assert counted == [626, 316, 16, 4520]


@pytest.mark.parametrize(
    ("size", "line", "count"),
    [(3, 3, 8), (4, 3, 24), (4, 4, 10), (5, 3, 48), (5, 4, 28), (5, 5, 12)],
)
def test_a_board_has_as_many_lines_as_can_be_counted_by_hand(
    size: int, line: int, count: int
) -> None:
    # 2 n (n - k + 1) across and down, 2 (n - k + 1)^2 slanting.
    assert len(set(lines(size, line))) == len(lines(size, line)) == count
    assert all(row.bit_count() == line for row in lines(size, line))


def test_x_moves_first_and_then_the_seats_take_turns() -> None:
    state = GAME.start(2, {})
    turns = []
    for move in state.moves()[:4]:
        turns.append(state.turn)
        state = state.play(move)
    assert turns == [CROSSES, NOUGHTS, CROSSES, NOUGHTS]


def test_a_line_of_three_wins_and_nobody_moves_after_it() -> None:
    won = board("""
        X X X
        O O .
        . . .
    """)
    assert won.payoff() == (1, -1)
    assert not won.moves()
    assert winning_line(won) == (0, 1, 2)


def test_one_mark_may_complete_two_lines() -> None:
    won = board("""
        X O X
        O X O
        X O X
    """)
    assert winning_line(won) == (0, 2, 4, 6, 8)


def test_a_full_board_without_a_line_is_drawn() -> None:
    drawn = board("""
        X O X
        X O O
        O X X
    """)
    assert drawn.payoff() == (0, 0)
    assert not drawn.moves()
    assert winning_line(drawn) == ()


def test_three_in_a_row_do_not_win_where_four_are_asked_for() -> None:
    running = board("""
        . . . . X
        . . . X .
        . . X . .
        . . O O O
        . . . . .
    """)
    assert running.payoff() is None
    assert running.play(Move(16)).payoff() == (1, -1)


def test_a_row_does_not_go_on_at_the_other_edge() -> None:
    running = board(
        """
        O . X X
        X O O .
        . . . .
        . . . .
    """,
        line=3,
    )
    assert running.payoff() is None


def test_the_cells_that_complete_a_line_are_those_that_are_free() -> None:
    state = board("""
        X X .
        O O X
        . . .
    """)
    assert wins(state.crosses, state.noughts, state) == 1 << 2
    assert wins(state.noughts, state.crosses, state) == 0


def test_cells_are_named_like_squares_of_a_chessboard() -> None:
    assert [cell_name(Move(cell), 3) for cell in range(9)] == [
        "a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1",
    ]  # fmt: skip
    assert len({cell_name(Move(cell), 5) for cell in range(25)}) == 25


def test_a_position_draws_itself() -> None:
    assert str(GAME.replay(2, {}, [Move(4), Move(0)])) == "O . .\n. X .\n. . ."


def test_the_line_is_three_on_3x3_and_four_on_larger_boards_unless_chosen() -> None:
    assert GAME.settled({}) == {"size": 3, "line": 3}
    assert GAME.settled({"size": 4}) == {"size": 4, "line": 4}
    assert GAME.settled({"size": 5}) == {"size": 5, "line": 4}
    assert GAME.settled({"size": 5, "line": 5}) == {"size": 5, "line": 5}


@pytest.mark.parametrize(
    ("size", "line"),
    [(size, line) for size, line in itertools.product((3, 4, 5), repeat=2) if line > size],
)
def test_a_line_longer_than_the_board_is_refused_with_a_sentence(size: int, line: int) -> None:
    with pytest.raises(
        InvalidOptions, match=f"{line} in a row do not fit on a {size}x{size}"
    ) as no:
        GAME.settled({"size": size, "line": line})
    assert no.value.key == "line"


def test_a_taken_cell_is_refused_with_its_ply() -> None:
    with pytest.raises(IllegalMove, match="ply 1"):
        GAME.replay(2, {}, [Move(4), Move(4)])

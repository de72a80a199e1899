"""Reviews of tic-tac-toe, against a solver and definitions of its own."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from engine import Budget, Move, OutOfBudget, review
from engine.games.tictactoe import GAME
from engine.games.tictactoe.review import MarkReason, reasons
from tests.samples import Sample

ROWS = ["abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg"]
LINES = [tuple("abcdefghi".index(cell) for cell in row) for row in ROWS]


def lines(size: int, line: int) -> list[list[int]]:
    """The lines of a board, walked square by square."""
    found = []
    for row, column in itertools.product(range(size), repeat=2):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            steps = [(row + n * down, column + n * right) for n in range(line)]
            if all(0 <= r < size and 0 <= c < size for r, c in steps):
                found.append([r * size + c for r, c in steps])
    return found


def solver(size: int, line: int) -> Callable[[str], tuple[int, int]]:
    """An exhaustive solver: the outcome for the mark to move on a board as text, and its plies."""
    rows = lines(size, line)

    @cache
    def solve(board: str) -> tuple[int, int]:
        if any(len({board[cell] for cell in row}) == 1 != (board[row[0]] == ".") for row in rows):
            return -1, 0
        if "." not in board:
            return 0, 0
        mine = "X" if board.count("X") == board.count("O") else "O"
        return best(
            solve(board[:cell] + mine + board[cell + 1 :])
            for cell, mark in enumerate(board)
            if mark == "."
        )

    return solve


def best(replies: Iterator[tuple[int, int]]) -> tuple[int, int]:
    """An order of outcomes: the soonest win, else any draw, else the latest loss."""
    turned = [(-outcome, plies + 1 if outcome else 0) for outcome, plies in replies]
    return max(turned, key=lambda value: (value[0], -value[0] * value[1]))


@cache
def games(size: int = 3) -> dict[str, tuple[Move, ...]]:
    """The moves that lead to each unfinished position of 3x3, by its board."""
    found: dict[str, tuple[Move, ...]] = {}
    ahead: list[tuple[Move, ...]] = [()]
    while ahead:
        moves = ahead.pop()
        state = GAME.replay(2, {"size": size}, moves)
        board = drawn(size, moves)
        if state.moves() and board not in found:
            found[board] = moves
            ahead += [(*moves, move) for move in state.moves()]
    return found


def drawn(size: int, moves: tuple[Move, ...]) -> str:
    board = ["."] * (size * size)
    for ply, move in enumerate(moves):
        board[move] = "XO"[ply % 2]
    return "".join(board)


def is_right(
    solve: Callable[[str], tuple[int, int]], size: int, line: int, moves: tuple[Move, ...]
) -> None:
    """Hold a hint against the solver: every chance and distance, and the best moves."""
    board, seat = drawn(size, moves), len(moves) % 2
    told = review.hint("tictactoe", 2, {"size": size, "line": line}, moves)
    values = {}
    for cell, mark in enumerate(board):
        if mark == ".":
            outcome, plies = solve(board[:cell] + "XO"[seat] + board[cell + 1 :])
            values[cell] = (-outcome, plies + 1 if outcome else 0)
    assert len(told.choices) == len(values)
    for choice in told.choices:
        outcome, plies = values[choice.move]
        assert choice.chances[seat] == (outcome + 1) / 2
        assert choice.plies == (plies if outcome else None)
    top = max(values.values(), key=lambda value: (value[0], -value[0] * value[1]))
    assert told.bests == tuple(cell for cell, value in values.items() if value == top)
    assert told.move in told.bests
    assert told.line[0] == told.move


def test_the_best_moves_of_all_positions_of_3x3_are_those_of_an_exhaustive_solver(
    sample: Sample,
) -> None:
    solve, found = solver(3, 3), games()
    assert len(found) == 4520
    for moves in sample(found.values(), 200):
        is_right(solve, 3, 3, moves)


@pytest.mark.parametrize(("size", "line", "free"), [(4, 4, 9), (4, 3, 8), (5, 4, 8), (5, 5, 8)])
def test_the_best_moves_of_a_sample_of_larger_boards_are_those_too(
    size: int, line: int, free: int
) -> None:
    solve, rng, seen = solver(size, line), Random(7), 0
    while seen < 12:
        moves: tuple[Move, ...] = ()
        state = GAME.start(2, {"size": size, "line": line})
        while len(state.moves()) > free:
            moves = (*moves, rng.choice(state.moves()))
            state = state.play(moves[-1])
        if state.moves():
            seen += 1
            is_right(solve, size, line, moves)


def test_the_reasons_are_what_their_words_say_in_all_positions(sample: Sample) -> None:
    for board, moves in sample(games().items(), 200):
        position = GAME.replay(2, {}, moves)
        for move in position.moves():
            told = {reason.kind: set(reason.about) for reason in reasons(position, move)}
            assert told == expected(board, move), (board, move)


def threats(board: str, mark: str) -> set[int]:
    """The empty cells of lines that hold two of the mark."""
    rows = [row for row in LINES if sorted(board[c] for c in row) == sorted(f".{mark}{mark}")]
    return {cell for row in rows for cell in row if board[cell] == "."}


def fork_cells(board: str, mark: str) -> set[int]:
    """The cells that give the mark two lines at once, each with one empty cell of its own."""
    free = [cell for cell in range(9) if board[cell] == "."]
    return {cell for cell in free if len(threats(put(board, cell, mark), mark)) >= 2}


def put(board: str, cell: int, mark: str) -> str:
    return board[:cell] + mark + board[cell + 1 :]


def expected(board: str, move: int) -> dict[MarkReason, set[int]]:
    mine = "X" if board.count("X") == board.count("O") else "O"
    theirs = "O" if mine == "X" else "X"
    after = put(board, move, mine)
    full = [row for row in LINES if all(after[cell] == mine for cell in row)]
    if full:
        return {MarkReason.WINS: {cell for row in full for cell in row}}
    found: dict[MarkReason, set[int]] = {}
    mine_next, danger = threats(after, mine), threats(board, theirs)
    if move in danger:
        found[MarkReason.BLOCKS] = set()
    if len(mine_next) >= 2:
        found[MarkReason.FORKS] = mine_next
    if len(mine_next) == 1:
        found[MarkReason.THREATENS] = mine_next
    could_fork, can_fork = fork_cells(board, theirs), fork_cells(after, theirs)
    kept_busy = bool(mine_next) and not mine_next & can_fork
    if not danger and could_fork and (not can_fork or kept_busy):
        found[MarkReason.BLOCKS_FORK] = could_fork
    found[place(board, move, theirs)] = set()
    if threats(board, mine):
        found[MarkReason.MISSES_WIN] = threats(board, mine)
    if threats(after, theirs):
        found[MarkReason.LETS_WIN] = threats(after, theirs)
    elif let := {cell for cell in can_fork if mine_next <= {cell}}:
        found[MarkReason.LETS_FORK] = let
    return found


def place(board: str, move: int, theirs: str) -> MarkReason:
    if move == 4:
        return MarkReason.CENTRE
    if move in {0, 2, 6, 8}:
        return MarkReason.OPPOSITE_CORNER if board[8 - move] == theirs else MarkReason.CORNER
    return MarkReason.EDGE


def test_a_review_says_who_gave_away_what() -> None:
    # X takes a corner, O an edge, X the edge beside it instead of a winning cell.
    moves = (Move(0), Move(1), Move(2), Move(4), Move(7), Move(3), Move(5), Move(8), Move(6))
    told = review.review("tictactoe", 2, {}, moves)
    assert [ply.ply for ply in told.plies] == list(range(9))
    turned = [(move.ply, move.loss, move.grade) for move in told.moves if move.turned]
    assert turned == [
        (1, 0.5, review.Grade.BLUNDER),
        (2, 0.5, review.Grade.BLUNDER),
    ]
    assert told.chances[0] == told.chances[-1] == (0.5, 0.5)
    assert told.turning_points()[0].ply == 1
    assert told.moves[1].reply == told.moves[2].line
    assert told.moves[1].reply[0] in told.moves[2].bests


def test_chances_change_by_exactly_what_the_moves_lost() -> None:
    rng = Random(3)
    for _ in range(40):
        moves: list[Move] = []
        state = GAME.start(2, {})
        while state.moves():
            moves.append(rng.choice(state.moves()))
            state = state.play(moves[-1])
        told = review.review("tictactoe", 2, {}, moves)
        for move, (before, after) in zip(told.moves, pairwise(told.chances), strict=False):
            assert before[move.seat] - after[move.seat] == move.loss
        assert told == review.review("tictactoe", 2, {}, moves)
        assert pickle.loads(pickle.dumps(told)) == told  # noqa: S301


def test_a_running_game_is_reviewed_up_to_now() -> None:
    told = review.review("tictactoe", 2, {}, (Move(0), Move(1)))
    assert told.chances == ((0.5, 0.5), (0.5, 0.5), (1.0, 0.0))


def test_why_names_the_move_the_better_ones_and_the_answer() -> None:
    told = review.why("tictactoe", 2, {}, (Move(0), Move(1)))
    assert (told.move, told.best.move, told.loss) == (1, 4, 0.5)
    assert [reason.kind for reason in told.best.reasons] == [MarkReason.CENTRE]
    assert told.reply[0] in review.hint("tictactoe", 2, {}, (Move(0), Move(1))).bests


@pytest.mark.parametrize(
    ("size", "played", "deadline"),
    [
        (4, (2, 5, 8, 4, 11, 7, 9, 15, 1, 13), 200),
        pytest.param(5, (12, 0, 11, 13, 1, 2, 6, 18, 7, 8), 5_000, marks=pytest.mark.exhaustive),
        pytest.param(5, (0, 1, 5, 12, 24, 6, 18, 7), 20_000, marks=pytest.mark.exhaustive),
    ],
    ids=["small", "late", "early"],
)
def test_a_spent_budget_leaves_whole_plies_the_last_ones(
    size: int, played: Sequence[int], deadline: int
) -> None:
    moves = [*map(Move, played)]
    ticks = itertools.count()
    budget = Budget(deadline=deadline, clock=lambda: next(ticks))
    told = review.review("tictactoe", 2, {"size": size}, moves, budget)
    assert 0 < len(told.plies) < len(moves)
    assert [ply.ply for ply in told.plies] == list(range(told.first, len(moves)))
    assert len(told.chances) == len(told.plies) + 1
    whole = review.review("tictactoe", 2, {"size": size}, moves)
    assert whole.chances[told.first :] == told.chances
    with pytest.raises(OutOfBudget):
        review.review("tictactoe", 2, {"size": size}, moves, Budget(nodes=0))
    with pytest.raises(OutOfBudget):
        review.hint("tictactoe", 2, {"size": size}, moves, Budget(nodes=0))

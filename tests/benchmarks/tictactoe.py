"""The rows of the engine's table that are about tic-tac-toe."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator
from functools import reduce
from random import Random

from engine.arena import Match, Score, play
from engine.games.tictactoe import GAME
from engine.games.tictactoe.perfect import Perfect, entry
from engine.games.tictactoe.position import TicTacToePosition, cells, lines
from engine.games.tictactoe.solver import Solver, board, symmetry
from engine.search.agent import Budget, Effort
from engine.search.depth_first import DepthFirst
from engine.search.minimax import alphabeta
from engine.workers import played
from tests.benchmarks.rows import Bench, Row, best_of

GAMES = 40


def start(size: int, line: int) -> TicTacToePosition:
    return GAME.start(2, {"size": size, "line": line})


def look_up() -> Iterator[Row]:
    """Every unfinished position of 3x3 looked up, and checked by alpha-beta."""
    reached = positions = [start(3, 3)]
    while reached:
        after = {state.play(move) for state in reached for move in state.moves()}
        reached = [state for state in after if state.payoff() is None]
        positions = positions + reached

    def all_once() -> float:
        began = time.perf_counter()
        for position in positions:
            entry(position)
        return time.perf_counter() - began

    agent = DepthFirst(alphabeta, Random(1), weigh_all=True)
    wrong = 0
    for position in positions:
        values = agent.think(position).values
        wrong += any(
            values[m] < max(values.values()) for m in (thought.move for thought in entry(position))
        )
    each = best_of(20, all_once) / len(positions)
    yield Row(
        "3x3, best moves of any position",
        "at most 1 µs, none wrong",
        f"{each * 1e6:.2f} µs, {wrong} of {len(positions):,} wrong",
    )


def solved_cold(size: int, line: int) -> float:
    """Seconds from nothing to the value of the empty board, tables of lines included."""
    for tables in (lines, cells, board, symmetry):
        tables.cache_clear()
    began = time.perf_counter()
    solver = Solver(size, line)
    value = solver.value(solver.board.sides(start(size, line)), Effort())
    took = time.perf_counter() - began
    assert value == 0
    return took


def solve_3x3() -> Iterator[Row]:
    """3x3 from the start."""
    ours = best_of(20, lambda: solved_cold(3, 3))
    yield Row(
        "3x3 solved from the start",
        "at most 2 ms",
        f"{ours * 1e3:.2f} ms",
    )


def solve_4x4() -> Iterator[Row]:
    """4x4 with four in a row from the start, and its slowest move."""
    yield Row(
        "4x4, four in a row, solved from the start",
        "at most 0.5 s, then under 50 ms a move",
        f"a draw, {best_of(5, lambda: solved_cold(4, 4)) * 1e3:.1f} ms; "
        f"{slowest_move(4, 4) * 1e3:.1f} ms the slowest move in {GAMES} games",
    )


def solve_5x5() -> Iterator[Row]:
    """5x5 with four in a row from the start, and its slowest move."""
    yield Row(
        "5x5, four in a row, solved from the start",
        "a draw",
        f"a draw, {best_of(5, lambda: solved_cold(5, 4)) * 1e3:.0f} ms; "
        f"{slowest_move(5, 4) * 1e3:.0f} ms the slowest move in {GAMES} games",
    )


def slowest_move(size: int, line: int) -> float:
    """The longest that `perfect` thinks of a move, in seconds, without a budget.

    It plays against `random`, which leads it to positions that are far from balanced.
    """
    slowest = 0.0
    for number in range(GAMES):
        match = Match("tictactoe", ("perfect", "random"), options={"size": size, "line": line})
        slowest = max(slowest, play(match, number, time.perf_counter).slowest)
    return slowest


def short_against_long() -> Iterator[Row]:
    """5x5: `perfect` at 0.2 s a move against itself at 2 s."""
    match = Match("tictactoe", ("perfect@0.2", "perfect@2"), options={"size": 5, "line": 4})
    cores = os.cpu_count() or 1
    total = reduce(Score.joined, played(match, 40, time.perf_counter, cores=cores))
    yield Row(
        "5x5, `perfect` at 0.2 s a move against itself at 2 s",
        "loses none of 40",
        f"{total.won} won, {total.drawn} drawn, {total.lost} lost",
    )


def overrun() -> Iterator[Row]:
    """The time a search goes on past its deadline, by the processor's clock.

    By the clock on the wall a busy machine takes 4 ms away whenever it likes, from any program. A
    full garbage collection takes 2 ms in a process that has loaded all of this, whatever the search
    does, so what was there before is frozen.
    """
    clock = time.thread_time
    gc.collect()
    gc.freeze()
    position = start(5, 4)
    Perfect(Random(1)).think(position, Budget(nodes=1))  # tables of lines are made once a process
    worst: dict[int, float] = {}
    for milliseconds in (1, 5, 20, 100):
        allowed = milliseconds / 1e3
        for number in range(20):
            rng = Random(number)
            agent = DepthFirst(alphabeta, rng) if number % 2 else Perfect(rng)
            began = clock()
            agent.think(position, Budget(deadline=began + allowed, clock=clock))
            over = (clock() - began) / allowed - 1
            worst[milliseconds] = max(worst.get(milliseconds, over), over)
    measured = ", ".join(f"{over:.1%} of {allowed} ms" for allowed, over in worst.items())
    yield Row("budgets", "overrun by at most 10 %", f"at worst {measured}")


ROWS: list[Bench] = [look_up, solve_3x3, solve_4x4, solve_5x5, short_against_long, overrun]

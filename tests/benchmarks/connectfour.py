"""The rows of the engine's table that are about connect four."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from statistics import median

from engine.arena import Match, wilson
from engine.games.connectfour import GAME, ConnectFourPosition
from engine.games.connectfour.agents import ConnectFourRules
from engine.games.connectfour.expert import Expert
from engine.games.connectfour.position import discs, next_cells, wins
from engine.games.connectfour.solver import Scores
from engine.search.agent import Budget
from engine.workers import total
from tests.benchmarks.others import OpenSpielMinimax
from tests.benchmarks.rows import Bench, Row

POSITIONS = 100
GAMES = 20
PLIES = 100_000
LEVELS = {"random": 500, "rules": 200, "alphabeta:4": 20, "expert@1": 20}
"""The agents of Parlour's levels, each with so many games."""


def sensible(free: int, count: int) -> Iterator[ConnectFourPosition]:
    """Yield positions of rules with three in ten moves random, where nobody can win at once."""
    rng = Random(1)
    rules = ConnectFourRules(rng)
    while count:
        state = GAME.start(2, {})
        left = state.board.cells
        while left > free and state.payoff() is None:
            moves = state.moves() if rng.random() < 0.3 else rules.choices(state)
            state = state.play(rng.choice(moves))
            left -= 1
        own, other = discs(state)
        taken, empty = own | other, state.board
        either = wins(own, taken, empty) | wins(other, taken, empty)
        if state.payoff() is None and not either & next_cells(taken, empty):
            yield state
            count -= 1


def seconds_of_proof(state: ConnectFourPosition) -> float:
    """The seconds of the processor that the exact score takes, from nothing."""
    own, other = discs(state)
    taken, empty = own | other, state.board
    left = empty.cells - taken.bit_count()
    began = time.process_time()
    Scores(empty).score(own, other, wins(other, taken, empty), left)
    return time.process_time() - began


def proofs() -> Iterator[Row]:
    """The exact score of positions with 24 and 28 free cells."""
    for free, most in ((24, 1.0), (28, 5.0)):
        took = sorted(map(seconds_of_proof, sensible(free, POSITIONS)))
        within = sum(each <= most for each in took)
        yield Row(
            f"connect four, exact score with {free} free cells, by the processor's clock",
            f"95 of 100 within {most:.0f} s",
            f"median {median(took):.2f} s, 95 of 100 under {took[94]:.2f} s, "
            f"slowest {took[-1]:.2f} s; {within} of {POSITIONS} within {most:.0f} s",
        )


def random_play() -> Iterator[Row]:
    """Random play on the generic contract."""
    rng, state = Random(1), GAME.start(2, {})
    began = time.process_time()
    for _ in range(PLIES):
        moves = state.moves()
        state = state.play(moves[int(rng.random() * len(moves))]) if moves else GAME.start(2, {})
    took = time.process_time() - began
    yield Row(
        "connect four, random play on the generic contract", "", f"{PLIES / took:,.0f} plies/s"
    )


def moves_of_levels() -> Iterator[Row]:
    """A move of each level of Parlour, against the one in the middle."""
    for level, games in LEVELS.items():
        score = total(Match("connectfour", (level, "rules")), games, clock=time.process_time)
        yield Row(
            f"connect four, a move of `{level}`, by the processor's clock",
            "",
            f"mean {1000 * score.seconds / score.moves:.3g} ms, "
            f"slowest {1000 * score.slowest:.3g} ms, {score.moves} moves",
        )


def against_openspiel() -> Iterator[Row]:
    """The expert against OpenSpiel's alpha-beta, with the seconds that took for its last move."""
    if not OpenSpielMinimax.installed():
        return
    points, spent = 0.0, 0.0
    for number in range(GAMES):
        result, took = duel(number)
        points += result
        spent = max(spent, took)
    low, high = wilson(round(points), GAMES)
    yield Row(
        "connect four, `expert` against OpenSpiel's alpha-beta, 6 plies deep, at equal time",
        "at least 55 %",
        f"{points:g} of {GAMES} points, {points / GAMES:.0%} [{low:.0%}, {high:.0%}]; "
        f"{spent:.2f} s the longest move",
    )


def duel(number: int) -> tuple[float, float]:
    """Our points in one game, seats in turn, and the longest move of the other, in seconds."""
    rng, ours = Random(number), number % 2
    other, expert = OpenSpielMinimax("connect_four", depth=6), Expert(Random(number))
    state, last, longest = GAME.start(2, {}), 0.1, 0.0
    moves: list[int] = []
    while (payoff := state.payoff()) is None:
        if len(moves) < 2:
            move = rng.choice(state.moves())
        elif state.turn == ours:
            budget = Budget.within(last, time.process_time)
            move = expert.think(state, budget).move
        else:
            began = time.process_time()
            move = state.moves()[0] if len(state.moves()) == 1 else other.choice(moves)
            last = time.process_time() - began
            longest = max(longest, last)
        moves.append(move)
        state = state.play(move)
    return (payoff[ours] + 1) / 2, longest


ROWS: list[Bench] = [random_play, moves_of_levels, proofs, against_openspiel]

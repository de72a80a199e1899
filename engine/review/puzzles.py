"""Puzzles: one position a day, the same for all, with exactly one best move.

Nothing is listed: from the date come games of careless players, from these the first position that
asks for something. In tic-tac-toe that is to win with the second or third mark from now, where one
cell alone does, or to hold a draw with the only cell that does and that no threat gives away; it is
proven. In Ludo it is a move that a rule player would not make, and that is better than all others
by `MARGIN` at least, looking four moves ahead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from random import Random
from typing import Any, Final

from engine import roster
from engine.game import CHANCE, Move, Options
from engine.games.ludo import LudoPosition
from engine.games.ludo.rules_agent import LudoRules
from engine.games.tictactoe import TicTacToePosition
from engine.review.calibration import correction
from engine.review.game import hint
from engine.review.records import MoveReview
from engine.review.reviewer import Lookahead, reasons_of
from engine.search.budget import UNLIMITED, Budget, OutOfBudget

MARGIN: Final = 0.02
DEPTH: Final = 4
NODES: Final = 2_500
"""Positions that a proof may visit: a puzzle that is harder to check is passed over."""


class Task(StrEnum):
    """The task of a puzzle."""

    WIN = "win"
    HOLD = "hold"
    BEST = "best"


BOARDS: Final[dict[Task, tuple[Options, ...]]] = {
    Task.WIN: ({"size": 4, "line": 4}, {"size": 4, "line": 3}, {"size": 5, "line": 4}),
    Task.HOLD: ({"size": 5, "line": 4},),
    Task.BEST: ({},),
}
CARELESS: Final = {"tictactoe": "rules-corner", "ludo": "rules"}


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The position after `moves` of a game of two seats; `answer` reviews the best move.

    A puzzle to `WIN` is won with the mark `marks` from now, counted from 1.
    """

    day: date
    task: Task
    game: str
    options: Options
    moves: tuple[Move, ...]
    answer: MoveReview

    @property
    def marks(self) -> int:
        """The own marks that the win takes; 0 where there is none to find."""
        return ((self.answer.best.plies or 0) + 1) // 2


def puzzle(day: date) -> Puzzle:
    """The puzzle of a day."""
    rng = Random(f"puzzle/{day.isoformat()}")
    task = rng.choice((Task.WIN, Task.HOLD, Task.BEST))
    game = "ludo" if task is Task.BEST else "tictactoe"
    options = rng.choice(BOARDS[task])
    found = _ludo if task is Task.BEST else _tictactoe
    while True:
        for state, moves in _careless(game, options, rng):
            if len(state.moves()) > 2 and (answer := found(task, options, state, moves)):
                return Puzzle(day, task, game, options, moves, answer)


def _careless(game: str, options: Options, rng: Random) -> Iterator[tuple[Any, tuple[Move, ...]]]:
    """The positions, with the moves before them, of a game in which some moves are random."""
    rules = roster.game(game)
    player = roster.entrant(rules, CARELESS[game]).agent(rng)
    state, moves = rules.start(2, rules.settled(options)), list[Move]()
    while state.moves():
        if state.turn == CHANCE or rng.random() < 0.4:
            moves.append(rng.choice(state.moves()))
        else:
            moves.append(player.think(state).move)
        state = state.play(moves[-1])
        if state.moves() and state.turn != CHANCE:
            yield state, tuple(moves)


def _tictactoe(
    task: Task, options: Options, _state: TicTacToePosition, moves: tuple[Move, ...]
) -> MoveReview | None:
    if len(moves) < int(options["size"]) + 2:
        return None
    try:
        found = hint("tictactoe", 2, options, moves, Budget(nodes=NODES))
    except OutOfBudget:
        return None
    if len(found.bests) > 1:
        return None
    best, others = found.best, found.choices[1:]
    if task is Task.WIN:
        fits = best.plies in {3, 5} and best.chances[found.seat] == 1
    else:
        fits = best.plies is None and all((other.plies or 0) > 2 for other in others)
    return found if fits else None


def _ludo(
    _task: Task, options: Options, state: LudoPosition, moves: tuple[Move, ...]
) -> MoveReview | None:
    rules = roster.game("ludo")
    seat, obvious = state.turn, LudoRules(Random(0)).choices(state)
    entrant, answers = roster.entrant(rules, "expectiminimax"), set[Move]()
    corrected = correction(rules, 2, options)
    for depth in range(2, DEPTH + 1):
        judge = Lookahead(entrant, corrected, reasons_of(rules), depth)
        best, second, *_ = judge.choices(state, UNLIMITED)
        answers.add(best.move)
        if best.move in obvious or best.chances[seat] < second.chances[seat] + MARGIN:
            return None
    return hint("ludo", 2, options, moves) if len(answers) == 1 else None

"""The strongest tic-tac-toe player: its values are proven.

On 3x3 it looks every position up: 4,520 entries, no search. On larger boards it solves them
(`solver`): it wins as soon as it can where a win exists, never gives a draw away, and loses as late
as it can. Under a budget it proves first what matters most, and chooses by what is proven when the
budget is spent.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from random import Random
from typing import Final

from engine.game import Move
from engine.games.tictactoe.position import TicTacToePosition
from engine.games.tictactoe.solver import DRAWN, LOST, WON, Distance, Solver, ordered, threats
from engine.search.agent import UNLIMITED, Budget, Effort, OutOfBudget, Thought
from engine.search.depth_first import FADING, Outlook

IN_SIGHT: Final = 5


class Knowledge:
    """The solver and the distances of one board, with all that they remember."""

    def __init__(self, size: int, line: int) -> None:
        self.solver = Solver(size, line)
        self.board = self.solver.board
        self.distance = Distance(self.board)


class Proofs:
    """The moves of `position` with the values proven so far, the most important first.

    The order matters under a budget: first a quick win, then a move that does not lose, then one
    that wins, and only then moves that are just as good. Of moves that draw, the best are those
    with the greatest weight (`solver.ordered`): on 4x4 they beat `random` in 97 of 100 games, any
    drawing move only in 59.

    `best` has the moves proven best so far, or not yet proven worse; it is never empty. `values`
    has the exact values, as the classic algorithms give them. The methods raise `OutOfBudget` when
    the budget is spent, and keep the proofs made until then.
    """

    def __init__(self, knowledge: Knowledge, position: TicTacToePosition, effort: Effort) -> None:
        self.solver = knowledge.solver
        self.distance = knowledge.distance
        self.effort = effort
        board = knowledge.board
        sides = board.sides(position)
        self.wins = board.missing(threats(sides.own_marks, sides.own_live), sides)
        self.dangers = board.missing(threats(sides.other_marks, sides.other_live), sides)
        self.children = {
            Move(cell.bit_length() - 1): sides.after(cell, through)
            for cell, through in board.through.items()
            if not (sides.own | sides.other) & cell
        }
        weighed = {Move(cell.bit_length() - 1): -lack for lack, cell, _ in ordered(board, sides)}
        self.weights = weighed | {move: 0 for move in self.children if move not in weighed}
        self.order = list(self.weights)
        self.best = self.order[:1]
        self.values: dict[Move, float] = {}

    def prove_the_best(self) -> None:
        """Find the best moves, all equally good."""
        if self.wins or self.dangers:
            self._take_or_stop()
        elif not any(self._wins_in(plies) for plies in range(3, IN_SIGHT + 1, 2)):
            self._prove(self.order)

    def _take_or_stop(self) -> None:
        urgent = self.wins or self.dangers
        self.best = [move for move in self.order if urgent >> move & 1]
        if self.wins:
            self._note(self.best, outcome=WON, plies=1)
            return
        if len(self.best) > 1:
            self.best = self.order
            self._note(self.best, outcome=LOST, plies=2)
            return
        self._note((move for move in self.order if move not in self.best), outcome=LOST, plies=2)
        self._prove(self.best)

    def _wins_in(self, plies: int) -> bool:
        """Whether any moves win in `plies`, if none wins sooner; they become `best`."""
        lost_within = self.distance.lost_within
        hits = [m for m in self.order if lost_within(self.children[m], plies - 1, self.effort)]
        if hits:
            self.best = hits
            self._note(hits, outcome=WON, plies=plies)
        return bool(hits)

    def _prove(self, candidates: list[Move]) -> None:
        """Find the best moves among `candidates`; all others must be worse."""
        lost = []
        for move in candidates:
            if self._is_safe(move):
                self.best = [move]
                break
            lost.append(move)
        else:
            self._delay(candidates)
            return
        rest = [move for move in candidates if move not in lost]
        for move in rest:
            if self._is_won(move):
                self.best = [move]
                any(self._wins_in(plies) for plies in count(3, 2))
                return
        self._note(self.best, outcome=DRAWN, plies=0)
        for move in rest[1:]:
            if self.weights[move] == self.weights[rest[0]] and self._is_safe(move):
                self.best.append(move)
                self._note([move], outcome=DRAWN, plies=0)

    def _is_safe(self, move: Move) -> bool:
        return self.solver.value(self.children[move], self.effort, alpha=DRAWN) <= DRAWN

    def _is_won(self, move: Move) -> bool:
        return self.solver.value(self.children[move], self.effort, beta=DRAWN) <= LOST

    def _delay(self, lost: list[Move]) -> None:
        """Find the moves among `lost` after which the other seat takes longest to win."""
        self.best = lost
        for plies in count(2, 2):
            later = []
            for move in self.best:
                if self.distance.won_within(self.children[move], plies - 1, self.effort):
                    self._note([move], outcome=LOST, plies=plies)
                else:
                    later.append(move)
            if not later:
                return
            self.best = later

    def weigh_the_rest(self) -> None:
        """Find the exact values of the moves that have none yet."""
        for move in self.order:
            if move in self.values:
                continue
            child = self.children[move]
            outcome = -self.solver.value(child, self.effort)
            within = self.distance.lost_within if outcome == WON else self.distance.won_within
            plies = 0
            if outcome != DRAWN:
                first = 3 if outcome == WON else 2
                plies = next(n for n in count(first, 2) if within(child, n - 1, self.effort))
            self._note([move], outcome=outcome, plies=plies)

    def _note(self, moves: Iterable[Move], *, outcome: int, plies: int) -> None:
        for move in moves:
            self.values[move] = outcome * (1 - plies * FADING)


@dataclass(frozen=True, slots=True)
class Perfect:
    """A player of any move that is proven best.

    With `weigh_all` it also values every other move and shows a best game to the end. Without
    `looks_up` it solves 3x3 like any other board. It keeps its proofs, and so thinks less with
    every move of a game.
    """

    rng: Random
    weigh_all: bool = False
    looks_up: bool = True
    known: dict[tuple[int, int], Knowledge] = field(default_factory=dict, compare=False)

    def think(self, state: TicTacToePosition, budget: Budget = UNLIMITED) -> Thought:
        """Choose any of the best moves of `state`."""
        if self.looks_up and state.size == 3:
            return self.rng.choice(entry(state))
        effort = Effort(budget)
        proofs = Proofs(self._knowledge(state), state, effort)
        line: list[Move] = []
        with suppress(OutOfBudget):
            proofs.prove_the_best()
            if self.weigh_all:
                proofs.weigh_the_rest()
        line.append(self.rng.choice(sorted(proofs.best)))
        with suppress(OutOfBudget):
            if self.weigh_all:
                self._continue(state, line, effort)
        return Thought(
            line[0],
            values=dict(sorted(proofs.values.items())),
            nodes=effort.nodes,
            cutoffs=effort.cutoffs,
            depth=len(proofs.order) if line[0] in proofs.values else 0,
            variation=tuple(line),
            proven=frozenset(proofs.values),
        )

    def _continue(self, state: TicTacToePosition, line: list[Move], effort: Effort) -> None:
        """Add the best play of both seats to `line`."""
        state = state.play(line[0])
        while state.payoff() is None:
            proofs = Proofs(self._knowledge(state), state, effort)
            proofs.prove_the_best()
            line.append(min(proofs.best))
            state = state.play(line[-1])

    def _knowledge(self, state: TicTacToePosition) -> Knowledge:
        rules = state.size, state.line
        if rules not in self.known:
            self.known[rules] = Knowledge(*rules)
        return self.known[rules]


@cache
def entry(position: TicTacToePosition) -> tuple[Thought, ...]:
    """A ready thought for each of the best moves of an unfinished position.

    The first call also makes the entries of all positions after it, which takes some 30 ms.
    """
    replies = {move: _outlook(position.play(move)) for move in position.moves()}
    values = {move: -_a_ply_later(value) for move, (value, _) in replies.items()}
    best = max(values.values())
    return tuple(
        Thought(
            move,
            values=values,
            depth=1 + len(replies[move][1]),
            variation=(move, *replies[move][1]),
            proven=frozenset(values),
        )
        for move, value in values.items()
        if value == best
    )


def _outlook(position: TicTacToePosition) -> Outlook:
    payoff = position.payoff()
    if payoff is not None:
        return payoff[position.turn], ()
    first = entry(position)[0]
    return first.values[first.move], first.variation


def _a_ply_later(value: float) -> float:
    if value == 0:
        return 0.0
    return value - FADING if value > 0 else value + FADING

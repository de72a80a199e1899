"""The strongest tic-tac-toe player: its values are proven.

On 3x3 it looks every position up: 4,520 entries, no search. On larger boards it solves them
(`solver`): it wins where a win exists, the soonest it can, never gives a draw away, and loses as
late as it can. Under a budget it proves first what matters most, and chooses among what is proven
when the budget is spent.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from random import Random

from engine.game import Move
from engine.games.tictactoe.position import TicTacToePosition
from engine.games.tictactoe.solver.proofs import Knowledge, Proofs
from engine.search.agent import Thought
from engine.search.budget import UNLIMITED, Budget, Effort, OutOfBudget
from engine.search.depth_first import FADING, Outlook


@dataclass(frozen=True, slots=True)
class Perfect:
    """A player of any move that is proven best.

    With `weigh_all` it also values every other move and shows a best game to the end. Without
    `looks_up` it solves 3x3 like any other board. It keeps its proofs, so that one agent thinks
    less with every move of a game.
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

    The first call makes the entries of all positions that follow as well: some 30 ms.
    """
    replies = {move: _outlook(position.play(move)) for move in position.moves()}
    values = {move: -_a_ply_later(outlook.value) for move, outlook in replies.items()}
    best = max(values.values())
    return tuple(
        Thought(
            move,
            values=values,
            depth=1 + len(replies[move].line),
            variation=(move, *replies[move].line),
            proven=frozenset(values),
        )
        for move, value in values.items()
        if value == best
    )


def _outlook(position: TicTacToePosition) -> Outlook:
    payoff = position.payoff()
    if payoff is not None:
        return Outlook(payoff[position.turn])
    first = entry(position)[0]
    return Outlook(first.values[first.move], first.variation)


def _a_ply_later(value: float) -> float:
    if value == 0:
        return 0.0
    return value - FADING if value > 0 else value + FADING

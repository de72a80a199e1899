"""Monte Carlo tree search: UCT, the bandit rule UCB1 at every node of a growing tree.

    Uct(Random(7), playouts=1000)

A playout goes down the tree: each seat takes the move with its highest mean plus bonus, which is
larger for moves seldom tried. It adds one position to the tree and goes on with random moves until
the game is over. The result counts for all positions passed in the tree. The move with the most
playouts is chosen. Dice roll by their odds, in the tree and below it, so it plays any game, with
any number of seats.

Levente Kocsis and Csaba Szepesvári, "Bandit Based Monte-Carlo Planning", 2006; one position more a
playout, and the choice by playouts, are Rémi Coulom's ("Efficient Selectivity and Backup Operators
in Monte-Carlo Tree Search", 2006). The bonus of UCB1, for results in [0, 1], has the factor √2;
for payoffs in [-1, 1], as here, the same is 2√2, of which `EXPLORATION` is less.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import add
from random import Random
from typing import Any, Final, NamedTuple

from engine.game import CHANCE, Move, Seat, State
from engine.search.agent import UNLIMITED, Budget, Effort, OutOfBudget, Thought

EXPLORATION: Final = 2.0
"""The weight of the bonus, the same as OpenSpiel's; about the best one for few playouts."""

USUAL_PLAYOUTS: Final = 1000


@dataclass(slots=True, eq=False)
class UctNode:
    """A position in the tree: its playouts, and the sum of their payoffs by seat."""

    state: Any
    untried: list[Move]
    children: dict[Move, UctNode] = field(default_factory=dict)
    playouts: int = 0
    sums: list[float] = field(default_factory=list)

    def mean(self, seat: Seat) -> float:
        """The mean payoff of the playouts for a seat, in [-1, 1]."""
        return self.sums[seat] / self.playouts

    def count(self, payoff: Sequence[float]) -> None:
        """Count the result of one playout."""
        self.playouts += 1
        self.sums = list(map(add, self.sums, payoff)) if self.sums else list(payoff)

    def best(self) -> Move | None:
        """The move with the most playouts, then the highest mean; None without any, or for dice."""
        seat = self.state.turn
        if not self.children or seat == CHANCE:
            return None
        return max(
            self.children,
            key=lambda move: (self.children[move].playouts, self.children[move].mean(seat)),
        )

    def principal(self) -> Iterator[Move]:
        """The most played moves from here, up to the next roll."""
        node = self
        while (move := node.best()) is not None:
            yield move
            node = node.children[move]


class Playout(NamedTuple):
    """One playout: its moves in the tree, of which the last may be new, and its result."""

    moves: tuple[Move, ...]
    payoff: Sequence[float]


@dataclass(frozen=True, slots=True)
class Uct:
    """A player of the move that most of its playouts begin with.

    It makes `playouts` of them at most; if None, `USUAL_PLAYOUTS`, or with a budget as many as that
    allows. Where there is only one move it makes one. `nodes` counts every position passed, in the
    tree and below it.
    """

    rng: Random
    playouts: int | None = None

    def think(self, state: State, budget: Budget = UNLIMITED) -> Thought:
        """Choose the move of `state` with the most playouts."""
        root, effort = self.root(state), Effort(budget)
        playouts = self.grown(root, effort)
        if len(state.moves()) == 1:
            playouts = islice(playouts, 1)
        depth = max((len(each.moves) for each in playouts), default=0)
        return self.thought(root, effort, depth)

    def root(self, state: State) -> UctNode:
        """A tree of one position."""
        return UctNode(state, self._shuffled(state))

    def grown(self, root: UctNode, effort: Effort) -> Iterator[Playout]:
        """Grow a tree, and yield each playout after it is counted."""
        most = self.playouts
        if most is None and effort.budget == UNLIMITED:
            most = USUAL_PLAYOUTS
        try:
            for _ in islice(iter(int, 1), most):
                yield self._playout(root, effort)
        except OutOfBudget:
            pass

    def thought(self, root: UctNode, effort: Effort, depth: int) -> Thought:
        """The thought about the root of a grown tree; without playouts, of a random move."""
        seat = root.state.turn
        best, children = root.best(), root.children
        if best is None:
            return Thought(self.rng.choice(root.state.moves()), nodes=effort.nodes)
        tried = [move for move in root.state.moves() if move in children]
        return Thought(
            best,
            values={move: children[move].mean(seat) for move in tried},
            nodes=effort.nodes,
            depth=depth,
            variation=tuple(root.principal()),
            playouts={move: children[move].playouts for move in tried},
        )

    def _playout(self, root: UctNode, effort: Effort) -> Playout:
        """Make one playout and count it; if the budget ends during it, the tree is unchanged."""
        node, path, moves = root, [root], list[Move]()
        effort.visit()
        while True:
            move = self._rolled(node.state) if node.state.turn == CHANCE else self._chosen(node)
            if move is None:
                break
            effort.visit()
            moves.append(move)
            known = node.children.get(move)
            if known is None:
                state = node.state.play(move)
                path.append(UctNode(state, self._shuffled(state)))
                break
            node = known
            path.append(node)
        payoff = self._to_the_end(path[-1].state, effort)
        if len(path) > 1 and not path[-1].playouts:
            path[-2].children[moves[-1]] = path[-1]
            if path[-2].untried:
                path[-2].untried.pop()
        for node in path:
            node.count(payoff)
        return Playout(tuple(moves), payoff)

    def _chosen(self, node: UctNode) -> Move | None:
        """An untried move, or else the one with the highest mean plus bonus; None at the end."""
        if node.untried:
            return node.untried[-1]
        if not node.children:
            return None
        seat, log = node.state.turn, math.log(node.playouts)

        def bound(move: Move) -> float:
            child = node.children[move]
            return child.mean(seat) + EXPLORATION * math.sqrt(log / child.playouts)

        return max(node.children, key=bound)

    def _to_the_end(self, state: Any, effort: Effort) -> Sequence[float]:  # noqa: ANN401
        """The payoff after random moves."""
        choice = self.rng.choice
        while (payoff := state.payoff()) is None:
            effort.visit()
            at_chance = state.turn == CHANCE
            state = state.play(self._rolled(state) if at_chance else choice(state.moves()))
        found: Sequence[float] = payoff
        return found

    def _rolled(self, state: State) -> Move | None:
        """A random roll by the odds; None where the game is over."""
        moves = state.moves()
        return self.rng.choices(moves, state.odds())[0] if moves else None

    def _shuffled(self, state: State) -> list[Move]:
        """The moves of a position in random order; none for dice. The last is tried first."""
        moves = list(state.moves()) if state.turn != CHANCE else []
        self.rng.shuffle(moves)
        return moves

"""The tree that an algorithm visits, noted by positions that record each move played in them.

The algorithms run unchanged, so the tree has exactly the nodes that they visit. Values and windows
are computed from it afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from engine import roster
from engine.game import CHANCE, Game, Move, Seat, State
from engine.search.agent import Effort, Thought
from engine.search.depth_first import FADING, below
from engine.search.uct import USUAL_PLAYOUTS, Playout, Uct, UctNode

MOST_NODES: Final = 2000
"""The largest tree that makes a picture; six free cells of tic-tac-toe have 1,956 nodes."""


class TooLarge(ValueError):
    """The search visits more positions than a picture can show."""


@dataclass(slots=True, eq=False)
class Node:
    """A visited position, reached by `move`; `worth` has its value for each seat.

    `cut` has the moves cut off, `window` alpha and beta at the first visit; `chosen` means that
    `move` is its parent's best. If the agent samples, `worth` is the mean of `playouts`.
    """

    state: Any
    move: Move | None
    ply: int
    worth: Sequence[float] = ()
    children: list[Node] = field(default_factory=list)
    cut: tuple[Move, ...] = ()
    window: tuple[float, float] = (-math.inf, math.inf)
    chosen: bool = False
    playouts: int = 0

    @property
    def at_chance(self) -> bool:
        """Whether the dice decide here."""
        return bool(self.children) and self.state.turn == CHANCE

    def principal(self) -> Iterator[Node]:
        """The nodes of the best play from here."""
        for child in self.children:
            if child.chosen:
                yield child
                yield from child.principal()

    def every(self) -> Iterator[Node]:
        """The node itself and all below it, in the order in which they were visited."""
        yield self
        for child in self.children:
            yield from child.every()


@dataclass(frozen=True, slots=True)
class SearchTree:
    """The nodes an agent visited from `root`, where `seat` is to move, and its thought.

    `playouts` are those of an agent that samples, in order.
    """

    game: Game[Any]
    agent: str
    seat: Seat
    root: Node
    thought: Thought
    playouts: Sequence[Playout] = ()

    @property
    def turning(self) -> bool:
        """Whether a node's value is that of its seat to move, as in negamax."""
        return "negamax" in self.agent

    @property
    def textbook(self) -> bool:
        """Whether it counts a win as 1, however far away, and takes the first best move."""
        return "textbook" in self.agent

    @property
    def pruning(self) -> bool:
        """Whether it leaves out moves that cannot matter."""
        return "alphabeta" in self.agent

    @property
    def sampling(self) -> bool:
        """Whether its values are means of playouts."""
        return bool(self.playouts)

    @property
    def nodes(self) -> int:
        """The number of positions visited, or those in the tree if it samples."""
        return len(list(self.root.every())) - 1 if self.sampling else self.thought.nodes

    @property
    def exact(self) -> bool:
        """Whether every leaf is an ended game, and values are not sampled."""
        leaves = (node for node in self.root.every() if not node.children)
        return not self.sampling and all(leaf.state.payoff() is not None for leaf in leaves)

    def viewer(self, node: Node) -> Seat:
        """The seat whose value a node shows: `seat`, or in negamax the one to move there."""
        seat: Seat = node.state.turn if self.turning else self.seat
        return seat

    def value(self, node: Node) -> float:
        """The value of a node for its `viewer`."""
        return self.signed(node, node.worth[self.seat])

    def signed(self, node: Node, value: float) -> float:
        """A value for `seat`, turned into one for the `viewer` of a node."""
        return value if self.viewer(node) == self.seat else -value

    def window(self, node: Node) -> tuple[float, float]:
        """Alpha and beta at a node, for its `viewer`."""
        low, high = sorted(self.signed(node, bound) for bound in node.window)
        return low, high

    @property
    def each_for_itself(self) -> bool:
        """Whether every node maximises, as in negamax or with more than two seats."""
        return self.turning or len(self.root.worth) > 2

    def layer(self, node: Node) -> str:
        """MAX, MIN or CHANCE."""
        if node.state.payoff() is None and node.state.turn == CHANCE:
            return "CHANCE"
        mine = node.ply % 2 == 0 if node.state.payoff() else node.state.turn == self.seat
        return "MAX" if mine or self.each_for_itself else "MIN"


def grow(game: Game[Any], spec: str, state: State) -> SearchTree:
    """Let the agent `spec` search from `state`; return the tree that it visits.

    Raises:
        Unknown: There is no such agent.
        TooLarge: It visits more than `MOST_NODES` positions, or makes more playouts.
    """
    entrant = roster.entrant(game, spec)
    root = Node(state, None, 0)
    trace = _Trace(root)
    evaluation = entrant.setting.evaluation
    setting = replace(entrant.setting, evaluation=_Noting(evaluation, trace))
    agent = replace(entrant, setting=setting).agent(_InOrder(0))
    name, seat = entrant.player.name, state.turn
    if isinstance(agent, Uct):
        return _sampled(game, name, agent, root)
    thought = agent.think(_Traced(state, root, trace))
    for node in root.every():
        node.children.sort(key=lambda child: child.move or 0)
    tree = SearchTree(game, name, seat, root, thought)
    if game.dice:
        _average(root)
    else:
        _back_up(root, tree, -math.inf, math.inf)
    return tree


def _sampled(game: Game[Any], name: str, agent: Uct, root: Node) -> SearchTree:
    """The tree that a sampling agent grows."""
    if (agent.playouts or USUAL_PLAYOUTS) > MOST_NODES:
        raise TooLarge(f"a tree has at most {MOST_NODES:,} playouts; give a smaller --depth")
    grown, effort = agent.root(root.state), Effort()
    playouts = tuple(agent.grown(grown, effort))
    _copy(grown, root)
    depth = max(node.ply for node in root.every())
    thought = agent.thought(grown, effort, depth)
    return SearchTree(game, name, root.state.turn, root, thought, playouts)


def _copy(grown: UctNode, node: Node) -> None:
    """Copy a sampled position, and all below it, to `node`."""
    node.playouts, best = grown.playouts, grown.best()
    node.worth = [total / grown.playouts for total in grown.sums]
    for move in sorted(grown.children):
        child = Node(grown.children[move].state, move, node.ply + 1, chosen=move == best)
        node.children.append(child)
        _copy(grown.children[move], child)


class _InOrder(Random):
    """A random source that does not shuffle, so that moves stay in order."""

    def shuffle(self, _moves: Any) -> None:  # noqa: ANN401 - as in Random
        pass


class _Trace:
    """Records the nodes as they are visited."""

    def __init__(self, root: Node) -> None:
        self.last = root
        self.count = 0

    def visit(self, parent: Node, state: State, move: Move) -> Node:
        self.count += 1
        if self.count > MOST_NODES:
            raise TooLarge(
                f"this search visits more than {MOST_NODES:,} positions; "
                "give a smaller --depth, or --moves nearer to the end"
            )
        self.last = Node(state, move, parent.ply + 1)
        parent.children.append(self.last)
        return self.last


class _Traced:
    """A position that notes which moves are played in it."""

    def __init__(self, state: Any, node: Node, trace: _Trace) -> None:  # noqa: ANN401
        self._state, self._node, self._trace = state, node, trace

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the position has
        return getattr(self._state, name)

    def play(self, move: Move) -> _Traced:
        after = self._state.play(move)
        return _Traced(after, self._trace.visit(self._node, after, move), self._trace)


class _Noting:
    """A `Heuristic` or `Evaluation` whose results are noted at the node visited last."""

    def __init__(self, inner: Any, trace: _Trace) -> None:  # noqa: ANN401 - of either kind
        self._inner, self._trace = inner, trace

    def __call__(self, state: Any, seat: Seat) -> float:  # noqa: ANN401
        value: float = self._inner(state, seat)
        self._trace.last.worth = (value, -value) if seat == 0 else (-value, value)
        return value

    def begin(self, state: Any) -> tuple[Any, Callable[[Any], Sequence[float]]]:  # noqa: ANN401
        root, worth = self._inner.begin(state)

        def noted(position: Any) -> Sequence[float]:  # noqa: ANN401
            found: Sequence[float] = worth(position)
            self._trace.last.worth = found
            return found

        return root, noted


def _average(node: Node) -> None:
    """Compute the values of a node of expectiminimax, and of those below it."""
    for child in node.children:
        _average(child)
    if node.at_chance:
        shares = zip(*(child.worth for child in node.children), strict=True)
        odds = node.state.odds()
        node.worth = [sum(map(float.__mul__, odds, each)) for each in shares]
    elif node.children:
        best = max(node.children, key=lambda child: child.worth[node.state.turn])
        best.chosen, node.worth = True, best.worth


def _back_up(node: Node, tree: SearchTree, alpha: float, beta: float) -> None:
    """Compute values, windows and cut moves of a depth-first search's node, and below it."""
    node.window = alpha, beta
    if not node.children:
        payoff = node.state.payoff()
        if payoff is not None:
            fading = 0 if tree.textbook else FADING
            node.worth = [share * (1 - node.ply * fading) for share in payoff]
        return
    mine = node.state.turn == tree.seat
    for child in node.children:
        _back_up(child, tree, alpha, beta)
        value = child.worth[tree.seat]
        if tree.pruning and mine:
            alpha = max(alpha, value if node.ply or tree.textbook else below(value))
        elif tree.pruning:
            beta = min(beta, value)
    best = (max if mine else min)(node.children, key=lambda child: child.worth[tree.seat])
    best.chosen, node.worth = True, best.worth
    visited = {child.move for child in node.children}
    node.cut = tuple(move for move in node.state.moves() if move not in visited)

"""A player for any depth-first algorithm: it weighs its moves and takes one of the best.

    DepthFirst(alphabeta, Random(7), depth=2)

Without a budget it searches once, to its depth or to the end of the game. With one it searches one
ply deep, then two, and so on, each time with the best move of the last round first; when the budget
is spent, it takes the best move found so far (iterative deepening: David Slate and Larry Atkin,
"CHESS 4.5", 1977).

The algorithms themselves are the functions of `minimax`, for two seats without dice; a seat may
move twice in a row. A payoff shrinks by 1/1024 for every ply before it, so that sooner wins and
later losses are better. The fraction is exact in binary: algorithms that agree, agree to the last
bit. In the textbooks it does not shrink.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias

from engine.game import Move, Seat, State
from engine.search.agent import UNLIMITED, Budget, OutOfBudget, Thought

Heuristic: TypeAlias = Callable[[Any, Seat], float]
"""Returns an unfinished position's value for a seat, in (-0.9, 0.9): less than any win."""

FADING: Final = 1 / 1024

BOTH: Final = (0, 1)
"""The seats of a game for two."""


Outlook: TypeAlias = tuple[float, tuple[Move, ...]]
"""The value of a position, and the line of play to it; a plain tuple, for speed."""

WORST: Final[Outlook] = (-math.inf, ())
BEST: Final[Outlook] = (math.inf, ())


class NotForTwo(ValueError):
    """The algorithm is for two seats; this game has dice, or more seats."""


def unknown(_state: State, _seat: Seat) -> float:
    """Rate any unfinished position as a draw."""
    return 0.0


@dataclass(slots=True)
class Search:
    """One search for `seat`, at most `limit` plies deep, with its counts.

    `limited` tells whether it met that limit; without a `budget` nothing else ends it.
    """

    seat: Seat
    limit: float
    evaluation: Heuristic
    budget: Budget | None
    fading: float = FADING
    nodes: int = 0
    cutoffs: int = 0
    deepest: int = 0
    limited: bool = False

    def leaf(self, state: State, ply: int) -> Outlook | None:
        """The outlook of `state`, at `ply`, for `seat` if it is a leaf of the search, else None.

        Raises:
            OutOfBudget: The budget is spent.
            NotForTwo: Neither seat is to move.
        """
        if self.budget is not None and self.budget.spent(self.nodes):
            raise OutOfBudget
        self.nodes += 1
        payoff = state.payoff()
        if payoff is None:
            if state.turn not in BOTH:
                raise NotForTwo("this algorithm is for two seats, without dice")
            if ply < self.limit:
                return None
        if ply > self.deepest:  # noqa: PLR1730 - max() takes as long as the rest of this
            self.deepest = ply
        if payoff is not None:
            return payoff[self.seat] * (1 - ply * self.fading), ()
        self.limited = True
        return self.evaluation(state, self.seat), ()


Algorithm: TypeAlias = Callable[[Search, State, float], Outlook]
"""Returns the outlook of a position one ply from the root, exact if above the given floor."""


def below(value: float) -> float:
    """The largest float below a value: as a search's bound it lets equally good moves through."""
    return math.nextafter(value, -math.inf)


@dataclass(frozen=True, slots=True)
class DepthFirst:
    """A player of any move that `algorithm` finds best, `depth` plies deep or to the end.

    At the limit `evaluation` estimates a position. With `weigh_all` every move gets its exact
    value; otherwise moves that cannot be best are only shown to be worse, which leaves an
    algorithm with cut-offs less to do. A `textbook` player counts as the textbooks do: a win is 1,
    a draw 0 and a loss -1, however far away, and of equally good moves it takes the first.
    """

    algorithm: Algorithm
    rng: Random
    depth: int | None = None
    evaluation: Heuristic = unknown
    weigh_all: bool = False
    textbook: bool = False

    def think(self, state: State, budget: Budget = UNLIMITED) -> Thought:
        """Choose any of the best moves of `state`.

        Raises:
            NotForTwo: The game has dice, or more than two seats.
        """
        limit = math.inf if self.depth is None else self.depth
        fading = 0 if self.textbook else FADING
        limits = None if budget == UNLIMITED else budget
        search = Search(state.turn, limit, self.evaluation, limits, fading)
        if limits is None:
            found: dict[Move, Outlook] = {}
            self._weigh(search, state, state.moves(), found)
        else:
            found = self._deepened(search, state, limit)
        return self._chosen(search, state, found)

    def _weigh(
        self, search: Search, state: State, order: Iterable[Move], found: dict[Move, Outlook]
    ) -> None:
        """Add the outlook of each move to `found`, except for moves that cannot be best."""
        floor = -math.inf
        for move in order:
            value, line = self.algorithm(search, state.play(move), floor)
            if value > floor:
                found[move] = value, (move, *line)
                if not self.weigh_all:
                    floor = value if self.textbook else below(value)

    def _deepened(self, search: Search, state: State, limit: float) -> dict[Move, Outlook]:
        found: dict[Move, Outlook] = {}
        search.limit = 0
        search.limited = True
        try:
            while search.limited and search.limit < limit:
                search.limit += 1
                search.limited = False
                known, found = found, {}
                order = sorted(state.moves(), key=lambda move: -known.get(move, WORST)[0])
                try:
                    self._weigh(search, state, order, found)
                finally:
                    found = found or known
        except OutOfBudget:
            search.limited = True
        return found

    def _chosen(self, search: Search, state: State, found: Mapping[Move, Outlook]) -> Thought:
        worth = {move: found[move][0] for move in state.moves() if move in found}
        best = max(worth.values(), default=-math.inf)
        equals = [move for move in state.moves() if worth.get(move, -math.inf) == best]
        move = equals[0] if self.textbook else self.rng.choice(equals)
        return Thought(
            move,
            values=worth,
            proven=frozenset() if search.limited else frozenset(found),
            nodes=search.nodes,
            cutoffs=search.cutoffs,
            depth=search.deepest,
            variation=found[move][1] if found else (move,),
        )

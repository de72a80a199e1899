"""The strongest connect four player: it proves what it can, and else looks ahead by threats.

From the start it follows a book, until it can prove the result of its moves within the time of one
(`book`). Where a result is proven it never gives it away; with few cells left it also wins the
soonest and loses the latest that it can. Where no proof is in reach, it looks ahead one ply, then
two, and so on.

The result of a move (won, drawn or lost) is proven by itself, for that is cheap; how soon the end
comes is found out last. A player prefers a move that is proven to hold to one of which nothing is
known, and that to a lost one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple, TypeVar

from engine.game import Move
from engine.games.connectfour.book import known
from engine.games.connectfour.position import (
    ConnectFourPosition,
    EmptyBoard,
    discs,
    next_cells,
    numbers,
    wins,
)
from engine.games.connectfour.solver import (
    DRAW,
    LOSS,
    WIN,
    Results,
    Scores,
    ordered,
    plies_to,
    safe_cells,
)
from engine.games.connectfour.threat_search import MOST, PROVEN, Sides, ThreatSearch, scaled
from engine.search.agent import UNLIMITED, Budget, Effort, OutOfBudget, Thought
from engine.search.depth_first import FADING

AT_ONCE: Final = 1 - FADING
NEXT: Final = -1 + 2 * FADING
FIRST_TRY: Final = 2000
"""The positions that may be visited for each question in the first round of proofs."""


Search = TypeVar("Search", Results, Scores, ThreatSearch)


class Searches(NamedTuple):
    """The searches of one board, each with a memory of its own."""

    results: Results
    scores: Scores
    ahead: ThreatSearch

    @classmethod
    def of(cls, empty: EmptyBoard) -> Searches:
        """Searches that know nothing yet."""
        return cls(Results(empty), Scores(empty), ThreatSearch(empty))


class Weighing:
    """The moves of `position`, with what is found so far.

    `low` and `high` bound the result of each move: it is proven where they meet. `timed` has the
    values of the moves of which it is known how soon they win or lose, or that they draw,
    `estimates` those of a look `depth` plies ahead. `effort` counts all positions visited. The
    methods raise `OutOfBudget` when their budget is spent; what was found until then stands.
    """

    def __init__(self, position: ConnectFourPosition, searches: Searches) -> None:
        self.position, self.searches, self.effort = position, searches, Effort()
        own, other = discs(position)
        taken, empty = own | other, position.board
        self.left = empty.cells - taken.bit_count()
        self.depth = 0
        threats, dangers = wins(own, taken, empty), wins(other, taken, empty)
        playable = next_cells(taken, empty)
        safe = safe_cells(empty, taken, dangers) & ~threats
        self.safe: dict[Move, Sides] = {
            self._move(cell): (other, own | cell, dangers & ~cell, found)
            for _, _, cell, found in ordered(empty, own, taken, safe)
        }
        won = [self._move(1 << cell) for cell in numbers(playable & threats)]
        lost = [move for move in position.moves() if move not in self.safe and move not in won]
        self.low = dict.fromkeys(won, WIN) | dict.fromkeys([*self.safe, *lost], LOSS)
        self.high = dict.fromkeys([*won, *self.safe], WIN) | dict.fromkeys(lost, LOSS)
        self.timed = dict.fromkeys(won, AT_ONCE) | dict.fromkeys(lost, NEXT)
        self.estimates: dict[Move, float] = {}
        self._most = 1.0
        """The worth of the position, once it is known: no move is worth more."""
        self._sighted: set[Move] = set()
        stops = [self._move(1 << cell) for cell in numbers(playable & dangers)]
        self._usual = won or [*self.safe][:1] or stops or lost
        self.plain = bool(won) or len(self.safe) < 2
        if self.safe and not won:
            self._look_up()

    @property
    def proven(self) -> frozenset[Move]:
        """The moves whose result is proven."""
        return frozenset(move for move, low in self.low.items() if low == self.high[move])

    @property
    def untimed(self) -> frozenset[Move]:
        """The moves that are proven to win or lose, of which it is not known how soon."""
        return frozenset(move for move in self.proven if self.low[move] and move not in self.timed)

    @property
    def bounds(self) -> dict[Move, tuple[int, int]]:
        """The least and the greatest result of each move of which the result is not proven."""
        return {m: (low, self.high[m]) for m, low in self.low.items() if low < self.high[m]}

    @property
    def values(self) -> dict[Move, float]:
        """The worth of each move of which something is known, ascending by the move.

        A proven win of which it is not known how soon it comes is worth less than the others, a
        loss more than them, but no more than the position if the worth of that is known.
        """
        found = {move: self._worth(move) for move in sorted(self.low)}
        return {move: value for move, value in found.items() if value is not None}

    @property
    def best(self) -> list[Move]:
        """The moves of which none is known to be better than another, never empty."""
        ranks = {move: self._rank(move) for move in self.low}
        top = max(ranks.values())
        found = [move for move, rank in ranks.items() if rank == top]
        usual = [move for move in self._usual if move in found]
        return usual or found

    @property
    def settled(self) -> bool:
        """Whether no other move can have a better result than one of the best."""
        best = self.best[0]
        others = (high for move, high in self.high.items() if move != best)
        return self.low[best] >= max(others, default=LOSS)

    def _look_up(self) -> None:
        """Take what the opening book knows of the position, and of those after each move."""
        if entry := known(self.position):
            self._usual = [entry.move]
            self.low[entry.move] = entry.result
            self.high = {move: min(high, entry.result) for move, high in self.high.items()}
        for move in self.safe:
            if after := known(self.position.play(move)):
                self.low[move] = self.high[move] = -after.result

    def prove(self, budget: Budget, *, every: bool) -> None:
        """Prove the results of moves, in rounds of three times the effort each.

        It asks which moves hold until one does, then which win, until the best is `settled`: there
        it ends, or for `every` goes on with what is open.
        """
        tries = FIRST_TRY
        while True:
            asked = False
            for move in sorted(self.safe, key=lambda move: -self.estimates.get(move, 0.0)):
                settled = self.settled
                if settled and not every:
                    return
                alpha = self.low[move] if settled else min(max(self.low.values()), DRAW)
                if self.high[move] > alpha < WIN:
                    asked = True
                    self._ask(move, alpha, budget.at_most(self.effort.nodes + tries))
                    if budget.spent(self.effort.nodes):
                        raise OutOfBudget
            if not asked:
                return
            tries *= 3

    def _ask(self, move: Move, alpha: int, budget: Budget) -> None:
        """Ask whether a move is worth more than `alpha`, as far as the budget goes."""
        rival, mine, _, threats = self.safe[move]
        try:
            with self._counted(self.searches.results, budget) as results:
                found = -results.bound(rival, mine, threats, self.left - 1, -alpha - 1)
        except OutOfBudget:
            return
        if found > alpha:
            self.low[move] = max(self.low[move], found)
        else:
            self.high[move] = min(self.high[move], found)

    def time(self, budget: Budget) -> None:
        """Find out how soon each move wins or loses."""
        with self._counted(self.searches.scores, budget) as scores:
            for move, (rival, mine, _, threats) in self.safe.items():
                if move not in self.timed and self.low[move] == self.high[move] != DRAW:
                    score = -scores.score(rival, mine, threats, self.left - 1)
                    self.timed[move] = self._end(score)

    def time_best(self, budget: Budget) -> None:
        """Find a move that wins the soonest, or loses the latest, where the result is proven."""
        own, other = discs(self.position)
        dangers = wins(other, own | other, self.position.board)
        with self._counted(self.searches.scores, budget) as scores:
            score = scores.score(own, other, dangers, self.left)
            result, self._most = (score > 0) - (score < 0), self._end(score)
            self.high = {move: min(high, result) for move, high in self.high.items()}
            for move, (rival, mine, _, threats) in self.safe.items():
                if scores.bound(rival, mine, threats, self.left - 1, -score) <= -score:
                    self.low[move] = self.high[move] = result
                    self.timed[move] = self._most
                    self._usual = [move]
                    return

    @contextmanager
    def _counted(self, search: Search, budget: Budget) -> Iterator[Search]:
        """A search under a budget, of which all that was visited before is part."""
        search.effort = Effort(budget, self.effort.nodes, self.effort.cutoffs)
        try:
            yield search
        finally:
            self.effort.nodes = search.effort.nodes
            self.effort.cutoffs = search.effort.cutoffs

    def look_ahead(self, rng: Random, budget: Budget, *, every: bool) -> None:
        """Look ahead one ply, then two, and so on, until nothing is left to find.

        Without `every` the best move alone gets an estimate, and proven ones are not looked at.
        """
        order = [*self.safe]
        rng.shuffle(order)
        with self._counted(self.searches.ahead, budget) as ahead:
            for depth in range(self.left):
                order = self._unknown(order)
                if not order or (not every and self.best[0] in self.timed and self.settled):
                    return
                found: dict[Move, int] = {}
                try:
                    self._look(ahead, order, found, depth, every=every)
                finally:
                    self._take(found, depth, every=every)
                self.depth = max(self.depth, depth + 1)
                order.sort(key=lambda move: -found.get(move, -MOST))

    def _unknown(self, moves: Iterable[Move]) -> list[Move]:
        """The moves to look at: not proven, or seen to win or lose but maybe not the soonest."""
        best = max(self.low.values())
        return [
            move
            for move in moves
            if move not in self.timed and self.high[move] >= best
            if self.low[move] < self.high[move] or move in self._sighted
        ]

    def _look(
        self,
        ahead: ThreatSearch,
        order: Iterable[Move],
        found: dict[Move, int],
        depth: int,
        *,
        every: bool,
    ) -> None:
        """Add to `found` the value of each move so deep, if it is better or for `every`."""
        floor = -MOST
        for move in order:
            value = -ahead.value(self.safe[move], self.left - 1, depth, -MOST, -floor)
            if value > floor:
                found[move] = value
                floor = -MOST if every else value

    def _take(self, found: Mapping[Move, int], depth: int, *, every: bool) -> None:
        if found and not every:
            self.estimates = {}
        for move, value in found.items():
            score = _score(value)
            if score or depth == self.left - 1:
                self.low[move] = self.high[move] = (score > 0) - (score < 0)
                self._sighted.add(move)
                if not score or plies_to(score, self.left) <= depth + 1:  # none comes sooner
                    self.timed[move] = self._end(score)
            else:
                self.estimates[move] = scaled(value)

    def _rank(self, move: Move) -> tuple[float, float]:
        """The rank of a move: the result that it is sure of, or between a loss and a draw."""
        low, worth = self.low[move], self._worth(move)
        sure = LOSS / 2 if low < DRAW and self.high[move] > LOSS else low
        return sure, -MOST if worth is None else worth

    def _worth(self, move: Move) -> float | None:
        """The worth of a move: proven and timed, proven alone, estimated, or not known."""
        if move in self.timed:
            return self.timed[move]
        low, high = self.low[move], self.high[move]
        if low == high:
            return min(low * (1 - (self.left + 1) * FADING), self._most)
        estimate = self.estimates.get(move)
        return None if estimate is None else min(max(estimate, low), high)

    def _end(self, score: int) -> float:
        """The worth of a move by its exact score."""
        if not score:
            return 0.0
        sign = 1 if score > 0 else -1
        return sign * (1 - plies_to(score, self.left) * FADING)

    def _move(self, cell: int) -> Move:
        return Move(self.position.place(cell.bit_length() - 1)[0])


def _score(value: int) -> int:
    """The score of a win or loss that the search tells of; 0 for a balance."""
    return value // PROVEN if value > 0 else -(-value // PROVEN)


UNHURRIED: Final = Budget(nodes=200_000)
"""The budget of a move for which none is set."""

PROVABLE: Final = 34
"""The most cells that are left to fill where a proof is tried."""

TIMED: Final = 28
"""The most cells that are left where it is found out how soon a proven end comes."""

QUICK: Final = 0.3
"""The share of the budget for estimates of all moves where no proof is tried."""

AHEAD: Final = 0.03
PROOF: Final = 0.8
"""The shares of the budget after which the first look ahead, and the proof of results, end."""


@dataclass(frozen=True, slots=True)
class Expert:
    """A player of the best move that it finds.

    It keeps what it found, so that one agent thinks less with every move of a game. With
    `weigh_all` it also values every other move, and keeps nothing: what it says of a position
    depends on that and on the budget alone.
    """

    rng: Random
    weigh_all: bool = False
    known: dict[EmptyBoard, Searches] = field(default_factory=dict, compare=False)

    def think(self, state: ConnectFourPosition, budget: Budget = UNLIMITED) -> Thought:
        """Choose the best move of `state`."""
        if self.weigh_all:
            searches = Searches.of(state.board)
        else:
            searches = self.known.setdefault(state.board, Searches.of(state.board))
        weighing = Weighing(state, searches)
        if self.weigh_all or not weighing.plain:
            with suppress(OutOfBudget):
                self._weigh(weighing, UNHURRIED if budget == UNLIMITED else budget)
        best = weighing.best[0] if self.weigh_all else self.rng.choice(weighing.best)
        return Thought(
            best,
            values=weighing.values,
            nodes=weighing.effort.nodes,
            cutoffs=weighing.effort.cutoffs,
            depth=weighing.depth,
            variation=(best,),
            proven=weighing.proven,
            untimed=weighing.untimed,
            bounds=weighing.bounds,
        )

    def _weigh(self, weighing: Weighing, budget: Budget) -> None:
        """Look ahead a little, prove results, and find out how soon they come, or look further."""
        every = self.weigh_all
        rng = Random(0) if every else self.rng
        provable = weighing.left <= PROVABLE
        if every and not provable:
            budget = budget.part(QUICK)
        first, second = budget.part(AHEAD), budget.part(PROOF)
        with suppress(OutOfBudget):
            weighing.look_ahead(rng, first, every=every)
        if provable:
            with suppress(OutOfBudget):
                weighing.prove(second, every=every)
        if provable and every and len(weighing.proven) == len(weighing.low):
            weighing.time(budget)
        elif every or not weighing.settled:
            weighing.look_ahead(rng, budget, every=every)
        elif weighing.left <= TIMED and weighing.low[weighing.best[0]] != DRAW:
            weighing.time_best(budget)

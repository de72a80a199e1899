"""The strongest connect four player: it proves what it can, and else looks ahead by threats.

In the opening it follows a book (`book`), until it can prove the results of its moves in the time
for one move. It never gives a proven result away; with few cells left it also wins as soon, or
loses as late, as it can. Where a proof takes too long, it looks ahead one ply, then two, and so on.

It first proves a move's result alone (won, drawn or lost), which is cheap, and only then how soon
the end comes. It prefers a move proven not to lose to an unknown one, and that to a lost one.
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
"""The most positions visited for each proof in the first round."""


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
    """What is known so far of the moves of `position`.

    `low` and `high` bound the result of each move, which is proven where they are equal. `timed`
    has the exact values of moves: they draw, or it is known how soon they win or lose. `estimates`
    has the values that looking `depth` plies ahead gave. `effort` counts all positions visited.
    The methods raise `OutOfBudget` when their budget is spent, and keep what they found until then.
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
        """The value of the position, once it is known: no move has a greater one."""
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
        """The moves that are proven to win or lose, but not how soon."""
        return frozenset(move for move in self.proven if self.low[move] and move not in self.timed)

    @property
    def bounds(self) -> dict[Move, tuple[int, int]]:
        """The least and the greatest result of each move whose result is not proven."""
        return {m: (low, self.high[m]) for m, low in self.low.items() if low < self.high[m]}

    @property
    def values(self) -> dict[Move, float]:
        """The value of each move of which something is known, in ascending order of the moves.

        A win (loss) whose length is not known counts as longer than any, but no better than the
        position's own value, if that is known.
        """
        found = {move: self._worth(move) for move in sorted(self.low)}
        return {move: value for move, value in found.items() if value is not None}

    @property
    def best(self) -> list[Move]:
        """The best moves by what is known, all of the same rank; never empty."""
        ranks = {move: self._rank(move) for move in self.low}
        top = max(ranks.values())
        found = [move for move, rank in ranks.items() if rank == top]
        usual = [move for move in self._usual if move in found]
        return usual or found

    @property
    def settled(self) -> bool:
        """Whether no other move can have a better result than the best one."""
        best = self.best[0]
        others = (high for move, high in self.high.items() if move != best)
        return self.low[best] >= max(others, default=LOSS)

    def _look_up(self) -> None:
        """Look up this position, and those after each move, in the opening book."""
        if entry := known(self.position):
            self._usual = [entry.move]
            self.low[entry.move] = entry.result
            self.high = {move: min(high, entry.result) for move, high in self.high.items()}
        for move in self.safe:
            if after := known(self.position.play(move)):
                self.low[move] = self.high[move] = -after.result

    def prove(self, budget: Budget, *, every: bool) -> None:
        """Prove the results of moves, in rounds, each with three times the effort of the last.

        It first looks for a move that does not lose, then for one that wins, until the best is
        `settled`; with `every` it then proves the other moves.
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
        """Try to prove whether a move's result is better than `alpha`, within the budget."""
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
        """Find a move that wins the soonest or loses the latest; the result must be proven."""
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
        """The search with a budget from which the positions visited before are counted."""
        search.effort = Effort(budget, self.effort.nodes, self.effort.cutoffs)
        try:
            yield search
        finally:
            self.effort.nodes = search.effort.nodes
            self.effort.cutoffs = search.effort.cutoffs

    def look_ahead(self, rng: Random, budget: Budget, *, every: bool) -> None:
        """Look ahead one ply, then two, and so on, until nothing is left to find.

        Without `every` it stops early once the best move is clear, and keeps the last estimates.
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
        """The moves to look at: not proven, or found to win or lose, but not how soon."""
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
        """Put values at `depth` into `found`: of all moves for `every`, else as they improve."""
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
        """The rank of a move: its sure result (an open one counts as half a loss), its value."""
        low, worth = self.low[move], self._worth(move)
        sure = LOSS / 2 if low < DRAW and self.high[move] > LOSS else low
        return sure, -MOST if worth is None else worth

    def _worth(self, move: Move) -> float | None:
        """The value of a move: exact, of a proven result, or estimated; None if not known."""
        if move in self.timed:
            return self.timed[move]
        low, high = self.low[move], self.high[move]
        if low == high:
            return min(low * (1 - (self.left + 1) * FADING), self._most)
        estimate = self.estimates.get(move)
        return None if estimate is None else min(max(estimate, low), high)

    def _end(self, score: int) -> float:
        """The value of a move by its exact score."""
        if not score:
            return 0.0
        sign = 1 if score > 0 else -1
        return sign * (1 - plies_to(score, self.left) * FADING)

    def _move(self, cell: int) -> Move:
        return Move(self.position.place(cell.bit_length() - 1)[0])


def _score(value: int) -> int:
    """The score of a win or loss in a search's value; 0 for an estimate."""
    return value // PROVEN if value > 0 else -(-value // PROVEN)


UNHURRIED: Final = Budget(nodes=200_000)
"""The budget of a move by default."""

PROVABLE: Final = 34
"""With at most this many cells left to fill, proofs are tried."""

TIMED: Final = 28
"""With at most this many cells left, it is found out how soon a proven end comes."""

QUICK: Final = 0.3
"""The share of the budget that is used to estimate all moves, where no proof is tried."""

AHEAD: Final = 0.03
PROOF: Final = 0.8
"""The shares of the budget at which the first look ahead ends, and then the proof of results."""


@dataclass(frozen=True, slots=True)
class Expert:
    """A player of the best move that it finds.

    It keeps what it found, and so thinks less with every move of a game. With `weigh_all` it also
    values every other move, but keeps nothing: its thoughts depend only on position and budget.
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

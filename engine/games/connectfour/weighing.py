"""The weighing of the moves of one position: what is plain at once, proven, or estimated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Final

from engine.game import Move
from engine.games.connectfour.evaluation import scaled
from engine.games.connectfour.position import ConnectFourPosition, discs, next_cells, numbers, wins
from engine.games.connectfour.safe_moves import ordered, safe_cells
from engine.games.connectfour.scores import Scores, plies_to
from engine.games.connectfour.threat_search import MOST, PROVEN, Sides, ThreatSearch
from engine.search.search import FADING

AT_ONCE: Final = 1 - FADING
NEXT: Final = -1 + 2 * FADING


class Weighing:
    """The moves of `position`, with the values found so far.

    `best` are the moves of which none is known to be better than another, never empty; `values`
    has what is known of moves, `proven` those whose values are exact, `depth` how many plies the
    others were looked ahead. The methods raise `OutOfBudget` when the budget is spent; what was
    found until then stands.
    """

    def __init__(self, position: ConnectFourPosition, scores: Scores, search: ThreatSearch) -> None:
        self.position, self.scores, self.search = position, scores, search
        own, other = discs(position)
        taken, empty = own | other, position.board
        self.left = empty.cells - taken.bit_count()
        self.depth = 0
        threats, dangers = wins(own, taken, empty), wins(other, taken, empty)
        playable = next_cells(taken, empty)
        safe = safe_cells(empty, taken, dangers) & ~threats
        self.sides: Sides = own, other, threats, dangers
        self.safe: dict[Move, Sides] = {
            self._move(cell): (other, own | cell, dangers & ~cell, found)
            for _, _, cell, found in ordered(empty, own, taken, safe)
        }
        won = [self._move(1 << cell) for cell in numbers(playable & threats)]
        lost = [move for move in position.moves() if move not in self.safe and move not in won]
        self.values = dict.fromkeys(won, AT_ONCE) | dict.fromkeys(lost, NEXT)
        self.proven = {*self.values}
        stops = [self._move(1 << cell) for cell in numbers(playable & dangers)]
        self.best = won or [*self.safe][:1] or stops or lost

    @property
    def plain(self) -> bool:
        """Whether the best move needs no thought: it wins at once, or all others lose."""
        return len(self.safe) < 2 or self.values.get(self.best[0]) == AT_ONCE

    def prove_best(self) -> None:
        """Find a best move and its exact value, where none wins at once."""
        own, other, _, dangers = self.sides
        score = self.scores.score(own, other, dangers, self.left)
        for move, (rival, mine, _, threats) in self.safe.items():
            if self.scores.bound(rival, mine, threats, self.left - 1, -score) <= -score:
                self.values[move] = self._end(score)
                self.proven.add(move)
                self.best = [move]
                return

    def prove_all(self) -> None:
        """Find the exact value of every move."""
        for move, (rival, mine, _, threats) in self.safe.items():
            score = -self.scores.score(rival, mine, threats, self.left - 1)
            self.values[move] = self._end(score)
            self.proven.add(move)
        self._choose()

    def deepen(self, rng: Random, *, every: bool) -> None:
        """Look ahead one ply, then two, and so on, until nothing is left to find.

        Without `every` the best move alone gets a value.
        """
        order = [move for move in self.safe if move not in self.proven]
        rng.shuffle(order)
        while order and self.depth < self.left:
            found: dict[Move, int] = {}
            try:
                self._look(order, found, every=every)
                self.depth += 1
            finally:
                self._take(found, every=every)
            order = [move for move in order if move not in self.proven]
            order.sort(key=lambda move: -found.get(move, -MOST))
            if not every and self.best[0] in self.proven:
                return

    def _look(self, order: Iterable[Move], found: dict[Move, int], *, every: bool) -> None:
        """Add to `found` the value of each move one ply deeper, if it is better or for `every`."""
        floor = -MOST
        for move in order:
            value = -self.search.value(self.safe[move], self.left - 1, self.depth, -MOST, -floor)
            if value > floor:
                found[move] = value
                floor = -MOST if every else value

    def _take(self, found: Mapping[Move, int], *, every: bool) -> None:
        if found and not every:
            self.values = {move: self.values[move] for move in self.proven}
        for move, value in found.items():
            self.values[move] = self._worth(value)
            if self.depth == self.left or self._reached(value):
                self.proven.add(move)
        self._choose()

    def _choose(self) -> None:
        """Make the move of the best value the best move; among equals the one before stays."""
        if self.values:
            top = max(self.values.values())
            if self.values.get(self.best[0]) != top:
                self.best = [move for move, value in self.values.items() if value == top]

    def _reached(self, value: int) -> bool:
        """Whether a win or loss is not further away than was looked, so that none comes sooner."""
        score = _score(value)
        return bool(score) and plies_to(score, self.left) <= self.depth

    def _worth(self, value: int) -> float:
        """The worth of a move by a value of the search."""
        score = _score(value)
        return self._end(score) if score else scaled(value)

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

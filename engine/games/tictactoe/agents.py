"""The agents for tic-tac-toe alone, and the evaluation of its unfinished games.

Three players follow a short list of rules and look at most one ply ahead. `rules-corner` is the
computer of Al Sweigart, "Invent Your Own Computer Games with Python", 2008: win, block, a random
free corner, the centre, a random side. `rules-centre` differs after the block: centre, corners and
edges in a fixed order. `rules-fork` plays the list of Newell and Simon, "Human Problem Solving",
1972, and never loses on 3x3.

Larger boards know the same words: the centre of 4x4 is four cells, and between cells of one kind
those on more lines come first, which on 3x3 is the order 4 0 2 6 8 1 3 5 7 of the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final, TypeAlias

from engine.game import Move, Seat
from engine.games.tictactoe.perfect import Perfect
from engine.games.tictactoe.position import CROSSES, TicTacToePosition, cells, lines, stones, wins
from engine.search.agent import UNLIMITED, Budget, Thought
from engine.search.depth_first import Heuristic, unknown
from engine.search.players import Player

Rule: TypeAlias = Callable[[TicTacToePosition], Sequence[Move]]
"""Returns the moves that a rule allows; none if it does not apply."""


@dataclass(frozen=True, slots=True)
class RuleAgent:
    """A player of any of the moves that the first applicable one of its rules allows."""

    rules: tuple[Rule, ...]
    rng: Random

    def think(self, state: TicTacToePosition, budget: Budget = UNLIMITED) -> Thought:  # noqa: ARG002 - it needs none
        """Choose a move by the first rule that applies."""
        return Thought(self.rng.choice(self.choices(state)))

    def choices(self, position: TicTacToePosition) -> Sequence[Move]:
        """The moves of the first rule that applies, among which chance decides."""
        return next(moves for rule in self.rules if (moves := rule(position)))


def named(bits: int, position: TicTacToePosition) -> list[Move]:
    """The moves on the cells of a set of bits."""
    return [cell for cell, bit in cells(position.size) if bits & bit]


def free(position: TicTacToePosition, kind: Iterable[Move]) -> list[Move]:
    """The free cells among those of a kind."""
    taken = position.crosses | position.noughts
    return [cell for cell in kind if not taken >> cell & 1]


@cache
def corners(size: int) -> tuple[Move, ...]:
    """The four corners, from the top left."""
    last = size - 1
    return tuple(Move(cell) for cell in (0, last, size * last, size * size - 1))


@cache
def by_lines(size: int, line: int) -> tuple[tuple[Move, ...], ...]:
    """The cells grouped by the number of lines through them, the most lines first."""
    groups: dict[int, list[Move]] = {}
    for cell, bit in cells(size):
        groups.setdefault(sum(bool(row & bit) for row in lines(size, line)), []).append(cell)
    return tuple(tuple(groups[count]) for count in sorted(groups, reverse=True))


def win(position: TicTacToePosition) -> Sequence[Move]:
    """Complete a line."""
    own, other = stones(position)
    return named(wins(own, other, position), position)


def block(position: TicTacToePosition) -> Sequence[Move]:
    """Take the first cell on which the opponent would complete a line."""
    own, other = stones(position)
    return named(wins(other, own, position), position)[:1]


def any_corner(position: TicTacToePosition) -> Sequence[Move]:
    """Take any corner."""
    return free(position, corners(position.size))


def best_group(position: TicTacToePosition) -> Sequence[Move]:
    """Take any of the free cells that lie on the most lines."""
    groups = by_lines(position.size, position.line)
    return next((found for group in groups if (found := free(position, group))), ())


def best_cell(position: TicTacToePosition) -> Sequence[Move]:
    """Take the first of the free cells that lie on the most lines."""
    return best_group(position)[:1]


def forks(own: int, other: int, position: TicTacToePosition) -> list[Move]:
    """The cells that give the seat whose cells are `own` two lines to complete at once."""
    found = []
    for cell, bit in cells(position.size):
        if not (own | other) & bit:
            threats = wins(own | bit, other, position)
            if threats & (threats - 1):
                found.append(cell)
    return found


def fork(position: TicTacToePosition) -> Sequence[Move]:
    """Make two threats with one mark."""
    return forks(*stones(position), position)


def block_fork(position: TicTacToePosition) -> Sequence[Move]:
    """Where the opponent could fork, take a cell that prevents it.

    A threat of one's own keeps the opponent busy, as long as its answer is not a fork itself.
    """
    own, other = stones(position)
    if not forks(other, own, position):
        return ()
    return [move for move in position.moves() if _stops_forks(own | 1 << move, other, position)]


def _stops_forks(own: int, other: int, position: TicTacToePosition) -> bool:
    dangers = forks(other, own, position)
    threats = wins(own, other, position)
    return not dangers or (bool(threats) and not any(threats >> cell & 1 for cell in dangers))


def opposite_corner(position: TicTacToePosition) -> Sequence[Move]:
    """Take the corner opposite to one of the opponent's."""
    _, other = stones(position)
    last = position.size * position.size - 1
    taken = (Move(last - corner) for corner in corners(position.size) if other >> corner & 1)
    return sorted(free(position, taken))


def centre(position: TicTacToePosition) -> Sequence[Move]:
    """Take any cell of the centre."""
    return free(position, by_lines(position.size, position.line)[0])


CORNER: Final = (win, block, any_corner, best_group)
CENTRE: Final = (win, block, best_cell)
FORK: Final = (win, block, fork, block_fork, centre, opposite_corner, any_corner, best_group)


WEIGHT: Final = 4
SCALE: Final = 0.9


def open_lines(position: TicTacToePosition, seat: Seat) -> float:
    """The balance of the lines that each seat can still complete, for `seat`, in (-0.9, 0.9).

    A line without marks of the opponent counts 1 for a seat, and four times as much with each mark
    of its own on it. Counting open lines is Nils Nilsson's, "Problem-Solving Methods in Artificial
    Intelligence", 1971; the weights are this module's.
    """
    crosses, noughts = position.crosses, position.noughts
    mine = theirs = 0
    for row in lines(position.size, position.line):
        if not row & noughts:
            mine += WEIGHT ** (row & crosses).bit_count()
        if not row & crosses:
            theirs += WEIGHT ** (row & noughts).bit_count()
    balance = SCALE * (mine - theirs) / (mine + theirs + 1)
    return balance if seat == CROSSES else -balance


PLAYERS: Final = (
    Player("rules-corner", lambda rng, _: RuleAgent(CORNER, rng), searching=False),
    Player("rules-centre", lambda rng, _: RuleAgent(CENTRE, rng), searching=False),
    Player("rules-fork", lambda rng, _: RuleAgent(FORK, rng), searching=False),
    Player("perfect", lambda rng, setting: Perfect(rng, setting.weigh_all)),
    Player("solver", lambda rng, setting: Perfect(rng, setting.weigh_all, looks_up=False)),
)

EVALUATIONS: Final[Mapping[str, Heuristic]] = {"open-lines": open_lines, "none": unknown}

USUAL: Final = "rules-corner"

REVIEWER: Final = "perfect"

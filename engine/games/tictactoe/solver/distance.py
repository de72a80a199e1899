"""The plies in which a won position is won, when the winner hurries and the loser delays.

The question is asked for one ply, three, five and so on, and each time it is a small search: the
winner's last mark but one has to make two threats, and most answers are forced. This is the idea
of threat-space search: Victor Allis, "Searching for Solutions in Games and Artificial
Intelligence", 1994.
"""

from __future__ import annotations

from engine.games.tictactoe.solver.lines import Board, Sides, ordered, potential, threats
from engine.games.tictactoe.solver.solver import STOPPED_IF_THEY_MOVE, STOPPED_IF_WE_MOVE
from engine.search.budget import Effort


class Distance:
    """A search for how soon a position is won, with a memory of its answers.

    Its methods raise `OutOfBudget` when the budget is spent before the answer is known.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.known: dict[tuple[int, int, int], bool] = {}

    def won_within(self, sides: Sides, plies: int, effort: Effort) -> bool:
        """Whether the seat to move can win within `plies`, an odd number."""
        effort.visit()
        own, other, own_marks, other_marks, own_live, other_live = sides
        if plies < 1 or threats(own_marks, own_live):
            return plies >= 1
        if dangers := threats(other_marks, other_live):
            forced = self.board.forced(sides, dangers)
            return forced is not None and self.lost_within(forced, plies - 1, effort)
        if plies < 3 or potential(own_marks, own_live) < STOPPED_IF_THEY_MOVE:
            return False
        key = (own, other, plies)
        if key not in self.known:
            self.known[key] = any(
                self.lost_within(sides.after(cell, through), plies - 1, effort)
                for _, cell, through in ordered(self.board, sides)
            )
        return self.known[key]

    def lost_within(self, sides: Sides, plies: int, effort: Effort) -> bool:
        """Whether the seat to move loses within `plies`, an even number, whatever it does."""
        effort.visit()
        _, _, own_marks, other_marks, own_live, other_live = sides
        if plies < 2 or threats(own_marks, own_live):
            return False
        if dangers := threats(other_marks, other_live):
            forced = self.board.forced(sides, dangers)
            return forced is None or self.won_within(forced, plies - 1, effort)
        if plies < 4 or potential(other_marks, other_live) < STOPPED_IF_WE_MOVE:
            return False
        return all(
            self.won_within(sides.after(cell, through), plies - 1, effort)
            for _, cell, through in ordered(self.board, sides)
        )

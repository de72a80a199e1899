"""Reviews: the worth of each move with its reasons, and the luck of each roll.

`review` goes through a game, `hint` finds the best move now, `why` explains the last one. Each
takes a game as it is stored, and returns what can be pickled, so that a process can be asked.
`puzzle` is the position of a day. `calibrated` tells whether chances come true at a table.
"""

from engine.review.game import hint, review, why
from engine.review.puzzles import Difficulty, Puzzle, Task, puzzle
from engine.review.records import (
    Chances,
    Grade,
    MoveReview,
    PlyReview,
    Review,
    RollReview,
    WeighedMove,
)
from engine.review.reviewer import calibrated

__all__ = [
    "Chances",
    "Difficulty",
    "Grade",
    "MoveReview",
    "PlyReview",
    "Puzzle",
    "Review",
    "RollReview",
    "Task",
    "WeighedMove",
    "calibrated",
    "hint",
    "puzzle",
    "review",
    "why",
]

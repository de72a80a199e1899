"""Reviews: what each move of a game was worth and why, and how lucky each roll was.

`review` goes through a game, `hint` says what is best now, `why` what a move was for; each takes a
game as it is stored, so that a process of a pool can be asked, and gives back what can be pickled.
`puzzle` is the position of a day.
"""

from engine.review.game import hint, review, why
from engine.review.puzzles import Puzzle, Task, puzzle
from engine.review.records import (
    Chances,
    Grade,
    MoveReview,
    PlyReview,
    Review,
    RollReview,
    WeighedMove,
)

__all__ = [
    "Chances",
    "Grade",
    "MoveReview",
    "PlyReview",
    "Puzzle",
    "Review",
    "RollReview",
    "Task",
    "WeighedMove",
    "hint",
    "puzzle",
    "review",
    "why",
]

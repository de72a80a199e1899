"""The quality of the puzzles: `python -m tests.benchmarks.puzzles --rollouts 3000`.

A row for each day of the week: its difficulty, how many puzzles are as hard as that, how many
positions are different, turned and mirrored ones being the same, and how many answers are the only
ones, by the solver; in Ludo how often the best move and the second best win to the end, with other
dice than those with which the book was made.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from engine.review.game import hint
from engine.review.puzzle_maker import ROLLOUTS, canonical, graded, rollouts
from engine.review.puzzles import WEEK, Difficulty, PuzzleEntry, Task, book

HEADS = ("day", "difficulty", "puzzles", "as hard", "different", "one answer", "rollouts")


def row(difficulty: Difficulty, day: Sequence[PuzzleEntry], count: int) -> tuple[str, ...]:
    """The row of a day of the week."""
    answers = [hint(entry.game, 2, entry.options, entry.moves) for entry in day]
    pairs = list(zip(day, answers, strict=True))
    ahead, won = 0, [0, 0]
    for entry, answer in pairs:
        if entry.task is Task.BEST and count:
            moves = (entry.answer, next(c.move for c in answer.choices if c.move != entry.answer))
            found, errors = rollouts(entry.position, moves, count, first=ROLLOUTS)
            won = [so_far + more for so_far, more in zip(won, found, strict=True)]
            ahead += errors > 0
    shares = [f"{wins / (count * len(day)):.1%}" for wins in won if won[0]]
    return (
        difficulty,
        f"{len(day)}",
        f"{sum(graded(*pair) is difficulty for pair in pairs)}",
        f"{len({str(canonical(entry)) for entry in day})}",
        f"{sum(answer.bests == (entry.answer,) for entry, answer in pairs)}",
        " against ".join(shares) + (f", ahead in {ahead}" if shares else ""),
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rollouts", type=int, default=0)
    count = parser.parse_args().rollouts
    print(f"| {' | '.join(HEADS)} |\n|{' --- |' * len(HEADS)}")
    for number, ((difficulty, _), day) in enumerate(zip(WEEK, book(), strict=True), 1):
        print(f"| {' | '.join((str(number), *row(difficulty, day, count)))} |", flush=True)
    distinct = {str(canonical(entry)) for day in book() for entry in day}
    print(f"{len(distinct)} different positions of {sum(map(len, book()))}")


if __name__ == "__main__":
    main()

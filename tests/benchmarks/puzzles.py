"""The quality of the puzzles: `python -m tests.benchmarks.puzzles --rollouts 3000`.

A row for each day of the week in the order by measured difficulty: its puzzles by game; the shares
of tries in which a random move, the level medium and the level hard are the answer, and their mean;
how many answers are the only ones, by the solver; in Ludo how often the best move and the second
best win to the end, with other dice than those with which the book was made.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from engine.review.game import hint
from engine.review.puzzle_maker import ROLLOUTS, canonical, rollouts, solved
from engine.review.puzzles import DIFFICULTIES, WEEKS, Difficulty, PuzzleEntry, Task, book, order

HEADS = (
    "day",
    "difficulty",
    "puzzles",
    "random",
    "medium",
    "hard",
    "mean",
    "one answer",
    "rollouts",
)


def row(difficulty: Difficulty, day: Sequence[PuzzleEntry], count: int) -> tuple[str, ...]:
    """The row of a day of the week."""
    answers = [hint(entry.game, 2, entry.options, entry.moves) for entry in day]
    levels = [fmean(shares) for shares in zip(*map(solved, day), strict=True)]
    of_dice = [pair for pair in zip(day, answers, strict=True) if pair[0].task is Task.BEST]
    ahead, won = 0, [0, 0]
    for entry, answer in of_dice if count else ():
        moves = (entry.answer, next(c.move for c in answer.choices if c.move != entry.answer))
        found, errors = rollouts(entry.position, moves, count, first=ROLLOUTS)
        won = [so_far + more for so_far, more in zip(won, found, strict=True)]
        ahead += errors > 0
    shares = [f"{wins / (count * len(of_dice)):.1%}" for wins in won if won[0]]
    alone = sum(found.bests == (entry.answer,) for entry, found in zip(day, answers, strict=True))
    games = Counter(entry.game for entry in day)
    return (
        difficulty,
        ", ".join(f"{number} {game}" for game, number in games.most_common()),
        *(f"{share:.2f}" for share in (*levels, fmean(levels))),
        f"{alone}",
        " against ".join(shares) + (f", ahead in {ahead}" if shares else ""),
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rollouts", type=int, default=0)
    count = parser.parse_args().rollouts
    print(f"| {' | '.join(HEADS)} |\n|{' --- |' * len(HEADS)}")
    for number, (difficulty, numbers) in enumerate(zip(DIFFICULTIES, order(), strict=True), 1):
        day = [book()[each // WEEKS][each % WEEKS] for each in numbers]
        print(f"| {' | '.join((str(number), *row(difficulty, day, count)))} |", flush=True)
    distinct = {str(canonical(entry)) for day in book() for entry in day}
    print(f"{len(distinct)} different positions of {sum(map(len, book()))}")


if __name__ == "__main__":
    main()

"""The news of a server: the day's puzzle, how it goes, and the answer to the one before."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from itertools import islice
from typing import Final

from bot.message.blocks import Block, Control, Picture, Pictures, Prose, Row, Screen, Style, Tone
from bot.message.text import Moment, Separator, Text, TextList, joined, named, text
from bot.records.puzzles import FIRST, WORTH_KEEPING, Edition, LeagueLine, PuzzleDay, difficulty
from bot.records.rating import first_day
from bot.screens.leaderboard import MEDALS, points
from bot.screens.podium import podiums
from bot.screens.puzzle import PuzzleAction, posed, position_in_words, solution
from engine.review import Puzzle

ROWS: Final = 10
"""The most people whose tries stand in a row."""

POSITION, ANSWER = "puzzle.png", "answer.png"
"""The pictures of the puzzle before, and of the position after its best move."""


def news(puzzle: Puzzle, edition: Edition, before: Puzzle) -> Screen:
    """The puzzle to solve in private, how it goes, and the answer to the puzzle `before`.

    Below are the best of a week and the podiums of a season that have ended. The puzzle comes
    first, so that a phone shows it at once, with its board and its button.
    """
    blocks: list[Block] = [*posed(puzzle), _solve()]
    if lines := tuple(_so_far(edition)):
        blocks.append(Prose(lines))
    if edition.last is not None:
        blocks.append(Prose(tuple(_last(edition.last, puzzle, before))))
        position = Picture(POSITION, position_in_words(before))
        blocks.append(Pictures((position, Picture(ANSWER, (text("news.picture"),), spoiler=True))))
    if edition.best:
        best = joined(map(_best, edition.best), Separator.DOT)
        blocks.append(Prose((text("news.week", people=best),)))
    if edition.podiums:
        blocks += podiums(first_day(edition.season), edition.podiums)
    return Screen(tuple(blocks), Tone.WAITING)


def warning(puzzle: Puzzle, streak: int) -> Screen:
    """The end of a person's streak unless they solve the puzzle in time."""
    ends = datetime.combine(puzzle.day + timedelta(1), time(), UTC)
    told = text("news.warning", days=streak, at=Moment(ends))
    return Screen((Prose((told,)), _solve()), Tone.WAITING)


def _solve() -> Row:
    return Row((Control(PuzzleAction.SOLVE, text("control.solve"), style=Style.PROMINENT),))


def _so_far(edition: Edition) -> Iterator[Text]:
    """The tries of the day without a move of them, the streak, and what has not broken it."""
    today = edition.today
    if today.answers:
        yield text("news.today", solved=len(today.solvers), answered=len(today.answers))
    if today.solvers:
        first = [
            text("news.solver", person=named(person), squares=today.answers[person].squares)
            for person in today.solvers[:ROWS]
        ]
        people, more = joined(first, Separator.DOT), len(today.solvers) - len(first)
        yield text("news.solvers.more" if more else "news.solvers", people=people, more=more)
    if edition.streak >= WORTH_KEEPING:
        yield text("news.streak", days=edition.streak)
    if edition.frozen:
        yield text("news.frozen", count=edition.frozen)


def _last(last: PuzzleDay, puzzle: Puzzle, before: Puzzle) -> Iterator[Text]:
    """The answers to the puzzle of the last news, and its solution."""
    yesterday = last.day == puzzle.day - timedelta(1)
    yield text(
        "news.yesterday" if yesterday else "news.last",
        difficulty=text(f"puzzle.difficulty.{difficulty(last.day)}"),
        solved=len(last.solvers),
        answered=len(last.answers),
    )
    if last.solvers:
        first = joined(map(named, last.solvers[:FIRST]), Separator.SPACE)
        yield text("news.first", people=first)
    if last.answers:
        yield text("news.tries", squares=_tries(last))
    yield from solution(before)


def _tries(day: PuzzleDay) -> TextList:
    tries = islice((answer.squares for answer in day.answers.values()), ROWS)
    return joined(tries, Separator.SPACE)


def _best(line: LeagueLine) -> Text:
    return text(
        "news.best",
        medal=MEDALS[min(line.place, len(MEDALS)) - 1],
        person=named(line.person),
        points=points(line),
    )

"""The news of a server: the day's puzzle to solve in private, and how yesterday's went."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from itertools import islice
from typing import Final

from bot.message.blocks import Block, Control, Prose, Row, Screen, Style, Tone
from bot.message.text import Moment, Separator, Text, TextList, joined, named, text
from bot.records.puzzle_league import FIRST, Edition, LeagueLine, PuzzleDay, difficulty
from bot.records.puzzle_record import WORTH_KEEPING
from bot.screens.leaderboard import MEDALS, points
from bot.screens.podium import podiums
from bot.screens.puzzle import SOLVE, title
from engine.review import Puzzle

ROWS: Final = 10
"""The most people whose tries stand in a row."""


def news(puzzle: Puzzle, edition: Edition) -> Screen:
    """The puzzle without its position, the server's streak, and yesterday's puzzle there.

    The podiums of a season that has ended are below, and then yesterday's takes a line alone: the
    message has to fit a phone.
    """
    lines = [title(puzzle)]
    if edition.streak >= WORTH_KEEPING:
        lines.append(text("news.streak", days=edition.streak))
    if edition.yesterday.answers:
        lines += islice(_yesterday(edition.yesterday), 1 if edition.podiums else None)
    if edition.best:
        lines.append(text("news.week", people=joined(map(_best, edition.best), Separator.DOT)))
    blocks: list[Block] = [Prose(tuple(lines)), _solve()]
    if edition.podiums:
        blocks += podiums(edition.yesterday.day, edition.podiums)
    return Screen(tuple(blocks), Tone.WAITING)


def warning(puzzle: Puzzle, streak: int) -> Screen:
    """The end of a person's streak unless they solve the puzzle in time."""
    ends = datetime.combine(puzzle.day + timedelta(1), time(), UTC)
    told = text("news.warning", days=streak, at=Moment(ends))
    return Screen((Prose((told,)), _solve()), Tone.WAITING)


def _solve() -> Row:
    return Row((Control(SOLVE, text("control.solve"), style=Style.PROMINENT),))


def _yesterday(yesterday: PuzzleDay) -> Iterator[Text]:
    yield text(
        "news.yesterday",
        difficulty=text(f"puzzle.difficulty.{difficulty(yesterday.day)}"),
        solved=len(yesterday.solvers),
        answered=len(yesterday.answers),
    )
    if yesterday.solvers:
        first = joined(map(named, yesterday.solvers[:FIRST]), Separator.SPACE)
        yield text("news.first", people=first)
    yield text("news.tries", squares=_tries(yesterday))


def _tries(yesterday: PuzzleDay) -> TextList:
    tries = islice((answer.squares for answer in yesterday.answers.values()), ROWS)
    return joined(tries, Separator.SPACE)


def _best(line: LeagueLine) -> Text:
    return text(
        "news.best",
        medal=MEDALS[min(line.place, len(MEDALS)) - 1],
        person=named(line.person),
        points=points(line),
    )

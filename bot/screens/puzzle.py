"""The puzzle of the day: the position and the task, a hint, the answer with its reasons; the news.

The position is shown on a board of its game, with the reader at the seat to move. A wrong answer
brings a hint and a second try; after that the solution is shown. The news of a server have the
day's puzzle, the results so far, and the answer to the puzzle before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from itertools import islice
from typing import Final

from bot.games.catalogue import CATALOGUE, explainer_of, presenter_of
from bot.message.blocks import (
    Block,
    Control,
    Picture,
    Pictures,
    Prose,
    Row,
    Screen,
    Style,
    Tone,
    rows,
)
from bot.message.text import (
    CommandMention,
    Mention,
    Moment,
    Separator,
    Text,
    TextList,
    joined,
    named,
    text,
)
from bot.records.badges import PUZZLE_WEEK
from bot.records.puzzles import (
    FIRST,
    WORTH_KEEPING,
    Edition,
    LeagueLine,
    PuzzleAnswer,
    PuzzleDay,
    PuzzleRecord,
    difficulty,
)
from bot.records.rating import first_day
from bot.screens.badges import earned
from bot.screens.buttons import control, struck
from bot.screens.in_words import board_in_words
from bot.screens.leaderboard import MEDALS, podiums, points
from bot.screens.lesson import beside, case_for, outlook
from bot.screens.lobby import emblem, is_wide
from bot.table.actions import Action
from bot.table.seats import Computer, Human, Level, Pace, PersonId
from bot.table.session import Phase, Session
from engine.game import Move
from engine.review import Puzzle, Task


class PuzzleAction(StrEnum):
    """The controls of a puzzle by their words; an answer's id continues with the move: `m12`."""

    ANSWER = "m"
    HINT = "hint"
    SHARE = "share"
    SOLVE = "solve"


ANYBODY: Final = PersonId(1)
"""The reader of a message for all: nobody in particular."""

HINTED: Final = 3
"""The most moves that a hint leaves; if there are few, it leaves half of them."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A reader's answer to a puzzle so far, and how they did on other days."""

    answer: PuzzleAnswer
    record: PuzzleRecord

    @property
    def streak(self) -> int:
        """The streak in days if it is long enough to mention, else 0."""
        worth = self.answer.solved and self.record.streak >= WORTH_KEEPING
        return self.record.streak if worth else 0


def question(
    puzzle: Puzzle,
    reader: PersonId,
    *,
    wrong: Move | None = None,
    hinted: bool = False,
    in_words: bool = False,
) -> Screen:
    """The position, the task, and the moves as buttons; after a `wrong` move a hint as well."""
    session = _session(puzzle, reader)
    asked = [title(puzzle), _task(puzzle), _turn(puzzle, session), _rules(session)]
    told = (*_wrong(puzzle, session, wrong), text("puzzle.again")) if wrong is not None else ()
    hint = (_hint(puzzle, session),) if hinted or wrong is not None else ()
    board = _board(session, in_words=in_words)
    if is_wide(board):
        asked.append(text("board.narrow"))
    moves: Iterable[Block] = (*board, *rows(presenter_of(session).choices(session)))
    if wrong is not None:
        moves = struck(moves, wrong)
    more = () if hint else (Row((control(Action.HINT),)),)
    return Screen((Prose((*asked, *told, *hint)), *moves, *more), Tone.RUNNING)


def answered(
    puzzle: Puzzle, reader: PersonId, attempt: Attempt, *, in_words: bool = False
) -> Screen:
    """Whether the reader was right, the position after the best move, and why it is best."""
    session = _session(puzzle, reader)
    verdict = Prose(tuple(_verdict(puzzle, session, attempt.answer)))
    after = _session(puzzle, reader, puzzle.answer.move)
    board = (Prose(presenter_of(after).words(after)),) if in_words else _as_played(after)
    reached = (*_streak(attempt), *_badge(puzzle, reader, attempt))
    following = _next(puzzle, attempt.record.today)
    reasons = (*_reasons(puzzle, session, attempt.answer), *reached, following)
    share = Row((control(Action.SHARE),))
    return Screen((verdict, *board, Prose(reasons), share), Tone.OVER)


def shared(puzzle: Puzzle, reader: PersonId, attempt: Attempt) -> Screen:
    """The reader's result for everybody, as a row of tries that gives nothing away."""
    told = text(
        "puzzle.shared.streak" if attempt.streak else "puzzle.shared",
        player=Mention(reader),
        number=str(puzzle.number),
        squares=attempt.answer.squares,
        days=attempt.streak,
    )
    invited = text("puzzle.try", puzzle=CommandMention("puzzle"))
    return Screen((Prose((told, invited)),), Tone.OVER)


def posed(puzzle: Puzzle) -> Iterator[Block]:
    """The puzzle for everybody: the position without controls, whose move it is, and the task."""
    session = _session(puzzle, ANYBODY)
    rules = presenter_of(session).rules_in_brief(session)
    game = text("puzzle.game", game=text(f"game.{session.game.key}"), rules=rules)
    turn = _turn(puzzle, session, posed=True)
    yield Prose((title(puzzle), game, turn, _task(puzzle)))
    yield from presenter_of(session).drawing(session)


def solution(puzzle: Puzzle) -> Iterator[Text]:
    """The best move and why it is best, both hidden until a reader wants to see them."""
    session, found = _session(puzzle, ANYBODY), puzzle.answer
    explainer = explainer_of(session)
    yield text("puzzle.solution", move=explainer.move(session.position, found.move))
    why = next(case_for(found.best, session.position, found, explainer))
    yield text("puzzle.solution.why", why=why)


def position_in_words(puzzle: Puzzle) -> tuple[Text, ...]:
    """The position of a puzzle, for those who cannot see it."""
    session = _session(puzzle, ANYBODY)
    return presenter_of(session).words(session)


def puzzle_pictures(puzzle: Puzzle) -> tuple[bytes, bytes]:
    """The position of a puzzle and the one after the best move, as PNG."""
    sessions = _session(puzzle, ANYBODY), _session(puzzle, ANYBODY, puzzle.answer.move)
    before, after = (presenter_of(each).picture(each) for each in sessions)
    return before, after


def _session(puzzle: Puzzle, reader: PersonId, *more: Move) -> Session:
    """The position as a game of the reader against a computer, after some `more` moves."""
    game, moves = CATALOGUE[puzzle.game].game, (*puzzle.moves, *more)
    rival = Computer(Level.MEDIUM)
    seats = (Human(reader), rival) if puzzle.answer.seat == 0 else (rival, Human(reader))
    options = game.settled(puzzle.options)
    running = Session(game, options, Pace.RELAXED, reader, seats, Phase.RUNNING, moves)
    return running.at(len(moves))


def _board(session: Session, *, in_words: bool) -> tuple[Block, ...]:
    return board_in_words(session) if in_words else presenter_of(session).board(session)


def _as_played(session: Session) -> tuple[Block, ...]:
    """The board of buttons if it consists of them and fits a phone, else its drawing."""
    presenter = presenter_of(session)
    board = presenter.board(session)
    fits = all(isinstance(each, Row) for each in board) and not is_wide(board)
    return board if fits else presenter.drawing(session)


def title(puzzle: Puzzle) -> Text:
    """The puzzle's number and difficulty."""
    difficulty = text(f"puzzle.difficulty.{puzzle.difficulty}")
    return text("puzzle.title", number=str(puzzle.number), difficulty=difficulty)


def _task(puzzle: Puzzle) -> Text:
    if puzzle.task is Task.WIN:
        return text("puzzle.task.win", count=puzzle.marks)
    return text("puzzle.task.hold" if puzzle.task is Task.HOLD else "puzzle.task.best")


def _turn(puzzle: Puzzle, session: Session, *, posed: bool = False) -> Text:
    sign = emblem(session, puzzle.answer.seat)
    if session.game.dice:
        key = "puzzle.posed.rolled" if posed else "puzzle.turn.rolled"
        return text(key, emblem=sign, pips=puzzle.moves[-1])
    return text("puzzle.posed" if posed else "puzzle.turn", emblem=sign)


def _rules(session: Session) -> Text:
    game = text(f"game.{session.game.key}")
    rules = presenter_of(session).rules_in_brief(session)
    return text("puzzle.rules", game=game, rules=rules)


def _hint(puzzle: Puzzle, session: Session) -> Text:
    """The best move among the others that come nearest to it."""
    choices, explainer = puzzle.answer.choices, explainer_of(session)
    left = sorted(choice.move for choice in choices[: min(HINTED, (len(choices) + 1) // 2)])
    return text("puzzle.hint", moves=joined(explainer.move(session.position, m) for m in left))


def _verdict(puzzle: Puzzle, session: Session, answer: PuzzleAnswer) -> Iterator[Text]:
    best = explainer_of(session).move(session.position, puzzle.answer.move)
    if answer.solved:
        yield text("puzzle.right", move=best)
        return
    if answer.tried:
        yield from _wrong(puzzle, session, answer.tried[-1])
    yield text("why.better", move=best)


def _wrong(puzzle: Puzzle, session: Session, chosen: Move) -> Iterator[Text]:
    """The move tried, what it costs, and what comes of it."""
    found, explainer = puzzle.answer, explainer_of(session)
    choice = next(each for each in found.choices if each.move == chosen)
    wrong = text("puzzle.wrong", move=explainer.move(session.position, chosen))
    reasons = explainer.reasons(session.position, choice, found.move)
    costs = [reason for reason in reasons if reason.kind in explainer.costs]
    if costs:
        told = (explainer.reason(session.position, reason) for reason in costs)
        wrong = text("puzzle.does", wrong=wrong, reasons=joined(told))
    yield wrong
    yield outlook(found, choice)


def _reasons(puzzle: Puzzle, session: Session, answer: PuzzleAnswer) -> Iterator[Text]:
    found, explainer = puzzle.answer, explainer_of(session)
    if answer.solved or not answer.tried:
        yield from case_for(found.best, session.position, found, explainer)
    else:
        yield from beside(found.best, answer.tried[-1], session.position, explainer)
        yield outlook(found, found.best)


def _streak(attempt: Attempt) -> Iterator[Text]:
    if attempt.streak:
        yield text("puzzle.streak", days=attempt.streak)


def _badge(puzzle: Puzzle, reader: PersonId, attempt: Attempt) -> Iterator[Text]:
    if attempt.record.full_week == puzzle.day:
        yield earned((reader, PUZZLE_WEEK))


def _next(puzzle: Puzzle, today: date) -> Text:
    if today > puzzle.day:
        return text("puzzle.todays", puzzle=CommandMention("puzzle"))
    at = datetime.combine(puzzle.day + timedelta(1), time(), UTC)
    return text("puzzle.next", at=Moment(at))


ROWS: Final = 10
"""The most people whose tries are shown."""

POSITION, ANSWER = "puzzle.png", "answer.png"
"""The pictures of the previous puzzle, and of the position after its best move."""


def news(puzzle: Puzzle, edition: Edition, before: Puzzle) -> Screen:
    """The news of a server: the puzzle, the results so far, and the answer to the puzzle `before`.

    Below these come the best of a week and the podiums of a season that have ended. The puzzle is
    first, so that it fits on a phone with its board and button.
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
    """The warning that a person's streak ends unless they solve the puzzle in time."""
    ends = datetime.combine(puzzle.day + timedelta(1), time(), UTC)
    told = text("news.warning", days=streak, at=Moment(ends))
    return Screen((Prose((told,)), _solve()), Tone.WAITING)


def _solve() -> Row:
    return Row((Control(PuzzleAction.SOLVE, text("control.solve"), style=Style.PROMINENT),))


def _so_far(edition: Edition) -> Iterator[Text]:
    """The day's results without revealing moves, the streak, and the days that were frozen."""
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

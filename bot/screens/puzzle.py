"""The puzzle of the day: the position and what to find, the answer with its reasons, the result.

The position stands on a board of its game, with the reader at the seat that is to move. The answer
shows the position after the move that was looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from bot.games.catalogue import CATALOGUE, explainer_of, presenter_of
from bot.message.blocks import Block, Prose, Row, Screen, Tone, rows
from bot.message.text import CommandMention, Mention, Moment, Text, joined, text
from bot.records.puzzle_record import PuzzleRecord
from bot.screens.buttons import control, lit
from bot.screens.challenge import emblem
from bot.screens.in_words import with_names
from bot.screens.lesson import beside, case_for, outlook
from bot.table.actions import Action
from bot.table.seats import Computer, Human, Level, Pace, PersonId
from bot.table.session import Session
from engine.game import Move
from engine.review import Puzzle, Task


@dataclass(frozen=True, slots=True)
class Attempt:
    """A reader's answer to a puzzle: `chosen` is None for an answer of earlier."""

    solved: bool
    chosen: Move | None
    record: PuzzleRecord


def question(puzzle: Puzzle, reader: PersonId, *, in_words: bool = False) -> Screen:
    """The position, the task, and the moves as buttons."""
    session = _session(puzzle, reader)
    asked = Prose((text("puzzle.title"), _task(puzzle), _turn(puzzle, session), _rules(session)))
    board = _board(session, in_words=in_words)
    return Screen((asked, *board, *rows(presenter_of(session).choices(session))), Tone.RUNNING)


def answered(
    puzzle: Puzzle, reader: PersonId, attempt: Attempt, *, in_words: bool = False
) -> Screen:
    """Whether the reader was right, the position after the best move, and why it is best."""
    session = _session(puzzle, reader)
    verdict = Prose(tuple(_verdict(puzzle, session, attempt)))
    after = _board(_session(puzzle, reader, puzzle.answer.move), in_words=in_words)
    reasons = Prose((*_reasons(puzzle, session, attempt.chosen), *_streak(attempt), _next(puzzle)))
    share = Row((control(Action.SHARE),))
    return Screen((verdict, *lit(after, puzzle.answer.move), reasons, share), Tone.OVER)


def shared(puzzle: Puzzle, reader: PersonId, attempt: Attempt) -> Screen:
    """The reader's result, for everybody, and the position without its answer."""
    session = _session(puzzle, reader)
    result = "puzzle.shared.solved" if attempt.solved else "puzzle.shared.missed"
    told = Prose((text(result, player=Mention(reader)), *_streak(attempt)))
    asked = Prose(
        (_task(puzzle), _rules(session), text("puzzle.try", puzzle=CommandMention("puzzle")))
    )
    return Screen((told, *presenter_of(session).drawing(session), asked), Tone.OVER)


def _session(puzzle: Puzzle, reader: PersonId, *more: Move) -> Session:
    """The position as a game of the reader against a computer, some moves later."""
    game, moves = CATALOGUE[puzzle.game].game, (*puzzle.moves, *more)
    rival = Computer(Level.MEDIUM)
    seats = (Human(reader), rival) if puzzle.answer.seat == 0 else (rival, Human(reader))
    begun = Session(game, game.settled(puzzle.options), Pace.RELAXED, reader, seats).start()
    return replace(begun, moves=moves).at(len(moves))


def _board(session: Session, *, in_words: bool) -> tuple[Block, ...]:
    presenter = presenter_of(session)
    board = presenter.board(session)
    if not in_words:
        return board
    squares = (block for block in board if isinstance(block, Row))
    return (Prose(presenter.words(session)), *with_names(squares, session))


def _task(puzzle: Puzzle) -> Text:
    if puzzle.task is Task.WIN:
        return text("puzzle.task.win", moves=puzzle.marks)
    return text("puzzle.task.hold" if puzzle.task is Task.HOLD else "puzzle.task.best")


def _turn(puzzle: Puzzle, session: Session) -> Text:
    sign = emblem(session, puzzle.answer.seat)
    if session.game.dice:
        return text("puzzle.turn.rolled", emblem=sign, pips=puzzle.moves[-1])
    return text("puzzle.turn", emblem=sign)


def _rules(session: Session) -> Text:
    game = text(f"game.{session.game.key}")
    rules = presenter_of(session).rules_in_brief(session)
    return text("puzzle.rules", game=game, rules=rules)


def _verdict(puzzle: Puzzle, session: Session, attempt: Attempt) -> Iterator[Text]:
    found, explainer = puzzle.answer, explainer_of(session)
    best = explainer.move(session.position, found.move)
    if attempt.solved:
        yield text("puzzle.solved" if attempt.chosen is None else "puzzle.right", move=best)
        return
    if attempt.chosen is None:
        yield text("puzzle.missed")
    else:
        choice = next(each for each in found.choices if each.move == attempt.chosen)
        yield text("puzzle.wrong", move=explainer.move(session.position, choice.move))
        reasons = explainer.reasons(session.position, choice, found.move)
        costs = [reason for reason in reasons if reason.kind in explainer.costs]
        if costs:
            told = (explainer.reason(session.position, reason) for reason in costs)
            yield text("puzzle.does", reasons=joined(told))
        yield outlook(found, choice)
    yield text("why.better", move=best)


def _reasons(puzzle: Puzzle, session: Session, chosen: Move | None) -> Iterator[Text]:
    found, explainer = puzzle.answer, explainer_of(session)
    if chosen is None or chosen == found.move:
        yield from case_for(found.best, session.position, found, explainer)
    else:
        yield from beside(found.best, chosen, session.position, explainer)
        yield outlook(found, found.best)


def _streak(attempt: Attempt) -> Iterator[Text]:
    if attempt.solved and attempt.record.streak > 1:
        yield text("puzzle.streak", days=attempt.record.streak)


def _next(puzzle: Puzzle) -> Text:
    at = datetime.combine(puzzle.day + timedelta(1), time(), UTC)
    return text("puzzle.next", at=Moment(at))

"""Puzzles: the same for all on a day, graded, none twice, with one answer that others find too."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from functools import cache
from itertools import chain
from random import Random

import pytest

from engine import review, roster
from engine.game import Move, Seat, State
from engine.games.ludo.reasons import TokenReason, against
from engine.review import Difficulty, Task
from engine.review.game import hint
from engine.review.puzzle_maker import canonical, graded, made, rollouts
from engine.review.puzzles import WEEK, WEEKS, PuzzleEntry, PuzzleKind, book, marks, read, written
from tests.samples import Sample

MONDAY = date(2026, 11, 23)
BOOK = [*chain.from_iterable(book())]


def of(*tasks: Task, game: str = "") -> list[PuzzleEntry]:
    """The puzzles of these tasks, of one game alone if it is named."""
    return [entry for entry in BOOK if entry.task in tasks and game in {"", entry.game}]


def mirrored(entry: PuzzleEntry) -> PuzzleEntry:
    """The same position in a mirror."""
    if entry.game == "connectfour":
        return entry._replace(moves=tuple(Move(6 - column) for column in entry.moves))
    size = int(entry.options["size"])

    def cell(move: Move) -> Move:
        row, column = divmod(move, size)
        return Move(size * row + size - 1 - column)

    return entry._replace(moves=tuple(map(cell, entry.moves)))


def test_a_day_has_one_puzzle_with_a_number_and_the_next_day_has_another() -> None:
    days = [MONDAY + timedelta(number) for number in range(7)]
    puzzles = [review.puzzle(day) for day in days]
    assert review.puzzle(MONDAY) == puzzles[0]
    assert len({puzzle.moves for puzzle in puzzles}) == 7
    assert [puzzle.number for puzzle in puzzles] == [327 + number for number in range(7)]
    assert {puzzle.task for puzzle in puzzles} == set(Task)


def test_a_week_begins_easy_and_ends_hard() -> None:
    days = [review.puzzle(MONDAY + timedelta(number)).difficulty for number in range(7)]
    assert days == sorted(days, key=[*Difficulty].index)
    assert (days[0], days[-1]) == (Difficulty.EASY, Difficulty.HARD)
    for difficulty, kinds in WEEK:
        assert all(kind.task is not Task.HOLD or difficulty is Difficulty.HARD for kind in kinds)


def test_no_position_comes_twice_within_two_years_turned_or_mirrored() -> None:
    assert len(BOOK) == 7 * WEEKS
    assert WEEKS * 7 >= 2 * 366
    assert len({str(canonical(entry)) for entry in BOOK}) == len(BOOK)
    for entry in (*of(Task.WIN)[:20], *of(Task.WIN, game="connectfour")[:20]):
        assert canonical(mirrored(entry)) == canonical(entry)
        assert mirrored(entry).moves != entry.moves


def test_every_puzzle_is_as_hard_as_its_day(sample: Sample) -> None:
    for weekday, entry in sample(
        [(weekday, each) for weekday, day in enumerate(book()) for each in day], 40
    ):
        answer = hint(entry.game, 2, entry.options, entry.moves)
        takes = marks(answer.best.plies or 0)
        kinds = WEEK[weekday][1]
        assert any(kind[:3] == entry[:3] and kind.marks in {0, takes} for kind in kinds)
        assert graded(entry, answer) is WEEK[weekday][0]


def test_every_puzzle_has_exactly_one_answer_among_three_moves_or_more(sample: Sample) -> None:
    for entry in sample(BOOK, 60):
        answer = hint(entry.game, 2, entry.options, entry.moves)
        assert answer.bests == (entry.answer,)
        assert len(answer.choices) > 2


def test_a_win_is_the_only_one_by_another_algorithm(sample: Sample) -> None:
    entries = sample(of(Task.WIN, game="tictactoe"), 25) + sample(
        of(Task.WIN, game="connectfour"), 25
    )
    for entry in entries:
        plies = hint(entry.game, 2, entry.options, entry.moves).best.plies
        assert plies is not None
        assert winning(entry.position, plies) == [entry.answer]
        assert not winning(entry.position, plies - 2)


def winning(position: State, plies: int) -> list[Move]:
    """The moves that win within these plies whatever is answered, by trying every answer."""
    return [move for move in position.moves() if wins(position.play(move), position.turn, plies)]


@cache
def wins(after: State, seat: Seat, plies: int) -> bool:
    """Whether the seat, which has just moved, has won or will within these plies."""
    payoff = after.payoff()
    if payoff is not None or plies < 3:
        return payoff is not None and payoff[seat] > 0
    return all(
        reply.payoff() is None
        and any(wins(reply.play(move), seat, plies - 2) for move in reply.moves())
        for reply in map(after.play, after.moves())
    )


def test_a_draw_is_held_by_one_cell_and_no_threat_points_to_it(sample: Sample) -> None:
    agent = roster.entrant(roster.game("tictactoe"), "solver").agent(Random(0), weigh_all=True)
    for entry in sample(of(Task.HOLD, game="tictactoe"), 8):
        for move in entry.position.moves():
            after = entry.position.play(move)
            lost = max(agent.think(after).values.values()) > 0
            assert lost == (move != entry.answer)
            assert not any(after.play(answer).payoff() for answer in after.moves() if lost)


def test_a_draw_at_connect_four_is_held_by_one_column(sample: Sample) -> None:
    few = [entry for entry in of(Task.HOLD, game="connectfour") if len(entry.moves) >= 30]
    game = roster.game("connectfour")
    for entry in sample(few, 3):
        agent = roster.entrant(game, "alphabeta").agent(Random(0), weigh_all=True)
        values = dict(agent.think(entry.position).values)
        assert values.pop(entry.answer) == 0
        assert max(values.values()) < 0


def test_to_win_with_two_three_and_four_discs_are_tasks_of_their_own() -> None:
    found = Counter[int]()
    for (_, kinds), day in zip(WEEK, book(), strict=True):
        for entry in day:
            if entry.game == "connectfour" and entry.task is Task.WIN:
                best = hint(entry.game, 2, entry.options, entry.moves).best
                (kind,) = (each for each in kinds if each == (*entry[:3], marks(best.plies or 0)))
                found[kind.marks] += 1
    assert set(found) == {2, 3, 4}
    assert min(found.values()) > WEEKS / 5


def test_a_puzzle_to_win_with_so_many_discs_is_made_that_takes_as_many() -> None:
    kind = PuzzleKind("connectfour", Task.WIN, {"size": "7x6"}, 3)
    entry = next(made(kind, Difficulty.HARD, Random(1)))
    assert hint(entry.game, 2, entry.options, entry.moves).best.plies == 5


def test_the_best_move_of_ludo_wins_more_often_than_the_second_best_to_the_end(
    exhaustive: bool, sample: Sample
) -> None:
    """All were played out 3,000 times before they came into the book; here a few, less often."""
    count, times = (105, 3000) if exhaustive else (3, 400)
    won = [0, 0]
    for entry in sample(of(Task.BEST), count):
        answer = hint("ludo", 2, entry.options, entry.moves)
        moves = (answer.best.move, answer.choices[1].move)
        found, ahead = rollouts(entry.position, moves, times)
        won = [so_far + more for so_far, more in zip(won, found, strict=True)]
        assert ahead > 2 or not exhaustive
    assert won[0] > won[1]


def test_a_reason_says_what_the_best_move_of_ludo_does_that_the_second_does_not(
    sample: Sample,
) -> None:
    for entry in sample(of(Task.BEST), 40):
        answer = hint("ludo", 2, entry.options, entry.moves)
        beside = [*against(entry.position, answer.best.move, answer.choices[1].move)]
        assert [reason for reason in beside if reason.kind is not TokenReason.RISKS]


def test_a_book_is_made_the_same_again_and_read_as_it_was_written() -> None:
    difficulty, (kind,) = WEEK[0]
    first, again = (
        [entry for _, entry in zip(range(3), made(kind, difficulty, Random(1)), strict=False)]
        for _ in range(2)
    )
    assert first == again
    assert read(written((tuple(first),))) == (tuple(first),)


@pytest.mark.parametrize("task", [*Task])
def test_the_shipped_book_has_every_task(task: Task) -> None:
    assert of(task)

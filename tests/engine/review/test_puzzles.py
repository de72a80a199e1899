"""Puzzles: the same for all on a day, graded, none twice, with one answer that others find too."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from functools import cache
from itertools import chain
from random import Random
from statistics import fmean
from zlib import crc32

import pytest

from engine import review, roster
from engine.game import Move, Seat, State
from engine.games.ludo.review import TokenReason, against
from engine.review import Difficulty, Task
from engine.review.game import hint
from engine.review.puzzle_maker import canonical, graded, in_order, made, rollouts, solved
from engine.review.puzzles import (
    FIRST_DAY,
    REORDERED,
    WEEK,
    WEEKS,
    PuzzleEntry,
    PuzzleKind,
    book,
    entry_of,
    order,
    read,
    written,
)
from tests.samples import Sample

MONDAY = date(2026, 11, 23)
CHECKSUM = 263_020_743
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


def days(first: date, count: int) -> list[PuzzleEntry]:
    """The puzzles of a number of days."""
    return [entry_of(first + timedelta(number)) for number in range(count)]


def test_the_puzzles_of_days_before_the_new_order_stay_as_they_were() -> None:
    """A checksum of them all: answers that are stored meet the positions that were asked about."""
    before = days(FIRST_DAY, (REORDERED - FIRST_DAY).days)
    assert crc32(written((tuple(before),)).encode()) == CHECKSUM


def test_the_new_order_begins_on_a_monday_with_puzzles_that_were_not_shown() -> None:
    shown = days(FIRST_DAY, (REORDERED - FIRST_DAY).days)
    assert REORDERED.weekday() == 0
    assert sorted(number for day in order() for number in day) == [*range(len(BOOK))]
    fresh = days(REORDERED, len(BOOK) - len(shown) - 7)
    assert not {str(canonical(entry)) for entry in fresh} & {str(canonical(e)) for e in shown}


def test_a_puzzle_comes_again_after_twenty_months_at_the_soonest() -> None:
    last = dict[object, int]()
    for number, entry in enumerate(days(FIRST_DAY, 4 * 365)):
        asked = entry.game, entry.moves
        assert number - last.get(asked, -1000) > 600
        last[asked] = number


def test_computers_find_the_answer_less_often_with_each_day_of_the_week(exhaustive: bool) -> None:
    some = WEEKS if exhaustive else 4
    found = [
        fmean(chain.from_iterable(map(solved, days_of(weekday)[:some]))) for weekday in range(7)
    ]
    if exhaustive:
        assert found == sorted(found, reverse=True)
    assert found[0] > 0.6
    assert 0.25 < found[4] < 0.6
    assert found[6] < 0.25


def days_of(weekday: int) -> list[PuzzleEntry]:
    """The puzzles of a day of the week in the new order."""
    return [entry_of(REORDERED + timedelta(weekday + 7 * week)) for week in range(WEEKS)]


def test_ludo_has_more_than_one_day_of_the_week() -> None:
    with_ludo = {d for d in range(7) if any(each.game == "ludo" for each in days_of(d))}
    assert len(with_ludo) > 1


def test_a_book_is_ordered_by_how_hard_it_is_and_what_was_shown_comes_last() -> None:
    three_days = [day[:3] for day in (book()[6], book()[2], book()[0])]
    found = in_order(three_days, range(1, 2))
    assert sorted(number for day in found for number in day) == [*range(9)]
    assert [day[2] % 3 for day in found] == [1, 1, 1]
    for week in (range(2), range(2, 3)):
        hard = [
            fmean(fmean(solved(three_days[day[w] // 3][day[w] % 3])) for w in week) for day in found
        ]
        assert hard == sorted(hard, reverse=True)


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
        takes = answer.best.moves or 0
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
                (kind,) = (each for each in kinds if each == (*entry[:3], best.moves or 0))
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

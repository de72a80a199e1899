"""`/puzzle`: the position of the day, asked and answered, for one reader each."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest

from bot.sandbox import Channel, Message
from engine import review
from engine.game import Move
from engine.review import Puzzle, Task
from tests.bot.english import like, piece, says
from tests.bot.people import Person
from tests.bot.ui.conftest import House, Open
from tests.bot.ui.own_data import export, forget, tables_with


def first_day(*tasks: Task) -> Puzzle:
    """The next puzzle of one of these tasks, from tomorrow on."""
    day = datetime.now(UTC).date()
    while True:
        day += timedelta(1)
        puzzle = review.puzzle(day)
        if puzzle.task in tasks:
            return puzzle


def until(day: date) -> timedelta:
    """How far the middle of a day is from now."""
    return datetime.combine(day, time(12), UTC) - datetime.now(UTC)


async def asked(house: House, person: Person, at: Channel | None = None) -> Message:
    """What `/puzzle` shows a person, in the channel unless said otherwise."""
    typed = await (await person.type(at or house.games, "puzzle")).answered()
    await house.sandbox.until(lambda: bool(typed.message.text))
    assert typed.message.ephemeral
    return typed.message


def button(puzzle: Puzzle, move: int) -> str:
    return f"d1:{puzzle.day}:m{move}"


async def answer(house: House, person: Person, shown: Message, puzzle: Puzzle, move: int) -> str:
    """What is told of an answer, in the place of the question."""
    before = shown.edits
    pressed = await (await person.press(shown, custom_id=button(puzzle, move))).answered()
    await house.sandbox.until(lambda: shown.edits > before)
    assert pressed.message is shown
    return shown.text


def wrong(puzzle: Puzzle) -> Move:
    return puzzle.answer.choices[-1].move


@pytest.mark.parametrize("task", [*Task])
async def test_a_right_answer_is_told_at_once_with_its_reason(open_house: Open, task: Task) -> None:
    puzzle = first_day(task)
    async with open_house(later=until(puzzle.day)) as house:
        ann = house.people[0]
        shown = await asked(house, ann)
        words = {
            Task.WIN: piece("puzzle.task.win"),
            Task.HOLD: says("puzzle.task.hold"),
            Task.BEST: says("puzzle.task.best"),
        }
        assert words[task] in shown.text
        offered = {each.custom_id for each in shown.buttons}
        assert {button(puzzle, choice.move) for choice in puzzle.answer.choices} <= offered
        told = await answer(house, ann, shown, puzzle, puzzle.answer.move)
        assert like("puzzle.right").search(told)
        proven = {Task.WIN: says("why.won", count=puzzle.marks), Task.HOLD: says("why.drawn")}
        assert proven.get(task, piece("why.chance")) in told
        assert says("control.share") in [each.label for each in shown.buttons]


@pytest.mark.parametrize("task", [Task.WIN, Task.BEST])
async def test_a_wrong_answer_is_told_with_the_right_one_and_counts(
    open_house: Open, task: Task
) -> None:
    puzzle = first_day(task)
    async with open_house(later=until(puzzle.day)) as house:
        ann = house.people[0]
        first, second = await asked(house, ann), await asked(house, ann)
        told = await answer(house, ann, first, puzzle, wrong(puzzle))
        assert like("puzzle.wrong").search(told)
        assert like("why.better").search(told)
        later = await answer(house, ann, second, puzzle, puzzle.answer.move)
        assert says("puzzle.missed") in later
        again = await asked(house, ann)
        assert says("puzzle.missed") in again.text
        assert says("control.share") in [each.label for each in again.buttons]


@pytest.mark.parametrize("task", [Task.WIN, Task.BEST])
async def test_a_person_with_boards_in_words_reads_the_position_and_answers_it(
    open_house: Open, task: Task
) -> None:
    puzzle = first_day(task)
    async with open_house(later=until(puzzle.day)) as house:
        ann = house.people[0]
        drawn = await asked(house, ann)
        await house.say(ann, "me board", **{"as": "words"})
        shown = await asked(house, ann)
        read = {
            Task.WIN: says("tictactoe.words.row", number="1", cells="|").partition("|")[0],
            Task.BEST: piece("ludo.words.seat"),
        }[task]
        assert read in shown.text
        assert read not in drawn.text
        assert [each.custom_id for each in shown.buttons] == [
            each.custom_id for each in drawn.buttons
        ]
        told = await answer(house, ann, shown, puzzle, puzzle.answer.move)
        assert like("puzzle.right").search(told)
        assert read in told


async def test_a_result_is_shared_without_the_answer(open_house: Open) -> None:
    puzzle = first_day(Task.WIN)
    async with open_house(later=until(puzzle.day)) as house:
        ann, ben, *_ = house.people
        shown = await asked(house, ann)
        told = await answer(house, ann, shown, puzzle, puzzle.answer.move)
        post = (await house.press(ann, shown, says("control.share"))).message
        assert not post.ephemeral
        assert like("puzzle.shared.solved").search(post.text)
        assert like("puzzle.try").search(post.text)
        assert not post.buttons
        place = told.partition(piece("puzzle.right"))[2].partition("\n")[0].strip()
        assert place
        assert place not in post.text
        other = await asked(house, ben)
        unanswered = await ben.forge(other, f"d1:{puzzle.day}:share").answered()
        assert says("refusal.puzzle_not_answered") in await house.sentence(unanswered)


async def test_a_question_is_answered_after_a_restart(open_house: Open) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_house(later=until(puzzle.day)) as house:
        ann = house.people[0]
        shown = await asked(house, ann)
    async with open_house(later=until(puzzle.day)) as house:
        assert like("puzzle.right").search(
            await answer(house, ann, shown, puzzle, puzzle.answer.move)
        )
    async with open_house(later=until(puzzle.day)) as house:
        assert like("puzzle.solved").search((await asked(house, ann)).text)


async def test_a_puzzle_can_be_answered_on_the_day_after_and_not_later(open_house: Open) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_house(later=until(puzzle.day)) as house:
        ann, ben, *_ = house.people
        anns, bens = await asked(house, ann), await asked(house, ben)
        house.clock.advance(timedelta(days=1))
        assert like("puzzle.right").search(
            await answer(house, ann, anns, puzzle, puzzle.answer.move)
        )
        house.clock.advance(timedelta(days=1))
        over = await ben.press(bens, custom_id=button(puzzle, puzzle.answer.move))
        assert like("refusal.puzzle_over").search(await house.sentence(await over.answered()))


@pytest.mark.parametrize("forged", ["d1:{}:m999", "d1:9999-12-31:m0", "d1:0001-01-01:share"])
async def test_what_no_puzzle_offers_is_refused_in_a_sentence(house: House, forged: str) -> None:
    ann = house.people[0]
    shown = await asked(house, ann)
    custom_id = forged.format(house.clock.now().date())
    said = await house.sentence(await ann.forge(shown, custom_id).answered())
    assert said.startswith((says("refusal.illegal_move"), piece("refusal.puzzle_over")))


async def test_days_in_a_row_are_in_the_statistics_and_in_direct_messages_too(
    open_house: Open,
) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_house(later=until(puzzle.day)) as house:
        ann = house.people[0]
        for ahead in range(3):
            day = review.puzzle(puzzle.day + timedelta(ahead))
            told = await answer(house, ann, await asked(house, ann, ann.dm), day, day.answer.move)
            assert bool(like("puzzle.streak").search(told)) == (ahead > 0)
            house.clock.advance(timedelta(days=1))
        assert says(
            "stats.puzzles", solved="3", answered="3", streak="3", best="3"
        ) in await house.say(ann, "stats")
        house.clock.advance(timedelta(days=1))
        assert says(
            "stats.puzzles", solved="3", answered="3", streak="0", best="3"
        ) in await house.say(ann, "stats")


async def test_what_was_answered_is_exported_and_forgotten(open_house: Open, database: str) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_house(later=until(puzzle.day)) as house:
        ann = house.people[0]
        await answer(house, ann, await asked(house, ann), puzzle, wrong(puzzle))
        assert tables_with(ann, database) == {"puzzle_answer"}
        _, data = await export(house, ann)
        assert data["puzzles"] == [{"day": puzzle.day.isoformat(), "solved": False}]
        await forget(house, ann)
        assert tables_with(ann, database) == set()

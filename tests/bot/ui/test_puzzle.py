"""`/puzzle`: the position of the day, asked and answered, for one reader each."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

import pytest

from bot.sandbox import Channel, Message
from bot.table.seats import PersonId
from engine import review
from engine.game import Move
from engine.games.tictactoe.position import cell_name
from engine.review import Puzzle, Task
from tests import samples
from tests.bot.english import like, piece, says
from tests.bot.people import Person
from tests.bot.ui import panels
from tests.bot.ui.conftest import Open, RunningBot
from tests.bot.ui.finished import resigned, store
from tests.bot.ui.own_data import export, forget, tables_with


def first_day(*tasks: Task, game: str = "", marks: int = 0) -> Puzzle:
    """The next puzzle of one of these tasks, from tomorrow on.

    It is of one game alone if that is named, and a win with so many `marks` if they are.
    """
    day = samples.moment().date()
    while True:
        day += timedelta(1)
        puzzle = review.puzzle(day)
        if puzzle.task in tasks and game in {"", puzzle.game} and marks in {0, puzzle.marks}:
            return puzzle


def until(day: date) -> timedelta:
    """The time from now to the middle of a day."""
    return datetime.combine(day, time(12), UTC) - samples.moment()


async def asked(running_bot: RunningBot, person: Person, at: Channel | None = None) -> Message:
    """A person's answer to `/puzzle`, in the channel unless said otherwise."""
    typed = await (await person.type(at or running_bot.games, "puzzle")).answered()
    await running_bot.sandbox.until(lambda: bool(typed.message.text))
    assert typed.message.ephemeral
    return typed.message


def button(puzzle: Puzzle, move: int) -> str:
    return f"d1:{puzzle.day}:m{move}"


async def answer(
    running_bot: RunningBot, person: Person, shown: Message, puzzle: Puzzle, move: int
) -> str:
    """The verdict on an answer, in the place of the question."""
    before = shown.edits
    pressed = await (await person.press(shown, custom_id=button(puzzle, move))).answered()
    await running_bot.sandbox.until(lambda: shown.edits > before)
    assert pressed.message is shown
    return shown.text


MERITS = (
    *("ludo.reason.captures", "ludo.reason.comes_home", "ludo.reason.leaves_yard"),
    *("ludo.reason.hunts", "ludo.reason.rolls_again", "ludo.reason.keeps_safe"),
    *("reason.centre", "reason.corner", "reason.threatens"),
)


def cell(puzzle: Puzzle, move: Move) -> str:
    """The name of a square."""
    return cell_name(move, int(puzzle.options["size"]))


def wrong(puzzle: Puzzle) -> Move:
    return puzzle.answer.choices[-1].move


@pytest.mark.parametrize(
    ("task", "game", "marks"),
    [
        (Task.WIN, "tictactoe", 0),
        (Task.HOLD, "tictactoe", 0),
        (Task.BEST, "ludo", 0),
        (Task.WIN, "connectfour", 2),
        (Task.WIN, "connectfour", 3),
        (Task.WIN, "connectfour", 4),
        (Task.HOLD, "connectfour", 0),
    ],
)
async def test_a_right_answer_is_told_at_once_with_its_reason(
    open_bot: Open, task: Task, game: str, marks: int
) -> None:
    puzzle = first_day(task, game=game, marks=marks)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann = running_bot.people[0]
        shown = await asked(running_bot, ann)
        words = {
            Task.WIN: says("puzzle.task.win", count=puzzle.marks),
            Task.HOLD: says("puzzle.task.hold"),
            Task.BEST: says("puzzle.task.best"),
        }
        assert words[task] in shown.text
        offered = {each.custom_id for each in shown.buttons}
        assert {button(puzzle, choice.move) for choice in puzzle.answer.choices} <= offered
        told = await answer(running_bot, ann, shown, puzzle, puzzle.answer.move)
        assert like("puzzle.right").search(told)
        proven = {Task.WIN: says("why.won", count=puzzle.marks), Task.HOLD: says("why.drawn")}
        assert proven.get(task, piece("why.chance")) in told
        size = int(puzzle.options["size"]) if game == "tictactoe" else 0
        fits = range(size**2) if size < 5 else ()  # more squares break on the narrowest phones
        squares = {button(puzzle, square) for square in fits}
        left = {each.custom_id for each in shown.buttons}
        assert left >= squares, "as it was played on"
        assert len(left) == len(squares) + 1
        assert shown.buttons[-1].label == says("control.share")


@pytest.mark.parametrize("task", [Task.WIN, Task.HOLD])
async def test_a_wrong_column_is_told_with_what_comes_of_it(open_bot: Open, task: Task) -> None:
    puzzle = first_day(task, game="connectfour")
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann = running_bot.people[0]
        shown = await asked(running_bot, ann)
        worst = puzzle.answer.choices[-1]
        told = await answer(running_bot, ann, shown, puzzle, worst.move)
        column = says("connectfour.words.move", column=worst.move + 1)
        assert says("puzzle.wrong", move=column) in told
        assert worst.proven
        lost = says("why.lost", count=((worst.plies or 0) + 1) // 2)
        assert (lost if worst.plies else says("why.drawn")) in told
        right = await answer(running_bot, ann, shown, puzzle, puzzle.answer.move)
        assert like("puzzle.right").search(right)
        labels = [each.label for each in shown.buttons]
        assert labels == [says("control.share")], "no live columns"


@pytest.mark.parametrize("task", [Task.WIN, Task.BEST])
async def test_after_two_wrong_answers_the_right_one_is_told(open_bot: Open, task: Task) -> None:
    puzzle = first_day(task)
    *_, other, worst = puzzle.answer.choices
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann = running_bot.people[0]
        shown, copy = await asked(running_bot, ann), await asked(running_bot, ann)
        first = await answer(running_bot, ann, shown, puzzle, worst.move)
        assert like("puzzle.wrong").search(first)
        assert says("puzzle.again") in first
        assert not like("why.better").search(first)
        told = await answer(running_bot, ann, shown, puzzle, other.move)
        better = like("why.better").search(told)
        assert better is not None
        begins = told[: better.start()]
        assert like("puzzle.wrong").search(begins)
        assert not [merit for merit in MERITS if piece(merit) in begins], "merits are no answer"
        late = await answer(running_bot, ann, copy, puzzle, puzzle.answer.move)
        assert like("puzzle.wrong").search(late)
        again = await asked(running_bot, ann)
        assert again.text == late
        assert says("control.share") in [each.label for each in again.buttons]


async def test_a_wrong_answer_brings_a_hint_and_a_second_try_that_counts(open_bot: Open) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann = running_bot.people[0]
        shown = await asked(running_bot, ann)
        first = await answer(running_bot, ann, shown, puzzle, wrong(puzzle))
        assert like("puzzle.hint").search(first)
        assert says("control.share") not in [each.label for each in shown.buttons]
        struck = button(puzzle, wrong(puzzle))
        assert [each.disabled for each in shown.buttons if each.custom_id == struck] == [True]
        assert (await asked(running_bot, ann)).text == first
        forged = await ann.press_drawn(shown, f"d1:{puzzle.day}:share").answered()
        assert says("refusal.puzzle_not_answered") in await running_bot.sentence(forged)
        told = await answer(running_bot, ann, shown, puzzle, puzzle.answer.move)
        assert like("puzzle.right").search(told)
        post = (await running_bot.press(ann, shown, says("control.share"))).message
        assert "⬛🟩" in post.text


async def test_a_hint_leaves_few_squares_and_costs_nothing(open_bot: Open) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD, game="tictactoe")
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann = running_bot.people[0]
        shown = await asked(running_bot, ann)
        assert like(
            "puzzle.title", difficulty=says(f"puzzle.difficulty.{puzzle.difficulty}")
        ).search(shown.text)
        assert not like("puzzle.hint").search(shown.text)
        edits = shown.edits
        await ann.press(shown, says("control.hint"))
        await running_bot.sandbox.until(lambda: shown.edits > edits)
        (hint,) = (line for line in shown.text.splitlines() if piece("puzzle.hint") in line)
        best, third = puzzle.answer.move, puzzle.answer.choices[3].move
        assert cell(puzzle, best) in hint
        assert cell(puzzle, third) not in hint
        assert says("control.hint") not in [each.label for each in shown.buttons]
        told = await answer(running_bot, ann, shown, puzzle, puzzle.answer.move)
        assert like("puzzle.right").search(told)
        post = (await running_bot.press(ann, shown, says("control.share"))).message
        assert "🟩" in post.text
        assert "⬛" not in post.text


@pytest.mark.parametrize("task", [Task.WIN, Task.BEST])
async def test_a_person_with_boards_in_words_reads_the_position_and_answers_it(
    open_bot: Open, task: Task
) -> None:
    puzzle = first_day(task, game="ludo" if task is Task.BEST else "tictactoe")
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann = running_bot.people[0]
        drawn = await asked(running_bot, ann)
        await panels.choose(running_bot, ann, "me boards", "words")
        shown = await asked(running_bot, ann)
        read = {
            Task.WIN: says("tictactoe.words.square", cell="a1", mark="").strip(),
            Task.BEST: piece("ludo.words.seat"),
        }[task]
        assert read in shown.text
        assert read not in drawn.text
        assert [each.custom_id for each in shown.buttons] == [
            each.custom_id for each in drawn.buttons
        ]
        told = await answer(running_bot, ann, shown, puzzle, puzzle.answer.move)
        assert like("puzzle.right").search(told)
        assert read in told
        assert [each.label for each in shown.buttons] == [says("control.share")], "no more moves"


async def test_a_result_is_shared_as_a_row_that_gives_nothing_away(open_bot: Open) -> None:
    puzzle = first_day(Task.WIN)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann, ben, *_ = running_bot.people
        shown = await asked(running_bot, ann)
        told = await answer(running_bot, ann, shown, puzzle, puzzle.answer.move)
        post = (await running_bot.press(ann, shown, says("control.share"))).message
        assert not post.ephemeral
        assert like("puzzle.shared", number=str(puzzle.number), squares="🟩").search(post.text)
        assert not post.pictures
        assert like("puzzle.try").search(post.text)
        assert not post.buttons
        place = told.partition(piece("puzzle.right"))[2].partition("\n")[0].strip()
        assert place
        assert place not in post.text
        other = await asked(running_bot, ben)
        unanswered = await ben.press_drawn(other, f"d1:{puzzle.day}:share").answered()
        assert says("refusal.puzzle_not_answered") in await running_bot.sentence(unanswered)


async def test_a_question_is_answered_after_a_restart(open_bot: Open) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann = running_bot.people[0]
        shown = await asked(running_bot, ann)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        assert like("puzzle.right").search(
            await answer(running_bot, ann, shown, puzzle, puzzle.answer.move)
        )
    async with open_bot(later=until(puzzle.day)) as running_bot:
        assert like("puzzle.right").search((await asked(running_bot, ann)).text)


async def test_a_puzzle_can_be_answered_on_the_day_after_and_not_later(open_bot: Open) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann, ben, *_ = running_bot.people
        anns, bens = await asked(running_bot, ann), await asked(running_bot, ben)
        running_bot.clock.advance(timedelta(days=1))
        told = await answer(running_bot, ann, anns, puzzle, puzzle.answer.move)
        assert like("puzzle.right").search(told)
        running_bot.clock.advance(timedelta(days=1))
        over = await ben.press(bens, custom_id=button(puzzle, puzzle.answer.move))
        assert like("refusal.puzzle_over").search(await running_bot.sentence(await over.answered()))


async def test_an_answer_leads_to_the_next_puzzle_and_no_moment_of_it_is_past(
    open_bot: Open,
) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann, ben, *_ = running_bot.people
        for person, late in ((ann, False), (ben, True)):
            shown = await asked(running_bot, person)
            running_bot.clock.advance(timedelta(days=late))
            told = await answer(running_bot, person, shown, puzzle, puzzle.answer.move)
            now = running_bot.clock.now().timestamp()
            moments = [int(at) for at in re.findall(r"<t:(\d+)", told)]
            assert len(moments) == (not late)
            assert all(at > now for at in moments)
            assert bool(like("puzzle.todays").search(told)) == late


@pytest.mark.parametrize("forged", ["d1:{}:m999", "d1:9999-12-31:m0", "d1:0001-01-01:share"])
async def test_what_no_puzzle_offers_is_refused_in_a_sentence(
    running_bot: RunningBot, forged: str
) -> None:
    ann = running_bot.people[0]
    shown = await asked(running_bot, ann)
    custom_id = forged.format(running_bot.clock.now().date())
    said = await running_bot.sentence(await ann.press_drawn(shown, custom_id).answered())
    assert said.startswith((says("refusal.illegal_move"), piece("refusal.puzzle_over")))


async def test_days_in_a_row_are_in_the_statistics_and_in_direct_messages_too(
    open_bot: Open,
) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann = running_bot.people[0]
        for ahead in range(3):
            day = review.puzzle(puzzle.day + timedelta(ahead))
            shown = await asked(running_bot, ann, ann.dm)
            told = await answer(running_bot, ann, shown, day, day.answer.move)
            assert bool(like("puzzle.streak").search(told)) == (ahead > 0)
            post = (await running_bot.press(ann, shown, says("control.share"))).message
            row = like("puzzle.shared.streak", days=str(ahead + 1)).search(post.text)
            assert bool(row) == (ahead > 0)
            running_bot.clock.advance(timedelta(days=1))
        assert says(
            "stats.puzzles", solved="3", answered="3", streak="3", best="3"
        ) in await running_bot.say(ann, "stats")
        for streak in ("3", "0"):  # one missed day is forgiven
            running_bot.clock.advance(timedelta(days=1))
            assert says(
                "stats.puzzles", solved="3", answered="3", streak=streak, best="3"
            ) in await running_bot.say(ann, "stats")


async def test_a_week_of_puzzles_is_a_badge_told_once_by_the_answer(open_bot: Open) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann, ben, *_ = running_bot.people
        records, at = running_bot.parlour.stores.records, running_bot.clock.now()
        for ago in range(1, 7):
            day = puzzle.day - timedelta(ago)
            await records.answer_puzzle(PersonId(ann.id), day, Move(0), solved=True, at=at)
        told = says(
            "board.badge",
            person=f"\u2068{ann.mention}\u2069",
            emblem="🧩",
            badge=says("badge.puzzle_week"),
        )
        for after in range(2):
            today = review.puzzle(puzzle.day + timedelta(after))
            shown = await asked(running_bot, ann)
            right = await answer(running_bot, ann, shown, today, today.answer.move)
            assert (says("board.badges", badges=told) in right) is (after == 0)
            running_bot.clock.advance(timedelta(days=1))
        while running_bot.clock.now().day in {1, 2, 13, 14}:  # on some of which a win is a badge
            running_bot.clock.advance(timedelta(days=1))
        await store(running_bot, resigned("tictactoe", ann.id, ben.id, leaving=[ben.id]))
        for person, has in ((ann, True), (ben, False)):
            stats = await (await person.type(running_bot.games, "stats")).answered()
            await running_bot.press(person, stats.message, says("control.next"))
            kept = like("stats.badge", badge=says("badge.puzzle_week"))
            assert bool(kept.search(stats.message.text)) is has


async def test_what_was_answered_is_exported_and_forgotten(open_bot: Open, database: str) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann = running_bot.people[0]
        shown, tried = await asked(running_bot, ann), [wrong(puzzle), puzzle.answer.move]
        for move in tried:
            await answer(running_bot, ann, shown, puzzle, move)
        assert tables_with(ann, database) == {"puzzle_answer", "puzzle_points", "puzzle_server"}
        _, data = await export(running_bot, ann)
        (answered,), day = data["puzzles"], puzzle.day.isoformat()
        assert answered.pop("at").startswith(day)
        assert answered == {"day": day, "solved": True, "tried": tried}
        here = str(running_bot.games.guild_id)
        assert data["puzzles_asked_for"] == [{"day": day, "server": here}]
        await forget(running_bot, ann)
        assert tables_with(ann, database) == set()

"""The puzzle of the day in a server's channel: once a day, whatever happens meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from random import Random
from typing import Final

import pytest

from bot.locales import shipped
from bot.records.puzzles import WORTH_KEEPING
from bot.sandbox import Channel, Message, Permission
from bot.sandbox.model.messages import Flag
from bot.screens.leaderboard import PICTURE
from bot.screens.puzzle import ANSWER, POSITION
from bot.service.due_work import ASLEEP_AFTER, NOTED_EVERY
from bot.service.news import news_at
from bot.storage.choices import GuildId
from bot.table.seats import PersonId
from bot.ui.postman import MOST_AT_ONCE
from bot.ui.words import Words
from engine import review
from engine.game import Move
from engine.review import Puzzle, Task
from tests.bot.conftest import Opening
from tests.bot.databases import raw
from tests.bot.english import like, piece, says
from tests.bot.games.pixels import decoded
from tests.bot.lent_processes import Lender
from tests.bot.people import Person
from tests.bot.ui import panels
from tests.bot.ui.conftest import Open, RunningBot, opening
from tests.bot.ui.finished import store, won
from tests.bot.ui.test_puzzle import answer, asked, first_day, until, wrong

POSTED: Final = "/channels/*/messages"
HOUR: Final = 16
TUESDAY: Final = 1
DAYS: Final = 31


def lounge(running_bot: RunningBot) -> Channel:
    return running_bot.sandbox.channel("lounge")


def posted(running_bot: RunningBot) -> list[Message]:
    """The messages in the channel of the news."""
    return running_bot.sandbox.messages("lounge")


def days_of(messages: Sequence[Message]) -> list[str]:
    """The days of the puzzles that messages ask."""
    return [each.buttons[0].custom_id.split(":")[1] for each in messages]


async def at_noon(running_bot: RunningBot, day: date) -> None:
    """The time moved on to the noon of a day, before its news."""
    noon = datetime.combine(day, time(12), UTC)
    await running_bot.later(noon - running_bot.clock.now())


async def both_solve_two(running_bot: RunningBot, puzzle: Puzzle) -> None:
    """Ann and Ben solve a puzzle and that of the next day; it is the noon after them then."""
    ann, ben, *_ = running_bot.people
    for ahead in range(2):
        day = review.puzzle(puzzle.day + timedelta(ahead))
        for person in (ann, ben):
            shown = await asked(running_bot, person)
            await answer(running_bot, person, shown, day, day.answer.move)
        await at_noon(running_bot, day.day + timedelta(1))


async def in_the_evening(running_bot: RunningBot, day: date) -> None:
    """The time moved on past the hour of the news."""
    evening = datetime.combine(day, time(HOUR + 1), UTC)
    await running_bot.later(evening - running_bot.clock.now())


async def switch_on(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    await panels.choose(running_bot, ann, "settings news", lounge(running_bot))


async def news_of(running_bot: RunningBot, day: date) -> Message:
    """The news of a day, once they are sent."""
    before = len(posted(running_bot))
    await in_the_evening(running_bot, day)
    await running_bot.sandbox.until(lambda: len(posted(running_bot)) > before)
    return posted(running_bot)[-1]


async def solved(running_bot: RunningBot, day: date) -> None:
    """Ann's right answer to the puzzle of a day, in the server."""
    ann, records = PersonId(running_bot.people[0].id), running_bot.parlour.stores.records
    await records.count_puzzle(ann, day, int(running_bot.games.guild_id or 0))
    at = running_bot.clock.now()
    await records.answer_puzzle(ann, day, Move(0), solved=True, at=at)


def hand_on_claims(database: str) -> None:
    """End the claims of a process that has died, a minute early."""
    with raw(database) as connection:
        connection.exec_driver_sql(
            "UPDATE news SET claimed_until = 0 WHERE claimed_until IS NOT NULL"
        )


async def test_a_month_has_each_puzzle_once_its_streak_and_podium_through_stops_and_crashes(
    open_bot: Open, database: str
) -> None:
    """Ann solves each puzzle, and the games of the first day make the podium of their month."""
    start = first_day(*Task).day
    start += timedelta(start.day == 1)
    days = [start + timedelta(each) for each in range(DAYS)]
    async with open_bot(later=until(start)) as running_bot:
        ann, ben, cleo, dan = running_bot.people
        await switch_on(running_bot)
        await store(running_bot, *(won(ann, loser) for loser in (ben, ben, ben, cleo, dan)))
        for day in days[:4]:
            await solved(running_bot, day)
            await news_of(running_bot, day)
        await solved(running_bot, days[4])
        await at_noon(running_bot, days[4])
        crash = running_bot.sandbox.hold_next("POST", POSTED)
        await in_the_evening(running_bot, days[4])
        await crash.reached()
    crash.open()  # the request has left, and nobody hears the answer
    await running_bot.sandbox.until(lambda: len(posted(running_bot)) == 5)
    hand_on_claims(database)
    evening = datetime.combine(days[4], time(HOUR + 1), UTC) - running_bot.sandbox.clock.now()
    async with open_bot(later=evening) as running_bot:
        for day in days[5:8]:
            await solved(running_bot, day)
            await news_of(running_bot, day)
        await solved(running_bot, days[8])
        crash = running_bot.sandbox.hold_next("POST", POSTED)
        await in_the_evening(running_bot, days[8])
        await crash.reached()
    hand_on_claims(database)
    evening = datetime.combine(days[8], time(HOUR + 1), UTC) - running_bot.sandbox.clock.now()
    async with open_bot(later=evening) as running_bot:
        await running_bot.sandbox.until(lambda: len(posted(running_bot)) == 9)
        crash.open()  # Discord takes what it was sent before once
        for day in days[9:]:
            await solved(running_bot, day)
            if day.weekday() == 0:
                running_bot.sandbox.fail_next("POST", POSTED, 503)
            await news_of(running_bot, day)
        messages = posted(running_bot)
        assert days_of(messages) == [day.isoformat() for day in days]
        for streak, message in enumerate(messages, 1):
            told = like("news.streak", days=str(streak)).search(message.text)
            assert bool(told) is (streak >= WORTH_KEEPING)
        (podium,) = (each for each in messages if piece("podium.title") in each.text)
        assert messages.index(podium) == [day.day for day in days].index(1)
        assert ann.mention in podium.text
        assert [len(each.pictures) for each in messages] == [
            2 * (each is not messages[0]) + (each is podium) for each in messages
        ]
        assert [piece("news.week") in each.text for each in messages] == [
            number > 0 and day.weekday() == 0 for number, day in enumerate(days)
        ]


async def test_news_tell_of_yesterday_and_are_solved_in_private(open_bot: Open) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann, ben, cleo, dan = running_bot.people
        await switch_on(running_bot)
        for person in (ben, ann):
            shown = await asked(running_bot, person)
            await answer(running_bot, person, shown, puzzle, puzzle.answer.move)
            await running_bot.later(timedelta(minutes=1))
        shown = await asked(running_bot, cleo)
        await answer(running_bot, cleo, shown, puzzle, wrong(puzzle))
        await answer(running_bot, dan, await asked(running_bot, dan, dan.dm), puzzle, wrong(puzzle))
        following = review.puzzle(puzzle.day + timedelta(1))
        message = await news_of(running_bot, following.day)
        grade = says(f"puzzle.difficulty.{puzzle.difficulty}")
        told = {"difficulty": grade, "solved": "2", "answered": "3"}
        assert like("news.yesterday", **told).search(message.text), "Dan answered elsewhere"
        first = message.text.index(str(ben.id)), message.text.index(str(ann.id))
        assert first == tuple(sorted(first))
        assert str(cleo.id) not in message.text
        assert "🟩 🟩 ⬛" in message.text
        assert not message.pinged
        assert Flag.SUPPRESS_NOTIFICATIONS in message.body.flags
        solving = await (await dan.press(message, says("control.solve"))).answered()
        assert solving.message.ephemeral
        right = await answer(running_bot, dan, solving.message, following, following.answer.move)
        assert like("puzzle.right").search(right)
        after = await news_of(running_bot, following.day + timedelta(1))
        assert like("news.streak", days="2").search(after.text)
        late = await (await ann.press(message, says("control.solve"))).answered()
        sentence = await running_bot.sentence(late)
        assert like("refusal.puzzle_over").search(sentence), "its answer has been told here"
        await in_the_evening(running_bot, following.day + timedelta(2))
        over = await (await ann.press(message, says("control.solve"))).answered()
        assert like("refusal.puzzle_over").search(await running_bot.sentence(over))


async def test_once_news_have_told_its_answer_a_puzzle_is_over_for_all_who_may_have_read_it(
    open_sandbox: Opening, database: str, lender: Lender, rng: Random
) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    sandbox = await open_sandbox(guilds=2)
    async with opening(sandbox, database, lender, rng)(later=until(puzzle.day)) as running_bot:
        ann, ben, cleo, dan = running_bot.people
        there, records = sandbox.channel("games-2"), running_bot.parlour.stores.records
        await switch_on(running_bot)
        for person in (ann, cleo):
            await asked(running_bot, person)
        late = [
            (ann, await asked(running_bot, ann, there)),
            (cleo, await asked(running_bot, cleo, cleo.dm)),
            (dan, await asked(running_bot, dan, dan.dm)),
            (ben, await asked(running_bot, ben, there)),
        ]
        await news_of(running_bot, puzzle.day + timedelta(1))
        for person, shown in late:
            over = person.press(shown, custom_id=f"d1:{puzzle.day}:m{puzzle.answer.move}")
            sentence = await running_bot.sentence(await (await over).answered())
            assert like("refusal.puzzle_over").search(sentence)
            record = await records.puzzle_record(PersonId(person.id), puzzle.day)
            assert puzzle.day not in record.answers


async def test_a_post_is_the_puzzle_itself_and_fills_with_those_who_solve_it(
    open_bot: Open,
) -> None:
    """It is edited once a minute at most, and never says which move it is."""
    puzzle = first_day(Task.WIN, game="connectfour")
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann, ben, cleo, _ = running_bot.people
        await switch_on(running_bot)
        message = await news_of(running_bot, puzzle.day)
        assert says("puzzle.task.win", count=puzzle.marks) in message.text
        assert says("game.connectfour") in message.text
        discs = [Counter(message.text)[disc] for disc in "🔴🟡"]
        assert sum(discs) >= len(puzzle.moves), "the board, and who is to move"
        assert [each.label for each in message.buttons] == [says("control.solve")]
        column = says("connectfour.words.move", column=puzzle.answer.move + 1)

        async def solve(person: Person, *moves: Move) -> None:
            solving = await (await person.press(message, says("control.solve"))).answered()
            for move in moves:
                await answer(running_bot, person, solving.message, puzzle, move)

        await solve(ann, puzzle.answer.move)
        await running_bot.later(timedelta(seconds=30))
        await running_bot.clock.waited_for()
        assert message.edits == 0, "it came half a minute ago"
        await running_bot.later(timedelta(seconds=30))
        await running_bot.sandbox.until(lambda: message.edits == 1)
        assert says("news.today", solved="1", answered="1") in message.text
        assert like("news.solver", person=ann.mention, squares="🟩").search(message.text)
        await solve(ben, wrong(puzzle), puzzle.answer.move)
        await solve(cleo, wrong(puzzle))
        await running_bot.later(timedelta(seconds=59))
        await running_bot.clock.waited_for()
        assert message.edits == 1
        await running_bot.later(timedelta(seconds=5))
        await running_bot.sandbox.until(lambda: message.edits == 2)
        assert says("news.today", solved="2", answered="3") in message.text
        assert like("news.solver", person=ben.mention, squares="⬛🟩").search(message.text)
        assert cleo.mention not in message.text
        assert column not in message.text
        assert not message.pinged
        after = await news_of(running_bot, puzzle.day + timedelta(1))
        assert says("puzzle.solution", move=column) in after.text
        assert like("puzzle.solution.why").search(after.text)
        position, solution = after.pictures
        assert [position.spoiler, solution.spoiler] == [False, True]
        assert [each.filename for each in after.attachments] == [POSITION, ANSWER]


async def test_a_clock_that_is_set_back_keeps_no_answer_from_the_post(open_bot: Open) -> None:
    """Seed 43 of the simulation: it was edited no more until the hour had passed once again."""
    puzzle = first_day(Task.WIN, game="connectfour")
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann, *_ = running_bot.people
        await switch_on(running_bot)
        message = await news_of(running_bot, puzzle.day)
        await running_bot.later(-timedelta(minutes=59))
        solving = await (await ann.press(message, says("control.solve"))).answered()
        await answer(running_bot, ann, solving.message, puzzle, puzzle.answer.move)
        await running_bot.later(timedelta(seconds=10))
        await running_bot.sandbox.until(lambda: message.edits == 1)


async def test_the_days_on_which_the_bot_was_away_break_no_streak_and_are_told(
    open_bot: Open,
) -> None:
    start = first_day(*Task).day
    async with open_bot(later=until(start)) as running_bot:
        await switch_on(running_bot)
        for day in (start, start + timedelta(1)):
            await solved(running_bot, day)
            await news_of(running_bot, day)
    back = start + timedelta(5)
    async with open_bot(later=until(back) + timedelta(hours=9)) as running_bot:
        message = (await running_bot.sandbox.until(lambda: posted(running_bot)[2:]))[0]
        assert days_of([message]) == [back.isoformat()]
        assert says("news.frozen", count=3) in message.text
        assert says("news.streak", days="2") in message.text
        assert like("news.last", solved="1", answered="1").search(message.text)
        ann, records = PersonId(running_bot.people[0].id), running_bot.parlour.stores.records
        assert (await records.puzzle_record(ann, back)).streak == 2
        await solved(running_bot, back)
        following = await news_of(running_bot, back + timedelta(1))
        assert says("news.streak", days="3") in following.text
        assert piece("news.frozen") not in following.text


async def test_before_the_first_start_there_is_no_absence_that_freezes_days(open_bot: Open) -> None:
    """Else a streak that breaks tonight would not be warned of."""
    start = first_day(*Task).day
    async with open_bot(later=until(start)) as running_bot:
        for _ in range(2):
            await running_bot.later(NOTED_EVERY)
            await running_bot.clock.waited_for()
        ann, records = PersonId(running_bot.people[0].id), running_bot.parlour.stores.records
        assert not (await records.puzzle_record(ann, start)).frozen


@pytest.mark.parametrize("asleep", [True, False])
async def test_the_days_for_which_its_machine_slept_break_no_streak(
    open_bot: Open, asleep: bool
) -> None:
    start = first_day(*Task).day
    async with open_bot(later=until(start)) as running_bot:
        await solved(running_bot, start)
        await running_bot.later(NOTED_EVERY)
        await running_bot.clock.waited_for()
        if asleep:
            running_bot.parlour.use_cases.absences.asleep_after = ASLEEP_AFTER
        back = start + timedelta(4)
        await in_the_evening(running_bot, back)
        await running_bot.clock.waited_for()
        ann, records = PersonId(running_bot.people[0].id), running_bot.parlour.stores.records
        assert (await records.puzzle_record(ann, back)).streak == int(asleep)


async def test_a_clock_that_was_a_month_ahead_for_a_while_saves_no_streak(open_bot: Open) -> None:
    start = first_day(*Task).day
    async with open_bot(later=until(start)) as running_bot:
        await solved(running_bot, start)
        await running_bot.later(NOTED_EVERY)
        absences = running_bot.parlour.use_cases.absences
        never, absences.asleep_after = absences.asleep_after, ASLEEP_AFTER
        for day in (start + timedelta(30), start + timedelta(1)):
            await in_the_evening(running_bot, day)
            await running_bot.later(NOTED_EVERY)
            await running_bot.clock.waited_for()
        absences.asleep_after = never
        for _ in range(4):
            await running_bot.later(timedelta(1))
            await running_bot.clock.waited_for()
        ann, records = PersonId(running_bot.people[0].id), running_bot.parlour.stores.records
        assert (await records.puzzle_record(ann, start + timedelta(5))).streak == 0


async def test_a_podium_of_a_month_is_told_once_though_the_bot_was_away_on_the_first(
    open_bot: Open,
) -> None:
    first = (first_day(*Task).day.replace(day=1) + timedelta(32)).replace(day=1)
    async with open_bot(later=until(first - timedelta(1))) as running_bot:
        ann, ben, cleo, dan = running_bot.people
        await switch_on(running_bot)
        await store(running_bot, *(won(ann, loser) for loser in (ben, ben, ben, cleo, dan)))
        await news_of(running_bot, first - timedelta(1))
    back = first + timedelta(4)
    async with open_bot(later=until(back)) as running_bot:
        late = await news_of(running_bot, back)
        title = says("podium.title", month=f"{first - timedelta(1):%B %Y}").removeprefix("## ")
        assert title in late.text
        after = await news_of(running_bot, back + timedelta(1))
        assert piece("podium.title") not in after.text


async def test_a_lost_channel_breaks_no_streak_until_there_is_another(open_bot: Open) -> None:
    start = first_day(*Task).day
    async with open_bot(later=until(start)) as running_bot:
        ann, *_ = running_bot.people
        await switch_on(running_bot)
        for day in (start, start + timedelta(1)):
            await solved(running_bot, day)
            await news_of(running_bot, day)
        channel, lost = lounge(running_bot), start + timedelta(2)
        guilds, guild = running_bot.parlour.stores.guilds, GuildId(int(channel.guild_id or 0))
        running_bot.sandbox.deny(channel, Permission.SEND_MESSAGES)
        await in_the_evening(running_bot, lost)
        while guilds.of(guild).news_channel is not None:
            await running_bot.say(ann, "help")
        back = lost + timedelta(2)
        await at_noon(running_bot, back)
        await guilds.choose(guild, news_channel=int(running_bot.games.id), news_lost=None)
        await in_the_evening(running_bot, back)
        there = running_bot.sandbox.messages
        (message,) = await running_bot.sandbox.until(
            lambda: [each for each in there("games") if not each.ephemeral]
        )
        assert says("news.frozen", count=2) in message.text
        assert says("news.streak", days="2") in message.text


async def test_on_mondays_the_three_best_of_the_week_are_named(open_bot: Open) -> None:
    monday = first_day(*Task).day
    monday += timedelta(7 - monday.weekday())
    async with open_bot(later=until(monday - timedelta(2))) as running_bot:
        ann, ben, *_ = running_bot.people
        await switch_on(running_bot)
        for day, solver in ((monday - timedelta(2), ann), (monday - timedelta(1), ben)):
            await at_noon(running_bot, day)
            puzzle = review.puzzle(day)
            for person in (ann, ben):
                shown = await asked(running_bot, person)
                if person is not solver:
                    await answer(running_bot, person, shown, puzzle, wrong(puzzle))
                await answer(running_bot, person, shown, puzzle, puzzle.answer.move)
        first = await news_of(running_bot, monday)
        best = first.text.partition(piece("news.week"))[2]
        assert best.count("4.5") == 2, "hard is 3, and half of that for the second try"
        assert best.count("🥇") == 2
        assert str(ann.id) in best
        assert str(ben.id) in best
        later = await news_of(running_bot, monday + timedelta(1))
        assert piece("news.week") not in later.text
        await forgotten(running_bot, ann)
        best = first.text.partition(piece("news.week"))[2]
        assert best.count("4.5") == 1
        assert str(ben.id) in best


async def test_on_the_first_of_a_month_the_news_show_the_podium_of_the_month_before(
    open_bot: Open,
) -> None:
    first = (first_day(*Task).day.replace(day=1) + timedelta(32)).replace(day=1)
    async with open_bot(later=until(first - timedelta(1))) as running_bot:
        ann, ben, cleo, dan = running_bot.people
        await switch_on(running_bot)
        games = [won(one, other) for one in (ann, ben) for other in (cleo, dan) for _ in range(2)]
        await store(running_bot, *games, won(ann, ben))
        running_bot.sandbox.fail_next("POST", POSTED, 503)
        message = await news_of(running_bot, first)
        title = says("podium.title", month=f"{first - timedelta(1):%B %Y}").removeprefix("## ")
        podium = message.text.partition(title)[2]
        assert says("game.tictactoe") in podium
        assert says("game.ludo") not in podium, "nobody has played it"
        assert podium.index(ann.mention) < podium.index(ben.mention)
        assert cleo.mention not in podium, "it takes five games against three people"
        assert not message.pinged
        (picture,) = message.pictures
        assert decoded(message.attachments[0].data)[0] == (720, 204)
        game, *places = picture.description.splitlines()
        assert game == says("game.tictactoe")
        for number, place in enumerate(places, 1):
            assert like("podium.step", place=str(number)).fullmatch(place)
        assert len(places) == 2
        after = await news_of(running_bot, first + timedelta(1))
        assert piece("podium.title") not in after.text
        assert PICTURE not in [each.filename for each in after.attachments]
        guild = GuildId(int(running_bot.games.guild_id or 0))
        elsewhere = {"news_channel": int(running_bot.games.id)}
        await running_bot.parlour.stores.guilds.choose(guild, **elsewhere)
        named = message.attachments[0].data
        await forgotten(running_bot, ann)
        assert says("player.former") in message.text.partition(title)[2]
        assert message.attachments[0].data != named, "the picture had a name and a face"
        assert ben.mention in message.text


async def test_news_of_earlier_days_name_no_solver_who_is_forgotten(open_bot: Open) -> None:
    start = first_day(*Task).day
    async with open_bot(later=until(start)) as running_bot:
        ann, *_ = running_bot.people
        await switch_on(running_bot)
        for days in range(MOST_AT_ONCE + 1):
            await solved(running_bot, start + timedelta(days))
            await news_of(running_bot, start + timedelta(days))
        assert all(ann.mention in each.text for each in posted(running_bot))
        await forgotten(running_bot, ann)


async def test_news_out_of_sight_forget_a_person_once_they_are_in_sight(open_bot: Open) -> None:
    start = first_day(*Task).day
    async with open_bot(later=until(start)) as running_bot:
        ann, *_ = running_bot.people
        await switch_on(running_bot)
        await solved(running_bot, start)
        await news_of(running_bot, start)
        news = await news_of(running_bot, start + timedelta(1))
        assert ann.mention in news.text
        running_bot.sandbox.deny(lounge(running_bot), Permission.VIEW_CHANNEL)
        await running_bot.parlour.use_cases.privacy.forget(PersonId(int(ann.id)))
        for _ in range(2):
            await running_bot.later(timedelta(minutes=1))
            await running_bot.clock.waited_for()
        assert ann.mention in news.text
        running_bot.sandbox.deny(lounge(running_bot))
        await running_bot.later(timedelta(minutes=1))
        await running_bot.sandbox.until(lambda: ann.mention not in news.text)


async def test_news_that_name_the_first_of_the_day_before_forget_them_too(open_bot: Open) -> None:
    start = first_day(*Task).day
    start += timedelta((TUESDAY - start.weekday()) % 7)  # no week ends meanwhile
    async with open_bot(later=until(start)) as running_bot:
        ann, *_ = running_bot.people
        await switch_on(running_bot)
        await solved(running_bot, start)
        await news_of(running_bot, start)
        assert ann.mention in (await news_of(running_bot, start + timedelta(1))).text
        await forgotten(running_bot, ann)


async def test_news_that_are_sent_while_a_person_is_forgotten_do_not_name_them_for_long(
    open_bot: Open,
) -> None:
    start = first_day(*Task).day
    async with open_bot(later=until(start)) as running_bot:
        ann, *_ = running_bot.people
        await switch_on(running_bot)
        await solved(running_bot, start)
        await news_of(running_bot, start)
        channel = running_bot.sandbox.channel("lounge").id
        sending = running_bot.sandbox.hold_next("POST", f"/channels/{channel}/messages")
        await in_the_evening(running_bot, start + timedelta(1))
        await sending.reached()
        await running_bot.parlour.use_cases.privacy.forget(PersonId(int(ann.id)))
        sending.open()
        await running_bot.sandbox.until(lambda: len(posted(running_bot)) == 2)
        await running_bot.later(timedelta(minutes=1))
        await running_bot.sandbox.until(
            lambda: not [e for e in posted(running_bot) if ann.mention in e.text]
        )


async def forgotten(running_bot: RunningBot, person: Person) -> None:
    """A person who is forgotten, and the rounds after which no news name them."""
    await running_bot.parlour.use_cases.privacy.forget(PersonId(int(person.id)))
    news = posted(running_bot)
    await running_bot.later(timedelta(minutes=1))
    await running_bot.sandbox.until(lambda: not [e for e in news if person.mention in e.text])
    assert posted(running_bot) == news


async def test_a_server_gets_todays_puzzle_and_none_that_was_missed(open_bot: Open) -> None:
    start = first_day(*Task).day
    async with open_bot(later=until(start)) as running_bot:
        await switch_on(running_bot)
    back = start + timedelta(5)
    async with open_bot(later=until(back) + timedelta(hours=9)) as running_bot:
        await running_bot.sandbox.until(lambda: posted(running_bot))
        await running_bot.later(timedelta(hours=1))
        await running_bot.clock.waited_for()
        assert days_of(posted(running_bot)) == [back.isoformat()]


async def test_news_whose_hour_passed_without_the_bot_come_late_and_once_and_tell_of_yesterday(
    open_bot: Open,
) -> None:
    """It goes at noon, is back five hours after their hour, and starts once more after that."""
    yesterday = first_day(*Task).day
    today = yesterday + timedelta(1)
    evening = datetime.combine(today, time(HOUR + 5), UTC)
    async with open_bot(later=until(yesterday)) as running_bot:
        await switch_on(running_bot)
        await news_of(running_bot, yesterday)
        await solved(running_bot, yesterday)
        await at_noon(running_bot, today)
        assert len(posted(running_bot)) == 1
        running_bot.sandbox.deny(lounge(running_bot), Permission.READ_MESSAGE_HISTORY)
    for _ in range(2):
        running_bot.sandbox.advance(300.0)  # Discord remembers no nonce so long
        late = evening - running_bot.sandbox.clock.now()
        async with open_bot(later=late) as running_bot:
            await running_bot.sandbox.until(lambda: len(posted(running_bot)) > 1)
            await running_bot.later(timedelta(hours=1))
            await running_bot.clock.waited_for()
            assert days_of(posted(running_bot)) == [yesterday.isoformat(), today.isoformat()]
    message = posted(running_bot)[-1]
    assert like("news.yesterday", solved="1", answered="1").search(message.text)
    assert running_bot.people[0].mention in message.text


async def test_the_chosen_hour_begins_with_the_next_time_it_comes(open_bot: Open) -> None:
    start = first_day(*Task).day
    async with open_bot(later=until(start)) as running_bot:
        ann, *_ = running_bot.people
        await switch_on(running_bot)
        panel = await panels.choose(running_bot, ann, "settings hour", "9")
        assert panels.held(panel, "settings hour") == ["9"]
        guild = GuildId(int(running_bot.games.guild_id or 0))
        at = news_at(guild, 9, start)
        assert f"<t:{int(at.timestamp())}:t>" in panel.text
        await running_bot.later(timedelta(hours=6))
        await running_bot.later(at + timedelta(hours=23, minutes=59) - running_bot.clock.now())
        await running_bot.clock.waited_for()
        assert posted(running_bot) == [], "nine was over when it was chosen"
        await running_bot.later(at + timedelta(1) - running_bot.clock.now())
        await running_bot.sandbox.until(lambda: posted(running_bot))


async def test_a_channel_that_the_bot_cannot_write_in_is_refused(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    running_bot.sandbox.deny(lounge(running_bot), Permission.SEND_MESSAGES)
    panel = await panels.opened(running_bot, ann, "settings")
    used = await panels.used(ann, panel, "settings news", lounge(running_bot))
    assert like("refusal.not_writable").search(await running_bot.sentence(used))
    assert panels.held(panel, "settings news") == []
    assert "settings hour" not in [each.custom_id for each in panel.controls]


async def test_news_of_which_nobody_heard_come_once_where_the_bot_reads_no_messages(
    open_bot: Open, database: str
) -> None:
    day = first_day(*Task).day
    async with open_bot(later=until(day)) as running_bot:
        await switch_on(running_bot)
        running_bot.sandbox.deny(lounge(running_bot), Permission.READ_MESSAGE_HISTORY)
        crash = running_bot.sandbox.hold_next("POST", POSTED)
        await in_the_evening(running_bot, day)
        await crash.reached()
    crash.open()
    sandbox = running_bot.sandbox
    await sandbox.until(lambda: len(posted(running_bot)) == 1)
    hand_on_claims(database)
    sandbox.advance(timedelta(minutes=5).total_seconds())  # Discord remembers no nonce so long
    evening = datetime.combine(day, time(HOUR + 1), UTC) - sandbox.clock.now()
    async with open_bot(later=evening) as running_bot:
        while not await running_bot.parlour.use_cases.stores.news.done(day):
            await running_bot.later(timedelta(seconds=5))
        assert len(posted(running_bot)) == 1


@pytest.mark.parametrize("heard", [True, False])
async def test_news_come_without_pictures_where_the_bot_may_attach_none(
    open_bot: Open, heard: bool
) -> None:
    start = first_day(*Task).day
    following = start + timedelta(1)
    async with open_bot(later=until(start)) as running_bot:
        await switch_on(running_bot)
        channel = lounge(running_bot)
        if heard:
            running_bot.sandbox.deny(channel, Permission.ATTACH_FILES)
        else:
            channel.denied = Permission.ATTACH_FILES
        await news_of(running_bot, start)
        await solved(running_bot, start)
        message = await news_of(running_bot, following)
        assert like("news.yesterday").search(message.text)
        assert message.pictures == []
    evening = datetime.combine(following, time(HOUR + 1), UTC) - running_bot.sandbox.clock.now()
    async with open_bot(later=evening) as running_bot:  # which does not know that it has none
        await solved(running_bot, following)
        while not message.edits:
            await running_bot.later(timedelta(minutes=1))
            await running_bot.clock.waited_for()
        assert says("news.today", solved="1", answered="1") in message.text
        assert days_of(posted(running_bot)) == [start.isoformat(), following.isoformat()]
        guild = GuildId(int(channel.guild_id or 0))
        assert running_bot.parlour.stores.guilds.of(guild).news_channel == int(channel.id)


@pytest.mark.parametrize("loses", ["right", "channel"])
async def test_news_out_of_reach_are_switched_off_and_managers_are_told_in_the_settings(
    open_bot: Open, loses: str
) -> None:
    start = first_day(*Task).day
    async with open_bot(later=until(start)) as running_bot:
        ann, *_ = running_bot.people
        await switch_on(running_bot)
        channel = lounge(running_bot)
        guilds, guild = running_bot.parlour.stores.guilds, GuildId(int(channel.guild_id or 0))
        if loses == "right":
            running_bot.sandbox.deny(channel, Permission.SEND_MESSAGES)
            await in_the_evening(running_bot, start)
        else:
            running_bot.sandbox.remove_channel(channel)
        while guilds.of(guild).news_channel is not None:
            await running_bot.say(ann, "help")
            assert running_bot.sandbox.online
        told = await running_bot.say(ann, "settings")
        assert like("settings.news.lost", channel=f"<#{channel.id}>").search(told)
        while guilds.of(guild).news_lost is not None:
            await running_bot.say(ann, "help")
        again = await running_bot.say(ann, "settings")
        assert piece("settings.news.lost") not in again


async def test_a_manager_is_told_once_with_a_game_that_news_have_stopped(open_bot: Open) -> None:
    start = first_day(*Task).day
    async with open_bot(later=until(start)) as running_bot:
        ann, ben, *_ = running_bot.people
        await switch_on(running_bot)
        channel = lounge(running_bot)
        guilds, guild = running_bot.parlour.stores.guilds, GuildId(int(channel.guild_id or 0))
        running_bot.sandbox.remove_channel(channel)
        await in_the_evening(running_bot, start)
        while guilds.of(guild).news_channel is not None:
            await running_bot.say(ben, "help")
        told = like("news.lost", channel=f"<#{channel.id}>")
        typed = await running_bot.type(ben)
        assert not typed.followups, "Ben does not manage the server"
        typed = await running_bot.type(ann)
        (message,) = await running_bot.sandbox.until(lambda: typed.followups)
        assert message.ephemeral
        assert told.search(message.text)
        while not guilds.of(guild).news_told:
            await running_bot.say(ben, "help")
        again = await running_bot.done(await ann.type(running_bot.games, "connectfour"))
        assert not again.followups
        assert like("settings.news.lost").search(await running_bot.say(ann, "settings"))


async def test_the_leaderboard_of_the_puzzle_is_of_the_servers_month(open_bot: Open) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann, ben, cleo, dan = running_bot.people
        empty = await running_bot.say(ann, "leaderboard", game="puzzle")
        assert says("league.empty") in empty
        assert like("league.begin").search(empty)
        for person, tries in ((ann, 2), (ben, 1), (dan, 1)):
            shown = await asked(running_bot, person, dan.dm if person is dan else None)
            for move in (wrong(puzzle), puzzle.answer.move)[-tries:]:
                await answer(running_bot, person, shown, puzzle, move)
        told = await running_bot.say(ann, "leaderboard", game="puzzle")
        lines = [line for line in told.splitlines() if "🧩 1" in line]
        assert [str(ben.id) in lines[0], str(ann.id) in lines[1]] == [True, True]
        assert len(lines) == 2, "Dan has answered elsewhere"
        assert lines[1].endswith("◀")
        everywhere = await running_bot.say(cleo, "leaderboard", game="puzzle", scope="everywhere")
        assert str(dan.id) in everywhere
        await running_bot.later(timedelta(days=31))
        assert says("league.empty") in await running_bot.say(ann, "leaderboard", game="puzzle")
        ever = await running_bot.say(ann, "leaderboard", game="puzzle", when="ever")
        assert str(ben.id) in ever


async def test_who_asked_for_it_is_told_two_hours_before_a_streak_breaks(open_bot: Open) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann, ben, *_ = running_bot.people
        await panels.choose(running_bot, ann, "me streaks", "on")
        await both_solve_two(running_bot, puzzle)
        breaks = puzzle.day + timedelta(3)
        await at_noon(running_bot, breaks)
        await running_bot.later(timedelta(hours=9, minutes=59))
        await running_bot.clock.waited_for()
        assert not ann.sees(ann.dm)
        await running_bot.later(timedelta(minutes=1))
        await running_bot.sandbox.until(lambda: ann.sees(ann.dm))
        (told,) = ann.sees(ann.dm)
        assert like("news.warning", days="2").search(told.text)
        asked_there = await (await ann.press(told, says("control.solve"))).answered()
        today = review.puzzle(breaks)
        solved = await answer(running_bot, ann, asked_there.message, today, today.answer.move)
        assert like("puzzle.streak", days="3").search(solved)
        await running_bot.later(timedelta(hours=1))
        await running_bot.clock.waited_for()
        assert len(ann.sees(ann.dm)) == 2, "the warning, and the puzzle it led to"
        assert not ben.sees(ben.dm)


async def test_a_warning_speaks_a_persons_own_language_or_that_of_the_server_where_they_play(
    open_bot: Open,
) -> None:
    puzzle = first_day(Task.WIN, Task.HOLD)
    async with open_bot(later=until(puzzle.day)) as running_bot:
        ann, ben, *_ = running_bot.people
        chosen = running_bot.parlour.stores
        await both_solve_two(running_bot, puzzle)
        await chosen.guilds.choose(GuildId(running_bot.sandbox.world.guild.id), language="de")
        await chosen.people.choose(PersonId(ann.id), streaks=True)
        await chosen.people.choose(PersonId(ben.id), streaks=True, language="fr")
        await at_noon(running_bot, puzzle.day + timedelta(3))
        await running_bot.later(timedelta(hours=10))
        for person, language in ((ann, "de"), (ben, "fr")):
            (told,) = await running_bot.sandbox.until(partial(person.sees, person.dm))
            solve = Words(shipped()[language]).template("control.solve")
            assert [button.label for button in told.buttons] == [solve]

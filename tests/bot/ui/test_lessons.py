"""Lessons of the computer: hints, why it moved, and reviews of finished games."""

from __future__ import annotations

import asyncio
import itertools
from random import Random
from typing import Any

import pytest
from discord import ButtonStyle
from sqlalchemy import update

from bot.message.blocks import Prose, Screen
from bot.message.text import Text
from bot.records.reviewed import ReviewedGame
from bot.sandbox import Interaction, Message
from bot.screens import lesson
from bot.screens import review as review_screen
from bot.service import explanations
from bot.service.explanations import Explanation
from bot.service.search_pool import GRACE_SECONDS
from bot.storage.opening import sole_transaction
from bot.storage.schema.game_tables import reviews
from bot.table.seats import Level, PersonId
from bot.table.session import SessionId
from engine import CHANCE, Budget, Options, review
from tests.bot.english import like, piece, says
from tests.bot.games.ludo.ludo_tables import random_moves, table
from tests.bot.kit import stored
from tests.bot.people import Person
from tests.bot.ui import ludo
from tests.bot.ui.conftest import Open, RunningBot, marks


async def explained(running_bot: RunningBot, by: Person, board: Message, label: str) -> Message:
    """The private answer, once the computer has worked it out."""
    pressed: Interaction = await running_bot.press(by, board, label)
    if pressed.message.ephemeral and pressed.message is not board:
        return pressed.message
    await running_bot.sandbox.until(lambda: pressed.followups)
    message = pressed.followups[-1]
    assert message.ephemeral
    return message


async def hinted(running_bot: RunningBot, by: Person, board: Message) -> Message:
    """The hint, which before the first of a game is asked for twice."""
    asked = (await running_bot.press(by, board, says("control.hint"))).message
    assert says("hint.ask") in asked.text
    await by.press(asked, says("control.show_hint"))
    await running_bot.sandbox.until(lambda: like("hint.move").search(asked.text))
    return asked


async def alone(running_bot: RunningBot) -> Message:
    """Ann against the computer, with X in the corner and the answer made."""
    board = await running_bot.opened(running_bot.people[0], level="medium")
    await running_bot.mark(running_bot.people[0], board, (0, 0))
    return board


@pytest.fixture
def rng() -> Random:
    """Chances with which the computer's moves, and so the best answers, are the ones named here."""
    return Random(2)


async def test_a_hint_names_the_best_move_and_why_for_one_reader(running_bot: RunningBot) -> None:
    ann = running_bot.people[0]
    board = await alone(running_bot)
    told = await hinted(running_bot, ann, board)
    assert like("hint.move", move="a1").search(told.text)
    assert like("why.reasons").search(told.text)
    assert says("why.won", count=3) in told.text
    await running_bot.sandbox.until(lambda: like("board.with_hints").search(board.text))
    assert lit(board) == ["m6"], "the square that the hint means"


def lit(board: Message) -> list[str]:
    """The moves whose buttons are green."""
    green = (button for button in board.buttons if button.style == ButtonStyle.success.value)
    return [button.custom_id.split(":")[-1] for button in green]


async def test_a_hint_that_is_pressed_by_mistake_marks_nothing(running_bot: RunningBot) -> None:
    ann = running_bot.people[0]
    board = await alone(running_bot)
    question = (await running_bot.press(ann, board, says("control.hint"))).message
    assert question.ephemeral
    await running_bot.mark(ann, board, (1, 1))
    assert not like("board.with_hints").search(board.text)


async def test_a_hint_stays_lit_after_a_restart_and_until_the_next_move(open_bot: Open) -> None:
    async with open_bot() as running_bot:
        board = await alone(running_bot)
        await hinted(running_bot, running_bot.people[0], board)
    async with open_bot() as running_bot:
        ann = running_bot.people[0]
        again = (await (await ann.type(running_bot.games, "board")).answered()).message
        assert lit(again) == ["m6"]
        await running_bot.mark(ann, again, (1, 1))
        assert lit(again) == []
        await running_bot.press(ann, again, says("control.take_back"))
        assert lit(again) == [], "the board was not the same meanwhile"


async def test_a_hint_that_comes_too_late_is_refused_and_marks_nothing(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = running_bot.people[0]
    board = await alone(running_bot)
    explain, may = explanations.StudyPool.explain, asyncio.Event()

    async def late(*about: Any) -> Any:
        found = await explain(*about)
        await may.wait()
        return found

    monkeypatch.setattr(explanations.StudyPool, "explain", late)
    question = (await running_bot.press(ann, board, says("control.hint"))).message
    asked = await ann.press(question, says("control.show_hint"))
    await running_bot.mark(ann, board, (1, 1))
    may.set()
    assert says("refusal.stale_control") in await running_bot.sentence(await asked.answered())
    assert not like("board.with_hints").search(board.text)
    assert lit(board) == []


async def test_why_this_explains_the_hint(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    board = await alone(running_bot)
    hint = await hinted(running_bot, ann, board)
    told = await explained(running_bot, ann, hint, says("control.why_this"))
    best = "a1"
    assert says("hint.move", move=best) in told.text
    assert like("why.line").search(told.text)
    forged = board.buttons[-1].custom_id.rpartition(":")[0]
    pressed = await ben.forge(board, f"{forged}:why-this").answered()
    assert piece("refusal.unknown_control") in await running_bot.sentence(pressed)
    await running_bot.mark(ann, board, (1, 1))
    later = await explained(running_bot, ann, hint, says("control.why_this"))
    assert best in later.text, "it is about its own board"


async def test_why_this_is_refused_once_the_game_goes_on_without_the_board_of_the_hint(
    running_bot: RunningBot,
) -> None:
    ann = running_bot.people[0]
    board = await alone(running_bot)
    hint = await hinted(running_bot, ann, board)
    await running_bot.press(ann, board, says("control.take_back"))
    await running_bot.sandbox.until(lambda: not marks(board))
    await running_bot.mark(ann, board, (1, 1))
    await running_bot.sandbox.until(lambda: len(marks(board)) == 2)
    free = next(square for square in ((0, 1), (1, 0), (2, 1)) if square not in marks(board))
    await running_bot.mark(ann, board, free)
    await running_bot.sandbox.until(lambda: len(marks(board)) == 4)
    told = await explained(running_bot, ann, hint, says("control.why_this"))
    assert says("refusal.stale_control") in told.text


async def test_a_computers_move_is_explained_on_the_running_board_without_a_mark(
    running_bot: RunningBot,
) -> None:
    ann = running_bot.people[0]
    board = await alone(running_bot)
    why = board.buttons[-1].custom_id.rpartition(":")[0] + ":why"
    pressed = await ann.press_drawn(board, why).answered()
    if not pressed.message.ephemeral:
        await running_bot.sandbox.until(lambda: pressed.followups)
    told = (pressed.followups or [pressed.message])[-1]
    assert not (await running_bot.service.table(SessionId(1))).session.hints
    computer = says("player.computer", level=says("choice.level.medium"))
    moved = "c3"
    assert says("why.move", emblem="⭕", player=computer, move=moved) in told.text
    assert says("why.reasons", reasons=says("reason.corner")) in told.text
    assert says("why.lost", count=3) in told.text
    assert says("why.better", move="b2") in told.text
    assert like("why.line").search(told.text)


async def test_a_game_with_hints_counts_apart(running_bot: RunningBot) -> None:
    ann = running_bot.people[0]
    board = await alone(running_bot)
    await hinted(running_bot, ann, board)
    await running_bot.resign(ann, board)
    record = await running_bot.parlour.stores.records.stats(PersonId(ann.id), "tictactoe")
    assert [(each.level, each.tally.losses) for each in record.levels] == [(Level.HINTS, 1)]


async def test_a_game_with_a_move_taken_back_counts_apart_and_says_so(
    running_bot: RunningBot,
) -> None:
    ann = running_bot.people[0]
    board = await alone(running_bot)
    await running_bot.press(ann, board, says("control.take_back"))
    await running_bot.sandbox.until(lambda: like("board.with_tries").search(board.text))
    assert says("control.cancel") not in [button.label for button in board.buttons]
    await running_bot.resign(ann, board)
    record = await running_bot.parlour.stores.records.stats(PersonId(ann.id), "tictactoe")
    assert [(each.level, each.tally.losses) for each in record.levels] == [(Level.TRIED, 1)]


async def test_friends_have_no_hints_and_onlookers_get_none(running_bot: RunningBot) -> None:
    ben = running_bot.people[1]
    board = await running_bot.friends()
    assert says("control.hint") not in [button.label for button in board.buttons]
    own = await alone(running_bot)
    assert like("refusal.not_at_table").search(
        await running_bot.told(ben, own, says("control.hint"))
    )
    table = own.buttons[-1].custom_id.split(":")[1]
    assert board.buttons[-1].custom_id.split(":")[1] != table


async def test_a_review_has_a_picture_the_slips_and_the_way_to_each(
    running_bot: RunningBot,
) -> None:
    ben = running_bot.people[1]
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (0, 1), (1, 1), (2, 2), (1, 0), (1, 2), (2, 0))
    told = await explained(running_bot, ben, board, says("control.review"))
    assert like("review.title").search(told.text)
    centre = "b2"
    assert like("review.point.better", best=centre).search(told.text)
    assert [file.filename for file in told.attachments] == ["review.png"]
    shown = await explained(running_bot, ben, told, says("control.show", number="1"))
    assert like("replay.move", number="2", of="7", emblem="⭕").search(shown.text)
    why = await explained(running_bot, ben, shown, says("control.why"))
    assert says("why.better", move=centre) in why.text
    shared = (await running_bot.press(ben, told, says("control.share"))).message
    assert not shared.ephemeral
    assert like("review.title").search(shared.text)
    record = await running_bot.parlour.stores.records.stats(PersonId(ben.id), "tictactoe")
    assert record.played is not None
    assert record.played.games == 1
    assert record.played.accuracy < 1
    stats = (await (await ben.type(running_bot.games, "stats")).answered()).message
    assert like("stats.played", count="1").search(stats.text)


async def test_share_posts_one_picture_of_the_game_in_the_language_of_its_channel(
    running_bot: RunningBot,
) -> None:
    cleo = running_bot.people[2]
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (0, 1), (1, 1), (2, 2), (1, 0), (1, 2), (2, 0))
    labels = [button.label for button in board.buttons if button.label.isascii()]
    ways = ("rematch", "replay", "review", "share")
    assert [label for label in labels if label.strip()] == [says(f"control.{way}") for way in ways]
    cleo.locale = "de"
    shared = await shown_to_all(running_bot, cleo, board)
    assert like("won.played", emblem="❌").search(shared.text)
    [picture] = shared.pictures
    assert [file.filename for file in shared.attachments] == ["game.png"]
    assert like("share.told.turning").search(str(picture.description))
    assert says("control.replay") in [button.label for button in shared.buttons]
    assert not shared.pinged


async def shown_to_all(running_bot: RunningBot, by: Person, board: Message) -> Message:
    """The message that *Share* posts, once the computer has worked it out."""
    pressed = await running_bot.press(by, board, says("control.share"))
    if pressed.message is board:
        await running_bot.sandbox.until(lambda: pressed.followups)
        assert not pressed.followups[-1].ephemeral
        return pressed.followups[-1]
    return pressed.message


async def test_a_review_leads_to_the_search_tree_of_the_last_moves(running_bot: RunningBot) -> None:
    ann = running_bot.people[0]
    board = await running_bot.friends()
    await running_bot.play(
        board, (0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0), (2, 2)
    )
    review = await explained(running_bot, ann, board, says("control.review"))
    told = await explained(running_bot, ann, review, says("control.tree"))
    assert says("tree.moves", squares="4") in told.text
    layers = {each: says(f"engine.tree.layer.{each}") for each in ("max", "min")}
    assert says("tree.layers", own="⭕", rival="❌", **layers) in told.text
    assert says("tree.cut", nodes="28", cut="5") in told.text
    assert [file.filename for file in told.attachments] == ["tree.png"]
    [picture] = told.pictures
    worth = says("engine.tree.worth", value="b1: +1", who="⭕")
    assert worth in str(picture.description)
    assert piece("why.line") in str(picture.description)


async def test_a_game_that_ended_early_has_no_tree(running_bot: RunningBot) -> None:
    ann = running_bot.people[0]
    board = await running_bot.friends(size=4)
    await running_bot.resign(ann, board)
    review = await explained(running_bot, ann, board, says("control.review"))
    assert says("control.tree") not in [button.label for button in review.buttons]
    forged = review.buttons[-1].custom_id.replace("share-review", "tree")
    pressed = await ann.press_drawn(review, forged).answered()
    assert says("refusal.nothing_to_explain") in await running_bot.sentence(pressed)


async def test_a_review_stands_after_a_restart_without_being_made_again(open_bot: Open) -> None:
    async with open_bot() as running_bot:
        ann = running_bot.people[0]
        board = await running_bot.friends()
        await running_bot.play(board, (0, 0), (0, 1), (1, 1), (2, 2), (1, 0), (1, 2), (2, 0))
        before = (await explained(running_bot, ann, board, says("control.review"))).text
    async with open_bot() as running_bot:
        again = await explained(running_bot, ann, board, says("control.review"))
        assert again.text == before


async def test_an_outdated_review_is_made_anew_after_a_restart(
    open_bot: Open, database: str
) -> None:
    async with open_bot() as running_bot:
        ann = running_bot.people[0]
        board = await ludo.opened(running_bot.sandbox, ann, computers=1, level="easy", roll="auto")
        await running_bot.resign(ann, board)
        before = (await explained(running_bot, ann, board, says("control.review"))).text
        reviewed = await running_bot.parlour.stores.records.review(SessionId(1))
    with sole_transaction(database) as connection:
        connection.execute(update(reviews).values(outdated=True, found={}))
    async with open_bot() as running_bot:
        records = running_bot.parlour.stores.records
        async with asyncio.timeout(60):
            while await records.outdated_reviews():
                continue
        assert await records.review(SessionId(1)) == reviewed
        assert (await explained(running_bot, ann, board, says("control.review"))).text == before


@pytest.mark.parametrize(("rules", "about"), [({}, False), ({"blocks": "off"}, True)])
def test_chances_by_house_rules_are_told_to_be_about_right(rules: Options, about: bool) -> None:
    moves = next(
        moves
        for plies in range(20, 200)
        if len(moves := random_moves(2, rules, plies, seed=1)) == plies
        and table(2, rules, moves).position.turn != CHANCE
    )
    game = stored(table(2, rules, moves))
    found = review.hint("ludo", 2, rules, moves)
    hinted = keys_of(lesson.hint(Explanation(game, game.session.position, found)))
    assert ("why.about" in hinted, "why.chance" in hinted) == (about, not about)
    reviewed = ReviewedGame.of(review.review("ludo", 2, rules, moves[:12]))
    assert ("review.about" in keys_of(review_screen.review(game, reviewed, None))) is about


def keys_of(screen: Screen) -> set[str]:
    """The keys of what a screen says."""
    prose = [block for block in screen.blocks if isinstance(block, Prose)]
    return {line.key for block in prose for line in block.lines if isinstance(line, Text)}


async def test_a_review_for_which_time_was_short_is_shown_without_a_word_of_that(
    running_bot: RunningBot,
) -> None:
    ann = running_bot.people[0]
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (0, 1), (1, 1), (2, 2), (1, 0), (1, 2), (2, 0))
    played = (await running_bot.service.table(SessionId(1))).session
    clock = itertools.count()
    budget = Budget(deadline=5, clock=lambda: next(clock))
    cut = review.review("tictactoe", 2, played.options, played.moves, budget)
    assert 0 < cut.first < len(played.moves)
    await running_bot.parlour.stores.records.keep_review(SessionId(1), ReviewedGame.of(cut))
    told = await explained(running_bot, ann, board, says("control.review"))
    assert like("review.seat").search(told.text)
    assert str(cut.first) not in told.text.replace(says("review.title", number="1"), "").split("\n")


async def test_ludo_is_reviewed_with_the_luck_of_its_rolls(running_bot: RunningBot) -> None:
    ann = running_bot.people[0]
    board = await ludo.opened(running_bot.sandbox, ann, computers=1, level="easy", roll="auto")
    await running_bot.resign(ann, board)
    told = await explained(running_bot, ann, board, says("control.review"))
    assert like("review.luck").search(told.text)
    assert [file.filename for file in told.attachments] == ["review.png"]


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("hint", says("refusal.hints_against_computers")),
        ("why", says("refusal.only_after_the_game")),
        ("review", says("refusal.not_over")),
        ("tree", says("refusal.not_over")),
    ],
)
async def test_while_friends_play_nothing_is_explained(
    running_bot: RunningBot, action: str, said: str
) -> None:
    ann = running_bot.people[0]
    board = await running_bot.friends()
    await running_bot.play(board, (0, 0), (0, 1))
    resign = next(b.custom_id for b in board.buttons if b.custom_id.endswith(":resign"))
    forged = await ann.press_drawn(board, resign.replace(":resign", f":{action}")).answered()
    assert said in await running_bot.sentence(forged)


async def test_before_a_computer_had_a_choice_there_is_no_why(running_bot: RunningBot) -> None:
    ann = running_bot.people[0]
    board = await running_bot.opened(ann, level="medium")
    why = board.buttons[-1].custom_id.rpartition(":")[0] + ":why"
    pressed = await ann.press_drawn(board, why).answered()
    assert says("refusal.nothing_to_explain") in await running_bot.sentence(pressed)


async def test_a_hint_that_takes_too_long_is_refused_in_a_sentence(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first move on 5x5 takes seconds of proof; here there is a tenth of one."""
    monkeypatch.setattr(explanations, "SECONDS", 0.1 - GRACE_SECONDS)
    ann = running_bot.people[0]
    board = await running_bot.opened(ann, level="easy", size=5, line=4)
    asked = (await running_bot.press(ann, board, says("control.hint"))).message
    told = await explained(running_bot, ann, asked, says("control.show_hint"))
    assert told.text.startswith(says("refusal.not_explained"))

"""Answers that take long: deferred for those who will read them, and suggestions given up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import pytest

from bot.sandbox import Answer, Message, NotAnswered
from bot.sandbox.client import TypedCommand
from bot.ui import response, router
from bot.ui.commands import slash
from tests.bot.english import like
from tests.bot.people import impatient
from tests.bot.thinkers import Gated
from tests.bot.trouble import CALLBACK
from tests.bot.ui import panels
from tests.bot.ui.conftest import Open, RunningBot, marks


@contextmanager
def slow_disk(running_bot: RunningBot) -> Iterator[None]:
    """Everything that is stored has to wait meanwhile."""
    done = Event()
    held = asyncio.ensure_future(running_bot.parlour.stores.database.run(lambda _: done.wait()))
    try:
        yield
    finally:
        done.set()
    assert not held.done()


def boards(running_bot: RunningBot) -> list[Message]:
    """The boards that Ben sees in the channel."""
    _, ben, *_ = running_bot.people
    return [each for each in ben.sees(running_bot.games) if each.buttons]


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("stats", {}),
        ("leaderboard", {}),
        ("history", {}),
        ("games", {}),
        ("replay", {}),
        ("board", {"as": "words"}),
        ("settings", {}),
    ],
)
async def test_a_private_answer_that_takes_long_is_deferred_in_private(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch, command: str, options: dict[str, str]
) -> None:
    ann, ben, *_ = running_bot.people
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    with slow_disk(running_bot):
        typed = await (await ann.type(running_bot.games, command, **options)).answered()
        assert typed.response is Answer.THINKING
        assert typed.message.ephemeral
        assert not ben.sees(running_bot.games)
    answer = typed.message
    await running_bot.sandbox.until(lambda: not answer.thinking and answer.text)
    assert not ben.sees(running_bot.games)


async def test_a_panel_that_a_slow_disk_holds_up_is_acknowledged_and_shown_afterwards(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, *_ = running_bot.people
    panel = await panels.opened(running_bot, ann, "me")
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    with slow_disk(running_bot):
        chosen = await panels.used(ann, panel, "me boards", "words")
        asked = await panels.used(ann, panel, "me export")
        assert {chosen.response, asked.response} == {Answer.LATER_UPDATE}
    await running_bot.sandbox.until(lambda: asked.followups)
    assert asked.followups[0].ephemeral
    assert asked.followups[0].attachments
    await running_bot.sandbox.until(lambda: panels.held(panel, "me boards") == ["words"])


async def test_a_press_that_a_slow_disk_holds_up_is_acknowledged_and_shown_afterwards(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    with slow_disk(running_bot):
        pressed = await running_bot.mark(ann, board, (0, 0))
        assert pressed.response is Answer.LATER_UPDATE
        assert not marks(board)
    await running_bot.sandbox.until(lambda: marks(board) == {(0, 0): "❌"})
    await running_bot.mark(ben, board, (1, 1))


async def test_what_comes_behind_many_others_is_acknowledged_before_its_turn(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    monkeypatch.setattr(router, "AT_ONCE", 3)
    with slow_disk(running_bot):
        waiting = [await ann.type(running_bot.games, "stats") for _ in range(3)]
        pressed = await running_bot.mark(ann, board, (0, 0))
        assert pressed.response is Answer.LATER_UPDATE
        typed = await (await ben.type(running_bot.games, "tictactoe")).answered()
        assert typed.response is Answer.THINKING
        assert not typed.message.ephemeral
        assert running_bot.sandbox.pending == waiting
    await running_bot.sandbox.until(lambda: marks(board) == {(0, 0): "❌"})
    await running_bot.sandbox.until(lambda: not typed.message.thinking)


async def test_what_comes_when_far_too_many_wait_is_refused_and_takes_no_room(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.friends()
    monkeypatch.setattr(router, "MOST_AT_WORK", 3)
    with slow_disk(running_bot):
        waiting = [await ann.type(running_bot.games, "stats") for _ in range(3)]
        assert like("refusal.too_fast").search(await running_bot.told(ann, board, (0, 0)))
        typed = await (await ben.type(running_bot.games, "tictactoe")).answered()
        assert like("refusal.too_fast").search(typed.message.text)
        assert running_bot.sandbox.pending == waiting
    await running_bot.sandbox.until(lambda: not running_bot.sandbox.pending)
    await running_bot.mark(ann, board, (0, 0))
    assert marks(board) == {(0, 0): "❌"}


async def test_a_game_that_takes_long_to_open_is_deferred_in_public(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, *_ = running_bot.people
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    with slow_disk(running_bot):
        typed = await (await ann.type(running_bot.games, "tictactoe", opponent=ben)).answered()
        assert typed.response is Answer.THINKING
        assert not typed.message.ephemeral
    board = typed.message
    await running_bot.sandbox.until(lambda: board.buttons)
    assert ben.sees(running_bot.games) == [board]


async def test_a_game_that_is_refused_after_long_is_refused_in_private(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, *_ = running_bot.people
    await panels.choose(running_bot, ann, "settings games", "1")
    first = await running_bot.friends()
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    with slow_disk(running_bot):
        typed = await (await ann.type(running_bot.games, "tictactoe", opponent=ben)).answered()
    await running_bot.sandbox.until(lambda: typed.followups)
    assert typed.followups[0].ephemeral
    assert like("refusal.channel_full").search(typed.followups[0].text)
    seen = ben.sees(running_bot.games)
    assert not any(like("refusal.channel_full").search(each.text) or each.thinking for each in seen)
    assert [each for each in seen if each.buttons] == [first]


async def test_the_board_again_is_public_however_long_it_takes(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, *_ = running_bot.people
    await running_bot.friends()
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    with slow_disk(running_bot):
        await (await ann.type(running_bot.games, "board")).answered()

    await running_bot.sandbox.until(lambda: [each.edits for each in boards(running_bot)] == [0])
    await running_bot.mark(ann, boards(running_bot)[0], (0, 0))


async def test_a_board_asked_for_again_before_its_game_was_answered_stands_there_once(
    open_bot: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    thinker = Gated()
    async with open_bot(thinker=thinker) as running_bot:
        ann, *_ = running_bot.people
        typed = await ann.type(running_bot.games, "tictactoe", level="hard", mark="o")
        await thinker.asked.wait()
        await typed.answered()

        await (await ann.type(running_bot.games, "board")).answered()
        await running_bot.sandbox.until(lambda: boards(running_bot))
        thinker.allowed.set()
        await running_bot.done(typed)
        await running_bot.sandbox.until(lambda: len(boards(running_bot)) == 1)
        (board,) = boards(running_bot)
        assert board is typed.message
        await running_bot.mark(ann, board, (1, 1))
        await running_bot.sandbox.until(lambda: marks(board).get((1, 1)) == "⭕")


@pytest.mark.parametrize("fault", ["late", "cut", "again", "down"])
async def test_suggestions_that_are_lost_leave_one_line(
    running_bot: RunningBot,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: str,
) -> None:
    ann, *_ = running_bot.people
    await running_bot.friends()
    caplog.clear()
    caplog.set_level(logging.INFO)
    match fault:
        case "late":
            monkeypatch.setattr(slash, "SUGGESTED_WITHIN", 0.0)
        case "cut":
            running_bot.sandbox.cut_next("POST", CALLBACK)
        case "down":
            monkeypatch.setattr(slash, "SUGGESTED_WITHIN", 0.5)
            running_bot.sandbox.fail_next("POST", CALLBACK, 500)
        case "again":
            typed = TypedCommand("board", {"game": ""}, focused="game")
            asked = await ann.command(running_bot.games, typed).answered()
            running_bot.sandbox.redeliver(asked)
    if fault != "again":
        with impatient(), pytest.raises(NotAnswered):
            await ann.complete(running_bot.games, "board", "game", "")
    while "suggestions lost" not in caplog.text:
        await running_bot.say(ann, "help")
    lines = [each for each in caplog.records if "suggestions lost" in each.getMessage()]
    assert [each.exc_info for each in lines] == [None]
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]

"""Answers that take long: deferred for those who will read them, and suggestions given up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import pytest

from bot.sandbox import Answer, Message, NotAnswered
from bot.sandbox.rules.command_input import TypedCommand
from bot.ui import response
from bot.ui.commands import slash
from tests.bot.english import like
from tests.bot.ui.conftest import House, marks

CALLBACK = "/interactions/*/*/callback"


@contextmanager
def slow_disk(house: House) -> Iterator[None]:
    """Everything that is stored has to wait meanwhile."""
    done = Event()
    held = asyncio.ensure_future(house.parlour.kept.database.run(lambda _: done.wait()))
    try:
        yield
    finally:
        done.set()
    assert not held.done()


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("me forget", {}),
        ("me export", {}),
        ("me language", {"language": "automatic"}),
        ("me block", {"user": "Ben"}),
        ("me unblock", {"user": "Ben"}),
        ("me challenges", {"accept": "on"}),
        ("me reminders", {"reminders": "on"}),
        ("me board", {"as": "words"}),
        ("stats", {}),
        ("leaderboard", {}),
        ("history", {}),
        ("games", {}),
        ("replay", {}),
        ("board", {"as": "words"}),
        ("settings limit", {"games": 7}),
        ("settings language", {"language": "automatic"}),
    ],
)
async def test_a_private_answer_that_takes_long_is_deferred_in_private(
    house: House, monkeypatch: pytest.MonkeyPatch, command: str, options: dict[str, str]
) -> None:
    ann, ben, *_ = house.people
    given = {name: ben if value == "Ben" else value for name, value in options.items()}
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    with slow_disk(house):
        typed = await (await ann.type(house.games, command, **given)).answered()
        assert typed.response is Answer.THINKING
        assert typed.message.ephemeral
        assert not ben.sees(house.games)
    answer = typed.message
    await house.sandbox.until(lambda: not answer.thinking and answer.text)
    assert not ben.sees(house.games)


async def test_a_press_that_a_slow_disk_holds_up_is_acknowledged_and_shown_afterwards(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, *_ = house.people
    board = await house.friends()
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    with slow_disk(house):
        pressed = await house.mark(ann, board, (0, 0))
        assert pressed.response is Answer.LATER_UPDATE
        assert not marks(board)
    await house.sandbox.until(lambda: marks(board) == {(0, 0): "❌"})
    await house.mark(ben, board, (1, 1))


async def test_a_game_that_takes_long_to_open_is_deferred_in_public(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, *_ = house.people
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    with slow_disk(house):
        typed = await (await ann.type(house.games, "tictactoe", opponent=ben)).answered()
        assert typed.response is Answer.THINKING
        assert not typed.message.ephemeral
    board = typed.message
    await house.sandbox.until(lambda: board.buttons)
    assert ben.sees(house.games) == [board]


async def test_a_game_that_is_refused_after_long_is_refused_in_private(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, *_ = house.people
    await house.say(ann, "settings limit", games=1)
    first = await house.friends()
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    with slow_disk(house):
        typed = await (await ann.type(house.games, "tictactoe", opponent=ben)).answered()
    await house.sandbox.until(lambda: typed.followups)
    assert typed.followups[0].ephemeral
    assert like("refusal.channel_full").search(typed.followups[0].text)
    assert ben.sees(house.games) == [first]


async def test_the_board_again_is_public_however_long_it_takes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, *_ = house.people
    await house.friends()
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    with slow_disk(house):
        await (await ann.type(house.games, "board")).answered()

    def boards() -> list[Message]:
        return [each for each in ben.sees(house.games) if each.buttons]

    await house.sandbox.until(lambda: len(boards()) == 1 and boards()[0].edits == 0)
    await house.mark(ann, boards()[0], (0, 0))


@pytest.mark.parametrize("fault", ["late", "cut", "again", "down"])
async def test_suggestions_that_are_lost_leave_one_line(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    ann, *_ = house.people
    await house.friends()
    caplog.clear()
    caplog.set_level(logging.INFO)
    match fault:
        case "late":
            monkeypatch.setattr(slash, "SUGGESTED_WITHIN", 0.0)
        case "cut":
            house.sandbox.cut_next("POST", CALLBACK)
        case "down":
            monkeypatch.setattr(slash, "SUGGESTED_WITHIN", 0.5)
            house.sandbox.fail_next("POST", CALLBACK, 500)
        case "again":
            typed = TypedCommand("board", {"game": ""}, focused="game")
            asked = await ann.command(house.games, typed).answered()
            house.sandbox.redeliver(asked)
    if fault != "again":
        with pytest.raises(NotAnswered):
            await ann.complete(house.games, "board", "game", "")
    while "suggestions lost" not in caplog.text:
        await house.say(ann, "help")
    lines = [each for each in caplog.records if "suggestions lost" in each.getMessage()]
    assert [each.exc_info for each in lines] == [None]
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]

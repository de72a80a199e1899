"""Nothing is lost: killed processes, lost answers, deleted messages, old tokens, cut lines."""

from __future__ import annotations

import asyncio
import sqlite3
from asyncio.subprocess import Process
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import randbytes

import discord
import pytest

from bot.sandbox import Message, NotAnswered
from bot.service.due_work import ASLEEP_AFTER, NOTED_EVERY
from bot.ui import response, router
from tests.bot.english import like, mover_in, says
from tests.bot.people import Person, impatient
from tests.bot.process import kill, started
from tests.bot.stand_in import ManualClock, Sandbox
from tests.bot.thinkers import Gated
from tests.bot.trouble import CALLBACK
from tests.bot.ui.conftest import PATIENCE, A, B, E, Open, RunningBot, marks


def process(
    sandbox: Sandbox, folder: Path, **settings: str
) -> AbstractAsyncContextManager[Process]:
    """The bot as a process, connected to the test's sandbox."""
    settings |= {"DISCORD_TOKEN": sandbox.token, "DISCORD_API": sandbox.url}
    return started(folder, **settings)


async def friends(sandbox: Sandbox) -> tuple[Person, Person, Message]:
    """Ann with X, Ben, and the board they play on, as soon as the bot is there."""
    await sandbox.bot_ready()
    ann, ben, games = sandbox.person("Ann"), sandbox.person("Ben"), sandbox.channel("games")
    typed = await (await ann.type(games, "tictactoe", opponent=ben, mark="x")).answered()
    assert typed.message is not None
    await (await ben.press(typed.message, says("control.accept"))).answered()
    return ann, ben, typed.message


async def test_a_game_goes_on_after_the_bot_was_killed(sandbox: Sandbox, folder: Path) -> None:
    async with process(sandbox, folder) as first:
        ann, ben, board = await friends(sandbox)
        await (await ann.press(board, position=A)).answered()
        await kill(first)
        await sandbox.bot_gone()
    async with process(sandbox, folder):
        await sandbox.bot_ready()
        await (await ben.press(board, position=E)).answered()
        assert marks(board) == {A: "❌", E: "⭕"}
        assert mover_in(board.text) == str(ann.id)
        await (await ann.press(board, position=B)).answered()
        assert marks(board) == {A: "❌", B: "❌", E: "⭕"}


async def test_a_move_whose_answer_a_kill_cut_off_is_on_the_board_after_the_restart(
    sandbox: Sandbox, folder: Path
) -> None:
    async with process(sandbox, folder) as first:
        ann, _, board = await friends(sandbox)
        gate = sandbox.hold_next("POST", CALLBACK)
        await ann.press(board, position=A)
        await gate.reached()
        assert marks(board) == {}
        await kill(first)
        await sandbox.bot_gone()
        gate.open()
    async with process(sandbox, folder):
        await sandbox.until(lambda: marks(board) == {A: "❌"})


async def test_a_board_asked_for_just_before_a_kill_is_the_board_three_times_over(
    sandbox: Sandbox, folder: Path
) -> None:
    async with process(sandbox, folder) as first:
        ann, ben, board = await friends(sandbox)
        await kill(first)
        await sandbox.bot_gone()
    for turn, square in enumerate((A, B, E)):
        async with process(sandbox, folder) as killed:
            await sandbox.bot_ready()
            gate, old = sandbox.hold_next("POST", CALLBACK), board
            typed = await ann.type(sandbox.channel("games"), "board")
            await gate.reached()
            await kill(killed)
            await sandbox.bot_gone()
            gate.open()
            board = (await typed.answered()).message
            ann.delete(old)
        async with process(sandbox, folder):
            await sandbox.bot_ready()
            await (await (ben if turn % 2 else ann).press(board, position=square)).answered()
            assert len(marks(board)) == turn + 1
            assert not like("board.moved").search(board.text)


@pytest.mark.both_databases
@pytest.mark.parametrize("dies", [True, False])
async def test_no_time_runs_out_while_the_bot_is_away(open_bot: Open, dies: bool) -> None:
    """Be it that it is ended, or that its machine sleeps; afterwards the time goes on."""
    async with open_bot() as bot:
        board = await bot.friends()
        await passed(bot, 2 * NOTED_EVERY)
        if not dies:
            bot.parlour.use_cases.absences.asleep_after = ASLEEP_AFTER
            await stands_still(bot, board, timedelta(hours=8))
    if dies:
        async with open_bot(later=timedelta(hours=8)) as bot:
            await stands_still(bot, board, timedelta())


async def stands_still(bot: RunningBot, board: Message, away: timedelta) -> None:
    """A board whose time has stood still after an absence, and goes on."""
    await passed(bot, away)
    for _ in range(8):
        await passed(bot, timedelta(seconds=30))
        assert not like("board.lapsed").search(board.text)
    await passed(bot, timedelta(seconds=30))
    await passed(bot, timedelta(seconds=30))
    await bot.sandbox.until(lambda: like("board.lapsed").search(board.text))


async def passed(bot: RunningBot, time: timedelta) -> None:
    """Time that passed, and the round after it."""
    await bot.later(time)
    await bot.clock.waited_for()


async def test_a_computers_turn_that_a_stop_interrupted_is_played_after_the_restart(
    open_bot: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinker = Gated()
    async with open_bot(thinker=thinker) as running_bot:
        ann, *_ = running_bot.people
        board = await running_bot.opened(ann, level="perfect")
        await ann.press(board, position=E)
        await thinker.asked.wait()
        monkeypatch.setattr(router, "LAST_ANSWERS", 0.0)
    assert marks(board) == {}
    async with open_bot() as running_bot:
        await running_bot.sandbox.until(lambda: len(marks(board)) == 2)
        assert marks(board)[E] == "❌"


async def test_a_board_whose_answer_was_lost_on_the_way_is_mended(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await running_bot.friends()
    ann, ben, *_ = running_bot.people
    monkeypatch.setattr(response, "ANSWERED_WITHIN", 0.0)
    running_bot.sandbox.cut_next("POST", CALLBACK)
    with impatient(), pytest.raises(NotAnswered):
        await running_bot.mark(ann, board, A)
    await running_bot.sandbox.until(lambda: marks(board) == {A: "❌"})
    await running_bot.mark(ben, board, E)


async def test_a_board_that_somebody_deleted_is_found_by_its_players_and_not_sent_by_itself(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    await running_bot.client.http.delete_message(int(running_bot.games.id), int(board.id))
    await running_bot.later(timedelta(minutes=5))
    await running_bot.clock.waited_for()
    assert not [message for message in ann.sees(running_bot.games) if message.controls]
    again = (await (await ann.type(running_bot.games, "board")).answered()).message
    assert again is not None
    assert again.id != board.id
    assert like("board.lapsed", "won.time").search(again.text)
    await running_bot.mark(ann, again, A)
    assert marks(again) == {A: "❌"}


async def test_what_is_written_in_a_channel_is_left_unread_and_what_is_deleted_is_heard_of(
    running_bot: RunningBot,
) -> None:
    heard: list[object] = []

    async def read(*messages: object) -> None:
        heard.extend(messages)

    for event in ("on_message", "on_raw_message_edit"):
        setattr(running_bot.client, event, read)
    board = await running_bot.friends()
    deletion = asyncio.create_task(running_bot.client.wait_for("raw_message_delete"))
    await running_bot.client.http.delete_message(int(running_bot.games.id), int(board.id))
    assert (await deletion).message_id == int(board.id)
    assert not heard


async def test_a_board_that_waits_for_discord_holds_no_other_up(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    elsewhere = running_bot.sandbox.channel("lounge")
    typed = await (await ann.type(elsewhere, "tictactoe", opponent=ben)).answered()
    assert typed.message is not None
    await running_bot.press(ben, typed.message, says("control.accept"))
    boards = [await running_bot.friends(), typed.message]
    gate = running_bot.sandbox.hold_next("PATCH", "/channels/*/messages/*")
    await running_bot.later(timedelta(minutes=5))
    await gate.reached()
    await running_bot.sandbox.until(
        lambda: any(like("board.lapsed", "won.time").search(b.text) for b in boards)
    )
    gate.open()
    await running_bot.sandbox.until(
        lambda: all(like("board.lapsed", "won.time").search(b.text) for b in boards)
    )


async def test_a_challenge_whose_message_was_deleted_ends_without_a_word(
    running_bot: RunningBot,
) -> None:
    ann, ben, *_ = running_bot.people
    board = await running_bot.opened(ann, opponent=ben)
    await running_bot.client.http.delete_message(int(running_bot.games.id), int(board.id))
    await running_bot.later(timedelta(minutes=15))
    await running_bot.clock.waited_for()
    assert not ann.sees(running_bot.games)


async def test_a_board_that_discord_could_not_take_is_tried_again(running_bot: RunningBot) -> None:
    board = await running_bot.friends()
    running_bot.sandbox.cut_next("PATCH", "/channels/*/messages/*")
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: like("board.lapsed", "won.time").search(board.text))


@pytest.mark.logs_errors
async def test_a_table_of_a_game_that_is_gone_does_not_hold_the_others_up(
    running_bot: RunningBot, tmp_path: Path
) -> None:
    gone, board = await running_bot.friends(), await running_bot.friends()
    with sqlite3.connect(tmp_path / "parlour.db") as database:
        database.execute("UPDATE session SET game = 'chess' WHERE message = ?", (int(gone.id),))
    database.close()
    running_bot.store.cache.clear()
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: like("board.lapsed", "won.time").search(board.text))
    assert like("refusal.unknown_control").search(
        await running_bot.told(running_bot.people[0], gone, A)
    )


def boards_seen(person: Person, running_bot: RunningBot) -> list[Message]:
    """The boards that a person sees, without reminders."""
    return [message for message in person.sees(running_bot.games) if message.controls]


@pytest.mark.both_databases
async def test_boards_in_a_new_sandbox_are_sent_again(open_bot: Open) -> None:
    async with open_bot() as running_bot:
        board = await running_bot.friends()
        await running_bot.play(board, A)
        running_bot.people[0].delete(board)
    async with open_bot(new_sandbox=True) as running_bot:
        ann, ben, *_ = running_bot.people
        shown = partial(boards_seen, ann, running_bot)
        await running_bot.sandbox.until(shown)
        again = shown()[-1]
        assert marks(again) == {A: "❌"}
        await running_bot.mark(ben, again, E)


class TestOnAClockOfItsOwn:
    """With a sandbox whose time the test moves."""

    @pytest.fixture
    def sandbox(self, timed_sandbox: Sandbox) -> Sandbox:
        return timed_sandbox

    async def test_a_board_older_than_fifteen_minutes_is_played_and_mended(
        self, running_bot: RunningBot, manual_clock: ManualClock
    ) -> None:
        board = await running_bot.friends()
        ann, ben, *_ = running_bot.people
        manual_clock.advance(24 * 3600)
        await running_bot.mark(ann, board, A)
        manual_clock.advance(16 * 60)
        await running_bot.later(timedelta(minutes=5))
        await running_bot.sandbox.until(lambda: like("board.lapsed", "won.time").search(board.text))
        await running_bot.press(ann, board, says("control.claim"))
        assert like("board.lapsed", "won.time", player=ben.mention, loser=ben.mention).search(
            board.text
        )

    async def test_a_press_that_reaches_the_bot_too_late_counts_once_and_is_shown(
        self, running_bot: RunningBot, manual_clock: ManualClock
    ) -> None:
        board = await running_bot.friends()
        ann, ben, *_ = running_bot.people
        press = await ann.press(board, position=A)
        manual_clock.advance(PATIENCE)
        with pytest.raises(NotAnswered):
            await press.answered()
        running_bot.sandbox.redeliver(press)
        await running_bot.sandbox.until(lambda: marks(board) == {A: "❌"})
        await running_bot.mark(ben, board, E)
        assert marks(board) == {A: "❌", E: "⭕"}


async def test_a_computer_that_thinks_for_long_is_waited_for_and_its_press_does_not_fail(
    open_bot: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinker = Gated()
    async with open_bot(thinker=thinker) as running_bot:
        ann, *_ = running_bot.people
        board = await running_bot.opened(ann, level="perfect")
        monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
        press = await ann.press(board, position=E)
        answered = await press.answered()
        assert answered.response is not None
        assert answered.response.name == "LATER_UPDATE"
        assert marks(board) == {}
        thinker.allowed.set()
        await running_bot.sandbox.until(lambda: len(marks(board)) == 2)
        assert board.edits == 1


async def test_a_command_whose_computer_thinks_for_long_is_waited_for_too(
    open_bot: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response, "DEFER_AFTER", 0.0)
    thinker = Gated()
    async with open_bot(thinker=thinker) as running_bot:
        ann, *_ = running_bot.people
        typed = await running_bot.type(ann, level="perfect", mark="o")
        assert typed.message is not None
        assert typed.message.thinking
        thinker.allowed.set()
        board = typed.message
        await running_bot.sandbox.until(lambda: len(marks(board)) == 1)
        thinker.allowed.set()
        await running_bot.mark(ann, board, E)


async def test_a_button_that_nothing_answers_to_any_more_gets_a_sentence(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    view = discord.ui.View(timeout=None)
    for number, custom_id in enumerate(("p0:7:1:m4", "p1:404:0:m4", "p1:1:0", "anything\nelse")):
        view.add_item(discord.ui.Button(label=str(number), custom_id=custom_id, row=number))
    channel = running_bot.client.get_partial_messageable(int(running_bot.games.id))
    view.stop()
    await channel.send("From another time", view=view, nonce=randbytes(12).hex())
    message = ann.sees(running_bot.games)[-1]
    for label in "0123":
        assert like("refusal.unknown_control").search(await running_bot.told(ann, message, label))


@pytest.mark.logs_errors
async def test_a_fault_in_the_bot_becomes_a_sentence_and_the_game_is_safe(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    with monkeypatch.context() as patched:
        patched.setattr(running_bot.service, "press", None)
        assert says("failure") in await running_bot.told(ann, board, A)
    assert any(record.exc_info for record in caplog.records)
    await running_bot.mark(ann, board, A)
    assert marks(board) == {A: "❌"}


async def test_a_press_that_came_while_the_connection_was_cut_counts_once(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    running_bot.sandbox.drop_gateway()
    press = await ann.press(board, position=A)
    running_bot.sandbox.redeliver(press)
    await press.answered()
    await running_bot.sandbox.bot_ready()
    assert marks(board) == {A: "❌"}


async def test_commands_are_registered_again_only_when_they_have_changed(
    open_bot: Open, sandbox: Sandbox
) -> None:
    puts = []
    sandbox.observe(lambda seen: puts.append(seen) if "PUT" in str(seen) else None)
    for _ in range(2):
        async with open_bot():
            pass
    assert len([put for put in puts if "/commands" in str(put)]) == 1

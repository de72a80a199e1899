"""Discord in trouble: errors of its own, cut answers; what people did is shown when it is back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from itertools import pairwise

import pytest
from sqlalchemy import Connection, Engine, event

from bot.logs import RECONNECTING
from bot.sandbox import Message, NotAnswered, Permission
from bot.storage.messages import Messages
from bot.storage.tournaments import TournamentStore
from bot.table.seats import PersonId
from bot.ui import discord_internals, postman, response, router
from bot.ui.postman import MOST_AT_ONCE, SETTLED_AFTER
from bot.ui.profiles import profiles_of
from tests.bot.english import piece, says
from tests.bot.heard import heard
from tests.bot.people import impatient
from tests.bot.stand_in import Sandbox
from tests.bot.thinkers import Gated
from tests.bot.trouble import CALLBACK, EDIT, MESSAGES, Exchange, Observed
from tests.bot.ui import ludo, panels
from tests.bot.ui.conftest import A, B, Open, RunningBot, marks
from tests.bot.ui.crowd import Requests, crowd
from tests.bot.ui.hall import Hall
from tests.simulation.threads import full

pytestmark = pytest.mark.usefixtures("virtual_time")

ANSWER = "/webhooks/**"
ORIGINAL = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
SEND = "/channels/*/messages"
LATE = piece("board.lapsed")


def down(sandbox: Sandbox, method: str, path: str, times: int, status: int = 503) -> None:
    """Lets a number of requests fail."""
    for _ in range(times):
        sandbox.fail_next(method, path, status)


def boards(running_bot: RunningBot) -> list[Message]:
    """The boards in the channel."""
    return [each for each in running_bot.people[0].sees(running_bot.games) if each.controls]


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_a_press_is_answered_although_four_answers_fail(
    running_bot: RunningBot, status: int
) -> None:
    board = await running_bot.friends()
    down(running_bot.sandbox, "POST", CALLBACK, 4, status)
    await running_bot.play(board, A)
    assert marks(board) == {A: "❌"}


@pytest.mark.parametrize("carried_out", [False, True])
async def test_a_press_is_answered_although_the_connection_is_cut(
    running_bot: RunningBot, carried_out: bool
) -> None:
    board = await running_bot.friends()
    running_bot.sandbox.cut_next("POST", CALLBACK, carried_out=carried_out)
    await running_bot.play(board, A)
    assert marks(board) == {A: "❌"}
    await running_bot.play(board, A, B)


async def test_an_answer_that_comes_late_covers_a_newer_board_for_seconds_only(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await running_bot.friends()
    with monkeypatch.context() as crowded:
        crowded.setattr(router, "AT_ONCE", 0)
        late = running_bot.sandbox.cut_and_delay_next("PATCH", ANSWER)
        await running_bot.play(board, A)
        await running_bot.sandbox.until(lambda: marks(board) == {A: "❌"})
    await running_bot.mark(running_bot.people[1], board, B)
    assert marks(board) == {A: "❌", B: "⭕"}
    await late.passed()
    assert marks(board) == {A: "❌"}, "Discord has carried it out after all"
    await running_bot.later(SETTLED_AFTER)
    await running_bot.later(timedelta(seconds=5))
    await running_bot.sandbox.until(lambda: marks(board) == {A: "❌", B: "⭕"})


async def test_an_edit_that_an_ended_process_sent_covers_a_newer_board_for_seconds_only(
    open_bot: Open, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_bot() as running_bot:
        board = await running_bot.friends()
        with monkeypatch.context() as patched:
            patched.setattr(response, "ANSWERED_WITHIN", 0.0)
            down(sandbox, "POST", CALLBACK, 1)
            late = sandbox.hold_next("PATCH", EDIT)
            await running_bot.people[0].press(board, position=A)
            await late.reached()
    async with open_bot() as running_bot:
        await sandbox.until(lambda: marks(board) == {A: "❌"})
        await running_bot.mark(running_bot.people[1], board, B)
        await late.passed()
        assert marks(board) == {A: "❌"}
        await running_bot.later(SETTLED_AFTER)
        await running_bot.later(timedelta(seconds=5))
        await sandbox.until(lambda: marks(board) == {A: "❌", B: "⭕"})


@pytest.mark.logs_errors
async def test_a_board_whose_number_a_full_disk_did_not_take_is_not_sent_again(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seed 4 of the simulation: the bot may not look for it, as it must not read old messages."""
    ann, ben, *_ = running_bot.people
    with monkeypatch.context() as full:
        full.setattr(Messages, "save_message", disk_full)
        typed = await (await ann.type(running_bot.games, "tictactoe", opponent=ben)).answered()
        await running_bot.client.router.closed()
    running_bot.sandbox.fail_next("GET", SEND, 403, 50013)
    await running_bot.later(timedelta(seconds=40))
    await running_bot.later(timedelta(seconds=5))
    await running_bot.clock.waited_for()
    assert boards(running_bot) == [typed.message]
    await running_bot.press(ben, typed.message, says("control.accept"))


async def test_a_sign_up_deleted_before_a_full_disk_took_its_number_is_sent_again(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postman, "LONGEST_TRY_AFTER", 0.3)
    hall = Hall(running_bot, [*running_bot.people[:1]])
    with monkeypatch.context() as full:
        full.setattr(TournamentStore, "place", disk_full)
        await hall.sign_up()
        (first,) = await running_bot.sandbox.until(lambda: hall.messages)
        await running_bot.client.http.delete_message(int(first.channel.id), int(first.id))
        await running_bot.sandbox.until(lambda: hall.messages)
    await hall.later()
    assert (await hall.hosted()).message == int(hall.message.id)


async def disk_full(*_: object, **__: object) -> None:
    raise OSError("database or disk is full")


@contextmanager
def full_disk() -> Iterator[None]:
    """The disk takes no commit meanwhile."""

    def refuse(_: Connection) -> None:
        raise full()

    event.listen(Engine, "commit", refuse)
    try:
        yield
    finally:
        event.remove(Engine, "commit", refuse)


async def test_a_move_counts_without_a_word_though_the_disk_is_full_when_the_computer_answers(
    open_bot: Open,
) -> None:
    thinker = Gated()
    async with open_bot(thinker=thinker) as running_bot:
        ann, *_ = running_bot.people
        board = await running_bot.opened(ann, level="perfect")
        pressed = await ann.press(board, position=A)
        await thinker.asked.wait()
        with full_disk():
            thinker.allowed.set()
            await running_bot.done(pressed)
        assert not pressed.followups
        assert marks(board) == {A: "❌"}
        await running_bot.later(timedelta(seconds=5))
        await running_bot.sandbox.until(lambda: len(marks(board)) == 2)


async def test_a_move_that_a_full_disk_does_not_take_is_said_not_to_count(
    running_bot: RunningBot,
) -> None:
    ann, *_ = running_bot.people
    board = await running_bot.friends()
    with full_disk():
        assert says("unavailable") in await running_bot.told(ann, board, A)
    await running_bot.play(board, A)
    assert marks(board) == {A: "❌"}


async def test_a_sentence_is_told_although_the_connection_is_cut(running_bot: RunningBot) -> None:
    running_bot.sandbox.cut_next("POST", CALLBACK)
    assert says("help.title") in await running_bot.say(running_bot.people[0], "help")


@pytest.mark.parametrize("fault", ["cut", "cut after", "503", "503 after"])
async def test_a_game_whose_start_is_cut_has_one_board(running_bot: RunningBot, fault: str) -> None:
    carried_out = fault.endswith("after")
    if fault.startswith("cut"):
        running_bot.sandbox.cut_next("POST", CALLBACK, carried_out=carried_out)
    else:
        running_bot.sandbox.fail_next("POST", CALLBACK, 503, carried_out=carried_out)
    board = await running_bot.friends()
    await running_bot.later(timedelta(seconds=40))
    await running_bot.later(timedelta(seconds=10))
    await running_bot.clock.waited_for()
    assert boards(running_bot) == [board]
    await running_bot.play(board, A)
    assert marks(board) == {A: "❌"}


@pytest.mark.parametrize("carried_out", [False, True])
async def test_a_start_that_is_cut_for_good_has_one_board_all_the_same(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch, carried_out: bool
) -> None:
    ann, ben, *_ = running_bot.people
    with monkeypatch.context() as patched:
        patched.setattr(response, "ANSWERED_WITHIN", 0.0)
        running_bot.sandbox.cut_next("POST", CALLBACK, carried_out=carried_out)
        with impatient() if not carried_out else nullcontext():
            typed = await ann.type(running_bot.games, "tictactoe", opponent=ben, mark="x")
        if not carried_out:
            with pytest.raises(NotAnswered):
                await typed.answered()
        await running_bot.sandbox.until(lambda: boards(running_bot))
    await running_bot.later(timedelta(seconds=40))
    await running_bot.clock.waited_for()
    [board] = boards(running_bot)
    await running_bot.press(ben, board, says("control.accept"))
    await running_bot.mark(ann, board, A)
    assert marks(board) == {A: "❌"}
    assert len(boards(running_bot)) == 1


async def test_a_challenge_that_an_answer_given_up_has_sent_pings_once_where_nothing_can_be_read(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seed 220: the board was sent to the channel too, in which the bot could not look for it."""
    ann, ben, *_ = running_bot.people
    sandbox = running_bot.sandbox
    sandbox.deny(running_bot.games, Permission.READ_MESSAGE_HISTORY)
    asked = Requests("GET", ORIGINAL)
    sandbox.observe(asked)
    with monkeypatch.context() as patched:
        patched.setattr(response, "ANSWERED_WITHIN", 0.0)
        sandbox.fail_next("POST", CALLBACK, 504, carried_out=True)
        sandbox.fail_next("GET", ORIGINAL, 503)
        await running_bot.done(
            await ann.type(running_bot.games, "tictactoe", opponent=ben, mark="x")
        )
    await running_bot.later(timedelta(seconds=40))
    await running_bot.clock.waited_for()
    assert asked.statuses == [503, 200]
    [board] = boards(running_bot)
    assert board.pinged == {"Ben"}
    await running_bot.press(ben, board, says("control.accept"))
    await running_bot.mark(ann, board, A)
    assert marks(board) == {A: "❌"}


async def test_a_board_sent_to_the_channel_whose_answer_is_cut_is_not_sent_again(
    open_bot: Open, sandbox: Sandbox
) -> None:
    async with open_bot() as running_bot:
        board = await running_bot.friends()
        running_bot.people[0].delete(board)
    sandbox.cut_next("POST", SEND, carried_out=True)
    async with open_bot(new_sandbox=True) as running_bot:
        await sandbox.until(lambda: boards(running_bot))
        await running_bot.later(timedelta(seconds=40))
        await running_bot.clock.waited_for()
        [again] = boards(running_bot)
        await running_bot.mark(running_bot.people[0], again, A)
        assert marks(again) == {A: "❌"}


@pytest.mark.parametrize("accepted", [True, False])
async def test_a_board_is_not_sent_again_where_the_bot_may_not_look_for_it(
    open_bot: Open, sandbox: Sandbox, accepted: bool
) -> None:
    async with open_bot() as running_bot:
        ann, ben, *_ = running_bot.people
        if accepted:
            await running_bot.mark(ann, await running_bot.friends(), A)
        else:
            await running_bot.opened(ann, opponent=ben)
    sandbox.channel("games").denied = Permission.READ_MESSAGE_HISTORY
    for status in (502, 503):
        sandbox.fail_next("POST", SEND, status, carried_out=True)
    sandbox.world.clear()
    sent = Requests("POST", MESSAGES)
    sandbox.observe(sent)
    async with open_bot(new_sandbox=True) as running_bot:
        await sandbox.until(lambda: 200 in sent.statuses)
        assert sent.statuses == [502, 503, 200]
        [again] = boards(running_bot)
        assert again.pinged == (frozenset() if accepted else {"Ben"})
        if not accepted:
            await running_bot.press(ben, again, says("control.accept"))
        await running_bot.mark(ben if accepted else ann, again, B)
        assert B in marks(again)


async def test_boards_are_right_soon_after_discord_is_back(
    running_bot: RunningBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postman, "LONGEST_TRY_AFTER", 0.3)
    board = await running_bot.friends()
    down(running_bot.sandbox, "PATCH", EDIT, 6)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: LATE in board.text)


async def test_many_boards_behind_are_met_by_few_requests_while_discord_is_down(
    running_bot: RunningBot, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postman, "LONGEST_TRY_AFTER", 0.3)
    ann, *_ = running_bot.people
    lounge = running_bot.sandbox.channel("lounge")
    await panels.choose(running_bot, ann, "settings games", "50")
    many = [await running_bot.friends() for _ in range(20)]
    seen: list[int] = []

    def listen(observed: Observed) -> None:
        if isinstance(observed, Exchange) and observed.method == "PATCH":
            seen.append(observed.status)

    sandbox.observe(listen)
    down(sandbox, "PATCH", EDIT, 16)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: all(LATE in board.text for board in many), within=60)
    assert seen.count(503) == 16
    assert len(many) <= seen.count(200) < 2 * len(many)
    probes = seen[8:]
    assert all(503 not in pair for pair in pairwise(probes[probes.index(200) :]))
    assert lounge.latest is None


async def test_a_board_that_alone_fails_holds_no_other_up(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    board, other = await running_bot.friends(), await running_bot.friends()
    down(running_bot.sandbox, "PATCH", f"/channels/{running_bot.games.id}/messages/{board.id}", 100)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: LATE in other.text)
    assert LATE not in board.text
    await running_bot.mark(ann, board, A)
    assert marks(board) == {A: "❌"}


async def test_a_picture_whose_first_answer_fails_arrives_whole(running_bot: RunningBot) -> None:
    ann, *_ = running_bot.people
    down(running_bot.sandbox, "POST", CALLBACK, 2)
    board = await ludo.opened(running_bot.sandbox, ann, computers=3, level="easy", board="picture")
    [picture] = await running_bot.sandbox.until(lambda: board.pictures)
    assert picture.file.data.startswith(b"\x89PNG")


@pytest.mark.parametrize("path", [CALLBACK, EDIT])
async def test_a_rate_limit_is_waited_for(running_bot: RunningBot, path: str) -> None:
    board = await running_bot.friends()
    method = "POST" if path == CALLBACK else "PATCH"
    running_bot.sandbox.fail_next(method, path, 429, retry_after=0.05)
    await running_bot.play(board, A)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: LATE in board.text)
    assert marks(board) == {A: "❌"}


async def test_a_global_rate_limit_holds_all_boards_back_and_no_press(
    running_bot: RunningBot, sandbox: Sandbox
) -> None:
    board = await running_bot.friends()
    many = await crowd(running_bot, 40)
    edits = Requests("PATCH", "/channels/{channel_id}/messages/{message_id}")
    sandbox.observe(edits)
    await running_bot.later(timedelta(minutes=4))
    await running_bot.mark(running_bot.people[0], board, A)
    sandbox.fail_next("PATCH", EDIT, 429, retry_after=4.0, all_routes=True)
    await running_bot.later(timedelta(minutes=1))
    await sandbox.until(lambda: edits.statuses)
    await running_bot.mark(running_bot.people[1], board, B)
    assert marks(board) == {A: "❌", B: "⭕"}
    assert edits.statuses.count(200) < MOST_AT_ONCE
    await sandbox.until(lambda: edits.statuses.count(200) >= len(many), within=60)
    assert edits.statuses.count(429) == 1
    late = {each.id for each in boards(running_bot) if LATE in each.text}
    assert late == {table.place.message for table in many}


async def test_a_request_given_up_in_a_global_rate_limit_holds_nothing_back_for_ever(
    running_bot: RunningBot, sandbox: Sandbox
) -> None:
    """Seed 1197 of the simulation: a picture gave a name up, and no board was drawn."""
    board = await running_bot.friends()
    ann, *_ = running_bot.people
    await running_bot.mark(ann, board, A)
    limits = Requests("GET", "/guilds/{guild_id}/members/{user_id}")
    sandbox.observe(limits)
    sandbox.fail_next("GET", "/guilds/*/members/*", 429, retry_after=0.3, all_routes=True)
    guild = int(running_bot.games.guild_id or 0)
    asking = profiles_of(running_bot.client, guild, [PersonId(int(ann.id))])
    picture = asyncio.create_task(asking)
    await sandbox.until(lambda: limits.statuses)
    picture.cancel()
    assert limits.statuses == [429]
    await running_bot.later(timedelta(minutes=5))
    await sandbox.until(lambda: LATE in board.text)


async def test_a_board_is_right_soon_after_more_rate_limits_than_discord_py_waits_for(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    for _ in range(7):
        running_bot.sandbox.fail_next("PATCH", EDIT, 429, retry_after=0.05)
    await running_bot.later(timedelta(minutes=5))
    await running_bot.sandbox.until(lambda: LATE in board.text)


async def test_an_answer_that_never_comes_counts_as_lost(
    open_bot: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that is gone without a word holds a board up for seconds, not for minutes."""
    async with open_bot() as running_bot:
        board = await running_bot.friends()
        monkeypatch.setattr(discord_internals, "HEARD_WITHIN", 1.0)
        discord_internals.lose_silent(running_bot.client)
        silent = running_bot.sandbox.hold_next("POST", CALLBACK)
        await running_bot.play(board, A, B)
        assert marks(board) == {A: "❌", B: "⭕"}
        silent.open()


@pytest.mark.usefixtures("connected_at_once")
async def test_a_gateway_that_was_away_for_long_is_found_again_soon(
    running_bot: RunningBot,
) -> None:
    board = await running_bot.friends()
    with heard("discord.shard", RECONNECTING, times=12) as tried:
        running_bot.sandbox.drop_gateway(refuse=True)
        async with asyncio.timeout(60):
            await tried.wait()
    running_bot.sandbox.drop_gateway()
    await running_bot.sandbox.bot_ready()
    await running_bot.play(board, A)
    assert marks(board) == {A: "❌"}


@pytest.mark.usefixtures("connected_at_once")
@pytest.mark.parametrize("forget", [False, True])
async def test_a_game_goes_on_after_the_connection_was_cut(
    running_bot: RunningBot, forget: bool
) -> None:
    board = await running_bot.friends()
    running_bot.sandbox.drop_gateway(forget=forget)
    await running_bot.sandbox.bot_gone()
    await running_bot.sandbox.bot_ready()
    await running_bot.play(board, A, B)
    assert marks(board) == {A: "❌", B: "⭕"}


NASTY = "**@everyone** \u202e`<@&1>` [x](https://example.com) \n# big"


SUGGESTED = (("board", "game"), ("replay", "game"))


async def test_names_are_left_to_discord_which_shows_them_as_names(running_bot: RunningBot) -> None:
    ann, ben, *_ = running_bot.people
    ann.account.name = NASTY
    over = await running_bot.friends()
    await running_bot.resign(ben, over)
    running = await running_bot.friends()
    await ludo.begun(running_bot.sandbox, (ann, ben))
    for command in ("stats", "history", "leaderboard", "games"):
        await running_bot.say(ben, command)
    await running_bot.say(ben, "board", **{"as": "words"})
    await panels.choose(running_bot, ben, "me blocked", ann)
    replay = (await running_bot.press(ben, over, says("control.replay"))).message
    await running_bot.press(ben, replay, says("control.as_files"))
    await panels.use(running_bot, ben, "me export")
    assert ann.mention in running.text
    seen = [each for each in running_bot.sandbox.messages("games") if each.author.bot]
    assert len(seen) > 8
    files = [file.data.decode() for each in seen for file in each.attachments]
    offered = [
        choice.name
        for command, option in SUGGESTED
        for choice in await ann.complete(running_bot.games, command, option, "")
    ]
    assert len(files) == 3
    assert len(offered) > 2
    told = [*(each.text for each in seen), *files, *offered]
    assert not [each for each in told if "@everyone" in each or "\u202e" in each]

"""The postman with a kind of posts of its own: one writer, one message, whatever is lost."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Final

import pytest

from bot.message.text import text
from bot.metrics import PrometheusMeter
from bot.sandbox import Message, Permission
from bot.ui import postman
from bot.ui.postman import (
    LONGEST_PAUSE,
    MOST_AT_ONCE,
    SETTLED_AFTER,
    SHORTEST_PAUSE,
    Delivery,
    Letter,
    Post,
    PostKind,
)
from bot.ui.reach import COMPARED_EVERY
from bot.ui.render import notice_view
from tests.bot.english import says
from tests.bot.heard import heard
from tests.bot.trouble import EDIT, MESSAGES
from tests.bot.ui.conftest import Open, RunningBot, marks
from tests.bot.ui.crowd import Requests
from tests.bot.ui.test_metrics import figure

pytestmark = pytest.mark.usefixtures("virtual_time")

REFUSALS: Final = 4
NEWEST: Final = "help.title"
OLDER: Final = "tournament.opened"


@dataclass
class Notices:
    """Posts that say a text: their messages, and the texts that these are known to show."""

    bot: RunningBot
    said: str = OLDER
    messages: dict[str, int] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    drawn: int = 0
    once: bool = False

    def __post_init__(self) -> None:
        self.kind = PostKind("notice", self.draw)
        self.saves = asyncio.Queue[str]()

    async def draw(self, owner: str) -> Letter | None:
        self.drawn += 1
        if self.shown.get(owner) == self.said or owner in self.gone:
            return None
        words = self.bot.client._speech.words("en-US")
        return Letter(
            channel=int(self.bot.games.id),
            guild=int(self.bot.games.guild_id or 0),
            message=self.messages.get(owner),
            there=partial(self.save, owner, self.said),
            gone=partial(self.lose, owner),
            view=notice_view(text(self.said), words),
            marked=("notice", owner),
            once=self.once,
        )

    async def save(self, owner: str, said: str, message: int, sure: bool) -> None:
        self.messages[owner] = message
        if sure:
            self.shown[owner] = said
        self.saves.put_nowait(owner)

    async def lose(self, owner: str) -> None:
        self.gone.add(owner)

    def post(self, owner: str = "Ann") -> Post:
        return Post(self.kind, owner)

    async def deliver(self, owner: str = "Ann") -> Delivery:
        return await self.bot.client.postman.deliver(self.post(owner))

    @property
    def there(self) -> list[Message]:
        """The messages of the channel."""
        return self.bot.sandbox.messages("games")

    def saying(self, said: str) -> list[Message]:
        return [each for each in self.there if says(said) in each.text]


@pytest.fixture
async def notices(running_bot: RunningBot) -> Notices:
    """Posts of a bot that has been there for longer than a lost request lasts."""
    await running_bot.later(SETTLED_AFTER)
    return Notices(running_bot)


async def test_a_post_is_sent_once_and_edited_from_then_on(notices: Notices) -> None:
    assert await notices.deliver() is Delivery.WRITTEN
    (message,) = notices.saying(OLDER)
    assert await notices.deliver() is Delivery.UNCHANGED
    notices.said = NEWEST
    assert await notices.deliver() is Delivery.WRITTEN
    assert notices.saying(NEWEST) == [message]


async def test_writers_of_one_post_take_turns_and_write_it_as_it_is_by_then(
    notices: Notices,
) -> None:
    await notices.deliver()
    notices.said = "tournament.here"
    gate = notices.bot.sandbox.hold_next("PATCH", EDIT)
    first = asyncio.create_task(notices.deliver())
    await gate.reached()
    notices.said = NEWEST
    second = asyncio.create_task(notices.deliver())
    gate.open()
    await asyncio.gather(first, second)
    assert len(notices.saying(NEWEST)) == 1


async def test_what_changes_while_a_waiting_post_is_written_is_written_too(
    notices: Notices,
) -> None:
    gate = notices.bot.sandbox.hold_next("POST", MESSAGES)
    notices.bot.client.postman.deliver_soon(notices.post())
    await gate.reached()
    notices.said = NEWEST
    notices.bot.client.postman.deliver_soon(notices.post())
    gate.open()
    await notices.bot.sandbox.until(lambda: notices.saying(NEWEST))


@pytest.mark.parametrize("carried_out", [False, True])
async def test_a_post_whose_sending_is_cut_is_there_once(
    notices: Notices, carried_out: bool
) -> None:
    notices.bot.sandbox.cut_next("POST", MESSAGES, carried_out=carried_out)
    assert await notices.deliver() is Delivery.WAITS
    await notices.saves.get()
    assert len(notices.saying(OLDER)) == 1


async def test_a_post_on_its_way_to_discord_at_a_stop_is_sent_and_saved(notices: Notices) -> None:
    keeping = notices.bot.client.postman
    gate = notices.bot.sandbox.hold_next("POST", MESSAGES)
    making = asyncio.create_task(keeping.go_round([notices.post()], most=1))
    await gate.reached()
    making.cancel()
    closing = asyncio.create_task(keeping.close())
    gate.open()
    await closing
    (message,) = notices.saying(OLDER)
    assert notices.messages == {"Ann": message.id}


async def test_a_post_is_not_known_as_shown_while_a_lost_request_may_cover_it(
    notices: Notices,
) -> None:
    await notices.deliver()
    notices.said = NEWEST
    notices.bot.sandbox.cut_next("PATCH", EDIT)
    assert await notices.deliver() is Delivery.WAITS
    for _ in range(2):
        await notices.saves.get()
    assert notices.saying(NEWEST)
    await notices.bot.client.postman.go_round([notices.post()], most=1)
    assert notices.drawn == 4, "it may be covered"
    assert notices.shown == {"Ann": OLDER}
    await notices.bot.later(SETTLED_AFTER)
    assert await notices.deliver() is Delivery.WRITTEN
    assert notices.shown == {"Ann": NEWEST}


async def test_what_an_ended_process_may_have_sent_is_written_again(open_bot: Open) -> None:
    async with open_bot() as running_bot:
        notices = Notices(running_bot)
        await notices.deliver()
        assert notices.shown == {}, "the process before may have been killed just now"
        await running_bot.later(SETTLED_AFTER)
        await notices.deliver()
        assert notices.shown == {"Ann": OLDER}


async def test_while_discord_has_trouble_one_post_tries_for_all(
    notices: Notices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postman, "LONGEST_TRY_AFTER", 0.3)
    sent = Requests("POST", MESSAGES)
    notices.bot.sandbox.observe(sent)
    for _ in range(3):
        notices.bot.sandbox.fail_next("POST", MESSAGES, 503)
    assert await notices.deliver("0") is Delivery.WAITS
    for owner in range(1, 20):
        assert await notices.deliver(str(owner)) is Delivery.WAITS
    for _ in range(20):
        await notices.saves.get()
    assert sent.statuses == [503] * 3 + [200] * 20


async def test_a_round_with_a_limit_leaves_the_rest_to_the_next(notices: Notices) -> None:
    owners = [str(number) for number in range(30)]
    await notices.bot.client.postman.go_round(map(notices.post, owners), most=10)
    assert 10 <= len(notices.messages) < 10 + MOST_AT_ONCE
    assert {*notices.messages} == {*owners[: len(notices.messages)]}, "in their order"


async def test_posts_that_others_write_and_never_end_hold_up_no_other(
    notices: Notices, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seed 1609 of the simulation: one answer of Discord that never came stopped all rounds."""
    monkeypatch.setattr(postman, "WRITTEN_WITHIN", 0.05)
    man, held = notices.bot.client.postman, [str(number) for number in range(2 * MOST_AT_ONCE)]
    async with AsyncExitStack() as writers:
        for owner in held:
            await writers.enter_async_context(man.writing(notices.post(owner)))
        await man.go_round(map(notices.post, [*held, "Ann"]))
        assert {*notices.messages} == {"Ann"}
        waiting = [asyncio.create_task(notices.deliver(owner)) for owner in held]
        assert await notices.deliver("Ben") is Delivery.WRITTEN
    assert {*await asyncio.gather(*waiting)} == {Delivery.WRITTEN}


async def test_posts_that_write_others_as_they_are_written_wait_for_no_place(
    notices: Notices,
) -> None:
    """As tournaments that are over do with their podiums, when one person in all is forgotten."""
    man, owners = notices.bot.client.postman, [str(number) for number in range(2 * MOST_AT_ONCE)]
    draw = notices.draw

    async def drawn(owner: str) -> Letter | None:
        await man.deliver(notices.post(f"podium of {owner}"), within=True)
        return await draw(owner)

    outer = PostKind("outer", drawn)
    async with asyncio.timeout(30):
        await man.go_round(Post(outer, owner) for owner in owners)
    assert len(notices.messages) == 2 * len(owners)


async def test_a_post_that_another_writes_waits_for_that_one_and_not_by_itself(
    notices: Notices,
) -> None:
    """By itself it would hold its lock and wait for a place, and the others for its lock."""
    man, outcomes = notices.bot.client.postman, list[Delivery]()

    async def drawn(owner: str) -> None:
        outcomes.append(await man.deliver(notices.post(f"podium of {owner}"), within=True))

    notices.bot.sandbox.fail_next("POST", MESSAGES, 503)
    await man.deliver(Post(PostKind("outer", drawn), "Ann"))
    assert outcomes == [Delivery.WAITS]
    await notices.deliver("Ben")
    assert {*notices.messages} == {"Ben"}


async def test_in_trouble_a_round_with_a_limit_tries_a_few_and_the_next_one_alone(
    notices: Notices,
) -> None:
    owners = [str(number) for number in range(30)]
    for tries in (MOST_AT_ONCE, 1):
        for _ in range(tries):
            notices.bot.sandbox.fail_next("POST", MESSAGES, 503)
        await notices.bot.client.postman.go_round(map(notices.post, owners), most=30)
        assert not notices.bot.sandbox.troubled
        assert not notices.messages
    await notices.bot.client.postman.go_round(map(notices.post, owners), most=30)
    assert len(notices.messages) == 30


async def test_after_trouble_posts_with_nothing_to_write_hold_up_no_other(
    notices: Notices,
) -> None:
    man, posts = notices.bot.client.postman, [notices.post("Ann"), notices.post("Ben")]
    await notices.deliver("Ann")
    notices.bot.sandbox.fail_next("POST", MESSAGES, 503)
    for _ in range(2):
        await man.go_round(posts, most=1)
    assert {*notices.messages} == {"Ann", "Ben"}


async def test_trouble_is_over_once_discord_refuses_a_post(notices: Notices) -> None:
    man, sandbox, posts = notices.bot.client.postman, notices.bot.sandbox, [*"012"]
    sandbox.fail_next("POST", MESSAGES, 503)
    await man.go_round([notices.post("0")], most=1)
    sandbox.fail_next("POST", MESSAGES, 403, 50001)
    await man.go_round(map(notices.post, posts), most=3)
    assert {*notices.messages} == {"1", "2"}


async def test_a_post_whose_message_is_deleted_is_not_sent_again(notices: Notices) -> None:
    await notices.deliver()
    (message,) = notices.saying(OLDER)
    await notices.bot.client.http.delete_message(int(message.channel.id), int(message.id))
    notices.said = NEWEST
    await notices.deliver()
    assert notices.gone == {"Ann"}
    assert await notices.deliver() is Delivery.UNCHANGED


@pytest.mark.logs_errors
async def test_faults_of_posts_are_counted_by_their_kind(
    open_bot: Open, caplog: pytest.LogCaptureFixture
) -> None:
    meter = PrometheusMeter()
    async with open_bot(meter=meter) as running_bot:
        notices = Notices(running_bot)
        running_bot.sandbox.fail_next("POST", MESSAGES, 403, 50013)
        await notices.deliver()
        running_bot.sandbox.fail_next("POST", MESSAGES, 503)
        await notices.deliver()
        await notices.saves.get()
        notices.said = "no such text"
        await notices.deliver()
    assert "post not written post=notice Ann" in caplog.text
    assert figure(meter.exposition().decode(), "post_faults_total", "notice") == 2


async def test_a_refused_post_is_tried_again_once_there_is_news_of_its_server(
    notices: Notices,
) -> None:
    notices.bot.sandbox.fail_next("POST", MESSAGES, 403, 50013)
    assert await notices.deliver() is Delivery.REFUSED
    assert notices.bot.client.postman.paused(notices.post())
    notices.bot.client.postman.wake(int(notices.bot.games.guild_id or 0))
    await notices.saves.get()
    await notices.deliver()
    assert not notices.bot.client.postman.paused(notices.post())


async def test_a_refusal_that_is_older_than_the_news_of_its_server_is_tried_again(
    notices: Notices,
) -> None:
    """Seed 970 of the simulation: the channel was back before the bot heard that it was gone."""
    sandbox, games = notices.bot.sandbox, notices.bot.games
    games.denied = Permission.VIEW_CHANNEL
    gate = sandbox.hold_next("POST", MESSAGES)
    delivering = asyncio.create_task(notices.deliver())
    await gate.reached()
    notices.bot.client.postman.wake(int(games.guild_id or 0))
    await gate.passed()
    games.denied = Permission(0)
    assert await delivering is Delivery.WAITS
    await notices.saves.get()
    assert not notices.bot.client.postman.paused(notices.post())


async def test_a_refused_post_is_tried_again_once_the_bot_is_invited_again(
    notices: Notices,
) -> None:
    notices.bot.sandbox.fail_next("POST", MESSAGES, 403, 50001)
    assert await notices.deliver() is Delivery.REFUSED
    (guild,) = (each for each in notices.bot.client.guilds if each.id == notices.bot.games.guild_id)
    notices.bot.client.dispatch("guild_join", guild)
    await notices.saves.get()
    assert len(notices.saying(OLDER)) == 1


async def test_a_post_in_reach_again_that_meets_trouble_waits_no_hour(
    notices: Notices,
) -> None:
    keeper, sandbox = notices.bot.client.postman, notices.bot.sandbox
    sandbox.fail_next("POST", MESSAGES, 403, 50001)
    assert await notices.deliver("Ann") is Delivery.REFUSED
    sandbox.fail_next("POST", MESSAGES, 503)
    assert await notices.deliver("Ben") is Delivery.WAITS
    assert await notices.deliver("Ann") is Delivery.WAITS
    gate = sandbox.hold_next("POST", MESSAGES)
    await gate.reached()
    sandbox.fail_next("POST", MESSAGES, 503)
    with heard("bot.ui.postman", "waiting posts delivered") as delivered:
        gate.open()
        assert await notices.saves.get() == "Ben"
        await delivered.wait()
    notices.bot.clock.advance(SHORTEST_PAUSE)
    assert not keeper.paused(notices.post("Ann"))


async def test_a_pause_is_longer_after_each_refusal_until_it_is_long_past(
    notices: Notices,
) -> None:
    keeper, clock = notices.bot.client.postman, notices.bot.clock
    pause = SHORTEST_PAUSE
    for _ in range(REFUSALS + 1):
        notices.bot.sandbox.fail_next("POST", MESSAGES, 400, 50035)
    for _ in range(REFUSALS):
        assert await notices.deliver() is Delivery.REFUSED
        clock.advance(pause - timedelta(seconds=1))
        assert keeper.paused(notices.post())
        clock.advance(timedelta(seconds=1))
        assert not keeper.paused(notices.post())
        pause *= 2
    clock.advance(LONGEST_PAUSE)
    keeper.forget_past()
    assert await notices.deliver() is Delivery.REFUSED
    clock.advance(SHORTEST_PAUSE)
    assert not keeper.paused(notices.post())


async def test_a_board_deleted_while_another_is_compared_with_its_row_is_left_out(
    running_bot: RunningBot,
) -> None:
    """Seed 962: the comparison of messages ended with an error, and what followed was left."""
    ann, *_ = running_bot.people
    boards = [await running_bot.friends(pace="correspondence") for _ in range(2)]
    await running_bot.later(timedelta(minutes=1))  # what was written is noted
    await running_bot.client.boards.save_shown()
    fetched = Requests("GET", "/channels/{channel_id}/messages/{message_id}")
    running_bot.sandbox.observe(fetched)
    first = running_bot.sandbox.hold_next("GET", EDIT)
    comparing = asyncio.create_task(running_bot.client.boards.compare())
    await first.reached()
    for board in boards:
        ann.delete(board)
    await running_bot.later(timedelta(seconds=1))
    first.open()
    await comparing
    assert fetched.statuses == [404]


@pytest.mark.parametrize("set_back", [timedelta(), timedelta(days=30)])
async def test_each_hour_a_board_that_shows_something_else_than_its_row_says_is_found(
    running_bot: RunningBot, caplog: pytest.LogCaptureFixture, set_back: timedelta
) -> None:
    board = await running_bot.friends(pace="correspondence")
    await running_bot.play(board, (0, 0))
    await running_bot.later(timedelta(minutes=1))  # what was written is noted
    await running_bot.client.boards.save_shown()
    channel = running_bot.client.get_partial_messageable(int(board.channel.id))
    other = notice_view(text(OLDER), running_bot.client._speech.words("en-US"))
    await channel.get_partial_message(int(board.id)).edit(view=other)
    assert not marks(board)
    running_bot.clock.advance(-set_back)
    await running_bot.later(COMPARED_EVERY)
    await running_bot.sandbox.until(lambda: marks(board) == {(0, 0): "❌"})
    assert "message shows something else" in caplog.text

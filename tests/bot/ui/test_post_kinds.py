"""Each kind of posts, stopped at each step between its commit and what is saved of it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import ClassVar, Final

import pytest

import bot.ui
from bot.sandbox import Message
from bot.ui import postman, router
from bot.ui.postman import Letter, Post, Postman
from tests.bot.english import like, says
from tests.bot.ui import ludo, panels, test_news, test_threads
from tests.bot.ui.conftest import PATIENCE, Open, RunningBot, first_of
from tests.bot.ui.hall import Hall, guests
from tests.bot.ui.test_bound_dice import panel, post, seals
from tests.bot.ui.test_news import hand_on_claims, in_the_evening, posted, solved
from tests.bot.ui.test_tournament_faults import everything_is_there_once, played

COMMITTED, TAKEN, ANSWERED, SAVED = "committed", "taken", "answered", "saved"
BY_THE_POSTMAN: Final = (COMMITTED, TAKEN, ANSWERED, SAVED)
BY_HAND: Final = (COMMITTED, TAKEN)
"""The steps of posts that the postman saves, and of those that are put as a part of another."""

SOON: Final = timedelta(seconds=6)


@dataclass
class Stop:
    """Holds the first post of a kind up for ever at a step, as if the process ended there."""

    kind: str
    step: str
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    put: set[Post] = field(default_factory=set)
    """The posts that were not written by the answer to a press alone."""

    async def come(self) -> None:
        """Return when a post is held up."""
        await self.reached.wait()

    async def at(self, step: str, post: Post) -> None:
        meant = (post.kind.name, step) == (self.kind, self.step) and post in self.put
        if meant and not self.reached.is_set():
            self.reached.set()
            await asyncio.Event().wait()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watch all posts; in the end nothing is waited for."""
        put, save = Postman.put, Postman.save

        async def watched_put(keeper: Postman, post: Post, letter: Letter) -> int:
            self.put.add(post)
            await self.at(COMMITTED, post)
            message = await put(keeper, post, letter)
            await self.at(TAKEN, post)
            return message

        async def watched_save(
            keeper: Postman, post: Post, message: int, saving: Awaitable[None]
        ) -> None:
            try:
                await self.at(ANSWERED, post)
            except asyncio.CancelledError:
                saving.close()  # type: ignore[attr-defined]
                raise
            await save(keeper, post, message, saving)
            await self.at(SAVED, post)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Postman, "put", watched_put)
            patched.setattr(Postman, "save", watched_save)
            patched.setattr(postman, "LAST_WRITTEN", 0.0)
            patched.setattr(router, "LAST_ANSWERS", 0.0)
            yield


class Way:
    """A way to a post: it `begins`, `goes_on` after a stop, and has led to `found` messages."""

    steps: ClassVar[tuple[str, ...]] = BY_THE_POSTMAN
    lost_at: ClassVar[tuple[str, ...]] = ()
    """The steps at which it is lost, since it counts as sent before."""

    async def begins(self, bot: RunningBot) -> None:
        raise NotImplementedError

    async def goes_on(self, bot: RunningBot) -> None:
        for _ in range(2):
            await bot.later(SOON)
            await bot.clock.waited_for()

    def found(self, bot: RunningBot) -> int:
        raise NotImplementedError


class Board(Way):
    async def begins(self, bot: RunningBot) -> None:
        self.board = await bot.friends()
        await bot.later(timedelta(minutes=5))

    def found(self, bot: RunningBot) -> int:  # noqa: ARG002
        return like("board.lapsed", "won.time").search(self.board.text) is not None


class LeftBoard(Way):
    """A board that `/board` has left: where it still stands a press on it leads to the new one."""

    async def begins(self, bot: RunningBot) -> None:
        self.left = await bot.friends()
        await (await bot.people[0].type(bot.games, "board")).answered()

    async def goes_on(self, bot: RunningBot) -> None:
        await super().goes_on(bot)
        if not self.left.deleted:
            await bot.mark(bot.people[0], self.left, (0, 0))

    def found(self, bot: RunningBot) -> int:
        boards = [each for each in bot.sandbox.messages("games") if each.buttons]
        return sum(not like("board.moved").search(each.text) for each in boards)


class Tournament(Way):
    """The message for all, and what is a part of it or follows it until a podium stands there."""

    def __init__(self) -> None:
        self.halls = list[Hall]()

    async def begins(self, bot: RunningBot) -> None:
        self.halls.append(Hall(bot, guests(bot.sandbox, 3)))
        await played(self.halls[0])

    async def goes_on(self, bot: RunningBot) -> None:
        hall = Hall(bot, self.halls[0].people, number=self.halls[0].number)
        await played(hall)
        await everything_is_there_once(hall)

    def found(self, bot: RunningBot) -> int:
        return len(Hall(bot, [], number=self.halls[0].number).messages)


class TournamentByHand(Tournament):
    steps: ClassVar[tuple[str, ...]] = BY_HAND


class Start(Way):
    """The reminder of a start, ten minutes before it."""

    async def begins(self, bot: RunningBot) -> None:
        self.hall = Hall(bot, guests(bot.sandbox, 1))
        await self.hall.sign_up(start="15")
        await bot.later(timedelta(minutes=6))

    def found(self, bot: RunningBot) -> int:
        said = like("tournament.starts_soon")
        return sum(said.search(each.text) is not None for each in bot.sandbox.messages("games"))


class Thread(Way):
    """It is opened when its board is drawn again."""

    async def begins(self, bot: RunningBot) -> None:
        await test_threads.switch_on(bot)
        self.board = await bot.friends()

    async def goes_on(self, bot: RunningBot) -> None:
        await bot.turn(self.board)
        await bot.sandbox.until(lambda: test_threads.opened(bot))
        await super().goes_on(bot)

    def found(self, bot: RunningBot) -> int:
        return len(test_threads.opened(bot))


class Reminder(Way):
    lost_at: ClassVar[tuple[str, ...]] = (COMMITTED,)

    async def begins(self, bot: RunningBot) -> None:
        await bot.friends()
        await bot.later(timedelta(seconds=10))

    def found(self, bot: RunningBot) -> int:
        messages = bot.sandbox.messages("games")
        return sum(bool(each.pinged) and not each.controls for each in messages)


def tomorrow(bot: RunningBot) -> date:
    """The next day, all of whose hours are still to come."""
    return bot.clock.now().date() + timedelta(1)


class News(Way):
    async def begins(self, bot: RunningBot) -> None:
        await test_news.switch_on(bot)
        await in_the_evening(bot, tomorrow(bot))

    def found(self, bot: RunningBot) -> int:
        return len(posted(bot))


class Warnings(Way):
    """Two hours before a streak of two days breaks, since a day was missed and a second will be."""

    lost_at: ClassVar[tuple[str, ...]] = (COMMITTED,)

    async def begins(self, bot: RunningBot) -> None:
        today = tomorrow(bot)
        await panels.choose(bot, bot.people[0], "me streaks", "on")
        for ago in (3, 2):
            await solved(bot, today - timedelta(ago))
        late = datetime.combine(today, time(22), bot.clock.now().tzinfo)
        await bot.later(late - bot.clock.now())

    def found(self, bot: RunningBot) -> int:
        ann = bot.people[0]
        return len(ann.sees(ann.dm))


class Seal(Way):
    """Its press is made once more after the stop."""

    steps: ClassVar[tuple[str, ...]] = BY_HAND

    async def begins(self, bot: RunningBot) -> None:
        ann, *_ = bot.people
        self.board: Message = await ludo.opened(bot.sandbox, ann)
        await post(bot, ann, await panel(ann, self.board))

    async def goes_on(self, bot: RunningBot) -> None:
        _, ben, *_ = bot.people
        told = await panel(ben, self.board)
        if says("control.seal") in ludo.labels(told):
            await post(bot, ben, told)

    def found(self, bot: RunningBot) -> int:
        return len(seals(bot))


WAYS: Final[dict[str, type[Way]]] = {
    "board": Board,
    "left board": LeftBoard,
    "thread": Thread,
    "tournament": Tournament,
    "tournament thread": TournamentByHand,
    "call": Tournament,
    "podium": TournamentByHand,
    "needless call": Tournament,
    "result": Tournament,
    "start": Start,
    "news": News,
    "warning": Warnings,
    "reminder": Reminder,
    "seal": Seal,
}
"""The way to a post of each kind."""


def test_there_is_a_way_to_each_kind() -> None:
    sources = "".join(each.read_text() for each in Path(bot.ui.__path__[0]).rglob("*.py"))
    assert {*re.findall(r'PostKind\(\s*"([^"]+)"', sources)} == WAYS.keys()


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("kind", "step"), [(kind, step) for kind, way in WAYS.items() for step in way.steps]
)
async def test_a_post_stopped_at_a_step_is_there_once_after_the_next_start(
    open_bot: Open, database: str, kind: str, step: str
) -> None:
    way, stop = WAYS[kind](), Stop(kind, step)
    with stop.watched():
        async with open_bot() as running_bot:
            beginning = asyncio.create_task(way.begins(running_bot))
            async with asyncio.timeout(2 * PATIENCE):
                await first_of(stop.come(), beginning)
                await stop.come()
            beginning.cancel()
            with suppress(asyncio.CancelledError):
                await beginning
            away = running_bot.clock.now() - running_bot.sandbox.clock.now()
    hand_on_claims(database)
    async with open_bot(later=away) as running_bot:
        await way.goes_on(running_bot)
        assert way.found(running_bot) == (step not in way.lost_at)

"""What the simulation has found, each as a test of its own."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Coroutine
from types import SimpleNamespace
from typing import Any, cast

from sqlalchemy.exc import OperationalError

from bot.storage import stores
from bot.storage.choices import FORGOTTEN
from bot.storage.database import Database
from bot.storage.messages import Messages
from bot.storage.processes import Claims
from bot.storage.shards import Share
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.ui.board_memory import ShownRevisions
from bot.ui.postman import Letter, Post, PostKind, Postman
from tests.simulation.loop import VirtualLoop
from tests.simulation.seeded import MachineClock

FULL = OperationalError("COMMIT", None, sqlite3.OperationalError("database or disk is full"))


def virtually(work: Coroutine[Any, Any, None]) -> None:
    """Carry out work in virtual time."""
    loop = VirtualLoop()
    try:
        loop.run_until_complete(work)
    finally:
        loop.close()


class FullDisk:
    """A store of messages that fails once, as on a disk that is full for a while."""

    def __init__(self) -> None:
        self.saved: dict[Any, int] = {}
        self.full = True

    async def save_shown(self, shown: dict[Any, int]) -> None:
        if self.full:
            raise OSError("database or disk is full")
        self.saved |= shown


async def test_what_a_full_disk_did_not_take_of_shown_messages_is_saved_later() -> None:
    disk = FullDisk()
    shown = ShownRevisions(cast("Messages", disk))
    table: Any = SimpleNamespace(id=7, revision=3)
    shown.note(table)
    await shown.save()
    disk.full = False
    await shown.save()
    assert disk.saved == {7: 3}


class Renewals:
    """A database that takes renewals of claims once its disk is no longer full."""

    def __init__(self) -> None:
        self.full = True
        self.taken = 0

    async def run(self, _: object) -> None:
        if self.full:
            raise FULL
        self.taken += 1


def test_claims_are_renewed_again_once_a_full_disk_has_room() -> None:
    async def story() -> None:
        disk = Renewals()
        clock = MachineClock(cast("VirtualLoop", asyncio.get_running_loop()))
        claims = Claims(cast("Database", disk), clock, Share(2, frozenset({0})))
        renewing = asyncio.create_task(claims.renew())
        with claims.held(SessionId(1)):
            await asyncio.sleep(4)
            disk.full = False
            await asyncio.sleep(4)
        renewing.cancel()
        assert disk.taken

    virtually(story())


class Choices:
    """The choices of people, which can be read once a disk is no longer full."""

    def __init__(self) -> None:
        self.full, self.changing = True, asyncio.Lock()
        self.dropped: list[PersonId] = []
        self.drop = self.drop_person = self.dropped.append

    async def reload(self, _: object) -> None:
        if self.full:
            raise FULL


class Others:
    """A stranger who speaks, and another process that tells of a person who is forgotten."""

    def __init__(self) -> None:
        self.forgotten = asyncio.Event()

    async def news(self) -> AsyncIterator[str | None]:
        yield None
        await self.forgotten.wait()
        yield f"{FORGOTTEN} nobody"
        yield f"{FORGOTTEN} 7"


def test_who_is_forgotten_elsewhere_is_dropped_though_a_disk_was_full_before() -> None:
    async def story() -> None:
        people, others = Choices(), Others()
        tables = SimpleNamespace(cache=people)
        following = asyncio.create_task(
            stores._follow(cast("Any", others), cast("Any", tables), cast("Any", people))
        )
        await asyncio.sleep(4)
        people.full = False
        others.forgotten.set()
        await asyncio.sleep(4)
        following.cancel()
        assert people.dropped == [7, 7]

    virtually(story())


async def broken(_: object) -> None:
    raise RuntimeError("this cannot be drawn")


def test_a_pause_does_not_grow_when_a_wrong_clock_is_set_right() -> None:
    async def story() -> None:
        clock = MachineClock(cast("VirtualLoop", asyncio.get_running_loop()))
        clock.wrong = 1800
        postman = Postman(cast("Any", None), cast("Any", None), clock, None)
        post = Post(PostKind("board", broken), 5)
        await postman.deliver(post)
        assert postman.paused(post)
        clock.wrong = 0
        assert not postman.paused(post)

    virtually(story())


def test_news_of_a_server_ends_its_pauses_after_a_wrong_clock_was_set_right() -> None:
    async def story() -> None:
        refused: list[object] = []

        async def drawn(owner: object) -> None:
            refused.append(owner)
            raise RuntimeError("this cannot be drawn")

        clock = MachineClock(cast("VirtualLoop", asyncio.get_running_loop()))
        clock.wrong = 3600
        client = cast("Any", SimpleNamespace(get_guild=lambda _: None))
        postman = Postman(client, cast("Any", None), clock, None)
        post, letter = Post(PostKind("board", drawn), 5), Letter(channel=1, guild=7)
        for _ in range(2):
            await postman.deliver(post)
            postman._pause(post, letter)
            postman.wake(7)
            await asyncio.sleep(1)
            clock.wrong = 0
        await postman.close()
        assert len(refused) == 4

    virtually(story())

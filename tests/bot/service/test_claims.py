"""Computers' turns among several processes on one PostgreSQL database: each is thought once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random, getrandbits
from typing import TypeAlias

import pytest
from sqlalchemy import BigInteger, literal, update

from bot.games.catalogue import CATALOGUE
from bot.games.command import Request
from bot.service.due_work import DueWork
from bot.service.openings import Admission
from bot.service.search_pool import SearchQueue
from bot.service.tables import Press, TableService
from bot.storage import processes
from bot.storage.schema.game_tables import sessions
from bot.storage.shards import Share
from bot.storage.stores import Stores, stores
from bot.table.actions import move_action
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.table import InteractionId, Place, Table
from engine.game import Move
from tests.bot.clock import ManualClock
from tests.bot.service.absences import NeverAway
from tests.bot.thinkers import Gated

ANN, PARLOUR = PersonId(1), PersonId(9)
SHARDS = 4
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
LASTS = timedelta(minutes=5)
WHILE = timedelta(minutes=2)
NUMBERS = map(InteractionId, count(1))


class Process:
    """A process with one of the shards, a clock of its own, and a thinker."""

    def __init__(self, kept: Stores, clock: ManualClock, closing: AsyncExitStack) -> None:
        self.clock, self.thinker, self._closing = clock, Gated(), closing
        self.kept = kept
        self.service = TableService(
            kept.tables,
            Admission(kept.people, kept.guilds),
            SearchQueue(self.thinker, 1),
            clock,
            Random(getrandbits(64)),
        )
        self.due_work = DueWork(
            self.service, kept.tables, NeverAway.of(kept.database, clock), clock
        )

    async def owed(self) -> SessionId:
        """A game where a computer thinks, and goes on thinking."""
        table = await self.service.openings.propose(
            CATALOGUE["tictactoe"],
            Request(ANN, PARLOUR, {"mark": "x"}),
            place=Place(None, 2),
            locale="en-US",
            interaction=next(NUMBERS),
        )
        press = Press(next(NUMBERS), table, 0, move_action(Move(0)), ANN)
        self.answer = asyncio.create_task(self.service.press(press))
        await self.thinker.asked.wait()
        return table.id

    async def renewed(self) -> None:
        """Renew this process's claims that are due."""
        await self.clock.waited_for()
        self.clock.advance(WHILE)
        await self.clock.waited_for()

    async def passes(self, time: timedelta) -> None:
        """So much time passes by the database's clock."""
        ended = sessions.c.claimed_until - literal(time // timedelta(milliseconds=1), BigInteger)
        sooner = update(sessions).values(claimed_until=ended)
        await self.kept.database.run(lambda c: c.execute(sooner))

    async def round(self) -> list[Table]:
        """Make a round of this process."""
        shown: list[Table] = []

        async def show(table: Table) -> None:
            shown.append(table)

        await self.due_work.run(show)
        return shown

    async def end(self) -> None:
        """Ends as a process does that is killed: nothing is renewed or saved any more."""
        self.answer.cancel()
        await self._closing.aclose()


Begin: TypeAlias = Callable[..., Awaitable[Process]]


@pytest.fixture
def database(postgres_address: str) -> str:
    return postgres_address


@pytest.fixture
async def begin(database: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Begin]:
    """Begins processes with a shard each; claims outlast any delay of this machine."""
    monkeypatch.setattr(processes, "LASTS", LASTS)
    async with AsyncExitStack() as stack:

        async def begin(shard: int, behind: timedelta = timedelta()) -> Process:
            closing = await stack.enter_async_context(AsyncExitStack())
            clock, share = ManualClock(NOW - behind), Share(SHARDS, frozenset({shard}))
            kept = await closing.enter_async_context(stores(database, clock, share))
            return Process(kept, clock, closing)

        yield begin


async def test_a_search_that_takes_long_is_thought_by_one_process(begin: Begin) -> None:
    one, other = await begin(0), await begin(1)
    number = await one.owed()
    other.thinker.allowed.set()
    for _ in range(10):
        await one.passes(WHILE)
        for process in (one, other):
            await process.renewed()
        assert await other.round() == []
    one.thinker.allowed.set()
    answered = await one.answer
    assert (one.thinker.times, other.thinker.times) == (1, 0)
    assert (await other.service.table(number)).session.moves == answered.session.moves
    assert answered.session.ply == 2
    assert await other.round() == []


async def test_a_turn_claimed_while_the_databases_clock_was_ahead_goes_to_another(
    begin: Begin,
) -> None:
    one, other = await begin(0), await begin(1)
    number = await one.owed()
    await one.end()
    await other.passes(-timedelta(30))
    other.thinker.allowed.set()
    assert [table.id for table in await other.round()] == [number]


async def test_the_turn_of_a_process_that_dies_goes_to_one_other(begin: Begin) -> None:
    one, *others = [await begin(shard) for shard in range(SHARDS)]
    number = await one.owed()
    await one.end()
    for other in others:
        other.thinker.allowed.set()
        assert await other.round() == []
    await others[0].passes(LASTS)
    shown = await asyncio.gather(*(other.round() for other in others))
    assert [(table.id, table.session.ply) for tables in shown for table in tables] == [(number, 2)]
    assert sum(other.thinker.times for other in others) == 1


async def test_a_process_that_stood_still_does_not_take_back_what_another_claimed(
    begin: Begin,
) -> None:
    one, other, third = [await begin(shard) for shard in range(3)]
    number = await one.owed()
    await other.passes(LASTS)
    round_of_other = asyncio.create_task(other.round())
    await other.thinker.asked.wait()
    third.thinker.allowed.set()
    for _ in range(3):
        await third.passes(WHILE)
        for process in (other, third, one):
            await process.renewed()
        assert await third.round() == []
    one.thinker.allowed.set()
    other.thinker.allowed.set()
    await asyncio.gather(one.answer, round_of_other)
    assert (await third.service.table(number)).session.ply == 2


async def test_a_process_whose_clock_is_wrong_takes_no_turn_early_and_none_late(
    begin: Begin,
) -> None:
    late, early = timedelta(hours=1), -timedelta(hours=1)
    one, *others = [await begin(number, wrong) for number, wrong in enumerate((late, early, late))]
    number = await one.owed()
    await one.end()
    for other in others:
        other.thinker.allowed.set()
        assert await other.round() == []
    await others[-1].passes(LASTS)
    [answered] = await others[-1].round()
    assert (answered.id, answered.session.ply) == (number, 2)


async def test_one_round_leaves_owed_turns_to_others(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "AT_ONCE", 1)
    one, two, *others = [await begin(shard) for shard in range(SHARDS)]
    numbers = {await one.owed(), await two.owed()}
    await asyncio.gather(one.end(), two.end())
    await others[0].passes(LASTS)
    for other in others:
        other.thinker.allowed.set()
    shown = await asyncio.gather(*(other.round() for other in others))
    assert [len(tables) for tables in shown] == [1, 1]
    assert {tables[0].id for tables in shown} == numbers

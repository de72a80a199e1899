"""The order of searches: by turns among people, and a limit to what waits of one of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

from bot.service.search_pool import MOST_WAITING, SearchQueue
from bot.table.seats import Human, Level, PersonId
from bot.table.session import Session
from engine.game import Move
from tests.bot.kit import ANN, BEN, CLEO, new_game
from tests.bot.refused import refused


class Stepwise:
    """A thinker that answers one search at a time, when a test lets it, and notes the order."""

    def __init__(self) -> None:
        self.under_way: list[tuple[PersonId, asyncio.Event]] = []
        self.order: list[PersonId] = []

    def quick(self, _: Session) -> Move | None:
        return None

    async def move(self, session: Session) -> Move:
        done = asyncio.Event()
        self.under_way.append((session.host, done))
        self.order.append(session.host)
        await done.wait()
        move: Move = session.position.moves()[0]
        return move

    async def step(self) -> None:
        """Ends the search that has been under way for longest; the next one then begins."""
        self.under_way.pop(0)[1].set()
        await settled()


async def settled() -> None:
    """Returns when everything has come as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


def game(host: PersonId) -> Session:
    return new_game("tictactoe", Level.PERFECT, host)


async def asked(queue: SearchQueue, *hosts: PersonId) -> list[asyncio.Task[Move]]:
    tasks = [asyncio.create_task(queue.move(game(host))) for host in hosts]
    await settled()
    return tasks


async def test_no_more_searches_run_at_once_than_there_are_processes() -> None:
    thinker = Stepwise()
    tasks = await asked(SearchQueue(thinker, 2), ANN, ANN, BEN, CLEO)
    assert thinker.order == [ANN, ANN]
    while thinker.under_way:
        assert len(thinker.under_way) <= 2
        await thinker.step()
    assert [await task for task in tasks] == [0, 0, 0, 0]


async def test_a_turn_comes_with_the_next_free_process_while_another_person_floods() -> None:
    thinker = Stepwise()
    queue = SearchQueue(thinker, 1)
    tasks = await asked(queue, *[ANN] * 50, BEN)
    await thinker.step()
    assert thinker.order == [ANN, BEN]
    await thinker.step()
    tasks += await asked(queue, BEN)
    await thinker.step()
    assert thinker.order == [ANN, BEN, ANN, BEN]
    while thinker.under_way:
        await thinker.step()
    await asyncio.gather(*tasks)


async def test_people_who_wait_take_turns() -> None:
    thinker = Stepwise()
    tasks = await asked(SearchQueue(thinker, 1), *[ANN] * 4, *[BEN] * 3, *[CLEO] * 3)
    while thinker.under_way:
        await thinker.step()
    await asyncio.gather(*tasks)
    for start in range(1, 10, 3):
        assert Counter(thinker.order[start : start + 3]) == {ANN: 1, BEN: 1, CLEO: 1}


async def test_turns_that_are_owed_since_before_come_before_new_ones() -> None:
    """Turns owed by a process that was killed, while this one is busy."""
    thinker = Stepwise()
    queue = SearchQueue(thinker, 1)
    searches = await asked(queue, ANN, BEN)
    searches += [asyncio.create_task(queue.move(game(CLEO), owed=True)) for _ in range(2)]
    await settled()
    searches[2].cancel()
    for _ in range(3):
        await thinker.step()
    assert thinker.order == [ANN, CLEO, BEN]
    await asyncio.gather(*searches, return_exceptions=True)


async def test_a_search_that_is_no_longer_wanted_holds_no_turn_up() -> None:
    thinker = Stepwise()
    queue = SearchQueue(thinker, 1)
    first, unwanted, last = await asked(queue, ANN, BEN, CLEO)
    unwanted.cancel()
    await settled()
    await thinker.step()
    assert thinker.order == [ANN, CLEO]
    await thinker.step()
    assert [await first, await last] == [0, 0]
    [again] = await asked(queue, BEN)
    await thinker.step()
    assert await again == 0


async def test_one_more_game_is_refused_to_a_person_of_whom_many_wait_and_to_nobody_else() -> None:
    thinker = Stepwise()
    queue = SearchQueue(thinker, 1)
    tasks = await asked(queue, *[ANN] * (MOST_WAITING + 1))
    with refused("searches_waiting"):
        queue.admit(game(ANN))
    queue.admit(game(BEN))
    friends = replace(game(ANN), seats=(Human(ANN), Human(BEN)))
    queue.admit(friends)
    await thinker.step()
    queue.admit(game(ANN))
    while thinker.under_way:
        await thinker.step()
    await asyncio.gather(*tasks)

"""Whether reviews delay presses: 16 presses a second without and with reviews that go on.

    python -m tests.benchmarks.reviews [--seconds N] [--rounds N]

Parlour runs in a process of its own, the sandbox and the people in this one. Both kinds of rounds
take turns. A press comes every sixteenth of a second, whether those before are answered or not; a
review is of a game of Ludo that the database has from the start, and the next one is asked for as
soon as one is there.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import chain, count
from pathlib import Path
from random import Random

from bot.clock import SystemClock
from bot.sandbox import Interaction
from bot.storage.messages import Messages
from bot.storage.stores import stores
from bot.table.seats import Level, Pace
from bot.table.session import Phase, SessionId
from bot.table.table import InteractionId, Place, Table
from tests.benchmarks.clicks import DRAW, PARLOUR, game, running
from tests.bot.english import says
from tests.bot.kit import new_game
from tests.bot.stand_in import Sandbox

RATE = 16
"""Presses a second."""
GAMES = 60
"""The number of games to review."""


async def store_games(sandbox: Sandbox, folder: Path) -> None:
    """Stores finished games of Ludo between Ann and the computer."""
    rng, clock, ann = Random(7), SystemClock(), int(sandbox.person("Ann").id)
    place = Place(sandbox.channel("games").guild_id, int(sandbox.channel("games").id))
    async with stores(f"sqlite:///{folder}/parlour.db", clock) as kept:
        for _ in range(GAMES):
            over = new_game("ludo", ann, Level.MEDIUM, pace=Pace.RELAXED)
            while over.phase is Phase.RUNNING:
                over = over.go_on(rng.choice(over.position.moves()))
            begun = replace(over, phase=Phase.RUNNING, ending=None, payoff=None)
            new = Table(SessionId(0), 1, begun, place, "en-US", clock.now(), due=None)
            before = await kept.tables.open(new, InteractionId(rng.getrandbits(60)))
            saved = await kept.tables.save(before, replace(before, revision=2, session=over), None)
            await Messages(kept.tables).save_shown({saved.id: 2})


def _told(pressed: Interaction) -> bool:
    return bool(pressed.followups) or pressed.message is not pressed.source


@asynccontextmanager
async def reviewing(sandbox: Sandbox, numbers: count[int]) -> AsyncIterator[list[float]]:
    """Reviews one game after the other meanwhile; what is given has the seconds of each."""
    ann, took = sandbox.person("Ann"), list[float]()

    async def review() -> None:
        for number in numbers:
            replay = await ann.type(sandbox.channel("games"), "replay", game=str(number))
            shown = (await replay.answered()).message
            begun = time.perf_counter()
            pressed = await (await ann.press(shown, says("control.review"))).answered()
            await sandbox.until(partial(_told, pressed), within=60)
            took.append(time.perf_counter() - begun)

    task = asyncio.create_task(review())
    try:
        yield took
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def measured(sandbox: Sandbox, seconds: int) -> list[float]:
    """The milliseconds that presses took which came at their rate, one after the other."""
    boards = -(-seconds * RATE // len(DRAW))
    games = [await game(sandbox) for _ in range(boards)]
    waiting = list(chain.from_iterable(zip(*games, strict=True)))[: seconds * RATE]

    async def pressed(number: int) -> float:
        begun = time.perf_counter()
        await (await waiting[number]()).answered()
        return (time.perf_counter() - begun) * 1e3

    started, tasks = time.perf_counter(), []
    for number in range(len(waiting)):
        await asyncio.sleep(max(0.0, started + number / RATE - time.perf_counter()))
        tasks.append(asyncio.create_task(pressed(number)))
    return await asyncio.gather(*tasks)


async def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description="Presses while games are reviewed.")
    parser.add_argument("--seconds", type=int, default=10, help="a round")
    parser.add_argument("--rounds", type=int, default=5, help="of each kind")
    arguments = parser.parse_args()
    alone, beside, took = list[float](), list[float](), list[float]()
    async with running(PARLOUR, store_games) as sandbox:
        numbers = count(1)
        async with reviewing(sandbox, numbers) as first:
            await sandbox.until(lambda: bool(first), within=60)  # the process that reviews starts
        for _ in range(arguments.rounds):
            alone += await measured(sandbox, arguments.seconds)
            async with reviewing(sandbox, numbers) as reviews:
                beside += await measured(sandbox, arguments.seconds)
            took += reviews
    print("                presses   p50 ms   p99 ms  slowest ms")
    for name, found in (("alone", alone), ("beside reviews", beside)):
        cuts = statistics.quantiles(found, n=100)
        print(f"{name:>14} {len(found):>8} {cuts[49]:>8.1f} {cuts[98]:>8.1f} {max(found):>11.1f}")
    print(f"{len(took)} reviews, each in {statistics.median(took):.2f} s (median)")


if __name__ == "__main__":
    asyncio.run(main())

"""The calls of one press of a square, from Discord's event to the answer that is sent.

    python -m tests.benchmarks.press [--most N] [--limit 540]

Ann and Ben play tic-tac-toe in the sandbox, with the bot in this process. Counted are the modules,
functions and calls of `bot` and `engine` for one move on a board that was pressed before: in the
task that answers it, in what the event loop calls between tasks, and in all other threads. Rounds
of the bot have tasks of their own and are left out, but not what they have the database do
meanwhile: the moves wait for the rounds that follow a start, and of five, which are alike, the one
with the fewest calls is told. A coroutine or generator that goes on counts as called again; the
sandbox is left out, and so is what `dataclass` writes.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import threading
from collections import Counter
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path
from random import Random
from types import FrameType
from typing import Final

from bot import app
from bot.clock import SystemClock
from bot.settings import read_settings
from tests.bot.english import says
from tests.bot.stand_in import Sandbox

ROOT: Final = Path(__file__).parents[2]
OURS: Final = (f"{ROOT}/bot/", f"{ROOT}/engine/")
NOT_OURS: Final = f"{ROOT}/bot/sandbox/"
WARMING_UP: Final = ((0, 0), (0, 1))
MEASURED: Final = ((1, 1), (0, 2), (2, 0), (1, 0), (1, 2))

FIRST_ROUNDS: Final = 4.0
"""Seconds after a start by which each round has been made once; the next come far later."""

ANSWERING: Final = "discord.py: on_interaction"
"""The name of the task in which discord.py has an interaction answered."""


class Calls(Counter[tuple[str, str]]):
    """Count the calls of each function, by its module and name."""

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """Takes part as the profiler of a thread."""
        file = frame.f_code.co_filename
        ours = file.startswith(OURS) and not file.startswith(NOT_OURS)
        if event == "call" and ours and not _elsewhere():
            self[frame.f_globals["__name__"], frame.f_code.co_qualname] += 1


def _elsewhere() -> bool:
    """Whether a task is at work that answers no press."""
    try:
        task = asyncio.current_task()
    except RuntimeError:  # a thread without an event loop
        return False
    return task is not None and task.get_name() != ANSWERING


async def counted(folder: str) -> Calls:
    """The calls of one press."""
    calls, presses = Calls(), []
    threading.setprofile(calls.note)
    given = {"DATABASE_URL": f"sqlite:///{folder}/parlour.db"}
    settings = read_settings(given, Path(folder, ".env"))
    async with Sandbox() as sandbox, AsyncExitStack() as stack:
        opened = app.open(settings, clock=SystemClock(), rng=Random(1), sprites={})
        parlour = await stack.enter_async_context(opened)
        bot = asyncio.create_task(parlour.connect(sandbox.token, sandbox.url))
        await sandbox.bot_ready()
        ann, ben, games = sandbox.person("Ann"), sandbox.person("Ben"), sandbox.channel("games")
        typed = await (await ann.type(games, "tictactoe", opponent=ben, mark="x")).answered()
        board = typed.message
        assert board is not None
        await (await ben.press(board, says("control.accept"))).answered()
        for player, square in zip((ann, ben), WARMING_UP, strict=True):
            await (await player.press(board, position=square)).answered()
        await asyncio.sleep(FIRST_ROUNDS)
        sys.setprofile(calls.note)
        for player, square in zip(cycle((ann, ben)), MEASURED, strict=False):
            calls.clear()
            await (await player.press(board, position=square)).answered()
            await asyncio.gather(*(t for t in asyncio.all_tasks() if t.get_name() == ANSWERING))
            presses.append(Calls(calls))
        sys.setprofile(None)
        await parlour.client.close()
        await bot
    return min(presses, key=Calls.total)


def main() -> int:
    """Counts, and prints the sums and the functions called most; 1 if calls exceed the limit."""
    parser = argparse.ArgumentParser(description="What a press of a square passes through.")
    parser.add_argument("--most", type=int, default=15, help="functions to name")
    parser.add_argument("--limit", type=int, help="calls to fail above")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        calls = asyncio.run(counted(folder))
    modules = {module for module, _ in calls}
    print(f"{len(modules)} modules, {len(calls)} functions, {calls.total()} calls")
    for (module, function), times in calls.most_common(given.most):
        print(f"{times:>6} {module} {function}")
    return int(given.limit is not None and calls.total() > given.limit)


if __name__ == "__main__":
    sys.exit(main())

"""What a press of a square passes through, from Discord's event to the answer that is sent.

    python -m tests.benchmarks.press [--most N]

Ann and Ben play tic-tac-toe in the sandbox, with the bot in this process. Counted are the modules,
functions and calls of `bot` and `engine` for one move, in all threads, on a board that was pressed
before; of three moves that with the fewest, since a round of the bot may fall into one. A coroutine
or generator that goes on counts as called again; the sandbox is left out, and so is what
`dataclass` writes.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import threading
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from types import FrameType
from typing import Final

from bot import app
from bot.settings import read_settings
from tests.bot.stand_in import Sandbox

ROOT: Final = Path(__file__).parents[2]
OURS: Final = (f"{ROOT}/bot/", f"{ROOT}/engine/")
NOT_OURS: Final = f"{ROOT}/bot/sandbox/"
WARMING_UP: Final = ((0, 0), (0, 1))
MEASURED: Final = ((1, 1), (1, 0), (2, 1))

ANSWERING: Final = "discord.py: on_interaction"
"""The name of the task in which discord.py has an interaction answered."""


class Calls(Counter[tuple[str, str]]):
    """How often each function was called, by its module and its name."""

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """Takes part as the profiler of a thread."""
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(OURS) and not file.startswith(NOT_OURS):
            self[frame.f_globals["__name__"], frame.f_code.co_qualname] += 1


async def counted(folder: str) -> Calls:
    """The calls of one press."""
    calls, presses = Calls(), []
    threading.setprofile(calls.note)
    given = {"DATABASE_URL": f"sqlite:///{folder}/parlour.db"}
    settings = read_settings(given, Path(folder, ".env"))
    async with Sandbox() as sandbox, AsyncExitStack() as stack:
        opened = app.open(settings, clock=app.SystemClock(), rng=Random(1), sprites={})
        parlour = await stack.enter_async_context(opened)
        bot = asyncio.create_task(parlour.connect(sandbox.token, sandbox.url))
        await sandbox.bot_ready()
        ann, ben, games = sandbox.person("Ann"), sandbox.person("Ben"), sandbox.channel("games")
        typed = await (await ann.type(games, "tictactoe", opponent=ben, mark="x")).answered()
        board = typed.message
        assert board is not None
        await (await ben.press(board, "Accept")).answered()
        for player, square in zip((ann, ben), WARMING_UP, strict=True):
            await (await player.press(board, position=square)).answered()
        sys.setprofile(calls.note)
        for player, square in zip((ann, ben, ann), MEASURED, strict=True):
            calls.clear()
            await (await player.press(board, position=square)).answered()
            await asyncio.gather(*(t for t in asyncio.all_tasks() if t.get_name() == ANSWERING))
            presses.append(Calls(calls))
        sys.setprofile(None)
        await parlour.client.close()
        await bot
    return min(presses, key=Calls.total)


def main() -> None:
    """Counts, and prints the sums and the functions called most."""
    parser = argparse.ArgumentParser(description="What a press of a square passes through.")
    parser.add_argument("--most", type=int, default=15, help="functions to name")
    most = parser.parse_args().most
    with tempfile.TemporaryDirectory() as folder:
        calls = asyncio.run(counted(folder))
    modules = {module for module, _ in calls}
    print(f"{len(modules)} modules, {len(calls)} functions, {calls.total()} calls")
    for (module, function), times in calls.most_common(most):
        print(f"{times:>6} {module} {function}")


if __name__ == "__main__":
    main()

"""The time a person waits at a Ludo table for the turns of three strong computers.

    python -m tests.benchmarks.turns [--presses N]

The sandbox and Ann run in this process, the bot in one of its own, and its search in another. Ann
plays against three `expert` computers; measured is the time from a press to the board that answers
it, of all presses and of those after which every computer had a turn. Meanwhile the bot notes how
late its event loop is, asked every 5 ms. What is slow only once is not measured.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from bot.sandbox import Message
from tests.bot.people import Person
from tests.bot.process import environment
from tests.bot.stand_in import Sandbox

SEED = 20
TURNS = ["🟢", "🟡", "🔵"]
EVERY_S = 0.005
WARMING_UP = 40

BOT = f"""
import asyncio, runpy, sys, time

async def watch(late):
    while True:
        asked = time.monotonic()
        await asyncio.sleep({EVERY_S})
        late.append((asked, time.monotonic() - asked - {EVERY_S}))

def main():
    late, run = [], asyncio.run
    def watched(work, **options):
        async def both():
            watching = asyncio.create_task(watch(late))
            try:
                return await work
            finally:
                watching.cancel()
        return run(both(), **options)
    asyncio.run = watched
    try:
        runpy.run_module("bot", run_name="__main__")
    finally:
        with open("late", "w") as file:
            file.writelines(f"{{asked}} {{seconds}}\\n" for asked, seconds in late)

if __name__ == "__main__":
    main()
"""
"""The bot with a watch on its event loop, as a program of its own."""


async def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(description="Waiting for three experts at a Ludo table.")
    parser.add_argument("--presses", type=int, default=400)
    presses = parser.parse_args().presses
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox() as sandbox:
            program = Path(folder, "watched.py")
            program.write_text(BOT, encoding="utf-8")
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                str(program),
                cwd=folder,
                env=environment(DISCORD_TOKEN=sandbox.token, DISCORD_API=sandbox.url),
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
            await sandbox.bot_ready()
            await measured(sandbox, WARMING_UP)
            begun = time.monotonic()
            every, followed = await measured(sandbox, presses)
            process.terminate()
            await process.wait()
        watched = (line.split() for line in Path(folder, "late").read_text().splitlines())
        late = [float(seconds) for asked, seconds in watched if float(asked) >= begun]
    print("                              count   p50 ms   p95 ms   max ms")
    report("every press", every)
    report("three experts had a turn", followed)
    report("event loop late", late)


async def measured(sandbox: Sandbox, presses: int) -> tuple[list[float], list[float]]:
    """Seconds from press to board: of every press, and of those that all computers followed."""
    ann, rng = sandbox.person("Ann"), Random(SEED)
    every: list[float] = []
    followed: list[float] = []
    board = await opened(sandbox, ann)
    while len(every) < presses:
        offered = [button for button in board.buttons if is_play(str(button.custom_id))]
        if not offered:
            board = await opened(sandbox, ann)
            continue
        begun = time.perf_counter()
        button = rng.choice(offered)
        await (await ann.press(board, custom_id=button.custom_id)).answered()
        took = time.perf_counter() - begun
        every.append(took)
        story = [line for line in board.text.splitlines() if "rolled" in line]
        if [line[0] for line in story[-len(TURNS) :]] == TURNS:
            followed.append(took)
    return every, followed


async def opened(sandbox: Sandbox, ann: Person) -> Message:
    """A new table of Ann and three experts."""
    typed = await ann.type(sandbox.channel("games"), "ludo", computers=3, level="expert")
    message = (await typed.answered()).message
    assert message is not None
    return message


def is_play(custom_id: str) -> bool:
    """Whether a button rolls or moves."""
    action = custom_id.rpartition(":")[2]
    return action == "roll" or action.removeprefix("m").isdecimal()


def report(what: str, seconds: Sequence[float]) -> None:
    """Prints a line of the table."""
    cuts = statistics.quantiles(seconds, n=100)
    figures = (cuts[49], cuts[94], max(seconds))
    print(f"{what:>28} {len(seconds):>6}", *(f"{1e3 * figure:>8.1f}" for figure in figures))


if __name__ == "__main__":
    asyncio.run(main())

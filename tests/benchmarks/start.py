"""The time and the memory that a start takes, of each process.

    python -m tests.benchmarks.start [STARTS]

The sandbox runs in this process, the bot in one of its own on one new database. The first start
makes its schema and uploads the emoji. Printed are the seconds until Parlour is open, those of a
core up to then, and the memory of the bot, of each of its processes, and of all together: resident,
and with what several use counted once (PSS).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from pathlib import Path

from tests.benchmarks.processes import descendants, memory
from tests.bot.process import environment
from tests.bot.stand_in import Sandbox

TICKS = os.sysconf("SC_CLK_TCK")


async def main(starts: int) -> None:
    """Starts so often, and prints a row each time."""
    print("start  open s  core s  bot MB   others MB  all MB  PSS MB")
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox() as sandbox:
            settings = environment(DISCORD_TOKEN=sandbox.token, DISCORD_API=sandbox.url)
            for number in range(1, starts + 1):
                begun = time.monotonic()
                bot = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "bot", cwd=folder, env=settings, stdout=PIPE
                )
                assert bot.stdout is not None
                await bot.stdout.readline()
                opened, ran = time.monotonic() - begun, core(bot.pid)
                await sandbox.bot_ready()
                processes = [*descendants(bot.pid)]
                alone, *others = map(memory, processes)
                print(
                    f"{number:>5} {opened:>7.1f} {ran:>7.2f} {alone:>7.0f} "
                    f"{' '.join(f'{each:.0f}' for each in others):>11} "
                    f"{alone + sum(others):>7.0f} {sum(map(share, processes)):>7.0f}",
                    flush=True,
                )
                bot.terminate()
                await bot.wait()


def core(process: int) -> float:
    """The seconds of a core that all threads of a process have had."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def share(process: int) -> float:
    """A process's memory in MB, of which what several use counts in parts."""
    said = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    found = re.search(r"^Pss:\s+(\d+) kB", said, re.MULTILINE)
    return int(found[1]) / 1e3 if found else 0.0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The time and the memory of a start.")
    parser.add_argument("starts", type=int, nargs="?", default=3)
    asyncio.run(main(parser.parse_args().starts))

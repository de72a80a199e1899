"""The memory of processes of this machine, and their time at a core and waiting for one."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

TELLING: Final = 1 / 3
"""The part of an answer's time from which on a cause explains it."""


class Core(NamedTuple):
    """For how many seconds a process's first thread ran, and stood in line for a core."""

    ran: float
    waited: float

    def since(self, before: Core) -> Core:
        """The difference to an earlier moment."""
        return Core(self.ran - before.ran, self.waited - before.waited)


def core(process: int) -> Core:
    """Linux's figures of a process's first thread, the one with the event loop."""
    said = Path(f"/proc/{process}/task/{process}/schedstat").read_text(encoding="ascii")
    ran, waited, _ = map(int, said.split())
    return Core(ran / 1e9, waited / 1e9)


class Snapshot:
    """The time at the cores that the bot and this process have had up to a moment."""

    def __init__(self, bot: int) -> None:
        self.at = time.monotonic()
        self._bot = bot
        self._cores = (core(bot), core(os.getpid()))

    def since(self) -> tuple[Core, Core]:
        """The time that the bot and this process have had since."""
        mine, people = self._cores
        return core(self._bot).since(mine), core(os.getpid()).since(people)

    def kept_by(self, seconds: float) -> str:
        """Explain an answer that took so many seconds, asked for at that moment."""
        bot, people = self.since()
        if bot.waited + people.waited > TELLING * seconds:
            return "no core"
        return "bot" if bot.ran > TELLING * seconds else "waited"


def descendants(process: int) -> Iterator[int]:
    """A process and all that it has started and are still there."""
    yield process
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in children.read_text(encoding="ascii").split():
                yield from descendants(int(child))


def handles(process: int) -> int:
    """The files, pipes and sockets that a process has open."""
    return len([*Path(f"/proc/{process}/fd").iterdir()])


def memory(*processes: int) -> float:
    """The memory of some processes, in MB."""
    total = 0
    for process in processes:
        with suppress(OSError):
            status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
            found = re.search(r"VmRSS:\s+(\d+) kB", status)
            total += int(found[1]) if found else 0
    return total / 1e3

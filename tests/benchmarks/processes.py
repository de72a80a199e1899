"""What processes of this machine use: their memory, a core, and how long they wait for one."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

TELLING: Final = 1 / 3
"""What part of the time that an answer took explains it."""


class Core(NamedTuple):
    """For how many seconds a process's first thread ran, and stood in line for a core."""

    ran: float
    waited: float

    def since(self, before: Core) -> Core:
        """What has come to it since an earlier moment."""
        return Core(self.ran - before.ran, self.waited - before.waited)


def core(process: int) -> Core:
    """What Linux says of a process's first thread, the one with the event loop."""
    said = Path(f"/proc/{process}/task/{process}/schedstat").read_text(encoding="ascii")
    ran, waited, _ = map(int, said.split())
    return Core(ran / 1e9, waited / 1e9)


class Snapshot:
    """What the bot and this process have had of the cores up to a moment."""

    def __init__(self, bot: int) -> None:
        self.at = time.monotonic()
        self._bot = bot
        self._cores = (core(bot), core(os.getpid()))

    def since(self) -> tuple[Core, Core]:
        """What the bot and this process have had since."""
        mine, people = self._cores
        return core(self._bot).since(mine), core(os.getpid()).since(people)

    def kept_by(self, seconds: float) -> str:
        """What has kept an answer for so many seconds that was asked for then."""
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

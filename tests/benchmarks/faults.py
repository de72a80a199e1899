"""Faults of Discord, of the connection and of processes that think, switched on and off in turn."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Final

from tests.benchmarks.processes import descendants
from tests.bot.stand_in import Sandbox

CALLBACK: Final = "/interactions/*/*/callback"
EDIT: Final = "/channels/*/messages/*"
PHASE: Final = 30.0
"""Seconds for which faults are on, and off, in turn."""

APART: Final = 0.5
"""Seconds between two faults."""

AFTERWARDS: Final = 10.0
"""Seconds after faults in which they may still be felt."""


@dataclass
class Trouble:
    """Faults around a bot, by its process."""

    sandbox: Sandbox
    rng: Random
    bot: int
    on: bool = False
    settled: float = 0.0

    def over(self) -> bool:
        """Whether faults are off, and have been for a while."""
        return not self.on and time.monotonic() - self.settled > AFTERWARDS

    async def run(self) -> None:
        """Faults for a while, after a while without, for ever."""
        while True:
            await asyncio.sleep(PHASE)
            self.on = True
            for _ in range(round(PHASE / APART)):
                self._happen()
                await asyncio.sleep(APART)
            self.settled, self.on = time.monotonic(), False

    def _happen(self) -> None:
        match self.rng.randrange(7):
            case 0:
                self.sandbox.cut_next("POST", CALLBACK)
            case 1:
                self.sandbox.cut_next("POST", CALLBACK, carried_out=True)
            case 2:
                self.sandbox.fail_next("PATCH", EDIT, 502, 0, "Bad Gateway")
            case 3:
                self.sandbox.fail_next("POST", CALLBACK, 503, 0, "Unavailable")
            case 4:
                self.sandbox.cut_next("PATCH", EDIT)
            case 5 if self.rng.random() < 0.1:
                self.sandbox.drop_gateway()
            case _ if self.rng.random() < 0.1:
                for process in list(descendants(self.bot))[1:]:
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)

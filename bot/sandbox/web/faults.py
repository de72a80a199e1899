"""Trouble on purpose: requests that fail, get lost on the way, or have to wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from bot.sandbox.payload import Payload
from bot.sandbox.web.calls import Reply


class Gate:
    """Holds one request back until it is opened."""

    def __init__(self) -> None:
        self._reached = asyncio.Event()
        self._open = asyncio.Event()

    async def reached(self) -> None:
        """Return when the request has arrived and waits."""
        await self._reached.wait()

    def open(self) -> None:
        """Let the request go on."""
        self._open.set()

    async def wait(self) -> None:
        """Wait here, as the request does."""
        self._reached.set()
        await self._open.wait()


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to the next request that matches.

    `pattern` has the wildcards of file names and is compared with the path and with its template,
    without `/api/v10`. `reply` is what is answered instead; where it is None the connection is cut
    without an answer. `carried_out` says whether the request takes effect all the same. A fault
    with a `gate` only makes the request wait.
    """

    method: str
    pattern: str
    reply: Reply | None = None
    carried_out: bool = False
    gate: Gate | None = None

    @property
    def harmless(self) -> bool:
        """Whether the request is carried out and answered, only later."""
        return self.gate is not None

    def meets(self, method: str, path: str, template: str) -> bool:
        """Whether the request is meant."""
        named = fnmatchcase(path, self.pattern) or template == self.pattern
        return method == self.method and named


def failure(status: int, code: int, message: str, retry_after: float | None) -> Reply:
    """An answer in Discord's shape; a 429 says when to come back."""
    body: Payload = {"message": message or "Made to fail", "code": code}
    if status != 429:
        return Reply(status, body)
    body |= {"retry_after": retry_after or 0.0, "global": False}
    # Without Via, discord.py takes a 429 for a ban by Cloudflare.
    return Reply(status, body, {"Via": "1.1 sandbox", "Retry-After": str(retry_after or 0)})


class Faults:
    """The trouble that is prepared, each for one request."""

    def __init__(self) -> None:
        self._prepared: list[Fault] = []

    def prepare(self, fault: Fault) -> None:
        """Let the fault happen to the next request that it meets."""
        self._prepared.append(fault)

    def take(self, method: str, path: Callable[[], str], template: str) -> Fault | None:
        """The fault that this request meets, which is used up by that."""
        for fault in self._prepared:
            if fault.meets(method, path(), template):
                self._prepared.remove(fault)
                return fault
        return None

"""Trouble on purpose: requests that fail, get lost on the way, or have to wait."""

from __future__ import annotations

import asyncio
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

    def meets(self, method: str, path: str, template: str) -> bool:
        """Whether the request is meant."""
        named = fnmatchcase(path, self.pattern) or template == self.pattern
        return method == self.method and named


class Faults:
    """The trouble that is prepared, each for one request."""

    def __init__(self) -> None:
        self._prepared: list[Fault] = []

    def fail_next(
        self,
        method: str,
        path: str,
        status: int,
        code: int = 0,
        message: str = "Made to fail",
        *,
        retry_after: float | None = None,
        all_routes: bool = False,
        carried_out: bool = False,
    ) -> None:
        """Let the next such request fail; `path` may have wildcards: `/channels/*/messages/*`.

        A 429 says to come back after `retry_after` seconds, with whatever request if it is for
        `all_routes`. With `carried_out` the request takes effect and fails all the same.
        """
        body: Payload = {"message": message, "code": code}
        headers: dict[str, str] = {}
        if status == 429:
            body |= {"retry_after": retry_after or 0.0, "global": all_routes}
            # Without Via, discord.py takes a 429 for a ban by Cloudflare.
            headers = {"Via": "1.1 sandbox", "Retry-After": str(retry_after or 0)}
        self._prepared.append(Fault(method, path, Reply(status, body, headers), carried_out))

    def cut_next(self, method: str, path: str, *, carried_out: bool = False) -> None:
        """Let the next such request end in a cut connection; wildcards as in `fail_next`."""
        self._prepared.append(Fault(method, path, carried_out=carried_out))

    def hold_next(self, method: str, path: str) -> Gate:
        """Let the next such request wait until the gate is opened."""
        gate = Gate()
        self._prepared.append(Fault(method, path, carried_out=True, gate=gate))
        return gate

    def take(self, method: str, path: str, template: str) -> Fault | None:
        """The fault that this request meets, which is used up by that."""
        for fault in self._prepared:
            if fault.meets(method, path, template):
                self._prepared.remove(fault)
                return fault
        return None

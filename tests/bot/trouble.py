"""The wire of the sandbox that tests use: strict, it shows what passes, and makes trouble."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final, TypeAlias

from bot.sandbox import Interaction, Payload
from bot.sandbox.web.calls import Api, Call, Reply, Wire
from tests.discord.checks import check

CALLBACK: Final = "/interactions/*/*/callback"
MESSAGES: Final = "/channels/{channel_id}/messages"
EDIT: Final = "/channels/*/messages/*"
"""Paths of answers to interactions, of messages in channels, and of edits of those."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request to the REST API and its response.

    `path` is the template of Discord's OpenAPI description. `request` is the JSON that came (of a
    form with files, its `payload_json`), `response` the JSON that was answered; None where there
    was none. `files` are the names of the form's other fields.
    """

    method: str
    path: str
    request: object
    status: int
    response: object
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """An event sent over the gateway."""

    name: str
    data: Payload


Observed: TypeAlias = Exchange | Event
Observer: TypeAlias = Callable[[Observed], None]
"""A listener that is shown everything that goes over the wire."""

REMEMBERED: Final = 1000
"""The number of latest interactions that can be delivered again."""


class Gate:
    """Holds one request back until it is opened."""

    def __init__(self) -> None:
        self._reached = asyncio.Event()
        self._open = asyncio.Event()
        self._passed = asyncio.Event()

    async def reached(self) -> None:
        """Return when the request has arrived and waits."""
        await self._reached.wait()

    def open(self) -> None:
        """Let the request go on."""
        self._open.set()

    async def passed(self) -> None:
        """Let the request go on, and return when it has been carried out."""
        self.open()
        await self._passed.wait()

    async def wait(self) -> None:
        """Wait here, as the request does."""
        self._reached.set()
        await self._open.wait()

    def note(self) -> None:
        """Note that the request has been carried out."""
        self._passed.set()


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the next request that matches.

    `pattern` has the wildcards of file names and is compared with the path and with its template,
    without `/api/v10`. `reply` is what is answered instead; where it is None the connection is cut
    without an answer. `carried_out` says whether the request takes effect all the same. A fault
    with a `gate` only makes the request wait; a `late` one is cut, and carried out when its gate is
    opened. `of` chooses among the requests by what is in them.
    """

    method: str
    pattern: str
    reply: Reply | None = None
    carried_out: bool = False
    gate: Gate | None = None
    late: bool = False
    of: Callable[[Call], bool] = lambda _: True

    def meets(self, call: Call) -> bool:
        """Whether the request is meant."""
        named = fnmatchcase(call.path, self.pattern) or call.route.path == self.pattern
        return call.route.method == self.method and named and self.of(call)


class TroubledWire(Wire):
    """A strict wire with observers, and with faults, each for one request."""

    def __init__(self) -> None:
        self.observers: list[Observer] = []
        self._prepared: list[Fault] = []
        self._recent: deque[Payload] = deque(maxlen=REMEMBERED)
        self._late: list[asyncio.Task[None]] = []

    def check(self, api: Api, call: Call) -> None:
        check(api, call)

    def trouble(self, fault: Fault) -> None:
        """Let a fault happen to the next request that it meets."""
        self._prepared.append(fault)

    @property
    def troubled(self) -> bool:
        """Whether a fault has met no request yet."""
        return bool(self._prepared)

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
        self._prepared.append(Fault(method, path, gate=gate))
        return gate

    def cut_and_delay_next(self, method: str, path: str) -> Gate:
        """Cut the connection of the next such request, carried out once the gate is opened."""
        gate = Gate()
        self._prepared.append(Fault(method, path, gate=gate, late=True))
        return gate

    def sent(self, interaction: Interaction) -> Payload:
        """The event that told the bot of the interaction."""
        return next(each for each in self._recent if each["id"] == str(interaction.id))

    async def carry(self, call: Call, serve: Callable[[Call], Reply]) -> Reply | None:
        fault = next((each for each in self._prepared if each.meets(call)), None)
        if fault is None:
            return self._shown(call, serve(call))
        self._prepared.remove(fault)
        if fault.gate is not None and fault.late:
            self._late.append(asyncio.create_task(self._serve_late(fault.gate, call, serve)))
            return None
        if fault.gate is not None:
            await fault.gate.wait()
            reply = self._shown(call, serve(call))
            fault.gate.note()
            return reply
        if fault.carried_out:
            serve(call)
        return None if fault.reply is None else self._shown(call, fault.reply)

    async def _serve_late(self, gate: Gate, call: Call, serve: Callable[[Call], Reply]) -> None:
        await gate.wait()
        self._shown(call, serve(call))
        gate.note()

    def told(self, name: str, data: Payload) -> None:
        if name == "INTERACTION_CREATE":
            self._recent.append(data)
        for observer in self.observers:
            observer(Event(name, data))

    def _shown(self, call: Call, reply: Reply) -> Reply:
        route, sent = call.route, call.sent
        passed = (route.method, route.path, sent.body, reply.status, reply.body, sent.fields)
        for observer in self.observers:
            observer(Exchange(*passed))
        return reply

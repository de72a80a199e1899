"""Discord's troubles: what the wire between it and the bot does to requests and events.

How much goes wrong is the weather, which is drawn for each while. A press that meets trouble is
excused from an answer in time, and a board from being right before it is over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from random import Random
from typing import Final

from bot.sandbox import Payload
from bot.sandbox.refusals import UNKNOWN_MEMBER, RequestRefused
from bot.sandbox.web.calls import Call, Reply
from bot.ui.discord_internals import HEARD_WITHIN
from tests.bot.trouble import TroubledWire
from tests.simulation.chronicle import Chronicle
from tests.simulation.network import ASKED, End

INVALID: Final = 50035
"""The code of a request that says what no request may say."""

MEMBER: Final = "/members/{user_id}"
MESSAGE: Final = "/messages/{message_id}"

SILENT_FOR: Final = HEARD_WITHIN + 5
"""Seconds for which nothing is heard over a connection that is gone without a word."""

AFTERMATH: Final = 6.0
"""Seconds after a trouble in which it may still be felt."""


@dataclass(frozen=True, slots=True)
class Weather:
    """The parts of requests that meet each kind of trouble."""

    slow: float = 0.0
    limited: float = 0.0
    failed: float = 0.0
    failed_after: float = 0.0
    cut: float = 0.0
    cut_after: float = 0.0
    silent: float = 0.0
    outage: bool = False

    @property
    def fair(self) -> bool:
        """Whether no request meets trouble."""
        return self == FAIR


FAIR: Final = Weather()
SHOWERS: Final = Weather(0.03, 0.01, 0.02, 0.01, 0.015, 0.015, 0.005)
STORM: Final = Weather(0.1, 0.05, 0.1, 0.06, 0.08, 0.08, 0.02)
SLUGGISH: Final = Weather(slow=0.4)
"""What was asked for later is often done before."""

OUTAGE: Final = Weather(outage=True)


class Troubles(TroubledWire):
    """A wire of a weather."""

    def __init__(self, rng: Random, chronicle: Chronicle, time: Callable[[], float]) -> None:
        super().__init__()
        self.weather = FAIR
        self._rng = rng
        self._chronicle = chronicle
        self._time = time
        self._excused: list[tuple[float, float]] = []
        self._lasting: dict[str, float] = {}
        self.left: set[int] = set()
        """The people who are no members of any server just now."""
        self.undeletable: dict[int, float] = {}
        """The messages that the bot was not let delete, and when."""
        self._silent: dict[asyncio.Future[None], None] = {}
        """The silent connections, in their order: that of a set follows from no seed."""
        self.malformed: list[str] = []
        """The requests that Discord refused for what they say."""
        self.carrying: End | None = None
        """The connection of the request that Discord carries out at this moment."""

    def excuse(self, after: float = AFTERMATH) -> None:
        """Excuse what happens around now."""
        now = self._time()
        self._excused.append((now - 0.001, now + after))

    def begin(self, what: str) -> None:
        """Excuse what happens until `end`."""
        self._lasting.setdefault(what, self._time())

    def end(self, what: str, after: float = AFTERMATH) -> None:
        """End a trouble that lasted."""
        begun = self._lasting.pop(what, None)
        if begun is not None:
            self._excused.append((begun, self._time() + after))

    def excused(self, since: float, until: float) -> bool:
        """Whether any trouble was felt in a while."""
        self._excused = [each for each in self._excused if each[1] > since - 3600]
        return any(begun <= until for begun in self._lasting.values()) or any(
            begun <= until and since <= ended for begun, ended in self._excused
        )

    def hear_again(self) -> None:
        """End the connections over which nothing was heard any more."""
        for each in self._silent:
            each.set_result(None)
        self._silent.clear()

    @property
    def over(self) -> bool:
        """Whether nothing is wrong."""
        return self.weather.fair and not self._lasting

    async def carry(self, call: Call, serve: Callable[[Call], Reply]) -> Reply | None:
        return await self._carry(call, partial(self._serve, serve))

    def _serve(self, serve: Callable[[Call], Reply], call: Call) -> Reply:
        self.carrying = ASKED.get()
        try:
            if MEMBER in call.route.path and call.id("user_id") in self.left:
                return Reply.to(RequestRefused(UNKNOWN_MEMBER))
            return serve(call)
        finally:
            self.carrying = None

    async def _carry(self, call: Call, serve: Callable[[Call], Reply]) -> Reply | None:
        fault = self._drawn()
        named = f"{call.route.method} {call.path}"
        if fault is None:
            reply = await super().carry(call, serve)
            self._noted(call, named, reply)
            return reply
        self.excuse()
        self._chronicle.note("trouble", f"{fault} {named}")
        if fault == "slow":
            await asyncio.sleep(self._rng.uniform(0.5, 6))
            reply = await super().carry(call, serve)
            self._noted(call, named, reply)
            self.excuse()
            return reply
        if fault.endswith("after") or (fault == "silent" and self._rng.random() < 0.5):
            self._noted(call, named, serve(call))
        if fault == "silent":
            await self._silence(named)
        if fault in {"cut", "cut_after", "silent"}:
            return None
        if fault == "limited":
            wait = round(self._rng.uniform(0.1, 3), 2)
            body: Payload = {"message": "Limited", "code": 0, "retry_after": wait}
            body["global"] = self._rng.random() < 0.2
            return Reply(429, body, {"Via": "1.1 sandbox", "Retry-After": str(wait)})
        status = self._rng.choice((500, 502, 503, 504))
        return Reply(status, {"message": "Trouble", "code": 0}, {})

    async def _silence(self, named: str) -> None:
        """Say nothing to a request for longer than it is waited for."""
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._silent[waiting] = None
        self.begin(named)
        await asyncio.wait({waiting}, timeout=SILENT_FOR)
        self._silent.pop(waiting, None)
        self.end(named)

    def told(self, name: str, data: Payload) -> None:
        super().told(name, data)
        self._chronicle.note("event", name, data)

    def _noted(self, call: Call, named: str, reply: Reply | None) -> None:
        status = None if reply is None else reply.status
        if (
            status == HTTPStatus.FORBIDDEN
            and call.route.method == "DELETE"
            and MESSAGE in call.route.path
        ):
            self.undeletable[call.id("message_id")] = self._time()
        sent = call.sent.body
        if reply is not None and isinstance(reply.body, dict) and reply.body.get("code") == INVALID:
            self.malformed.append(f"{named}: {reply.body}")
        short = f"{named.replace(call.path, call.path[:90])} -> {status}"
        self._chronicle.note("request", short, [sent, None if reply is None else reply.body])

    def _drawn(self) -> str | None:
        weather = self.weather
        if weather.fair:
            return None
        if weather.outage:
            return self._rng.choice(("failed", "cut"))
        drawn = self._rng.random()
        for name in ("slow", "limited", "failed", "failed_after", "cut", "cut_after", "silent"):
            drawn -= getattr(weather, name)
            if drawn < 0:
                return name
        return None

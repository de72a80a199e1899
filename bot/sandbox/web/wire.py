"""The wire between the bot and the API, where tests listen in and make trouble."""

from __future__ import annotations

from collections.abc import Callable

from bot.sandbox.payload import Payload
from bot.sandbox.web.calls import Call, Reply


class Wire:
    """Carries requests and events as they are."""

    async def carry(self, call: Call, serve: Callable[[Call], Reply]) -> Reply | None:
        """The reply to a request; None cuts the connection without an answer."""
        return serve(call)

    def told(self, name: str, data: Payload) -> None:
        """Note that an event is sent over the gateway."""

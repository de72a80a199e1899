"""The sandbox: a Discord on this machine, for one bot, with everything in memory.

To point discord.py at it, before the client is made: `discord.http.Route.BASE = sandbox.api`, and
`discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sandbox.gateway_url)`.
"""

from __future__ import annotations

import base64
from typing import Final, Self

from bot.sandbox.clock import BotClock, RealClock, SandboxClock
from bot.sandbox.model.accounts import BOT
from bot.sandbox.model.world import World
from bot.sandbox.rules.interactions import Interactions
from bot.sandbox.web.site import Site
from bot.sandbox.web.wire import Wire

TOKEN: Final = ".".join(
    (
        base64.b64encode(str(BOT).encode()).decode().rstrip("="),
        "sandbx",
        "opens-nothing-outside-of-this-machine",
    )
)
"""The token of the bot, the same at every start: it opens nothing outside this machine."""


class Sandbox:
    """A Discord on this machine; `port` 0 takes a free one.

    Of several `guilds` the second has one channel, "games-2", and so on.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        clock: SandboxClock | None = None,
        locale: str = "en-US",
        guilds: int = 1,
        wire: Wire | None = None,
    ) -> None:
        clock = clock or RealClock()
        self.token = TOKEN
        self.clock = BotClock(clock)
        self.world = World(clock, TOKEN, locale=locale, guilds=guilds)
        self.interactions = Interactions(self.world)
        self.site = Site(self.world, self.interactions, wire or Wire(), port)

    @property
    def url(self) -> str:
        """The address of the sandbox and of its page."""
        return self.site.url

    @property
    def api(self) -> str:
        """The address of the REST API."""
        return self.site.api

    @property
    def gateway_url(self) -> str:
        """The address of the websocket."""
        return self.site.gateway_url

    async def start(self) -> None:
        """Begin to serve.

        Raises:
            OSError: The port is in use.
        """
        await self.site.start()

    async def close(self) -> None:
        """Stop serving; nothing is kept."""
        self.interactions.close()
        await self.site.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

"""The sandbox: a Discord on this machine, for one bot, with everything in memory.

It carries out what makes sense, and refuses in words what does not. It is not strict: a Discord
that refuses what Discord does, has outages and loses its connections is in `tests/discord`.

To point discord.py at it, before the client is made: `discord.http.Route.BASE = sandbox.api`, and
`discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sandbox.gateway_url)`.
"""

from __future__ import annotations

import base64
from typing import Final, Self

from aiohttp import web

from bot.sandbox.model.accounts import BOT, Application
from bot.sandbox.model.registry import Interactions
from bot.sandbox.model.world import World
from bot.sandbox.payload import BotClock, RealClock, SandboxClock
from bot.sandbox.web.actions import PageActions
from bot.sandbox.web.calls import Api, Wire
from bot.sandbox.web.gateway import Gateway
from bot.sandbox.web.page import PageRoutes
from bot.sandbox.web.server import PREFIX, FileRoutes, HttpServer, Rest

TOKEN: Final = ".".join(
    (
        base64.b64encode(str(BOT).encode()).decode().rstrip("="),
        "sandbx",
        "opens-nothing-outside-of-this-machine",
    )
)
"""The token of the bot, the same at every start: it opens nothing outside this machine."""


class Sandbox:
    """A Discord on this machine; `port` 0 takes a free one."""

    gateway_kind = Gateway
    application_kind = Application

    def __init__(
        self,
        *,
        port: int = 0,
        clock: SandboxClock | None = None,
        locale: str = "en-US",
        wire: Wire | None = None,
    ) -> None:
        clock, wire = clock or RealClock(), wire or Wire()
        self.token = TOKEN
        self.clock = BotClock(clock)
        self.world = world = World(clock, self.application_kind(), locale)
        self.interactions = Interactions(world)
        self.gateway = self.gateway_kind(world, wire, lambda: self.gateway_url)
        actions = PageActions(world, self.interactions)
        self.page = PageRoutes(world, actions, lambda: self.gateway.online)
        self._server = HttpServer(port)
        self._files = FileRoutes(world, lambda: self.url)
        world.keep = self._files.keep
        api = Api(world, self.interactions, lambda: self.gateway_url)
        self._rest = Rest(api, wire)

    @property
    def url(self) -> str:
        """The address of the sandbox and of its page."""
        return self._server.url

    @property
    def api(self) -> str:
        """The address of the REST API."""
        return self.url + PREFIX

    @property
    def gateway_url(self) -> str:
        """The address of the websocket."""
        return self.url.replace("http://", "ws://") + "/gateway"

    async def start(self) -> None:
        """Begin to serve.

        Raises:
            OSError: The port is in use.
        """
        await self._server.start(self.served())

    def served(self) -> web.Application:
        """All that is served."""
        app = self._server.application()
        for part in (self._rest, self._files, self.page):
            part.mount(app)
        app.router.add_get("/gateway", self.gateway.connect)
        return app

    async def close(self) -> None:
        """Stop serving; nothing is kept."""
        self.interactions.close()
        self.page.close()
        await self.gateway.close()
        await self._server.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

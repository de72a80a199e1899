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
from bot.sandbox.rules.bodies import MessageContext
from bot.sandbox.rules.callbacks import Callbacks
from bot.sandbox.rules.interactions import Interactions
from bot.sandbox.web.actions import PageActions
from bot.sandbox.web.calls import Api
from bot.sandbox.web.files import FileRoutes
from bot.sandbox.web.gateway import Gateway
from bot.sandbox.web.page import PageRoutes
from bot.sandbox.web.rest import PREFIX, Rest
from bot.sandbox.web.server import HttpServer
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
        clock, wire = clock or RealClock(), wire or Wire()
        self.token = TOKEN
        self.clock = BotClock(clock)
        self.world = world = World(clock, TOKEN, locale=locale, guilds=guilds)
        self.interactions = Interactions(world)
        self.gateway = Gateway(world, wire, lambda: self.gateway_url)
        actions = PageActions(world, self.interactions)
        self.page = PageRoutes(world, actions, lambda: self.gateway.online)
        self._server = HttpServer(port)
        self._files = FileRoutes(world, lambda: self.url)
        context = MessageContext(world.accounts, world.emojis, self._files.keep)
        answers = Callbacks(world, context)
        api = Api(world, self.interactions, context, answers, lambda: self.gateway_url)
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
        app = self._server.application()
        self._rest.mount(app)
        self._files.mount(app)
        self.page.mount(app)
        app.router.add_get("/gateway", self.gateway.connect)
        await self._server.start(app)

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

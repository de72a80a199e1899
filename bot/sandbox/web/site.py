"""All that the sandbox serves: Discord's REST API and gateway, and the page."""

from __future__ import annotations

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


class Site:
    """The server of a world, on `port`."""

    def __init__(self, world: World, interactions: Interactions, wire: Wire, port: int) -> None:
        self._server = HttpServer(port)
        self.gateway = Gateway(world, wire, lambda: self.gateway_url)
        self.page = PageRoutes(world, PageActions(world, interactions), lambda: self.gateway.online)
        self._files = FileRoutes(world, lambda: self.url)
        context = MessageContext(world.accounts, world.emojis, self._files.keep)
        callbacks = Callbacks(world, context)
        api = Api(world, interactions, context, callbacks, lambda: self.gateway_url)
        self._rest = Rest(api, wire)

    @property
    def url(self) -> str:
        """The address of the page."""
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
        """Stop serving."""
        self.page.close()
        await self.gateway.close()
        await self._server.close()

"""The whole REST API, put together."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from bot.sandbox.model.world import World
from bot.sandbox.rules.bodies import Desk
from bot.sandbox.rules.callbacks import Callbacks
from bot.sandbox.rules.interactions import Interactions
from bot.sandbox.web.commands import CommandRoutes
from bot.sandbox.web.emojis import EmojiRoutes
from bot.sandbox.web.files import Files
from bot.sandbox.web.guild import GuildRoutes
from bot.sandbox.web.messages import Messages
from bot.sandbox.web.rest import Rest
from bot.sandbox.web.webhooks import Webhooks


def mount_api(
    app: web.Application,
    rest: Rest,
    world: World,
    interactions: Interactions,
    *,
    address: Callable[[], str],
    gateway: Callable[[], str],
) -> None:
    """Serve the API in `app`; `address` is the sandbox's own, `gateway` the websocket's."""
    files = Files(address, world.mint)
    files.mount(app)
    emojis = EmojiRoutes(world)
    emojis.mount(app)
    desk = Desk(world.accounts, world.emojis, world.mint, files.keep)
    callbacks = Callbacks(world, desk)
    routes = [
        *GuildRoutes(world, gateway).routes(),
        *CommandRoutes(world).routes(),
        *emojis.routes(),
        *Messages(world, desk, callbacks).routes(),
        *Webhooks(world, interactions, callbacks).routes(),
    ]
    rest.mount(app, routes)

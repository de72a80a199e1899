"""The whole REST API, put together."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from bot.sandbox.model.world import World
from bot.sandbox.rules.bodies import MessageContext
from bot.sandbox.rules.callbacks import Callbacks
from bot.sandbox.rules.interactions import Interactions
from bot.sandbox.web.application import ApplicationRoutes
from bot.sandbox.web.commands import CommandRoutes
from bot.sandbox.web.emojis import EmojiRoutes
from bot.sandbox.web.files import FileRoutes
from bot.sandbox.web.guild import GuildRoutes
from bot.sandbox.web.messages import MessageRoutes
from bot.sandbox.web.rest import Rest
from bot.sandbox.web.webhooks import WebhookRoutes


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
    files = FileRoutes(address, world.mint)
    files.mount(app)
    emojis = EmojiRoutes(world)
    emojis.mount(app)
    context = MessageContext(world.accounts, world.emojis, world.mint, files.keep)
    callbacks = Callbacks(world, context)
    routes = [
        *GuildRoutes(world, gateway).routes(),
        *ApplicationRoutes(world).routes(),
        *CommandRoutes(world).routes(),
        *emojis.routes(),
        *MessageRoutes(world, context, callbacks).routes(),
        *WebhookRoutes(world, interactions, callbacks).routes(),
    ]
    rest.mount(app, routes)

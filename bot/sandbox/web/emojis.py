"""REST: the application's own emoji, and their pictures by address."""

from __future__ import annotations

from aiohttp import web

from bot.sandbox.model.accounts import BOT
from bot.sandbox.model.emojis import ApplicationEmoji
from bot.sandbox.model.world import World
from bot.sandbox.rules.emojis import read_new_emoji
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.snowflakes import Snowflake
from bot.sandbox.web.calls import NOTHING, Call, Reply, Route, check_application
from bot.sandbox.web.files import served


class EmojiRoutes:
    """Making and removing emoji, and showing them."""

    def __init__(self, world: World) -> None:
        self._world = world

    def mount(self, app: web.Application) -> None:
        """Serve the pictures in `app`, by paths like those of Discord's own."""
        app.router.add_get(r"/emojis/{id:\d+}.{kind:png|webp}", self._serve)

    def routes(self) -> list[Route]:
        """The routes of this part of the API."""
        all_of_them = "/applications/{application_id}/emojis"
        one = f"{all_of_them}/{{emoji_id}}"
        return [
            Route("GET", all_of_them, self._list),
            Route("POST", all_of_them, self._add),
            Route("DELETE", one, self._remove),
        ]

    def _list(self, call: Call) -> Reply:
        check_application(call, BOT)
        return Reply(200, {"items": [emoji.payload() for emoji in self._world.emojis]})

    def _add(self, call: Call) -> Reply:
        check_application(call, BOT)
        emojis = self._world.emojis
        name, image = read_new_emoji(call.form(), emojis)
        return Reply(201, emojis.add(name, image, self._world.bot).payload())

    def _remove(self, call: Call) -> Reply:
        self._world.emojis.remove(self._emoji(call))
        return NOTHING

    def _emoji(self, call: Call) -> ApplicationEmoji:
        check_application(call, BOT)
        emoji = self._world.emojis.get(call.id("emoji_id"))
        if emoji is None:
            raise RequestRefused(Rule.UNKNOWN_EMOJI)
        return emoji

    async def _serve(self, request: web.Request) -> web.Response:
        emoji = self._world.emojis.get(Snowflake(int(request.match_info["id"])))
        if emoji is None:
            raise web.HTTPNotFound(text="There is no such emoji.")
        return served(emoji.image, "image/png")

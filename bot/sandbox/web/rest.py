"""The REST API over HTTP: tokens, errors, and the time of each answer."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from email.utils import formatdate
from functools import partial
from itertools import chain
from typing import Final
from urllib.parse import unquote

from aiohttp import web

from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.web import application, guild, messages, webhooks
from bot.sandbox.web.calls import Api, Call, Reply, Route
from bot.sandbox.web.sent import read_sent
from bot.sandbox.web.wire import Wire

PREFIX: Final = "/api/v10"


class Rest:
    """Serves the API to the bot that has the application's token."""

    def __init__(self, api: Api, wire: Wire) -> None:
        self._api = api
        self._wire = wire

    def mount(self, app: web.Application) -> None:
        """Put the routes into `app`; what the API does not have is refused in its own way."""
        app.middlewares.append(_refuse_the_unknown)
        parts = (application.routes, guild.routes, messages.routes, webhooks.routes)
        for route in chain.from_iterable(parts):
            app.router.add_route(route.method, PREFIX + route.path, partial(self._handle, route))

    async def _handle(self, route: Route, request: web.Request) -> web.Response:
        try:
            sent = await read_sent(request)
        except RequestRefused as refused:
            return _response(Reply.to(refused))
        path, token = request.path.removeprefix(PREFIX), request.headers.get("Authorization")
        reason = unquote(request.headers.get("X-Audit-Log-Reason", ""))
        call = Call(route, path, token, request.match_info, request.query, sent, reason)
        reply = await self._wire.carry(call, self._serve)
        self._api.world.news.stir()
        if reply is None:
            return _cut(request)
        response = _response(reply)
        response.headers["Date"] = formatdate(self._api.world.clock.now(), usegmt=True)
        return response

    def _serve(self, call: Call) -> Reply:
        try:
            return call.reply(self._api)
        except RequestRefused as refused:
            return Reply.to(refused)


def _cut(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


def _response(reply: Reply) -> web.Response:
    if reply.body is None:
        return web.Response(status=reply.status, headers=reply.headers)
    # discord.py takes an answer for JSON only if the type is this and nothing more.
    headers = {**reply.headers, "Content-Type": "application/json"}
    return web.Response(status=reply.status, body=json.dumps(reply.body).encode(), headers=headers)


@web.middleware
async def _refuse_the_unknown(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    try:
        return await handler(request)
    except (web.HTTPNotFound, web.HTTPMethodNotAllowed) as error:
        if not request.path.startswith("/api/"):
            raise
        rule = Rule.NO_SUCH_ROUTE if error.status == 404 else Rule.WRONG_METHOD
        return _response(Reply.to(RequestRefused(rule)))

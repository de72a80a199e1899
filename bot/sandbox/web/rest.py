"""The REST API over HTTP: tokens, errors, and the trouble made on purpose."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from email.utils import formatdate
from functools import partial
from itertools import chain
from typing import Final

from aiohttp import web

from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.web import application, guild, messages, webhooks
from bot.sandbox.web.calls import Api, Call, Reply, Route
from bot.sandbox.web.faults import Fault, Faults
from bot.sandbox.web.sent import Sent, read_sent
from bot.sandbox.web.traffic import Exchange, Observer

PREFIX: Final = "/api/v10"


class Rest:
    """Serves the API to the bot that has the `token`."""

    def __init__(self, token: str, api: Api, faults: Faults, observers: list[Observer]) -> None:
        self._authorization = f"Bot {token}"
        self._api = api
        self._faults = faults
        self._observers = observers

    def revoke_token(self) -> None:
        """Take no token any more."""
        self._authorization = ""

    def mount(self, app: web.Application) -> None:
        """Put the routes into `app`; what the API does not have is refused in its own way."""
        app.middlewares.append(_refuse_the_unknown)
        parts = (application.routes, guild.routes, messages.routes, webhooks.routes)
        for route in chain.from_iterable(parts):
            app.router.add_route(route.method, PREFIX + route.path, partial(self._handle, route))

    async def _handle(self, route: Route, request: web.Request) -> web.Response:
        path = request.path.removeprefix(PREFIX)
        fault = self._faults.take(request.method, path, route.path)
        if fault is not None and fault.gate is not None:
            await fault.gate.wait()
        return await self._serve(route, request, fault)

    async def _serve(self, route: Route, request: web.Request, fault: Fault | None) -> web.Response:
        sent = Sent()
        reply: Reply | None = None
        try:
            sent = await read_sent(request)
            self._check_token(route, request)
            if fault is None or fault.carried_out:
                call = Call(request.match_info, request.query, sent.body, sent.uploads)
                reply = route.reply(self._api, call)
        except RequestRefused as refused:
            reply = Reply.to(refused)
        if fault is not None and fault.gate is None:
            reply = fault.reply
        self._api.world.news.stir()
        if reply is None:
            return _cut(request)
        for observer in self._observers:
            path, fields = route.path, sent.fields
            observer(Exchange(request.method, path, sent.body, reply.status, reply.body, fields))
        dated = {**reply.headers, "Date": formatdate(self._api.world.clock.now(), usegmt=True)}
        return _response(replace(reply, headers=dated))

    def _check_token(self, route: Route, request: web.Request) -> None:
        if not route.tokenless and request.headers.get("Authorization") != self._authorization:
            raise RequestRefused(Rule.UNAUTHORIZED)


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

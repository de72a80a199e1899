"""The REST API over HTTP: JSON or a form of JSON and files, and answers with their time."""

from __future__ import annotations

import json
import re
from email.utils import formatdate
from functools import partial
from typing import Final
from urllib.parse import unquote

from aiohttp import BodyPartReader, web

from bot.sandbox.model.files import Upload
from bot.sandbox.payload import parsed
from bot.sandbox.refusals import NOT_JSON, RequestRefused
from bot.sandbox.web import application, messages, webhooks
from bot.sandbox.web.calls import Api, Call, Reply, Route, Sent, Wire

PREFIX: Final = "/api/v10"
_FILE: Final = re.compile(r"files\[(\d{1,2})\]")


class Rest:
    """Serves the API."""

    def __init__(self, api: Api, wire: Wire) -> None:
        self._api = api
        self._wire = wire

    def mount(self, app: web.Application) -> None:
        """Put the routes into `app`."""
        for route in (*application.routes, *messages.routes, *webhooks.routes):
            app.router.add_route(route.method, PREFIX + route.path, partial(self._handle, route))

    async def _handle(self, route: Route, request: web.Request) -> web.Response:
        try:
            sent = await _read(request)
        except RequestRefused as refused:
            return response(Reply.to(refused))
        path, token = request.path.removeprefix(PREFIX), request.headers.get("Authorization")
        reason = unquote(request.headers.get("X-Audit-Log-Reason", ""))
        call = Call(route, path, token, request.match_info, request.query, sent, reason)
        reply = await self._wire.carry(call, self._serve)
        self._api.world.news.stir()
        if reply is None:
            if request.transport is not None:
                request.transport.abort()
            return web.Response()
        answer = response(reply)
        answer.headers["Date"] = formatdate(self._api.world.clock.now(), usegmt=True)
        return answer

    def _serve(self, call: Call) -> Reply:
        try:
            self._wire.check(self._api, call)
            body = call.route.handler(self._api, call)
        except RequestRefused as refused:
            return Reply.to(refused)
        return Reply(204 if body is None else call.route.status, body)


def response(reply: Reply) -> web.Response:
    """The reply over HTTP."""
    if reply.body is None:
        return web.Response(status=reply.status, headers=reply.headers)
    # discord.py takes an answer for JSON only if the type is this and nothing more.
    headers = {**reply.headers, "Content-Type": "application/json"}
    return web.Response(status=reply.status, body=json.dumps(reply.body).encode(), headers=headers)


async def _read(request: web.Request) -> Sent:
    try:
        if request.content_type == "multipart/form-data":
            return await _read_form(request)
        raw = await request.read()
        return Sent(parsed(raw) if raw else None)
    except ValueError:
        raise RequestRefused(NOT_JSON) from None


async def _read_form(request: web.Request) -> Sent:
    body: object = {}
    uploads: list[Upload] = []
    fields: list[str] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        name, data = part.name or "", bytes(await part.read())
        if name == "payload_json":
            body = parsed(data)
            continue
        fields.append(name)
        if found := _FILE.fullmatch(name):
            kind = part.headers.get("Content-Type", "application/octet-stream")
            uploads.append(Upload(int(found[1]), part.filename or "unknown", kind, data))
    return Sent(body, tuple(uploads), tuple(fields))

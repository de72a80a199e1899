"""The content of a request: JSON, or a form of JSON and files."""

from __future__ import annotations

import json
import re
from typing import Final

from aiohttp import BodyPartReader, web

from bot.sandbox.model.files import Upload
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.web.calls import Sent

_FILE: Final = re.compile(r"files\[(\d+)\]")


async def read_sent(request: web.Request) -> Sent:
    """Read the content of a request.

    Raises:
        RequestRefused: It is no JSON.
    """
    if request.content_type == "multipart/form-data":
        return await _read_form(request)
    raw = await request.read()
    return Sent(_parsed(raw) if raw else None)


def _parsed(raw: bytes | str) -> object:
    try:
        parsed: object = json.loads(raw)
    except ValueError:
        raise RequestRefused(Rule.NOT_JSON) from None
    return parsed


async def _read_form(request: web.Request) -> Sent:
    body: object = {}
    uploads: list[Upload] = []
    fields: list[str] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        name = part.name or ""
        if name == "payload_json":
            body = _parsed(await part.text())
            continue
        fields.append(name)
        if found := _FILE.fullmatch(name):
            kind = part.headers.get("Content-Type", "application/octet-stream")
            data = bytes(await part.read())
            uploads.append(Upload(int(found[1]), part.filename or "unknown", kind, data))
    return Sent(body, tuple(uploads), tuple(fields))

"""The gateway, as a bare websocket meets it."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest

from tests.bot.sandbox.raw import Raw
from tests.bot.stand_in import Sandbox

HELLO, IDENTIFY, RESUME, HEARTBEAT, INVALID = 10, 2, 6, 1, 9


@dataclass
class Wire:
    """A bare websocket to the gateway."""

    socket: aiohttp.ClientWebSocketResponse
    inflate: Any = None

    async def next(self) -> Any:
        message = await self.socket.receive(timeout=60)
        if message.type is aiohttp.WSMsgType.BINARY:
            return json.loads(self.inflate.decompress(message.data))
        return json.loads(message.data)

    async def send(self, op: int, data: object) -> None:
        await self.socket.send_json({"op": op, "d": data})

    async def closed(self) -> int | None:
        while (await self.socket.receive(timeout=60)).type is not aiohttp.WSMsgType.CLOSE:
            pass
        return self.socket.close_code


@asynccontextmanager
async def gateway(sandbox: Sandbox, query: str = "?v=10&encoding=json") -> AsyncIterator[Wire]:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(sandbox.gateway_url + query) as socket,
    ):
        wire = Wire(socket, zlib.decompressobj())
        if "v=10" in query:
            assert (await wire.next())["op"] == HELLO
        yield wire


async def test_compressed_as_one_stream_if_that_is_asked_for(sandbox: Sandbox) -> None:
    async with gateway(sandbox, "?v=10&encoding=json&compress=zlib-stream") as wire:
        await wire.send(IDENTIFY, {"token": sandbox.token, "intents": 1})
        events = [(await wire.next())["t"] for _ in range(2)]

    assert events == ["READY", "GUILD_CREATE"]


async def test_a_heartbeat_is_acknowledged(sandbox: Sandbox) -> None:
    async with gateway(sandbox) as wire:
        await wire.send(HEARTBEAT, None)
        assert (await wire.next())["op"] == 11


async def test_without_the_intent_for_servers_no_server_is_told(sandbox: Sandbox) -> None:
    async with gateway(sandbox) as wire:
        await wire.send(IDENTIFY, {"token": sandbox.token, "intents": 0})
        ready = await wire.next()
        await wire.send(HEARTBEAT, 1)

        assert ready["d"]["resume_gateway_url"] == sandbox.gateway_url
        assert (await wire.next())["op"] == 11


async def test_a_resume_brings_what_comes_after_the_number_it_names(api: Raw) -> None:
    sandbox, ann = api.sandbox, api.sandbox.person("Ann")
    await api.register()
    async with gateway(sandbox) as wire:
        await wire.send(IDENTIFY, {"token": sandbox.token, "intents": 1})
        session = (await wire.next())["d"]["session_id"]
        for _ in range(3):
            await ann.type(sandbox.channel("games"), "go")
        wire.socket._response.close()
    await sandbox.bot_gone()

    async with gateway(sandbox) as wire:
        resume = {"token": sandbox.token, "session_id": session, "seq": 3}
        await wire.send(RESUME, resume)
        frames = [await wire.next() for _ in range(3)]
        assert [(frame["s"], frame["t"]) for frame in frames] == [
            (4, "INTERACTION_CREATE"),
            (5, "INTERACTION_CREATE"),
            (6, "RESUMED"),
        ]


@pytest.mark.parametrize("seq", [-1, 99])
async def test_a_resume_from_where_nothing_is_known_is_refused(sandbox: Sandbox, seq: int) -> None:
    async with gateway(sandbox) as wire:
        await wire.send(IDENTIFY, {"token": sandbox.token, "intents": 0})
        session = (await wire.next())["d"]["session_id"]
        resume = {"token": sandbox.token, "session_id": session, "seq": seq}
        async with gateway(sandbox) as other:
            await other.send(RESUME, resume)
            assert (await other.next())["op"] == INVALID
            await other.send(RESUME, resume | {"session_id": "unknown"})
            assert await other.next() == {"op": INVALID, "d": False, "s": None, "t": None}


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (["{"], 4002),
        (["[]"], 4001),
        (['{"op": 99}'], 4001),
        (['{"op": 3, "d": {}}'], 4003),
        (['{"op": 2, "d": {"token": "%s", "shard": [2, 2]}}'], 4010),
        (['{"op": 2, "d": {"token": "%s"}}', '{"op": 2, "d": {"token": "%s"}}'], 4005),
        (['{"op": 6, "d": {"token": "x", "session_id": "x", "seq": 1}}'], 4004),
    ],
)
async def test_a_client_that_misbehaves_is_closed_with_discords_code(
    sandbox: Sandbox, frames: list[str], code: int
) -> None:
    async with gateway(sandbox) as wire:
        for frame in frames:
            await wire.socket.send_str(frame.replace("%s", sandbox.token))
        assert await wire.closed() == code


async def test_another_version_of_the_gateway_is_closed_with_4012(sandbox: Sandbox) -> None:
    async with gateway(sandbox, "?v=9") as wire:
        assert await wire.closed() == 4012


async def test_a_wrong_token_is_closed_with_4004(sandbox: Sandbox) -> None:
    async with gateway(sandbox) as wire:
        await wire.send(IDENTIFY, {"token": "another", "intents": 1})
        assert await wire.closed() == 4004
        assert not sandbox.online

"""The sandbox as people play in it, without the strictness that tests put before it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from bot.sandbox import Payload, Sandbox
from bot.sandbox.client import TypedCommand
from bot.sandbox.person import Person
from tests.bot.connection import pointed_at
from tests.bot.sandbox.raw import GO, V2
from tests.bot.sandbox.tiny import Interaction, TinyBot, buttons

CHANNEL = "/channels/{channel}/messages"


@pytest.fixture
async def playground() -> AsyncIterator[Sandbox]:
    """A sandbox on a free port."""
    async with Sandbox() as sandbox:
        yield sandbox


async def send(sandbox: Sandbox, method: str, path: str, raw: str) -> tuple[int, Any]:
    """The status and the JSON that answer a request."""
    url = sandbox.api + path.format(
        channel=next(iter(sandbox.world.channels)), application=sandbox.world.bot.id
    )
    headers = {"Content-Type": "application/json"}
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, url, data=raw, headers=headers) as response,
    ):
        return response.status, json.loads(await response.text() or "null")


async def until(sandbox: Sandbox, said: Any) -> None:
    async with asyncio.timeout(60):
        while not said():
            await sandbox.world.news.next()


async def answer(interaction: Interaction) -> None:
    await interaction.response.send_message(view=buttons("Up"))


async def test_a_bot_answers_and_comes_back_after_its_connection_was_cut(
    playground: Sandbox,
) -> None:
    world, gateway = playground.world, playground.gateway
    ann = Person(world.people[0], world, playground.interactions)
    games = next(iter(world.channels.values()))
    bot = TinyBot(command=answer)
    async with pointed_at(playground):
        running = asyncio.create_task(bot.start(playground.token))
        for _ in range(2):
            await until(playground, lambda: gateway.online and world.commands)
            typed = await ann.command(games, TypedCommand("go", {})).answered()
            assert [button.label for button in typed.message.buttons] == ["Up"]
            for connection in tuple(gateway.connections):
                connection.cut()
            await until(playground, lambda: not gateway.online)
        await bot.close()
        await running

    assert bot.events.count("READY") >= 2


@pytest.mark.parametrize(
    ("method", "path", "raw", "words"),
    [
        ("POST", CHANNEL, "{", "The request body contains invalid JSON."),
        ("POST", CHANNEL, "[" * 100_000, "The request body contains invalid JSON."),
        ("POST", CHANNEL, "[]", "NonceForm: "),
        ("POST", CHANNEL, '{"content": 5}', "content: "),
        ("POST", CHANNEL, '{"content": {"a": 1}, "flags": "x"}', "content: "),
        ("POST", CHANNEL, '{"components": [{"type": 99}]}', "components.0: "),
        ("POST", CHANNEL, '{"components": [{"type": 1, "components": [7]}]}', "components.0.1."),
        (
            "POST",
            CHANNEL,
            json.dumps(
                {"flags": V2, "components": [{"type": 12, "items": [{"media": {"url": "x"}}]}]}
            ),
            "The message has no file x",
        ),
        ("POST", "/channels/5/messages", "{}", "Unknown Channel"),
        ("GET", "/channels/x", "", "Unknown Channel"),
        ("GET", f"/channels/{'9' * 5000}", "", "Unknown Channel"),
        ("PATCH", f"{CHANNEL}/5", "{}", "Unknown Message"),
        ("PUT", "/applications/{application}/commands", '"x"', "CommandList: "),
        ("PUT", "/applications/{application}/commands", '[{"name": 5}]', "0.name: "),
        ("POST", "/applications/{application}/emojis", '{"name": "x", "image": "x"}', "image: "),
        ("POST", "/interactions/5/x/callback", '{"type": 4}', "Unknown interaction"),
        ("POST", "/webhooks/{application}/x", "{}", "Invalid Webhook Token"),
        ("GET", "/guilds/5", "", "Unknown Guild"),
    ],
)
async def test_what_makes_no_sense_is_refused_in_words(
    playground: Sandbox, method: str, path: str, raw: str, words: str
) -> None:
    status, body = await send(playground, method, path, raw)

    assert 400 <= status < 500
    assert body["message"].startswith(words)


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=b", b"x"),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="payload_json"\r\n\r\n\xff\r\n--b--\r\n',
        ),
        ("application/json", b"\xff"),
    ],
)
async def test_a_form_that_is_none_is_refused_in_words(
    playground: Sandbox, kind: str, raw: bytes
) -> None:
    url = f"{playground.api}/channels/{next(iter(playground.world.channels))}/messages"
    headers = {"Content-Type": kind}
    async with (
        aiohttp.ClientSession() as session,
        session.post(url, data=raw, headers=headers) as response,
    ):
        assert response.status == 400
        assert (await response.json())["message"] == "The request body contains invalid JSON."


async def test_what_discord_alone_would_refuse_is_carried_out(playground: Sandbox) -> None:
    row = {"type": 1, "components": [{"type": 2, "style": 1, "label": "x" * 90, "custom_id": "a"}]}
    message: Payload = {"content": "x" * 3000, "components": [row]}

    assert (await send(playground, "POST", CHANNEL, json.dumps(message)))[0] == 200
    path, command = "/applications/{application}/commands", [{**GO, "name": "Go On"}]
    assert (await send(playground, "PUT", path, json.dumps(command)))[0] == 200


async def test_frames_without_sense_leave_the_gateway_open(playground: Sandbox) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(playground.gateway_url) as socket,
    ):
        for frame in (
            "{",
            "[]",
            "[" * 100_000,
            '{"op": 99}',
            '{"op": 2, "d": 5}',
            '{"op": {}, "d": {}}',
        ):
            await socket.send_str(frame)
        await socket.send_json({"op": 2, "d": {"token": "any", "intents": "x"}})
        told = [json.loads((await socket.receive()).data) for _ in range(2)]

    assert [frame["t"] for frame in told] == [None, "READY"]

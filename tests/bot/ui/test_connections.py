"""Connections to Discord: a bounded number of them, of which answers never wait for the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from yarl import URL

from bot.ui import requests
from bot.ui.connection import ConnectionRefused, point_at, server_time
from tests.bot.trouble import CALLBACK, Gate
from tests.bot.ui.conftest import Open, RunningBot

CHANNEL: Final = "/channels/*"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight connections besides that to the gateway, four of them for more than answers."""
    monkeypatch.setattr(requests, "CONNECTIONS", 9)  # the sandbox's gateway is at the same address
    monkeypatch.setattr(requests, "UNASKED", 4)


def held(gates: Iterable[Gate]) -> list[asyncio.Task[None]]:
    """Tasks that are done once Discord has each of some requests."""
    return [asyncio.create_task(gate.reached()) for gate in gates]


async def reached(tasks: Iterable[asyncio.Task[None]], many: int) -> None:
    """Returns once Discord has a number of the requests."""
    while done(tasks) < many:
        waiting = [task for task in tasks if not task.done()]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)


def done(tasks: Iterable[asyncio.Task[None]]) -> int:
    return sum(task.done() for task in tasks)


@pytest.mark.usefixtures("few")
async def test_answers_never_wait_for_slow_requests_and_connections_have_an_end(
    open_bot: Open,
) -> None:
    async with open_bot() as running_bot:
        sandbox, (ann, *_) = running_bot.sandbox, running_bot.people
        slow = [sandbox.hold_next("GET", CHANNEL) for _ in range(6)]
        asked, at_discord = asking(running_bot, len(slow)), held(slow)
        await reached(at_discord, 4)
        await (await ann.type(running_bot.games, "help")).answered()
        assert done(at_discord) == 4

        callbacks = [sandbox.hold_next("POST", CALLBACK) for _ in range(6)]
        answers = held(callbacks)
        typed = [await ann.type(running_bot.games, "help") for _ in callbacks]
        await reached(answers, 4)
        await server_time()  # by a connection of its own, and meanwhile no other answer goes out
        assert done(answers) == 4
        slow[0].open()
        await reached(answers, 5)
        assert done(at_discord) == 4  # that connection went to an answer

        for gate in (*slow, *callbacks):
            gate.open()
        await asyncio.gather(*(each.answered() for each in typed))
        await asyncio.gather(*at_discord, *asked, return_exceptions=True)
        assert done(at_discord) == len(slow)


@pytest.mark.usefixtures("few")
async def test_requests_that_are_given_up_free_their_place(open_bot: Open) -> None:
    async with open_bot() as running_bot:
        slow = [running_bot.sandbox.hold_next("GET", CHANNEL) for _ in range(4)]
        asked, at_discord = asking(running_bot, 6), held(slow)
        await asyncio.gather(*at_discord)
        for each in asked:
            each.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        channel = await running_bot.client.fetch_channel(int(running_bot.games.id))
        assert channel.id == int(running_bot.games.id)
        for gate in slow:
            gate.open()


def asking(running_bot: RunningBot, many: int) -> list[asyncio.Task[object]]:
    """Requests that answer nobody."""
    number = int(running_bot.games.id)
    return [
        asyncio.create_task(running_bot.client.fetch_channel(number + 1000 + each))
        for each in range(many)
    ]


@pytest.mark.parametrize(
    ("gateway", "taken"),
    [
        ("wss://gateway.example.org", True),
        ("ws://127.0.0.1:8765/gateway", True),
        ("ws://[::1]:8765", True),
        ("ws://gateway.example.org", False),
        ("http://gateway.example.org", False),
        ("ws://127.0.0.1.example.org", False),
        ("ws://localhost.example.org", False),
        ("gateway", False),
    ],
)
async def test_a_gateway_that_would_be_told_the_token_in_the_open_is_refused(
    monkeypatch: pytest.MonkeyPatch, gateway: str, taken: bool
) -> None:
    used: list[tuple[str, URL]] = []
    monkeypatch.setattr("bot.ui.connection.use_server", lambda *server: used.append(server))

    async def answer(_: web.Request) -> web.Response:
        return web.json_response({"url": gateway})

    app = web.Application()
    app.router.add_get("/api/v10/gateway", answer)
    async with TestServer(app) as server:
        url = str(server.make_url("")).rstrip("/")
        if taken:
            await point_at(url)
            assert used == [(url, URL(gateway))]
            return
        with pytest.raises(ConnectionRefused, match=r"in the open|speaks Discord"):
            await point_at(url)
    assert used == []

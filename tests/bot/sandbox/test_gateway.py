"""The gateway, as discord.py and a bare websocket meet it."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord
import pytest
from discord import Intents

from bot.sandbox import Answer, Sandbox
from tests.bot.connection import connected, pointed_at
from tests.bot.sandbox.raw import Raw
from tests.bot.sandbox.tiny import Interaction, TinyBot, buttons

HELLO, IDENTIFY, RESUME, HEARTBEAT, INVALID = 10, 2, 6, 1, 9


async def answer(interaction: Interaction) -> None:
    await interaction.response.send_message(view=buttons("Up"))


async def test_a_bot_is_ready_with_its_server_and_channels(sandbox: Sandbox) -> None:
    async with connected(TinyBot(), sandbox) as client:
        await client.wait_for("guild_available")
        (guild,) = client.guilds

    assert guild.name == "Parlour"
    assert [channel.name for channel in guild.text_channels] == ["games", "lounge"]
    assert [thread.name for thread in guild.threads] == ["games-thread"]
    assert guild.me.id == sandbox.person("Parlour").id
    await sandbox.bot_gone()


async def test_what_happens_while_the_bot_is_cut_off_reaches_it_when_it_resumes(
    sandbox: Sandbox,
) -> None:
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    bot = TinyBot(command=answer)
    async with connected(bot, sandbox):
        await (await ann.type(games, "go")).answered()
        sandbox.drop_gateway()
        missed = await ann.type(games, "go")
        assert missed.response is None

        assert (await missed.answered()).response is Answer.MESSAGE

    assert bot.events.count("READY") == 1
    assert bot.events.count("RESUMED") == 1
    assert bot.events.count("INTERACTION_CREATE") == 2


async def test_the_same_interaction_can_arrive_twice(sandbox: Sandbox) -> None:
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    bot = TinyBot(command=answer)
    async with connected(bot, sandbox):
        typed = await (await ann.type(games, "go")).answered()
        sandbox.redeliver(typed)
        await sandbox.until(lambda: len(bot.heard) == 2)

    assert {heard.id for heard in bot.heard} == {typed.id}
    assert len(ann.sees(games)) == 1


async def test_a_forgotten_session_cannot_be_resumed_and_begins_anew(sandbox: Sandbox) -> None:
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    bot = TinyBot(command=answer)
    async with connected(bot, sandbox):
        sandbox.drop_gateway(forget=True)
        await sandbox.bot_gone()
        await sandbox.bot_ready()
        await (await ann.type(games, "go")).answered()

    assert bot.events.count("READY") == 2
    assert "RESUMED" not in bot.events


async def test_asked_to_reconnect_the_bot_resumes(sandbox: Sandbox) -> None:
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    bot = TinyBot(command=answer)
    async with connected(bot, sandbox):
        sandbox.ask_to_reconnect()
        await sandbox.bot_gone()
        await sandbox.bot_ready()
        await (await ann.type(games, "go")).answered()

    assert bot.events.count("READY") == bot.events.count("RESUMED") == 1


async def test_a_wrong_token_is_closed_with_4004(sandbox: Sandbox) -> None:
    async with gateway(sandbox) as wire:
        await wire.send(IDENTIFY, {"token": "another", "intents": 1})
        assert await wire.closed() == 4004
        assert not sandbox.online


async def test_privileged_intents_are_closed_with_4014(sandbox: Sandbox) -> None:
    async with pointed_at(sandbox):
        client = TinyBot(intents=Intents.all())
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await client.start(sandbox.token)
        await client.close()


async def test_messages_are_told_only_to_those_who_ask_for_them(sandbox: Sandbox) -> None:
    quiet, ann, games = TinyBot(), sandbox.person("Ann"), sandbox.channel("games")
    async with connected(quiet, sandbox):
        await ann.say(games, "Hello")
        await ann.say(ann.dm, "Hello")
        await quiet.close()
    listening = TinyBot(intents=Intents(guilds=True, dm_messages=True))
    async with connected(listening, sandbox):
        await ann.say(games, "Hello")
        await ann.say(ann.dm, "Hello")
        message = await listening.wait_for("message", timeout=10)

    assert "MESSAGE_CREATE" not in quiet.events
    assert listening.events.count("MESSAGE_CREATE") == 1
    assert (message.content, message.channel.id) == ("Hello", ann.dm.id)


async def test_changes_and_deletions_of_messages_are_told(sandbox: Sandbox) -> None:
    bot = TinyBot(command=answer, intents=Intents(guilds=True, guild_messages=True))
    async with connected(bot, sandbox):
        typed = await (await sandbox.person("Ann").type(sandbox.channel("games"), "go")).answered()
        channel = bot.get_partial_messageable(typed.channel.id)
        message = channel.get_partial_message(typed.message.id)
        await message.edit(view=buttons("Down"))
        deleted = bot.wait_for("raw_message_delete", timeout=10)
        await message.delete()
        assert (await deleted).message_id == typed.message.id

    told = [event for event in bot.events if event.startswith("MESSAGE")]
    assert told == ["MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE"]


async def test_each_shard_hears_of_its_own_server_and_the_first_of_direct_messages(
    sandbox: Sandbox,
) -> None:
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    bot = TinyBot(command=answer, shard_count=2)
    async with connected(bot, sandbox):
        await sandbox.until(lambda: sandbox.sessions == 2)
        guild = await bot.wait_for("guild_available", timeout=10)
        here = await (await ann.type(games, "go")).answered()
        direct = await (await ann.type(ann.dm, "go")).answered()

    assert guild.shard_id == (guild.id >> 22) % 2 == 1
    assert [heard.id for heard in bot.heard] == [here.id, direct.id]


async def test_only_the_shards_of_one_process_hear_what_is_theirs(sandbox: Sandbox) -> None:
    bot = TinyBot(command=answer, shard_count=2, shard_ids=[1])
    ann = sandbox.person("Ann")
    async with connected(bot, sandbox):
        direct = await ann.type(ann.dm, "go")
        await (await ann.type(sandbox.channel("games"), "go")).answered()

    assert direct.response is None
    assert len(bot.heard) == 1


@dataclass
class Wire:
    """A bare websocket to the gateway."""

    socket: aiohttp.ClientWebSocketResponse
    inflate: Any = None
    heard: list[Any] = field(default_factory=list)

    async def next(self) -> Any:
        message = await self.socket.receive(timeout=10)
        if message.type is aiohttp.WSMsgType.BINARY:
            return json.loads(self.inflate.decompress(message.data))
        return json.loads(message.data)

    async def send(self, op: int, data: object) -> None:
        await self.socket.send_json({"op": op, "d": data})

    async def closed(self) -> int | None:
        while (await self.socket.receive(timeout=10)).type is not aiohttp.WSMsgType.CLOSE:
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


async def test_the_gateway_may_ask_for_a_heartbeat_and_acknowledges_it(sandbox: Sandbox) -> None:
    async with gateway(sandbox) as wire:
        sandbox.ask_for_a_heartbeat()
        assert (await wire.next())["op"] == HEARTBEAT
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

"""Trouble on purpose, as discord.py meets it."""

from __future__ import annotations

import asyncio

import aiohttp
import discord
import pytest

from tests.bot.connection import connected
from tests.bot.sandbox.raw import Raw
from tests.bot.sandbox.tiny import TinyBot
from tests.bot.stand_in import Sandbox

HELLO = {"content": "Hello"}
MESSAGES = "/channels/*/messages"


async def test_the_next_request_fails_as_it_is_told_and_the_one_after_does_not(api: Raw) -> None:
    api.sandbox.fail_next("POST", MESSAGES, 403, 50013, "Missing Permissions")
    refused = await api.post("games", HELLO)

    assert (refused.refusal, refused.body["message"]) == ((403, 50013), "Missing Permissions")
    assert api.sandbox.messages("games") == []
    assert (await api.post("games", HELLO)).status == 200


async def test_only_the_method_and_path_that_are_meant_fail(api: Raw) -> None:
    lounge = api.sandbox.channel("lounge").id
    api.sandbox.fail_next("POST", f"/channels/{lounge}/messages", 500)
    api.sandbox.fail_next("PATCH", "/channels/{channel_id}/messages/{message_id}", 502)

    assert (await api.post("games", HELLO)).status == 200
    assert (await api.post("lounge", HELLO)).status == 500


async def test_discord_py_waits_and_tries_again_after_a_429(sandbox: Sandbox) -> None:
    sandbox.fail_next("POST", MESSAGES, 429, retry_after=0.01)
    async with connected(TinyBot(), sandbox) as client:
        games = client.get_partial_messageable(sandbox.channel("games").id)
        await games.send("Hello")

    assert len(sandbox.messages("games")) == 1


async def test_a_request_may_take_effect_and_fail_all_the_same(api: Raw) -> None:
    api.sandbox.fail_next("POST", MESSAGES, 503, carried_out=True)

    assert (await api.post("games", HELLO)).status == 503
    assert len(api.sandbox.messages("games")) == 1


@pytest.mark.parametrize("carried_out", [True, False])
async def test_a_connection_may_be_cut_before_or_after_the_deed(
    api: Raw, carried_out: bool
) -> None:
    api.sandbox.cut_next("POST", MESSAGES, carried_out=carried_out)
    with pytest.raises(aiohttp.ClientConnectionError):
        await api.post("games", HELLO)

    assert len(api.sandbox.messages("games")) == carried_out


async def test_a_request_may_be_held_until_others_are_through(api: Raw) -> None:
    gate = api.sandbox.hold_next("POST", MESSAGES)
    held = asyncio.create_task(api.post("games", {"content": "held"}))
    await gate.reached()
    await api.post("games", {"content": "quick"})
    gate.open()

    assert (await held).status == 200
    texts = [message.text for message in api.sandbox.messages("games")]
    assert texts == ["quick", "held"]


async def test_a_rejected_token_ends_the_log_in(sandbox: Sandbox) -> None:
    sandbox.token = "another"
    with pytest.raises(discord.LoginFailure):
        async with connected(TinyBot(), sandbox):
            pass


async def test_requests_without_or_with_another_token_are_refused_with_401(api: Raw) -> None:
    for token in ("", "another"):
        answer = await api.send("GET", "/users/@me", token=token)
        assert (answer.status, answer.body["message"]) == (401, "401: Unauthorized")


async def test_what_the_api_does_not_have_is_404_and_a_wrong_method_405(api: Raw) -> None:
    assert (await api.send("GET", "/nothing")).refusal == (404, 0)
    assert (await api.send("PUT", "/users/@me")).refusal == (405, 0)
    assert (await api.send("GET", "/channels/x")).refusal == (400, 50035)

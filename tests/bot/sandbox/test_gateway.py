"""The gateway, as discord.py meets it."""

from __future__ import annotations

import discord
import pytest
from discord import Intents

from bot.sandbox import Answer
from tests.bot.connection import connected, pointed_at
from tests.bot.sandbox.tiny import Interaction, TinyBot, buttons
from tests.bot.stand_in import Sandbox


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
        message = await listening.wait_for("message", timeout=60)

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
        deleted = bot.wait_for("raw_message_delete", timeout=60)
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
        guild = await bot.wait_for("guild_available", timeout=60)
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

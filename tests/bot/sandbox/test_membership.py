"""The bot is taken out of the server and brought back, or Discord has an outage there."""

from __future__ import annotations

import re

import discord
import pytest

from bot.sandbox import Membership
from tests.bot.connection import connected
from tests.bot.english import says
from tests.bot.sandbox.tiny import TinyBot, buttons
from tests.bot.stand_in import Sandbox


async def test_a_bot_that_is_removed_hears_of_it_and_finds_the_server_unknown(
    sandbox: Sandbox,
) -> None:
    games = sandbox.channel("games")
    async with connected(TinyBot(guild_ready_timeout=0.1), sandbox) as client:
        await client.wait_until_ready()
        channel = client.get_partial_messageable(games.id)
        message = await channel.send(view=buttons("Up"))
        removed = client.wait_for("guild_remove", timeout=60)
        sandbox.move(Membership.LEFT)
        assert (await removed).id == games.guild_id
        assert not client.guilds
        with pytest.raises(discord.NotFound) as unknown:
            await client.fetch_guild(games.guild_id or 0)
        with pytest.raises(discord.Forbidden) as edit:
            await message.edit(view=buttons("Down"))
        with pytest.raises(discord.Forbidden) as post:
            await channel.send("Hello?")
    codes = [caught.value.code for caught in (unknown, edit, post)]
    assert codes == [10004, 50001, 50001]


async def test_a_bot_that_is_brought_back_joins_the_server_anew(sandbox: Sandbox) -> None:
    async with connected(TinyBot(guild_ready_timeout=0.1), sandbox) as client:
        await client.wait_until_ready()
        sandbox.move(Membership.LEFT)
        joined = client.wait_for("guild_join", timeout=60)
        sandbox.move(Membership.JOINED)
        assert [channel.name for channel in (await joined).text_channels] == ["games", "lounge"]


async def test_in_an_outage_the_bot_stays_a_member(sandbox: Sandbox) -> None:
    bot = TinyBot(guild_ready_timeout=0.1)
    async with connected(bot, sandbox):
        await bot.wait_until_ready()
        lost = bot.wait_for("guild_unavailable", timeout=60)
        sandbox.move(Membership.UNAVAILABLE)
        assert (await lost).unavailable
        assert len(bot.guilds) == 1
        back = bot.wait_for("guild_available", timeout=60)
        sandbox.move(Membership.JOINED)
        assert not (await back).unavailable


@pytest.mark.parametrize("removed", [True, False])
async def test_a_bot_that_connects_is_told_of_the_servers_it_is_a_member_of(
    sandbox: Sandbox, *, removed: bool
) -> None:
    if removed:
        sandbox.move(Membership.LEFT)
    else:
        sandbox.move(Membership.UNAVAILABLE)
    bot = TinyBot(guild_ready_timeout=0.1)
    async with connected(bot, sandbox):
        await bot.wait_until_ready()
        assert [guild.unavailable for guild in bot.guilds] == ([] if removed else [True])
    assert "GUILD_CREATE" not in bot.events


async def test_what_people_do_in_a_server_without_the_bot_does_not_reach_it(
    sandbox: Sandbox,
) -> None:
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    bot = TinyBot(guild_ready_timeout=0.1)
    async with connected(bot, sandbox):
        message = await bot.get_partial_messageable(games.id).send(view=buttons("Up"))
        sandbox.move(Membership.LEFT)
        (shown,) = ann.sees(games)
        assert shown.id == message.id
        refused = says("page.refused.unheard", place="games")
        with pytest.raises(ValueError, match=re.escape(refused)):
            await ann.press(shown, "Up")
        with pytest.raises(ValueError, match="/go is not offered to Ann"):
            await ann.type(games, "go")
        await ann.type(ann.dm, "go")
        await sandbox.until(lambda: bot.heard)
    assert len(bot.heard) == 1

"""Lookups of a bot: itself, the server, its channels and members."""

from __future__ import annotations

import discord
import pytest

from bot.sandbox import Permission
from tests.bot.connection import connected
from tests.bot.sandbox.raw import Raw
from tests.bot.sandbox.tiny import TinyBot
from tests.bot.stand_in import Sandbox


async def test_discord_py_finds_the_server_a_channel_and_a_member(sandbox: Sandbox) -> None:
    ben, games = sandbox.person("Ben"), sandbox.channel("games")
    async with connected(TinyBot(), sandbox) as client:
        assert games.guild_id is not None
        guild = await client.fetch_guild(games.guild_id)
        member = await guild.fetch_member(ben.id)
        thread = await client.fetch_channel(sandbox.channel("games-thread").id)
        direct = await client.fetch_channel(ben.dm.id)
        information = await client.application_info()

    assert guild.name == "Parlour"
    assert guild.owner_id == sandbox.person("Ann").id
    assert guild.preferred_locale is discord.Locale.american_english
    assert (member.display_name, member.bot) == ("Ben", False)
    assert isinstance(thread, discord.Thread)
    assert thread.parent_id == games.id
    assert isinstance(direct, discord.DMChannel)
    assert (information.name, information.owner.id) == ("Parlour", guild.owner_id)
    assert information.id == sandbox.person("Parlour").id


@pytest.mark.parametrize(
    ("path", "refusal"),
    [
        ("/guilds/5", (404, 10004)),
        ("/guilds/{guild}/members/5", (404, 10007)),
    ],
)
async def test_what_is_not_there_or_not_for_this_bot_is_refused(
    api: Raw, path: str, refusal: tuple[int, int]
) -> None:
    guild = api.sandbox.channel("games").guild_id

    assert (await api.send("GET", path.format(guild=guild))).refusal == refusal


async def test_a_bot_gives_the_roles_below_its_own(sandbox: Sandbox) -> None:
    ben, (champion, own) = sandbox.person("Ben"), sandbox.world.guild.roles
    async with connected(TinyBot(), sandbox) as client:
        guild = await client.fetch_guild(sandbox.world.guild.id)
        member = await guild.fetch_member(ben.id)
        await member.add_roles(discord.Object(champion.id))
        assert [role.name for role in (await guild.fetch_member(ben.id)).roles][1:] == ["Champion"]
        for role, code in ((own.id, 50013), (5, 10011)):
            with pytest.raises(discord.HTTPException) as refused:
                await member.add_roles(discord.Object(role))
            assert refused.value.code == code
        own.granted = Permission(0)
        with pytest.raises(discord.Forbidden):
            await member.add_roles(discord.Object(champion.id))


async def test_the_address_of_the_gateway_needs_no_token(api: Raw) -> None:
    answer = await api.send("GET", "/gateway", token="")

    assert answer.body == {"url": api.sandbox.gateway_url}


async def test_the_language_of_the_server_can_be_chosen() -> None:
    async with Sandbox(locale="de") as sandbox, connected(TinyBot(), sandbox) as client:
        guild = await client.fetch_guild(sandbox.channel("games").guild_id or 0)

    assert guild.preferred_locale is discord.Locale.german

"""Subcommands, and who may use them: groups of discord.py, and permissions given and taken."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import app_commands

from bot.sandbox import Permission
from tests.bot.connection import connected
from tests.bot.sandbox.command_forms import command
from tests.bot.sandbox.page_requests import act, news
from tests.bot.sandbox.raw import Raw
from tests.bot.sandbox.tiny import Interaction, TinyBot
from tests.bot.stand_in import Sandbox


class Settings(app_commands.Group):
    """For those who may manage the server, and nowhere but in it."""

    def __init__(self) -> None:
        super().__init__(
            name="settings",
            description="Settings",
            default_permissions=discord.Permissions(manage_guild=True),
            guild_only=True,
        )

    @app_commands.command(description="Show them.")
    async def show(self, interaction: Interaction) -> None:
        manages = interaction.permissions.manage_guild
        await interaction.response.send_message(f"{interaction.user.display_name}: {manages}")

    games = app_commands.Group(name="games", description="The games.")

    @games.command(description="How many.")
    async def limit(self, interaction: Interaction, count: int) -> None:
        assert interaction.command is not None
        await interaction.response.send_message(f"{interaction.command.qualified_name} {count}")


class Me(app_commands.Group):
    """For everybody, everywhere."""

    def __init__(self) -> None:
        super().__init__(name="me", description="Your own.")

    @app_commands.command(description="Block somebody.")
    async def block(self, interaction: Interaction, who: discord.User) -> None:
        await interaction.response.send_message(f"{who.display_name} is blocked", ephemeral=True)


async def test_subcommands_are_told_apart_to_any_depth(sandbox: Sandbox) -> None:
    ann, ben, games = *map(sandbox.person, ("Ann", "Ben")), sandbox.channel("games")
    async with connected(TinyBot(commands=[Settings(), Me()]), sandbox):
        show = await (await ann.type(games, "settings show")).answered()
        limit = await (await ann.type(games, "/settings games limit", count=3)).answered()
        block = await (await ben.type(ben.dm, "me block", who=ann)).answered()

    assert show.message.text == "Ann: True"
    assert limit.message.text == "settings games limit 3"
    assert block.message.text == "Ann is blocked"
    metadata: Any = limit.message.payload()["interaction_metadata"]
    assert metadata["name"] == "settings games limit"


async def test_who_gets_the_permission_may_use_the_command_until_it_is_taken(
    sandbox: Sandbox,
) -> None:
    ben, games = sandbox.person("Ben"), sandbox.channel("games")
    async with connected(TinyBot(commands=[Settings()]), sandbox):
        with pytest.raises(ValueError, match="Ben may not use /settings here"):
            await ben.type(games, "settings show")
        ben.grant(Permission.MANAGE_GUILD)
        shown = await (await ben.type(games, "settings show")).answered()
        with pytest.raises(ValueError, match="/settings cannot be used in direct messages"):
            await ben.type(ben.dm, "settings show")
        ben.revoke(Permission.MANAGE_GUILD)
        with pytest.raises(ValueError, match="Ben may not use /settings here"):
            await ben.type(games, "settings show")

    assert shown.message.text == "Ben: True"
    assert Permission.SEND_MESSAGES in ben.permissions


async def test_an_interaction_tells_what_its_person_may_do(sandbox: Sandbox) -> None:
    ben, games, bot = sandbox.person("Ben"), sandbox.channel("games"), TinyBot(commands=[Me()])
    async with connected(bot, sandbox):
        await (await ben.type(games, "me block", who=ben)).answered()
        ben.grant(Permission.MANAGE_GUILD, Permission.MANAGE_MESSAGES)
        await (await ben.type(games, "me block", who=ben)).answered()
        ben.grant(Permission.ADMINISTRATOR)
        await (await ben.type(games, "me block", who=ben)).answered()

    before, manager, administrator = (heard.permissions for heard in bot.heard)
    assert not before.manage_guild
    assert manager.manage_guild
    assert manager.manage_messages
    assert not manager.kick_members
    assert administrator.kick_members


async def test_the_owner_of_the_server_may_do_everything_for_ever(sandbox: Sandbox) -> None:
    ann = sandbox.person("Ann")
    with pytest.raises(ValueError, match="Ann owns the server and may do everything"):
        ann.revoke(Permission.MANAGE_GUILD)
    assert ann.account.may(Permission.MANAGE_GUILD | Permission(1 << 1))


async def test_a_command_for_nobody_in_particular_is_for_administrators(api: Raw) -> None:
    await api.register(command("purge", default_member_permissions=0))
    ann, ben, games = *map(api.sandbox.person, ("Ann", "Ben")), api.sandbox.channel("games")
    ben.grant(Permission.MANAGE_GUILD)

    with pytest.raises(ValueError, match="Ben may not use /purge here"):
        await ben.type(games, "purge")
    assert (await ann.type(games, "purge")).person is ann.account
    ben.grant(Permission.ADMINISTRATOR)
    assert (await ben.type(games, "purge")).person is ben.account


async def test_the_page_gives_and_takes_the_permission_and_hears_of_it(api: Raw) -> None:
    ben = api.sandbox.person("Ben")
    async with news(api, "Ben") as heard:
        for manages in (True, False):
            assert (await act(api, "Ben", "manage", on=manages)).status == 200
            assert (Permission.MANAGE_GUILD in ben.permissions) is manages
            name, told = await heard.next()
            assert (name, told["owner"]) == ("me", False)
            assert told["permissions"] == str(ben.permissions.value)
        refused = await act(api, "Ann", "manage", on=False)

    assert refused.body["error"] == "Ann owns the server and may do everything."

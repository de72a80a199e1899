"""Places where the bot is not, but people who have added it to their account are."""

from __future__ import annotations

import re
from typing import Any

import pytest
from discord import app_commands

from bot.sandbox import Impossible, Membership
from tests.bot.connection import connected
from tests.bot.english import says
from tests.bot.sandbox.page_requests import act, news
from tests.bot.sandbox.raw import GO, Raw
from tests.bot.sandbox.tiny import Interaction, TinyBot, buttons
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import Event, Observed

PLACES = ["another-server", "group-chat", "ann-and-ben"]
ANYWHERE = {**GO, "contexts": [0, 1, 2], "integration_types": [0, 1]}
HELLO = {"content": "Hello"}


class Anywhere(TinyBot):
    """Has `/play`, which is answered with two buttons, and keeps the interactions that come."""

    def __init__(self) -> None:
        @app_commands.command(description="Play.")
        @app_commands.allowed_contexts(*(True,) * 3)
        @app_commands.allowed_installs(*(True,) * 2)
        async def play(interaction: Interaction) -> None:
            self.heard.append(interaction)
            await interaction.response.send_message(view=buttons("Up", "Down"))

        async def press(interaction: Interaction) -> None:
            await interaction.response.edit_message(view=buttons("Up"))

        super().__init__(press=press, commands=[play])


@pytest.mark.parametrize("place", PLACES)
async def test_who_has_added_the_bot_types_its_commands_and_everybody_presses(
    sandbox: Sandbox, place: str
) -> None:
    ann, ben, channel = *map(sandbox.person, ("Ann", "Ben")), sandbox.channel(place)
    ann.add_app()
    async with connected(Anywhere(), sandbox) as client:
        board = (await (await ann.type(channel, "play")).answered()).message
        assert board in ben.sees(channel)
        with pytest.raises(Impossible, match="is not offered to Ben"):
            await ben.type(channel, "play")
        await (await ben.press(board, "Down")).answered()
        assert [button.label for button in board.buttons] == ["Up"]
        assert isinstance(client, Anywhere)
        typed, *_, pressed = client.heard
        for interaction in (typed, pressed):
            assert not interaction.is_guild_integration()
            assert interaction.channel_id == channel.id
            assert interaction.context.guild is (place == "another-server")
            assert interaction.context.private_channel is (place != "another-server")
        assert typed.is_user_integration()
        assert not pressed.is_user_integration()


async def test_in_the_bots_own_server_both_have_added_it(sandbox: Sandbox) -> None:
    ann = sandbox.person("Ann")
    ann.add_app()
    async with connected(Anywhere(), sandbox) as client:
        await (await ann.type(sandbox.channel("games"), "play")).answered()
        assert isinstance(client, Anywhere)
        assert client.heard[-1].is_guild_integration()
        assert client.heard[-1].is_user_integration()
        await (await ann.type(ann.dm, "play")).answered()
        assert client.heard[-1].context.dm_channel
        sandbox.move(Membership.LEFT)
        await (await ann.type(sandbox.channel("games"), "play")).answered()
        assert not client.heard[-1].is_guild_integration()


async def test_a_command_for_servers_alone_is_offered_nowhere_else(api: Raw) -> None:
    ann = api.sandbox.person("Ann")
    ann.add_app()
    await api.register({**GO, "contexts": [0], "integration_types": [0]})
    for place in PLACES:
        with pytest.raises(Impossible):
            await ann.type(api.sandbox.channel(place), "go")


@pytest.mark.parametrize("place", PLACES)
async def test_the_bot_can_do_nothing_by_the_channel_and_hears_nothing_of_it(
    api: Raw, place: str
) -> None:
    channel = api.sandbox.channel(place)
    heard: list[Observed] = []
    async with connected(TinyBot(), api.sandbox, commands=False) as client:
        api.sandbox.observe(heard.append)
        said = await api.sandbox.person("Ann").say(channel, "Hi")
        at = f"/channels/{channel.id}"
        for method, path, body in (
            ("GET", at, None),
            ("POST", f"{at}/messages", HELLO),
            ("GET", f"{at}/messages", None),
            ("PATCH", f"{at}/messages/{said.id}", HELLO),
            ("DELETE", f"{at}/messages/{said.id}", None),
        ):
            assert (await api.send(method, path, body)).refusal == (403, 50001)
        assert [guild.id for guild in client.guilds] == [api.sandbox.channel("games").guild_id]
    assert not [each for each in heard if isinstance(each, Event)]


@pytest.mark.parametrize(("place", "status"), [("another-server", 400), ("games", 200)])
async def test_five_messages_may_follow_where_only_a_person_has_added_the_bot(
    api: Raw, place: str, status: int
) -> None:
    ann = api.sandbox.person("Ann")
    ann.add_app()
    await api.register(ANYWHERE)
    typed = await ann.type(api.sandbox.channel(place), "go")
    await api.respond(typed, 4, HELLO)
    for _ in range(5):
        assert (await api.webhook("POST", typed, body=HELLO)).status == 200
    sixth = await api.webhook("POST", typed, body=HELLO)
    assert sixth.status == status
    if status == 400:
        assert sixth.body["code"] == 40094


@pytest.mark.parametrize("kind", [4, 5])
async def test_where_external_apps_are_not_allowed_every_answer_is_for_one_reader(
    api: Raw, kind: int
) -> None:
    ann, ben = map(api.sandbox.person, ("Ann", "Ben"))
    channel = api.sandbox.channel("another-server")
    api.sandbox.allow_external_apps(channel, allowed=False)
    ann.add_app()
    await api.register(ANYWHERE)
    typed = await ann.type(channel, "go")
    answer = await api.respond(typed, kind, HELLO, query="?with_response=true")
    assert answer.body["interaction"]["response_message_ephemeral"] is True
    await api.webhook("POST", typed, body=HELLO)
    await api.webhook("POST", typed, body=HELLO)
    assert not ben.sees(channel)
    assert all(message.ephemeral for message in ann.sees(channel))


async def test_what_a_person_and_the_bot_may_there_is_told(sandbox: Sandbox) -> None:
    ann, channel = sandbox.person("Ann"), sandbox.channel("another-server")
    ann.add_app()
    async with connected(Anywhere(), sandbox) as client:
        assert isinstance(client, Anywhere)
        for allowed in (True, False):
            sandbox.allow_external_apps(channel, allowed=allowed)
            await (await ann.type(channel, "play")).answered()
            interaction = client.heard[-1]
            assert interaction.permissions.use_external_apps is allowed
            assert interaction.app_permissions.use_external_apps is allowed
            assert not interaction.permissions.manage_guild


async def test_an_application_that_is_not_for_accounts_cannot_be_added(sandbox: Sandbox) -> None:
    sandbox.application.installs.pop("1")
    refused = says("page.refused.not_for_accounts", name="Parlour")
    with pytest.raises(Impossible, match=re.escape(refused)):
        sandbox.person("Ann").add_app()


async def test_the_page_can_add_the_bot_to_an_account(api: Raw) -> None:
    assert (await act(api, "Ben", "app", on=True)).status == 200
    async with news(api, "Ben") as events:
        told: Any = events.world["me"]
        assert told["has_app"] is True
    await act(api, "Ben", "app", on=False)
    assert not api.sandbox.person("Ben").account.has_app

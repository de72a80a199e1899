"""The application's own emoji: made, renamed and removed, in texts, on buttons and in menus."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import discord
import pytest
from discord import ui

from bot.sandbox import Payload
from tests.bot.connection import connected
from tests.bot.people import button_on
from tests.bot.sandbox.pictures import png
from tests.bot.sandbox.raw import Answered, Raw
from tests.bot.sandbox.tiny import Interaction, TinyBot
from tests.bot.stand_in import Sandbox

LARGEST = 256 * 1024


def data_uri(data: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def path(api: Raw, emoji_id: object = "") -> str:
    return f"/applications/{api.application}/emojis/{emoji_id}".rstrip("/")


async def made(api: Raw, **fields: object) -> Answered:
    return await api.send("POST", path(api), {"name": "token", "image": data_uri(png()), **fields})


async def test_an_emoji_is_made_found_and_removed(sandbox: Sandbox) -> None:
    async with connected(TinyBot(), sandbox) as client:
        token = await client.create_application_emoji(name="red_1", image=png(8, 8))
        other = await client.create_application_emoji(name="red_2", image=png(8, 8))
        assert await client.fetch_application_emojis() == [token, other]
        await other.delete()
        (left,) = await client.fetch_application_emojis()
        with pytest.raises(discord.NotFound) as unknown:
            await other.delete()

    assert (left, str(left), unknown.value.code) == (token, f"<:red_1:{token.id}>", 10014)
    assert left.is_application_owned()
    assert left.user is not None
    assert left.user.id == sandbox.person("Parlour").id


async def test_its_picture_is_served_by_its_id_and_cannot_act_as_a_page(api: Raw) -> None:
    emoji_id = (await made(api, image=data_uri(png(8, 8)))).body["id"]
    address = f"{api.sandbox.url}/emojis/{emoji_id}"
    for ending in (".png", ".webp", ".png?size=48"):
        async with api.session.get(address + ending) as response:
            assert (response.status, response.content_type) == (200, "image/png")
            assert await response.read() == png(8, 8)
            assert response.headers["Content-Security-Policy"].startswith("sandbox;")
    for wrong in ("5.png", "x.png", f"{emoji_id}.html"):
        async with api.session.get(f"{api.sandbox.url}/emojis/{wrong}") as response:
            assert response.status == 404


@pytest.mark.parametrize("name", ["ab", "x" * 32, "A_9", "__"])
async def test_word_characters_make_a_name(api: Raw, name: str) -> None:
    assert (await made(api, name=name)).body["name"] == name


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"name": "a"}, "name", "BASE_TYPE_BAD_LENGTH"),
        ({"name": "x" * 33}, "name", "BASE_TYPE_BAD_LENGTH"),
        ({"name": "red-1"}, "name", "STRING_TYPE_REGEX"),
        ({"name": "röt"}, "name", "STRING_TYPE_REGEX"),
        ({"name": None}, "name", "BASE_TYPE_REQUIRED"),
        ({"image": None}, "image", "BASE_TYPE_REQUIRED"),
        ({"image": "https://example.org/a.png"}, "image", "BINARY_TYPE_INVALID_DATA_URI"),
        ({"image": "data:image/png;base64,="}, "image", "BINARY_TYPE_INVALID_DATA_URI"),
        ({"image": 5}, "image", "BINARY_TYPE_INVALID_DATA_URI"),
    ],
)
async def test_a_wrong_name_or_picture_is_refused_at_its_place(
    api: Raw, fields: Payload, field: str, code: str
) -> None:
    answer = await made(api, **fields)

    assert answer.refusal == (400, 50035)
    assert answer.faults() == {field: [code]}


@pytest.mark.parametrize("data", [b"Hello", b"GIF89a"])
async def test_what_is_no_png_whatever_it_is_called_is_refused_with_50046(
    api: Raw, data: bytes
) -> None:
    assert (await made(api, image=data_uri(data))).refusal == (400, 50046)


async def test_256_kibibytes_are_the_most(api: Raw) -> None:
    padded = png() + bytes(LARGEST - len(png()))
    assert (await made(api, image=data_uri(padded))).status == 201
    assert (await made(api, name="other", image=data_uri(padded + b"\0"))).refusal == (400, 50138)


async def test_a_name_is_taken_once(api: Raw) -> None:
    assert (await made(api)).status == 201
    assert (await made(api)).faults() == {"name": ["APPLICATION_EMOJI_NAME_ALREADY_TAKEN"]}


async def test_two_thousand_are_enough(api: Raw) -> None:
    emojis, bot = api.sandbox.world.emojis, api.sandbox.person("Parlour").account
    for number in range(1999):
        emojis.make(f"e{number}", png(), bot)

    assert (await made(api)).status == 201
    assert (await made(api, name="other")).refusal == (400, 30008)


async def test_another_application_has_emoji_of_its_own(api: Raw) -> None:
    emoji_id = (await made(api)).body["id"]
    refused = await api.send("DELETE", f"/applications/5/emojis/{emoji_id}")
    assert refused.refusal == (404, 10002)
    assert (await api.send("DELETE", path(api, 5))).refusal == (404, 10014)


async def test_buttons_and_choices_carry_it_by_its_id_until_it_is_removed(
    sandbox: Sandbox,
) -> None:
    async def answer(interaction: Interaction) -> None:
        (token,) = await interaction.client.fetch_application_emojis()
        view = ui.LayoutView(timeout=None)
        button = ui.Button[Any](emoji=token, custom_id="go")
        option = discord.SelectOption(label="Red", emoji=token)
        view.add_item(ui.TextDisplay(f"{token} moves"))
        view.add_item(ui.ActionRow(button))
        view.add_item(ui.ActionRow(ui.Select[Any](custom_id="who", options=[option])))
        await interaction.response.send_message(view=view)
        await token.delete()
        with pytest.raises(discord.HTTPException) as caught:
            await interaction.edit_original_response(view=view)
        refusal.set_result(caught.value)

    refusal: asyncio.Future[discord.HTTPException] = asyncio.get_running_loop().create_future()
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    async with connected(TinyBot(command=answer), sandbox) as client:
        token = await client.create_application_emoji(name="red_1", image=png())
        message = (await (await ann.type(games, "go")).answered()).message
        refused = await refusal

    (button,), (select,) = message.buttons, message.selects
    assert message.text == f"<:red_1:{token.id}> moves"
    for emoji in (button.emoji, select.choices[0].emoji):
        assert emoji is not None
        assert emoji.payload() == {"name": "red_1", "id": str(token.id), "animated": False}
    assert button_on(message, "red_1") is button
    assert (refused.status, refused.code) == (400, 50035)
    assert "components.1.components.0.emoji.id: Invalid emoji" in refused.text
    assert "components.2.components.0.options.0.emoji.id: Invalid emoji" in refused.text


async def test_the_name_on_a_button_is_that_of_the_emoji(api: Raw) -> None:
    emoji_id = (await made(api)).body["id"]
    own = {"id": emoji_id, "name": "anything", "animated": True}
    button = {"type": 2, "style": 1, "custom_id": "go", "emoji": own}
    posted = await api.post("games", {"components": [{"type": 1, "components": [button]}]})

    told = posted.body["components"][0]["components"][0]["emoji"]
    assert told == {"id": emoji_id, "name": "token", "animated": False}


async def test_nobody_without_the_token_makes_emoji(api: Raw) -> None:
    body = {"name": "token", "image": data_uri(png())}
    assert (await api.send("POST", path(api), body, token="x")).status == 401
    async with api.session.get(api.sandbox.api + path(api)) as response:
        assert response.status == 401

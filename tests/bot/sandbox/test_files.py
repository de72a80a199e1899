"""discord.py sends files: by every way, shown by every component, kept and replaced."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest
from discord import ui

from bot.sandbox import Message, Sandbox
from tests.bot.connection import connected
from tests.bot.sandbox.pictures import png
from tests.bot.sandbox.raw import V2, Raw, raw
from tests.bot.sandbox.tiny import Interaction, TinyBot, buttons

PNG = png(7, 5)


def board(name: str = "board.png") -> discord.File:
    return discord.File(io.BytesIO(PNG), name, description="The board in words")


def gallery(name: str = "board.png") -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    item = discord.MediaGalleryItem(f"attachment://{name}", description="A board", spoiler=True)
    view.add_item(ui.MediaGallery(item))
    return view


async def answered(sandbox: Sandbox) -> Message:
    typed = await sandbox.person("Ann").type(sandbox.channel("games"), "go")
    return (await typed.answered()).message


async def by_answer(interaction: Interaction) -> None:
    await interaction.response.send_message(view=gallery(), file=board())


async def by_edited_answer(interaction: Interaction) -> None:
    await interaction.response.send_message(view=buttons("Up"))
    await interaction.edit_original_response(view=gallery(), attachments=[board()])


async def by_later_answer(interaction: Interaction) -> None:
    await interaction.response.defer(thinking=True)
    await interaction.edit_original_response(view=gallery(), attachments=[board()])


async def by_what_follows(interaction: Interaction) -> None:
    await interaction.response.defer()
    await interaction.followup.send(view=gallery(), file=board())


async def by_what_follows_edited(interaction: Interaction) -> None:
    await interaction.response.send_message("Wait")
    sent = await interaction.followup.send("More", wait=True)
    await sent.edit(content=None, view=gallery(), attachments=[board()])


async def by_channel(interaction: Interaction) -> None:
    await interaction.response.send_message("Wait")
    assert isinstance(interaction.channel, discord.abc.Messageable)
    await interaction.channel.send(view=gallery(), file=board())


async def by_channel_and_id(interaction: Interaction) -> None:
    await interaction.response.send_message("Wait")
    sent = await interaction.original_response()
    channel = interaction.client.get_partial_messageable(sent.channel.id)
    message = channel.get_partial_message(sent.id)
    await message.edit(content=None, view=gallery(), attachments=[board()])


@pytest.mark.parametrize(
    "way",
    [
        by_answer,
        by_edited_answer,
        by_later_answer,
        by_what_follows,
        by_what_follows_edited,
        by_channel,
        by_channel_and_id,
    ],
)
async def test_a_picture_arrives_by_every_way(
    sandbox: Sandbox, way: Callable[[Interaction], Awaitable[None]]
) -> None:
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    async with connected(TinyBot(command=way), sandbox):
        await (await ann.type(games, "go")).answered()
        await sandbox.until(lambda: ann.sees(games)[-1].attachments)

    message = ann.sees(games)[-1]
    (attachment,) = message.attachments
    assert (attachment.filename, attachment.description) == ("board.png", "The board in words")
    assert (attachment.data, attachment.size) == (PNG, (7, 5))
    (picture,) = message.pictures
    assert (picture.media.attachment, picture.description) == (attachment, "A board")
    assert picture.spoiler


async def test_a_press_puts_another_picture_in_the_place_of_the_old(sandbox: Sandbox) -> None:
    def view(name: str) -> ui.LayoutView:
        return gallery(name).add_item(ui.ActionRow(ui.Button(label="Roll", custom_id="roll")))

    async def answer(interaction: Interaction) -> None:
        await interaction.response.send_message(view=view("a.png"), file=board("a.png"))

    async def press(interaction: Interaction) -> None:
        await interaction.response.edit_message(view=view("b.png"), attachments=[board("b.png")])

    ann = sandbox.person("Ann")
    async with connected(TinyBot(command=answer, press=press), sandbox):
        message = await answered(sandbox)
        await (await ann.press(message, "Roll")).answered()

    assert [each.filename for each in message.attachments] == ["b.png"]
    assert [each.media.attachment for each in message.pictures] == list(message.attachments)


async def test_components_tell_of_their_files_and_the_message_does_not(sandbox: Sandbox) -> None:
    async def answer(interaction: Interaction) -> None:
        view = ui.LayoutView(timeout=None)
        picture = ui.Thumbnail[Any]("attachment://a.png", description="Small", spoiler=True)
        view.add_item(ui.Section(ui.TextDisplay[Any]("Beside"), accessory=picture))
        view.add_item(ui.Container(ui.MediaGallery(discord.MediaGalleryItem("attachment://b.png"))))
        view.add_item(ui.File("attachment://c.json", spoiler=True))
        files = [board("a.png"), board("b.png"), discord.File(io.BytesIO(b"{}"), "c.json")]
        await interaction.response.send_message(view=view, files=files)

    games = sandbox.channel("games")
    async with connected(TinyBot(command=answer), sandbox) as client:
        message = await answered(sandbox)
        found = await client.get_partial_messageable(games.id).fetch_message(message.id)
        section, container, file = found.components
        assert isinstance(section, discord.SectionComponent)
        assert isinstance(section.accessory, discord.ThumbnailComponent)
        assert isinstance(container, discord.Container)
        (pictures,) = container.children
        assert isinstance(pictures, discord.MediaGalleryComponent)
        assert isinstance(file, discord.FileComponent)

        small, large = section.accessory, pictures.items[0].media
        assert (small.description, small.spoiler) == ("Small", True)
        assert (large.content_type, large.width, large.height) == ("image/png", 7, 5)
        assert (file.name, file.size, file.spoiler) == ("c.json", 2, True)
        assert await client.http.get_from_cdn(large.url) == PNG
        assert await client.http.get_from_cdn(small.media.proxy_url or "") == PNG
        assert await client.http.get_from_cdn(file.media.url) == b"{}"

    assert found.attachments == []
    assert [each.filename for each in message.attachments] == ["a.png", "b.png", "c.json"]
    ids = [each.id for each in message.attachments]
    media = (small.media, large, file.media)
    assert [each.attachment_id for each in media] == ids


async def test_a_file_stays_until_it_is_left_out(sandbox: Sandbox) -> None:
    ann, games = sandbox.person("Ann"), sandbox.channel("games")
    async with connected(TinyBot(), sandbox) as client:
        files = [discord.File(io.BytesIO(PNG), name) for name in ("a.png", "b.txt")]
        sent = await client.get_partial_messageable(games.id).send("Files", files=files)
        (message,) = ann.sees(games)
        sent = await sent.edit(content="Still there")
        assert [each.filename for each in message.attachments] == ["a.png", "b.txt"]
        sent = await sent.edit(attachments=sent.attachments[1:])
        assert [each.filename for each in message.attachments] == ["b.txt"]
        await sent.add_files(*(discord.File(io.BytesIO(b"x"), f"{n}") for n in range(9)))
        with pytest.raises(discord.HTTPException) as refused:
            await sent.edit(
                attachments=[
                    *(attachment for attachment in sent.attachments),
                    *(discord.File(io.BytesIO(b"x"), f"{n}") for n in range(10)),
                ]
            )

    assert refused.value.code == 50035
    assert len(message.attachments) == 10


async def test_a_file_goes_with_plain_content_and_embeds(sandbox: Sandbox) -> None:
    async def answer(interaction: Interaction) -> None:
        embed = discord.Embed(title="Statistics", description="Twelve wins", colour=0x5865F2)
        embed.add_field(name="Rating", value="1540")
        embed.set_footer(text="since 2024", icon_url="attachment://icon.png")
        embed.set_image(url="attachment://curve.png")
        files = [board("curve.png"), board("icon.png"), board("more.png")]
        await interaction.response.send_message("Of Ann", embed=embed, files=files)

    games = sandbox.channel("games")
    async with connected(TinyBot(command=answer), sandbox) as client:
        message = await answered(sandbox)
        found = await client.get_partial_messageable(games.id).fetch_message(message.id)

    assert message.text.splitlines() == [
        "Of Ann",
        "Statistics",
        "Twelve wins",
        "Rating",
        "1540",
        "since 2024",
    ]
    curve, icon, _ = message.attachments
    (embed,) = found.embeds
    assert (embed.image.url, embed.footer.icon_url) == (curve.url, icon.url)
    assert [each.filename for each in found.attachments] == ["more.png"]


async def test_a_file_may_be_hidden_and_for_one_alone(sandbox: Sandbox) -> None:
    async def answer(interaction: Interaction) -> None:
        file = discord.File(io.BytesIO(PNG), "a.png", spoiler=True)
        await interaction.response.send_message("Look", file=file, ephemeral=True)

    bot = TinyBot(command=answer)
    async with connected(bot, sandbox):
        message = await answered(sandbox)
        (found,) = (await bot.heard[0].original_response()).attachments

    assert message.attachments[0].spoiler
    assert (found.is_spoiler(), found.ephemeral) == (True, True)
    assert (found.width, found.height, found.size) == (7, 5, len(PNG))


async def test_eleven_files_are_refused(sandbox: Sandbox) -> None:
    games = sandbox.channel("games")
    async with connected(TinyBot(), sandbox) as client:
        channel = client.get_partial_messageable(games.id)
        ten = [board(f"{number}.png") for number in range(10)]
        await channel.send(files=ten)
        sent = await channel.send("None")
        with pytest.raises(discord.HTTPException) as refused:
            await sent.edit(attachments=[board(f"{number}.png") for number in range(11)])

    assert refused.value.code == 50035
    assert [len(each.attachments) for each in games.messages.values()] == [10, 0]


async def test_what_stays_is_referred_to_by_the_name_in_the_list(sandbox: Sandbox) -> None:
    shown = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}
    edit = {"components": [shown]}
    async with connected(TinyBot(), sandbox) as client, raw(sandbox) as api:
        sent = await client.get_partial_messageable(sandbox.channel("games").id).send(
            view=gallery("a.png"), file=board("a.png")
        )
        (message,) = sandbox.channel("games").messages.values()
        path = f"/channels/{sent.channel.id}/messages/{sent.id}"
        stays = {"id": str(message.attachments[0].id)}
        named = stays | {"filename": "a.png"}

        assert (await api.send("PATCH", path, edit)).status == 200
        assert (await api.send("PATCH", path, edit | {"attachments": [named]})).status == 200
        for attachments in ([stays], [stays | {"filename": "b.png"}], []):
            refused = await api.send("PATCH", path, edit | {"attachments": attachments})
            assert refused.refusal == (400, 50035)
            assert list(refused.faults().values()) == [
                ["UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"]
            ]

    assert len(message.attachments) == 1


async def test_what_nothing_shows_any_more_is_kept_until_it_is_left_out(sandbox: Sandbox) -> None:
    async with connected(TinyBot(), sandbox) as client:
        channel = client.get_partial_messageable(sandbox.channel("games").id)
        sent = await channel.send(view=gallery(), file=board())
        assert sent.attachments == []
        sent = await sent.edit(view=buttons("Up"))
        assert [each.filename for each in sent.attachments] == ["board.png"]
        sent = await sent.edit(attachments=[])

    assert sent.attachments == []


@pytest.mark.parametrize("url", ["attachment://b.png", "https://example.org/a.png", "a.png"])
async def test_a_file_component_shows_files_of_its_own_message_alone(api: Raw, url: str) -> None:
    answer = await api.post(
        "games", {"flags": V2, "components": [{"type": 13, "file": {"url": url}}]}
    )

    assert answer.refusal == (400, 50035)
    assert answer.faults() == {
        "components.0.file.url": ["UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"]
    }

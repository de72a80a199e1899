"""discord.py sends files: by every way, shown by a gallery or not, kept and replaced."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable

import discord
import pytest
from discord import ui

from bot.sandbox import Message
from tests.bot.connection import connected
from tests.bot.sandbox.pictures import png
from tests.bot.sandbox.raw import raw
from tests.bot.sandbox.tiny import Interaction, TinyBot, buttons
from tests.bot.stand_in import Sandbox

PNG = png(7, 5)


def board(name: str = "board.png") -> discord.File:
    return discord.File(io.BytesIO(PNG), name, description="The board in words")


def gallery(name: str = "board.png") -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    item = discord.MediaGalleryItem(f"attachment://{name}", description="A board")
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
    assert (picture.file, picture.description) == (attachment, "A board")


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
    assert [each.file for each in message.pictures] == list(message.attachments)


async def test_a_gallery_tells_of_its_files_and_the_message_of_the_others(sandbox: Sandbox) -> None:
    async def answer(interaction: Interaction) -> None:
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.Container(ui.MediaGallery(discord.MediaGalleryItem("attachment://b.png"))))
        files = [board("b.png"), discord.File(io.BytesIO(b"{}"), "c.json")]
        await interaction.response.send_message(view=view, files=files)

    games = sandbox.channel("games")
    async with connected(TinyBot(command=answer), sandbox) as client:
        message = await answered(sandbox)
        found = await client.get_partial_messageable(games.id).fetch_message(message.id)
        (container,) = found.components
        assert isinstance(container, discord.Container)
        (pictures,) = container.children
        assert isinstance(pictures, discord.MediaGalleryComponent)

        media, (file,) = pictures.items[0].media, found.attachments
        assert (media.content_type, media.width, media.height) == ("image/png", 7, 5)
        assert (file.filename, file.size) == ("c.json", 2)
        assert await client.http.get_from_cdn(media.url) == PNG
        assert await client.http.get_from_cdn(file.url) == b"{}"

    assert [each.filename for each in message.attachments] == ["b.png", "c.json"]
    assert [media.attachment_id, file.id] == [each.id for each in message.attachments]


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


async def test_a_file_may_be_for_one_alone(sandbox: Sandbox) -> None:
    async def answer(interaction: Interaction) -> None:
        file = discord.File(io.BytesIO(PNG), "a.png")
        await interaction.response.send_message("Look", file=file, ephemeral=True)

    bot = TinyBot(command=answer)
    async with connected(bot, sandbox):
        message = await answered(sandbox)
        (found,) = (await bot.heard[0].original_response()).attachments

    assert message.ephemeral
    assert found.ephemeral
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
    assert [len(each.attachments) for each in sandbox.messages("games")] == [10, 0]


async def test_what_stays_is_referred_to_by_the_name_in_the_list(sandbox: Sandbox) -> None:
    shown = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}
    edit = {"components": [shown]}
    async with connected(TinyBot(), sandbox) as client, raw(sandbox) as api:
        sent = await client.get_partial_messageable(sandbox.channel("games").id).send(
            view=gallery("a.png"), file=board("a.png")
        )
        (message,) = sandbox.messages("games")
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

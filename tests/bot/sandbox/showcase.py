"""A bot that shows everything the page has to show, on unmodified discord.py."""

from __future__ import annotations

import asyncio
import io
from typing import Any, Final, Literal

import discord
from discord import app_commands, ui
from discord.app_commands import Choice

from tests.bot.sandbox.exhibits import Board, Cross, Menus, Panel, Sizes, Survey
from tests.bot.sandbox.pictures import png

GAMES: Final = ("Ann against Ben", "Ann against Cleo", "Ben against Dan")


class German(app_commands.Translator):
    """German names, as a bot with catalogues has them."""

    WORDS: Final = {"say": "sagen", "text": "worte", "Say something": "Etwas sagen"}

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,  # noqa: ARG002 - discord.py's signature
    ) -> str | None:
        return self.WORDS.get(string.message) if locale is discord.Locale.german else None


class Showcase(discord.Client):
    """The bot; `answer_slow` lets its deferred command go on."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.answer_slow = asyncio.Event()
        commands: list[app_commands.Command[Any, ..., None]] = [
            board,
            emoji,
            whisper,
            panel,
            survey,
            menu,
            say,
            find,
            stats,
            tour,
            chart,
            cross,
            token,
            sizes,
            cells,
            silent,
            slow,
        ]
        for command in commands:
            self.tree.add_command(command)
        self.tree.add_command(Settings())
        self.tree.add_command(greet)

    async def setup_hook(self) -> None:
        await self.tree.set_translator(German())
        await self.tree.sync()


@app_commands.command(description="A board of cells to press")
async def board(interaction: discord.Interaction, size: app_commands.Range[int, 3, 5] = 3) -> None:
    await interaction.response.send_message(view=Board(size))


@app_commands.command(description="A grid of emoji")
async def emoji(interaction: discord.Interaction, width: int, height: int) -> None:
    view = ui.LayoutView()
    grid = "\n".join(["🟥" * width] * height)
    view.add_item(ui.Container(ui.TextDisplay(grid)))
    await interaction.response.send_message(view=view)


@app_commands.command(description="Something that only you can see")
async def whisper(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("A secret", ephemeral=True)


@app_commands.command(description="A panel that only you can see and use")
async def panel(interaction: discord.Interaction) -> None:
    await interaction.response.send_message(view=Panel(), ephemeral=True)


@app_commands.command(description="A few questions")
async def survey(interaction: discord.Interaction) -> None:
    await interaction.response.send_modal(Survey())


@app_commands.command(description="Menus to choose from")
async def menu(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("Choose", view=Menus())


@app_commands.command(description="Say something")
async def say(interaction: discord.Interaction, text: str, to: discord.User | None = None) -> None:
    words = text.replace("\\n", "\n")
    if to is not None:
        words = f"{to.mention} {words}"
    await interaction.response.send_message(
        words, allowed_mentions=discord.AllowedMentions(users=True)
    )


@app_commands.command(description="Find a game")
async def find(interaction: discord.Interaction, game: str) -> None:
    await interaction.response.send_message(f"Found {game}")


@find.autocomplete("game")
async def games(interaction: discord.Interaction, typed: str) -> list[Choice[str]]:  # noqa: ARG001 - discord.py's signature
    found = (name for name in GAMES if typed.lower() in name.lower())
    return [Choice(name=name, value=f"game-{GAMES.index(name)}") for name in found]


@app_commands.command(description="A picture and a file")
async def stats(interaction: discord.Interaction) -> None:
    picture = discord.File(io.BytesIO(png()), "curve.png", description="A curve that rises")
    file = discord.File(io.BytesIO(b"{}"), "export.json")
    await interaction.response.send_message("### Statistics", files=[picture, file])


@app_commands.command(description="Two pictures, and a link")
async def tour(interaction: discord.Interaction) -> None:
    view = ui.LayoutView()
    names = ("curve.png", "board.png")
    items = (discord.MediaGalleryItem(f"attachment://{name}", description=name) for name in names)
    view.add_item(ui.MediaGallery(*items))
    link: ui.Button[ui.LayoutView] = ui.Button(label="Elsewhere", url="https://discord.com/")
    view.add_item(ui.ActionRow(link))
    files = [discord.File(io.BytesIO(png()), name) for name in names]
    await interaction.response.send_message(view=view, files=files)


@app_commands.command(description="A large picture with words, and a file that nothing shows")
async def chart(interaction: discord.Interaction, width: int, height: int) -> None:
    view = ui.LayoutView()
    item = discord.MediaGalleryItem("attachment://chart.png", description="A red chart")
    view.add_item(ui.Container(ui.TextDisplay("The chart"), ui.MediaGallery(item)))
    picture = discord.File(io.BytesIO(png(width, height)), "chart.png")
    hidden = discord.File(io.BytesIO(b"x"), "hidden.txt")
    await interaction.response.send_message(view=view, files=[picture, hidden])


async def own_emoji(client: discord.Client) -> list[discord.Emoji]:
    """Emoji of the bot's own, in the first call made."""
    found = await client.fetch_application_emojis()
    colours = {"red_1": (0xDD, 0x2E, 0x44), "blue_1": (0x3F, 0x8E, 0xE0)}
    return found or [
        await client.create_application_emoji(name=name, image=png(128, 128, colour))
        for name, colour in colours.items()
    ]


@app_commands.command(
    description="A board of emoji; with some of the bot's own, or with only those"
)
async def cross(
    interaction: discord.Interaction, own: Literal["none", "some", "all"] = "none"
) -> None:
    red, blue = await own_emoji(interaction.client)
    some = {"🟥": red, "🟦": blue, "⭐": blue}
    places = {"none": {}, "some": some, "all": some | dict.fromkeys("🟨🟩🏠", red)}
    await interaction.response.send_message(view=Cross(places[own]))


@app_commands.command(description="Emoji of the bot's own in a text, on a button and in a menu")
async def token(interaction: discord.Interaction) -> None:
    red, _ = await own_emoji(interaction.client)
    view = ui.View(timeout=None)
    view.add_item(ui.Button(emoji=red, custom_id="cell"))
    view.add_item(ui.Button(emoji=red, label="1 → home", custom_id="move"))
    option = discord.SelectOption(label="Red", emoji=red, default=True)
    view.add_item(ui.Select(custom_id="colour", options=[option]))
    await interaction.response.send_message(f"{red}⬛", view=view)
    await interaction.followup.send(f"Well, {red} and <:gone:5>")


@app_commands.command(description="Emoji, texts and buttons of every size")
async def sizes(interaction: discord.Interaction) -> None:
    await interaction.response.send_message(view=Sizes())


@app_commands.command(description="Five rows of five cells")
async def cells(interaction: discord.Interaction) -> None:
    view = ui.LayoutView(timeout=None)
    rows = (range(first, first + 5) for first in range(1, 26, 5))
    made = ([ui.Button[ui.LayoutView](emoji="⬜", custom_id=str(n)) for n in row] for row in rows)
    view.add_item(ui.Container(*(ui.ActionRow(*row) for row in made)))
    await interaction.response.send_message(view=view)


@app_commands.command(description="Never answers")
async def silent(interaction: discord.Interaction) -> None:
    del interaction


@app_commands.command(description="Answers in its own time")
async def slow(interaction: discord.Interaction) -> None:
    assert isinstance(interaction.client, Showcase)
    await interaction.response.defer(thinking=True)
    await interaction.client.answer_slow.wait()
    await interaction.followup.send("Here it is")
    await interaction.followup.send("And more")


@app_commands.context_menu(name="Greet")
async def greet(interaction: discord.Interaction, person: discord.User) -> None:
    await interaction.response.send_message(f"Hello, {person.display_name}!")


class Settings(app_commands.Group):
    """Subcommands."""

    def __init__(self) -> None:
        needed = discord.Permissions(manage_guild=True)
        super().__init__(
            name="settings", description="Settings", default_permissions=needed, guild_only=True
        )

    @app_commands.command(description="Show the settings")
    async def show(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("The settings")

    @app_commands.command(description="How many games may run")
    async def limit(
        self, interaction: discord.Interaction, count: app_commands.Range[int, 1, 20]
    ) -> None:
        await interaction.response.send_message(f"At most {count}")

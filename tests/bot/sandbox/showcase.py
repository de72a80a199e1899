"""A bot that shows everything the page has to show, on unmodified discord.py."""

from __future__ import annotations

import asyncio
import io
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.app_commands import Choice

PNG: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)
"""The smallest picture: one red point."""

GAMES: Final = ("Ann against Ben", "Ann against Cleo", "Ben against Dan")


class Board(ui.LayoutView):
    """A grid of cells; a pressed cell is taken, in the same message."""

    def __init__(self, size: int, taken: frozenset[int] = frozenset()) -> None:
        super().__init__(timeout=None)
        box: ui.Container[Board] = ui.Container(accent_colour=discord.Colour.blue())
        box.add_item(ui.TextDisplay(f"### Board\nTaken: {len(taken)}"))
        for y in range(size):
            cells = range(y * size, y * size + size)
            box.add_item(ui.ActionRow(*(Cell(size, cell, taken) for cell in cells)))
        box.add_item(ui.Separator())
        box.add_item(ui.ActionRow(Closing(), Mute()))
        self.add_item(box)


class Cell(ui.Button[Board]):
    def __init__(self, size: int, cell: int, taken: frozenset[int]) -> None:
        own = cell in taken
        super().__init__(
            custom_id=f"cell:{len(taken)}:{cell}",
            label=None if own else "\u200b",
            emoji="❌" if own else None,
            disabled=own,
        )
        self.size, self.cell, self.taken = size, cell, taken

    async def callback(self, interaction: discord.Interaction) -> None:
        view = Board(self.size, self.taken | {self.cell})
        await interaction.response.edit_message(view=view)


class Closing(ui.Button[Board]):
    def __init__(self) -> None:
        super().__init__(custom_id="close", label="Close", style=discord.ButtonStyle.danger)

    async def callback(self, interaction: discord.Interaction) -> None:
        done = ui.LayoutView()
        done.add_item(ui.TextDisplay("The board is closed."))
        await interaction.response.edit_message(view=done)


class Mute(ui.Button[Board]):
    """A button that the bot never answers."""

    def __init__(self) -> None:
        super().__init__(custom_id="mute", label="Mute")

    async def callback(self, interaction: discord.Interaction) -> None:
        del interaction


class Survey(ui.Modal, title="A few questions"):
    """A modal with everything that can be asked."""

    name: ui.Label[Survey] = ui.Label(text="Name", component=ui.TextInput(custom_id="name"))
    why: ui.Label[Survey] = ui.Label(
        text="Why",
        description="In a sentence or two",
        component=ui.TextInput(custom_id="why", style=discord.TextStyle.paragraph, required=False),
    )
    pace: ui.Label[Survey] = ui.Label(
        text="Pace",
        component=ui.Select(
            custom_id="pace",
            options=[discord.SelectOption(label=each) for each in ("live", "relaxed")],
        ),
    )

    side: ui.Label[Survey] = ui.Label(
        text="Side",
        component=ui.RadioGroup(
            custom_id="side",
            options=[discord.RadioGroupOption(label=each) for each in ("cross", "nought")],
        ),
    )
    remind: ui.Label[Survey] = ui.Label(text="Remind me", component=ui.Checkbox(custom_id="remind"))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.name.component, ui.TextInput)
        assert isinstance(self.pace.component, ui.Select)
        assert isinstance(self.side.component, ui.RadioGroup)
        assert isinstance(self.remind.component, ui.Checkbox)
        name, pace = self.name.component.value, self.pace.component.values[0]
        side, remind = self.side.component.value, self.remind.component.value
        await interaction.response.send_message(f"{name} plays {pace}, {side}, {remind}")


LEVELS: Final = {"Easy": "🟢", "Medium": "🟡", "Hard": "🔴"}


class Menus(ui.View):
    """A menu for one choice, one for several, one for people, one that is chosen, one closed."""

    def __init__(self, level: str = "Medium") -> None:
        super().__init__(timeout=None)
        for name, emoji in LEVELS.items():
            self.level.add_option(label=name, emoji=emoji, default=name == level)

    @ui.select(
        custom_id="rules",
        placeholder="Choose the rules",
        options=[
            discord.SelectOption(label="Classic", description="As everybody knows it", emoji="🎲"),
            discord.SelectOption(label="Quick", description="Two tokens"),
        ],
    )
    async def rules(self, interaction: discord.Interaction, menu: ui.Select[Menus]) -> None:
        await interaction.response.send_message(f"Rules: {menu.values[0]}")

    @ui.select(
        custom_id="extra",
        placeholder="Extra rolls for",
        min_values=0,
        max_values=2,
        options=[discord.SelectOption(label=each) for each in ("six", "capture", "home")],
    )
    async def extra(self, interaction: discord.Interaction, menu: ui.Select[Menus]) -> None:
        await interaction.response.send_message(f"Extra: {', '.join(menu.values)}")

    @ui.select(cls=ui.UserSelect, custom_id="whom", placeholder="Invite somebody")
    async def whom(self, interaction: discord.Interaction, menu: ui.UserSelect[Menus]) -> None:
        await interaction.response.send_message(f"Invited: {menu.values[0].display_name}")

    @ui.select(custom_id="level", placeholder="How well it plays")
    async def level(self, interaction: discord.Interaction, menu: ui.Select[Menus]) -> None:
        await interaction.response.edit_message(view=Menus(menu.values[0]))

    @ui.select(
        custom_id="closed",
        placeholder="Not now",
        options=[discord.SelectOption(label="Never")],
        disabled=True,
    )
    async def closed(self, interaction: discord.Interaction, menu: ui.Select[Menus]) -> None:
        await interaction.response.send_message(f"Never: {menu.values}")


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
            survey,
            menu,
            say,
            find,
            stats,
            tour,
            silent,
            slow,
        ]
        for command in commands:
            self.tree.add_command(command)
        self.tree.add_command(Settings())

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


@app_commands.command(description="An embed, a picture and a file")
async def stats(interaction: discord.Interaction) -> None:
    embed = discord.Embed(title="Statistics", description="**12** wins", colour=0x5FB04A)
    embed.add_field(name="Rating", value="1540 ± 60", inline=True)
    embed.set_footer(text="since 2024")
    picture = discord.File(io.BytesIO(PNG), "curve.png", description="A curve that rises")
    file = discord.File(io.BytesIO(b"{}"), "export.json")
    await interaction.response.send_message(embed=embed, files=[picture, file])


@app_commands.command(description="Pictures and files among components")
async def tour(interaction: discord.Interaction) -> None:
    view = ui.LayoutView()
    picture = "attachment://curve.png"
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay("A picture beside a text")
    view.add_item(ui.Section(text, accessory=ui.Thumbnail(picture, description="A thumbnail")))
    view.add_item(ui.MediaGallery(discord.MediaGalleryItem(picture, description="In a gallery")))
    view.add_item(ui.File("attachment://export.json"))
    view.add_item(ui.Container(ui.TextDisplay("Not yet"), spoiler=True))
    link: ui.Button[ui.LayoutView] = ui.Button(label="Elsewhere", url="https://discord.com/")
    view.add_item(ui.ActionRow(link))
    files = [
        discord.File(io.BytesIO(PNG), "curve.png"),
        discord.File(io.BytesIO(b"{}"), "export.json"),
    ]
    await interaction.response.send_message(view=view, files=files)


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


class Settings(app_commands.Group):
    """Subcommands."""

    def __init__(self) -> None:
        super().__init__(name="settings", description="Settings")

    @app_commands.command(description="Show the settings")
    async def show(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("The settings")

    @app_commands.command(description="How many games may run")
    async def limit(
        self, interaction: discord.Interaction, count: app_commands.Range[int, 1, 20]
    ) -> None:
        await interaction.response.send_message(f"At most {count}")

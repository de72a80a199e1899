"""Exhibits of the bot that shows everything: a board, a form, menus, a panel for one person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import discord
from discord import ui

CROSS: Final = (
    "⬛⬛⬛⬛⬜⬜⬜⬛⬛⬛⬛",
    "⬛⬛⬛⬛⬜🟥🟥⬛⬛⬛⬛",
    "⬛⬛⬛⬛⭐🟥⬜⬛⬛⬛⬛",
    "⬛⬛⬛⬛⬜🟥⬜⬛⬛⬛⬛",
    "⬛⬛⬛⬛⬜🟥⬜⬛⬛⬛⬛",
    "⬛⬛⬛⬛⬜🟥⬜⬛⬛⬛⬛",
    "⬛⬛⬛⬛⬜⬛⬜⬛⬛⬛⬛",
    "⬛⬛⬛⬛⬜⬛⬜⬛⬛⬛⬛",
    "⬜🟦⬜⬜🟦⬛⬛⬜⭐⬜⬜",
    "⬜🟦🟦🟦🟦🏠🟩🟩🟩🟩⬜",
    "⬜⬜⭐⬜⬛⬛🟩⬜⬜🟩⬜",
    "⬛⬛⬛⬛⬜⬛⬜⬛⬛⬛⬛",
    "⬛⬛⬛⬛⬜⬛⬜⬛⬛⬛⬛",
    "⬛⬛⬛⬛⬜🟨⬜⬛⬛⬛⬛",
    "⬛⬛⬛⬛⬜🟨⬜⬛⬛⬛⬛",
    "⬛⬛⬛⬛⬜🟨⬜⬛⬛⬛⬛",
    "⬛⬛⬛⬛⬜🟨⭐⬛⬛⬛⬛",
    "⬛⬛⬛⬛🟨🟨⬜⬛⬛⬛⬛",
    "⬛⬛⬛⬛⬜⬜⬜⬛⬛⬛⬛",
)
"""A board for Ludo, as large as one may be on a phone: 11 wide and 19 high."""


class Board(ui.LayoutView):
    """A grid of cells; a pressed cell is taken, in the same message."""

    def __init__(self, size: int, taken: frozenset[int] = frozenset()) -> None:
        super().__init__(timeout=None)
        box: ui.Container[Board] = ui.Container(accent_colour=discord.Colour.blue())
        box.add_item(ui.TextDisplay(f"### Board\nTaken: {len(taken)}"))
        for y in range(size):
            cells = range(y * size, y * size + size)
            box.add_item(ui.ActionRow(*(Cell(size, cell, taken) for cell in cells)))
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

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.name.component, ui.TextInput)
        assert isinstance(self.why.component, ui.TextInput)
        name, why = self.name.component.value, self.why.component.value
        await interaction.response.send_message(f"{name} plays for {why}")


LEVELS: Final = {"Easy": "🟢", "Medium": "🟡", "Hard": "🔴"}


class Menus(ui.View):
    """A menu for one choice, one for several, one that is chosen, one closed."""

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


class Panel(ui.LayoutView):
    """House rules for one person alone: a menu and buttons below what is chosen."""

    rules: ui.ActionRow[Panel] = ui.ActionRow()
    buttons: ui.ActionRow[Panel] = ui.ActionRow()

    def __init__(self, chosen: str = "Nothing") -> None:
        super().__init__(timeout=None)
        self.clear_items()
        self.add_item(ui.Container(ui.TextDisplay(f"{chosen} is chosen"), self.rules, self.buttons))

    @rules.select(
        custom_id="panel:rules",
        options=[discord.SelectOption(label=each) for each in ("Blocks", "Stars")],
    )
    async def choose(self, interaction: discord.Interaction, menu: ui.Select[Panel]) -> None:
        await interaction.response.edit_message(view=Panel(menu.values[0]))

    @buttons.button(label="Later", custom_id="panel:later")
    async def later(self, interaction: discord.Interaction, button: ui.Button[Panel]) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(view=Panel(str(button.label)))

    @buttons.button(label="Tell", custom_id="panel:tell")
    async def tell(self, interaction: discord.Interaction, button: ui.Button[Panel]) -> None:
        await interaction.response.edit_message(view=Panel(str(button.label)))
        await interaction.followup.send("For you", ephemeral=True)
        await interaction.followup.send("For all")

    @buttons.button(label="Close", custom_id="panel:close")
    async def close(self, interaction: discord.Interaction, button: ui.Button[Panel]) -> None:
        assert button.custom_id == "panel:close"
        await interaction.response.defer()
        await interaction.delete_original_response()


class Cross(ui.LayoutView):
    """The board in two texts of 9 and 10 rows; `own` emoji stand in the place of others."""

    def __init__(self, own: Mapping[str, object]) -> None:
        super().__init__(timeout=None)
        rows = ["".join(str(own.get(each, each)) for each in row) for row in CROSS]
        texts = ("\n".join(rows[:9]), "\n".join(rows[9:]))
        self.add_item(
            ui.Container(
                ui.TextDisplay("🔴 **Ann** rolled 6 · token 2 left the yard"),
                *(ui.TextDisplay(text) for text in texts),
                accent_colour=discord.Colour.red(),
            )
        )


class Sizes(ui.LayoutView):
    """Emoji in a text, in small print and on buttons; a row that fits a phone, and one too wide."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.add_item(
            ui.Container(
                ui.TextDisplay("🟥🟦⭐ " + "a text as long as a phone is wide " * 3),
                ui.TextDisplay("-# 🟥 in small print"),
                ui.ActionRow(*(ui.Button(emoji="⭐", custom_id=f"star:{n}") for n in range(3))),
                ui.ActionRow(*(ui.Button(label=f"Button {n}", custom_id=f"{n}") for n in range(5))),
            )
        )

"""Screens as Discord's components."""

from __future__ import annotations

from typing import Final

import discord
from discord import ButtonStyle, ui

from bot.presenter import Block, Control, Grid, Prose, Row, Screen, Style, Tone
from bot.session import SessionId
from bot.store import Table
from bot.ui.buttons import BoardButton, control_id
from bot.ui.words import Words

BLANK: Final = "\u200b"
"""What Discord takes for the label of a button that shows nothing."""

LEFT_TO_RIGHT: Final = "\u2066{}\u2069"
"""Keeps the squares of a row in order among text written from right to left."""

STYLES: Final = {
    Style.PLAIN: ButtonStyle.secondary,
    Style.PROMINENT: ButtonStyle.primary,
    Style.GOOD: ButtonStyle.success,
    Style.DANGEROUS: ButtonStyle.danger,
}

COLOURS: Final = {
    Tone.WAITING: discord.Colour.gold(),
    Tone.RUNNING: discord.Colour.blurple(),
    Tone.OVER: discord.Colour.light_grey(),
}


def board_view(screen: Screen, table: Table, words: Words) -> ui.LayoutView:
    """The message of a table. Its buttons never time out and remember nothing."""
    items = (_item(block, table.id, table.session.ply, words) for block in screen.blocks)
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(*items, accent_colour=COLOURS[screen.tone]))
    return view


def mentions(screen: Screen) -> discord.AllowedMentions:
    """Who is notified by a screen: nobody, unless it says so."""
    people = [discord.Object(person) for person in screen.notifies]
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=people)


def _item(
    block: Block, session: SessionId, ply: int, words: Words
) -> ui.TextDisplay[ui.LayoutView] | ui.ActionRow[ui.LayoutView]:
    match block:
        case Prose(lines):
            return ui.TextDisplay("\n".join(words.of(line) for line in lines))
        case Grid(rows):
            return ui.TextDisplay("\n".join(LEFT_TO_RIGHT.format(row) for row in rows))
        case Row(controls):
            row = ui.ActionRow[ui.LayoutView]()
            for control in controls:
                row.add_item(_button(control, session, ply, words))
            return row


def _button(control: Control, session: SessionId, ply: int, words: Words) -> BoardButton:
    label = None if control.label is None else words.of(control.label)
    return BoardButton(
        ui.Button(
            custom_id=control_id(session, ply, control.action),
            label=BLANK if label is None and control.emoji is None else label,
            emoji=control.emoji,
            style=STYLES[control.style],
            disabled=not control.enabled,
        )
    )

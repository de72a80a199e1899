"""Tables drawn as messages."""

from __future__ import annotations

from typing import NamedTuple

import discord

from bot.message.blocks import BOARD_FILE, Picture
from bot.screens.board import forgotten, moved, screen
from bot.screens.look_closer import board_picture
from bot.table.table import Table
from bot.ui.render import board_view, mentions, notice_view, picture_file
from bot.ui.words import Words, link


class Drawn(NamedTuple):
    """A board's view, the file of its picture if it has one, and the people it notifies."""

    view: discord.ui.LayoutView
    files: list[discord.File]
    notified: discord.AllowedMentions


async def drawn(table: Table, words: Words) -> Drawn:
    """Draw a table, for one request: it reads the picture to its end."""
    shown = screen(table)
    pictured = Picture in map(type, shown.blocks)
    files = [await picture_file(BOARD_FILE, board_picture, table)] if pictured else []
    return Drawn(board_view(shown, table, words), files, mentions(shown.notifies))


def signpost(table: Table, words: Words) -> discord.ui.LayoutView:
    """Return the view of a message that the table has left for another."""
    return notice_view(moved(link(table.place)), words)


def retired(words: Words) -> discord.ui.LayoutView:
    """Return the view of a board whose players are forgotten."""
    return notice_view(forgotten(), words)

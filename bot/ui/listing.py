"""`/games`: the games of a channel in one message, as many as it holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from discord import ui

from bot.catalogue import CATALOGUE
from bot.presenter import Mention, text
from bot.screens.listing import listed
from bot.seats import PersonId
from bot.store import Table
from bot.ui.words import Words, link

MOST_LETTERS: Final = 4000
"""How long all texts of a message may be together."""

KEPT_FREE: Final = 200
"""Letters for the sentence that says how many games are left out."""


def games_view(tables: Sequence[Table], player: PersonId | None, words: Words) -> ui.LayoutView:
    """The games that wait or run, the latest first; if there is none, how to begin one."""
    command = words.command(CATALOGUE[0].command.name)
    if tables:
        heading = text("games.title")
        lines = [words.of(heading), *_fitting(tables, words, MOST_LETTERS - KEPT_FREE)]
    elif player is None:
        lines = [words.of(text("games.none", command=command))]
    else:
        lines = [words.of(text("games.none_of", player=Mention(player), command=command))]
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(ui.TextDisplay("\n".join(lines))))
    return view


def _fitting(tables: Sequence[Table], words: Words, room: int) -> list[str]:
    """The games that fit, and a sentence that says how many do not."""
    lines: list[str] = []
    for number, table in enumerate(tables):
        line = words.of(listed(table, link(table.place)))
        room -= len(line) + 1
        if room < 0:
            lines.append(words.of(text("games.more", count=len(tables) - number)))
            break
        lines.append(line)
    return lines

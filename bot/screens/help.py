"""The screen of `/help`: how each game is played, the other commands, and links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Prose, Screen
from bot.message.text import CommandMention, Separator, joined, text
from bot.screens.rules import how_to_play

COMMANDS: Final = ("games", "board", "puzzle", "replay", "stats", "leaderboard", "history", "me")
"""The commands besides those of the games."""


def help_screen(links: Mapping[str, str]) -> Screen:
    """All of it for one reader; `links` are addresses by the keys of their labels."""
    lines = (
        text("help.title"),
        *map(how_to_play, CATALOGUE),
        text("help.tournament", command=CommandMention("tournament")),
        text("help.commands", **{name: CommandMention(name) for name in COMMANDS}),
    )
    named = (text("help.link", label=text(label), url=url) for label, url in links.items())
    return Screen((Prose((*lines, text("help.links", links=joined(named, Separator.DOT)))),))

"""The screen of `/help`: how each game is played, the other commands, and links.

All of it fits a phone beside a few games; with more of them it has pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Prose, Screen, id_kind
from bot.message.text import CommandMention, Separator, Text, joined, text
from bot.screens.lobby import how_to_play
from bot.screens.pager import beside, which_page

COMMANDS: Final = ("games", "board", "puzzle", "replay", "stats", "leaderboard", "history", "me")
"""The commands besides those of the games."""

AT_ONCE: Final = 3
"""The most games that fit on a phone together with the other commands."""
A_PAGE: Final = 4
"""The most games on a page without these commands."""


@id_kind("e1")
@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page of the screen; `number` counts from 0."""

    number: int = 0


def help_screen(links: Mapping[str, str], page: HelpPage, *, manages: bool = False) -> Screen:
    """A page of it for one reader, who may manage the server.

    `links` are addresses by the keys of their labels.
    """
    pages = _pages(manages=manages)
    number = min(page.number, len(pages) - 1)
    named = [text("help.link", label=text(label), url=url) for label, url in links.items()]
    lines = (
        text("help.title"),
        *pages[number],
        text("help.links", links=joined(named, Separator.DOT)),
        *which_page(number, len(pages)),
    )
    return Screen((Prose(lines), *beside(number, len(pages), HelpPage)))


def _pages(*, manages: bool) -> list[tuple[Text, ...]]:
    """The lines of each page: the games, and the other commands after the last one."""
    games = tuple(how_to_play(game, brief=True) for game in CATALOGUE)
    tournament = CommandMention("tournament", brief=True)
    settings = CommandMention("settings", brief=True)
    commands = (
        text("help.managed", tournament=tournament, settings=settings)
        if manages
        else text("help.tournament", command=tournament),
        text("help.commands", **{name: CommandMention(name, brief=True) for name in COMMANDS}),
    )
    if len(games) <= AT_ONCE:
        return [(*games, *commands)]
    parts = [games[begin : begin + A_PAGE] for begin in range(0, len(games), A_PAGE)]
    return [*parts, commands]

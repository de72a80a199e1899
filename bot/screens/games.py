"""The screen of `/games`: the games of a channel, of all or of one player.

A control's id has the whole page to which it leads. The channel is that where it is pressed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Prose, Screen, Tone, id_kind
from bot.message.text import CommandMention, Mention, Separator, Text, joined, named, text
from bot.screens.board import whose_turn
from bot.screens.lobby import invited, title
from bot.screens.pager import beside, which_page
from bot.table.seats import PersonId, Vacant
from bot.table.session import Session
from bot.table.table import Table


@id_kind("g1")
@dataclass(frozen=True, slots=True)
class GamesPage:
    """A page of a channel's games: of one `player`, or all; `number` counts from 0."""

    player: PersonId | None
    number: int = 0


def listed(table: Table, link: str) -> Text:
    """A table in a list of games: its game, its link, its players and its turn, or who may join."""
    session = table.session
    what, *sides = title(session)
    turn = whose_turn(session)
    if turn is None:
        return text("games.waiting", what=what, link=link, waits=_waits(session))
    return text("games.entry", what=what, link=link, sides=joined(sides), turn=turn)


def _waits(session: Session) -> Text:
    """A waiting table in words: its host, and the people or seats that it waits for."""
    host, asked = named(session.host), invited(session)
    most = max(session.game.seats) if session.has_lobby else len(session.seats)
    free = most - sum(not isinstance(seat, Vacant) for seat in session.seats)
    if asked:
        return text("games.asked", host=host, people=joined(map(named, asked), Separator.AND))
    return text("games.free" if free else "games.full", host=host, count=free)


def games(pages: Sequence[Sequence[Text]], listing: GamesPage) -> Screen:
    """A page of tables, or the last one if there are fewer; how to begin if there is none."""
    if not pages:
        return Screen((Prose((_begin(listing),)),), Tone.OVER)
    number = min(listing.number, len(pages) - 1)
    lines = (text("games.title"), *pages[number], *which_page(number, len(pages)))
    ways = beside(number, len(pages), lambda number: replace(listing, number=number))
    return Screen((Prose(lines), *ways), Tone.RUNNING)


def _begin(listing: GamesPage) -> Text:
    commands = joined(CommandMention(entry.command.name) for entry in CATALOGUE.values())
    if listing.player is None:
        return text("games.none", commands=commands)
    return text("games.none_of", player=Mention(listing.player), commands=commands)

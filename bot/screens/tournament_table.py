"""The table of a tournament: all places and matches, with a picture; in pages, or shared."""

from __future__ import annotations

from math import ceil
from typing import Final

from bot.message.blocks import Control, Picture, Prose, Screen, Tone, rows
from bot.message.text import text
from bot.screens.tournament import (
    MOST_PLACES,
    TournamentAction,
    TournamentControl,
    control_of,
    match_line,
    places,
    tie_break,
    title_of,
    winner_line,
)
from bot.screens.tournament_picture import described
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.tournament import Stage, Tournament

PICTURE: Final = "table.png"
A_PAGE: Final = 12
"""The most places and matches on a page of the table."""
BESIDE: Final = 5
"""The most places beside a picture that is higher than wide, so that both fit a phone."""


def table(hosted: HostedTournament, page: int) -> Screen:
    """All places, and the matches of the round, for one reader, in pages."""
    tournament = hosted.tournament
    lines = [
        *places(tournament, tie_breaks=True),
        *(match_line(tournament, legs) for legs in reversed(tournament.matches)),
    ]
    first = _beside(tournament)
    pages = 1 + max(0, ceil((len(lines) - first) / A_PAGE))
    page = min(page, pages - 1)
    begin = first + (page - 1) * A_PAGE
    shown = lines[begin : begin + A_PAGE] if page else lines[:first]
    pictured = () if page else (_picture(tournament),)
    ways = [
        Control(TournamentControl(hosted.id, TournamentAction.TABLE, to), text(key))
        for to, key in ((page - 1, "control.page_before"), (page + 1, "control.page_after"))
        if 0 <= to < pages
    ]
    if tournament.stage is Stage.OVER:
        ways.append(control_of(hosted, TournamentAction.SHARE))
    blocks = (Prose((title_of(tournament), *shown)), *pictured, *rows(ways))
    return Screen(blocks, Tone.OVER)


def shared(hosted: HostedTournament) -> Screen:
    """The first places with the picture, for all."""
    tournament = hosted.tournament
    lines = (
        title_of(tournament),
        winner_line(tournament),
        *tie_break(tournament),
        *places(tournament)[: _beside(tournament)],
    )
    return Screen((Prose(lines), _picture(tournament)), Tone.WON)


def _beside(tournament: Tournament) -> int:
    """The number of lines beside the picture."""
    return MOST_PLACES if len(tournament.entries) <= MOST_PLACES else BESIDE


def _picture(tournament: Tournament) -> Picture:
    return Picture(PICTURE, (*described(tournament),))

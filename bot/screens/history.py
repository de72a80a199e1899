"""The screen of `/history`: a person's finished games, the latest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Choice, Control, Menu, Prose, Screen, Tone, id_kind
from bot.message.text import CommandMention, Moment, Text, TextValue, joined, named, player, text
from bot.records.results import Outcome
from bot.records.summaries import Finished, History, Remembered
from bot.screens.pager import RecordsPage, ways_on, which_page
from bot.table.seats import Computer, Occupant, PersonId, player_of
from bot.table.table import Place

NAMED: Final = 2
"""The most opponents named: a page of them has to fit a phone."""

SIGNS: Final = {Outcome.WIN: "🏆", Outcome.DRAW: "🤝", Outcome.LOSS: "▫️"}


@id_kind("s1")
class HistoryControl(StrEnum):
    """The menu of a history, which leads to replays, and the way to review a file."""

    REPLAY = "replay"
    REVIEW = "review"


def history(found: History, page: RecordsPage, *, reader: PersonId, place: Place) -> Screen:
    """A page of a person's finished games, shown to `reader` at a place.

    Another person's opponents in other servers are not named. Games of other channels can only be
    replayed if they are the reader's own.
    """
    here = place.home
    page = replace(page, number=found.page)
    game = text("history.all_games") if page.game is None else text(f"game.{page.game}")
    title = text("history.title", game=game, person=named(page.person), where=page.where)
    also = [Control(HistoryControl.REVIEW, text("control.review_file"))]
    ways = ways_on(page, found.pages, also if page.person == reader else (), private=here is None)
    if not found.entries:
        return Screen((Prose((title, _begin(page, reader))), *ways), Tone.OVER)
    entries = (
        _line(entry, discreet=page.person != reader and not _known(entry.finished, reader, here))
        for entry in found.entries
    )
    lines = Prose((title, *entries, *which_page(found.page, found.pages)))
    return Screen((lines, *_replays(found, reader, place.channel), *ways), Tone.OVER)


def _replays(found: History, reader: PersonId, channel: int) -> Iterator[Menu]:
    choices = tuple(
        Choice(
            str(entry.finished.session),
            text(
                "history.choice",
                number=str(entry.finished.session),
                game=text(f"game.{entry.finished.game}"),
                outcome=text(f"outcome.{entry.outcome}"),
            ),
        )
        for entry in found.entries
        if entry.finished.channel == channel or _own(entry.finished, reader)
    )
    if choices:
        yield Menu(HistoryControl.REPLAY, text("menu.replay"), choices)


def _known(finished: Finished, reader: PersonId, here: int | None) -> bool:
    """Whether the reader may know who played: the game was played here, or by them."""
    return _own(finished, reader) or (here is not None and finished.guild == here)


def _own(finished: Finished, reader: PersonId) -> bool:
    return reader in map(player_of, finished.occupants)


def _line(entry: Remembered, *, discreet: bool) -> Text:
    finished = entry.finished
    return text(
        "history.line",
        sign=SIGNS[entry.outcome],
        outcome=text(f"outcome.{entry.outcome}"),
        game=text(f"game.{finished.game}"),
        opponents=joined([*_opponents(entry, discreet=discreet)]),
        ending=text(f"ending.{finished.ending}"),
        at=Moment(finished.at),
        number=str(finished.session),
    )


def _opponents(entry: Remembered, *, discreet: bool) -> Iterator[TextValue]:
    met = [*dict.fromkeys(entry.finished.occupants[seat] for seat in entry.opponents)]
    yield from (_named(whom, discreet=discreet) for whom in met[:NAMED])
    if len(met) > NAMED:
        yield f"+{len(met) - NAMED}"


def _named(occupant: Occupant, *, discreet: bool) -> TextValue:
    if discreet and not isinstance(occupant, Computer):
        return text("history.somebody")
    return player(occupant)


def _begin(page: RecordsPage, reader: PersonId) -> Text:
    entries = CATALOGUE.values() if page.game is None else (CATALOGUE[page.game],)
    commands = joined(CommandMention(entry.command.name) for entry in entries)
    if page.person == reader:
        return text("history.begin", commands=commands)
    return text("history.empty", commands=commands)

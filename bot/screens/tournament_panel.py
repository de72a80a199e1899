"""The private panels of tournaments: the draft of one, in menus, and its controls for its host."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from bot.games.catalogue import CATALOGUE
from bot.games.entry import Entry
from bot.games.variants import formats, variants
from bot.message.blocks import (
    Block,
    Choice,
    Control,
    Entities,
    Picker,
    Prose,
    Row,
    Screen,
    Style,
    Tone,
    rows,
)
from bot.message.ids import id_kind
from bot.message.text import Text, text
from bot.screens.panel import chosen_one
from bot.screens.tournament import IN_PANEL, TournamentAction, TournamentControl, offered
from bot.table.refusals import UnknownControl
from bot.table.seats import Pace, PersonId
from bot.table.session import Session
from bot.tournaments.event import BY_HOST, PACES, PLACES, STARTS, WHEN_FULL, Event, TournamentDraft
from bot.tournaments.swiss import LONGER
from bot.tournaments.tournament import Format

id_kind("n1")(TournamentDraft)

OPEN: Final = "open"
USUAL_PLACES: Final = 8
OF: Final = "-"
"""Stands between a format and its number of rounds."""


def first_draft(entry: Entry | None = None) -> TournamentDraft:
    """The draft that the panel begins with, of the first game unless another is named."""
    entry = entry or next(iter(CATALOGUE.values()))
    variant = next(iter(variants(entry)))
    usual = formats(entry)[0]
    return TournamentDraft(entry.game.key, variant, usual, USUAL_PLACES, Pace.LIVE, BY_HOST)


def places(format_: Format) -> Iterable[int]:
    """The numbers of places that are offered."""
    if format_ is Format.ALL_PLAY_ALL:
        return range(format_.fewest, format_.most + 1)
    return PLACES


def panel(draft: TournamentDraft) -> Screen:
    """The draft, each choice in a menu, and the button that opens it."""
    entry = _entry(draft.game)
    blocks: tuple[Block, ...] = (
        Prose((text("tournament.panel"),)),
        *_menu(
            draft, "game", ((e.game.key, text(f"game.{e.game.key}")) for e in CATALOGUE.values())
        ),
        *_menu(draft, "variant", ((name, _rules(entry, name)) for name in variants(entry))),
        *_menu(draft, "format", _formats(entry)),
        *_menu(
            draft,
            "places",
            ((str(n), text("tournament.number", number=n)) for n in places(draft.format)),
        ),
        *_menu(draft, "pace", ((p, text(f"choice.pace.{p}")) for p in PACES)),
        *_menu(draft, "start", ((s, _start(s)) for s in STARTS)),
        Row((Control(replace(draft, then=OPEN), text("tournament.open"), style=Style.GOOD),)),
    )
    return Screen(blocks, Tone.WAITING)


def chosen(draft: TournamentDraft, value: str) -> TournamentDraft:
    """The draft after a choice in the menu that is `then`.

    Raises:
        UnknownControl: The menu is of a version that offered other things.
    """
    if not panel(draft).offers(draft, value):
        raise UnknownControl
    if draft.then == "game":
        return first_draft(_entry(value))
    after = replace(draft, then="", **_meant(draft.then, value))
    offered = [*places(after.format)]
    if after.places not in offered:
        after = replace(after, places=min(offered, key=lambda n: abs(n - after.places)))
    return after


def _meant(field: str, value: str) -> dict[str, Any]:
    if field == "format":
        format_, _, rounds = value.partition(OF)
        return {"format": Format(format_), "rounds": int(rounds or 0)}
    made: dict[str, Any] = {"places": int, "pace": Pace}
    return {field: made.get(field, str)(value)}


def _formats(entry: Entry) -> Iterator[tuple[str, Text]]:
    """The formats of a game; a Swiss tournament has as many rounds as it needs, or one more."""
    for format_ in formats(entry):
        yield format_, text(f"tournament.format.{format_}")
        if format_ is Format.SWISS:
            yield f"{format_}{OF}{LONGER}", text("tournament.swiss_longer")


def _menu(
    draft: TournamentDraft, field: str, offered: Iterable[tuple[str, Text]]
) -> tuple[Block, ...]:
    now = str(getattr(draft, field))
    if field == "format" and draft.rounds:
        now += f"{OF}{draft.rounds}"
    choices = [Choice(value, label, chosen=value == now) for value, label in offered]
    label = text(f"tournament.panel.{field}")
    return chosen_one(replace(draft, then=field), label, choices)


def _rules(entry: Entry, variant: str) -> Text:
    options = variants(entry)[variant]
    session = Session(entry.game, options, Pace.LIVE, PersonId(0), ())
    return entry.presenter.rules(session)


def _start(start: str) -> Text:
    if start.isdecimal():
        return text("tournament.start.in", time=timedelta(minutes=int(start)))
    return text("tournament.start.full" if start == WHEN_FULL else "tournament.start.host")


def _entry(game: str) -> Entry:
    entry = CATALOGUE.get(game)
    if entry is None:
        raise UnknownControl
    return entry


def manage(event: Event) -> Screen:
    """The controls of its host and of the server's managers, for one of them."""
    title = Prose((text("tournament.manage"),))
    blocks: tuple[Block, ...] = (title, *rows(offered(event, IN_PANEL)))
    if event.live:
        remove = TournamentControl(event.id, TournamentAction.REMOVE)
        blocks += (Picker(remove, text("tournament.remove"), Entities.PEOPLE, ()),)
    return Screen(blocks, Tone.WAITING)

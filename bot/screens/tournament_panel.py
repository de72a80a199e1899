"""The private panel of `/tournament`: the draft of a tournament, in menus."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from bot.games.catalogue import CATALOGUE
from bot.games.entry import Entry
from bot.games.variants import formats, variants
from bot.message.blocks import Block, Choice, Control, Prose, Row, Screen, Style, Tone
from bot.message.text import Text, text
from bot.screens.panel import chosen_one
from bot.table.refusals import UnknownControl
from bot.table.seats import Pace, PersonId
from bot.table.session import Session
from bot.tournaments.event import BY_HOST, PACES, PLACES, STARTS, WHEN_FULL, TournamentDraft
from bot.tournaments.tournament import Format

OPEN: Final = "open"
USUAL_PLACES: Final = 8


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
        *_menu(draft, "format", ((f, text(f"tournament.format.{f}")) for f in formats(entry))),
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
    field, kept = draft.then, replace(draft, then="")
    if field == "game":
        return first_draft(_entry(value))
    made: dict[str, Any] = {"format": Format, "places": int, "pace": Pace}
    try:
        after = replace(kept, **{field: made.get(field, str)(value)})
    except (TypeError, ValueError):
        raise UnknownControl from None
    offered = [*places(after.format)]
    if after.places not in offered:
        after = replace(after, places=min(offered, key=lambda n: abs(n - after.places)))
    return after


def _menu(
    draft: TournamentDraft, field: str, offered: Iterable[tuple[str, Text]]
) -> tuple[Block, ...]:
    now = str(getattr(draft, field))
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

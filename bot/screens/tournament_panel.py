"""The form that opens a tournament, and the private panel of its host's controls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.games.variants import OF, formats, games
from bot.message.blocks import (
    AnyOf,
    Block,
    Choice,
    Entities,
    FormQuestion,
    FormScreen,
    OneOf,
    Picker,
    Prose,
    Screen,
    Tone,
    id_kind,
    rows,
)
from bot.message.text import Text, text
from bot.screens.challenge import variant_named
from bot.screens.tournament import IN_PANEL, TournamentAction, TournamentControl, offered
from bot.table.seats import Pace
from bot.tournaments.event import BY_HOST, PLACES, STARTS, WHEN_FULL, Event, TournamentDraft
from bot.tournaments.swiss import LONGER
from bot.tournaments.tournament import Format

USUAL_PLACES: Final = 8
ONE_MORE: Final = "longer"
"""The checkbox of a Swiss tournament with one round more."""


@id_kind("n2")
@dataclass(frozen=True, slots=True)
class TournamentForm:
    """The form that opens a tournament.

    Discord takes five questions: a game is chosen with its rules, and what few choose are boxes.
    """

    def form(self) -> FormScreen:
        """The form, with what is usual chosen."""
        slow = text(f"choice.pace.{Pace.CORRESPONDENCE}")
        boxes = {Pace.CORRESPONDENCE: slow, ONE_MORE: text("tournament.swiss_longer")}
        questions = (
            _one_of("game", {word: variant_named(*game) for word, game in games().items()}),
            _one_of(
                "format",
                {each: text(f"tournament.format.{each}") for each in _formats()},
                about=text("tournament.panel.format.about"),
            ),
            _one_of(
                "places",
                {str(n): text("tournament.number", number=n) for n in PLACES},
                usual=str(USUAL_PLACES),
            ),
            _one_of("start", {start: _start(start) for start in STARTS}, usual=BY_HOST),
            FormQuestion("more", text("tournament.panel.more"), AnyOf((*_choices(boxes),))),
        )
        return FormScreen(self, text("tournament.panel"), questions)


def drafted(filled: Mapping[str, tuple[str, ...]]) -> TournamentDraft:
    """The tournament of a filled-in form; a game that has but one format is played in that."""
    (game,), (format_,), (places,) = filled["game"], filled["format"], filled["places"]
    key, _, variant = game.partition(OF)
    fitting = formats(CATALOGUE[key])
    chosen = Format(format_) if format_ in fitting else fitting[0]
    more = filled["more"]
    return TournamentDraft(
        key,
        variant,
        chosen,
        int(places),
        Pace.CORRESPONDENCE if Pace.CORRESPONDENCE in more else Pace.LIVE,
        filled["start"][0],
        rounds=LONGER if ONE_MORE in more and chosen is Format.SWISS else 0,
    )


def _one_of(
    name: str, values: Mapping[str, Text], *, usual: str | None = None, about: Text | None = None
) -> FormQuestion:
    """A question with one answer, of which the usual one is chosen, or else the first."""
    usual = usual or next(iter(values))
    label = text(f"tournament.panel.{name}")
    return FormQuestion(name, label, OneOf((*_choices(values, usual),)), about)


def _choices(values: Mapping[str, Text], usual: str | None = None) -> Iterator[Choice]:
    return (Choice(value, label, chosen=value == usual) for value, label in values.items())


def _formats() -> list[Format]:
    """The formats that can be chosen: those of games that have several."""
    several = (formats(entry) for entry in CATALOGUE.values() if len(formats(entry)) > 1)
    return list(dict.fromkeys(each for found in several for each in found))


def _start(start: str) -> Text:
    if start.isdecimal():
        return text("tournament.start.in", time=timedelta(minutes=int(start)))
    return text("tournament.start.full" if start == WHEN_FULL else "tournament.start.host")


def manage(event: Event) -> Screen:
    """The controls of its host and of the server's managers, for one of them."""
    title = Prose((text("tournament.manage"),))
    blocks: tuple[Block, ...] = (title, *rows(offered(event, IN_PANEL)))
    if event.live:
        remove = TournamentControl(event.id, TournamentAction.REMOVE)
        blocks += (Picker(remove, text("tournament.remove"), Entities.PEOPLE, ()),)
    return Screen(blocks, Tone.WAITING)

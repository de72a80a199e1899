"""The list of a server's open tournaments, the form that opens one, and the panel of its host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.games.variants import OF, formats, games
from bot.message.blocks import (
    AnyOf,
    Block,
    Control,
    Entities,
    FormQuestion,
    FormScreen,
    OneOf,
    Picker,
    Prose,
    Row,
    Screen,
    Style,
    Tone,
    id_kind,
    rows,
)
from bot.message.text import ChannelMention, Moment, Text, TextValue, text
from bot.screens.lobby import variant_named
from bot.screens.panel import choices
from bot.screens.tournament_controls import (
    IN_PANEL,
    TournamentAction,
    TournamentControl,
    control_of,
    offered,
)
from bot.table.seats import Pace, PersonId
from bot.tournaments.hosted import (
    BY_HOST,
    MOST_AT_ONCE,
    PLACES,
    STARTS,
    WHEN_FULL,
    HostedTournament,
    TournamentDraft,
)
from bot.tournaments.swiss import LONGER
from bot.tournaments.tournament import Format, Stage, TournamentId

USUAL_PLACES: Final = 8
ONE_MORE: Final = "longer"
"""The checkbox for one more round in a Swiss tournament."""


@id_kind("n2")
@dataclass(frozen=True, slots=True)
class TournamentForm:
    """The form that opens a tournament.

    Discord allows five questions, so a game is chosen together with its rules, and rare choices
    are checkboxes.
    """

    def form(self) -> FormScreen:
        """The form, with the defaults chosen."""
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
            FormQuestion("more", text("tournament.panel.more"), AnyOf(choices(boxes))),
        )
        return FormScreen(self, text("tournament.panel"), questions)


def drafted(filled: Mapping[str, tuple[str, ...]]) -> TournamentDraft:
    """The draft from a submitted form; if the game lacks the format, its first one is taken."""
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
    """A question with one answer; `usual` is the default, or else the first."""
    usual = usual or next(iter(values))
    label = text(f"tournament.panel.{name}")
    return FormQuestion(name, label, OneOf(choices(values, usual)), about)


def _formats() -> list[Format]:
    """The formats that can be chosen, from games that have more than one."""
    several = (formats(entry) for entry in CATALOGUE.values() if len(formats(entry)) > 1)
    return list(dict.fromkeys(each for found in several for each in found))


def _start(start: str) -> Text:
    if start.isdecimal():
        return text("tournament.start.in", time=timedelta(minutes=int(start)))
    return text("tournament.start.full" if start == WHEN_FULL else "tournament.start.host")


@id_kind("a1")
@dataclass(frozen=True, slots=True)
class NewTournament:
    """The button that opens the form."""


def open_tournaments(
    tournaments: Sequence[HostedTournament],
    links: Mapping[TournamentId, str],
    by: PersonId,
    *,
    manages: bool,
) -> Screen:
    """The open tournaments of a server for one reader; `manages` says if they manage the server.

    `links` lead to the main messages; a tournament without one is named by its channel. A button
    manages each tournament that the reader may, and one opens another while there is room.
    """
    blocks: list[Block] = [Prose((text("tournament.open"),))]
    for hosted in tournaments:
        blocks.append(Prose((_listed(hosted, links.get(hosted.id)),)))
        if TournamentAction.MANAGE.button.allows(hosted, by, manages=manages):
            blocks.append(Row((control_of(hosted, TournamentAction.MANAGE),)))
    opened = [each for each in tournaments if each.tournament.format is not Format.ARENA]
    if len(opened) >= MOST_AT_ONCE:
        blocks.append(Prose((text("refusal.tournament_too_many"),)))
    else:
        new = Control(NewTournament(), text("control.tournament.new"), style=Style.PROMINENT)
        blocks.append(Row((new,)))
    return Screen(tuple(blocks), Tone.RUNNING)


def _listed(hosted: HostedTournament, link: str | None) -> Text:
    """A tournament in the list: its format, a link to it, its game and its progress."""
    tournament = hosted.tournament
    way: TextValue = link or ChannelMention(hosted.thread or hosted.channel)
    return text(
        "tournament.listed",
        format=text(f"tournament.format.{tournament.format}"),
        way=way,
        game=variant_named(CATALOGUE[tournament.game], tournament.options),
        state=_state(hosted),
    )


def _state(hosted: HostedTournament) -> Text:
    tournament = hosted.tournament
    if tournament.stage is Stage.SIGN_UP:
        return text("tournament.in", taken=len(tournament.entries), places=tournament.places)
    if hosted.ends_at is not None:
        return text("tournament.arena.ends", moment=Moment(hosted.ends_at))
    return text("tournament.round", round=tournament.round, rounds=tournament.rounds or 0)


def manage(hosted: HostedTournament) -> Screen:
    """The panel of controls for a tournament's host and the server's managers."""
    title = Prose((text("tournament.manage"),))
    blocks: tuple[Block, ...] = (title, *rows(offered(hosted, IN_PANEL)))
    if hosted.live:
        remove = TournamentControl(hosted.id, TournamentAction.REMOVE)
        blocks += (Picker(remove, text("tournament.remove"), Entities.PEOPLE, ()),)
    return Screen(blocks, Tone.WAITING)

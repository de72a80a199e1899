"""The messages of a tournament: sign-up, round, end; its rules, its table, its calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, StrEnum, auto
from operator import attrgetter
from typing import Final, Self

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Control, Prose, Screen, Style, Tone, rows
from bot.message.ids import id_kind
from bot.message.text import (
    ChannelMention,
    Moment,
    RoleMention,
    Separator,
    Text,
    joined,
    named,
    text,
)
from bot.records.badges import TITLE
from bot.screens.badges import earned
from bot.screens.challenge import pace, what
from bot.table.refusals import Refusal
from bot.table.seats import PersonId
from bot.table.session import Session
from bot.tournaments import arena
from bot.tournaments.event import Event
from bot.tournaments.progress import joinable, standings
from bot.tournaments.scores import TournamentScores, match_points
from bot.tournaments.tournament import (
    THE_SERVER,
    Format,
    Leg,
    Part,
    Stage,
    Tournament,
    TournamentId,
)

MOST_MATCHES: Final = 8
MOST_PLACES: Final = 8
"""The most matches and places in the message for all; the rest is behind *Table*."""


class Who(Enum):
    """The people who may press a control of a tournament."""

    ANYONE = auto()
    HOST = auto()
    MANAGERS = auto()
    """Its host, and the managers of the server."""


def never(_event: Event) -> bool:
    """Marks a control that stands where a screen of its own puts it."""
    return False


def _always(_event: Event) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class TournamentButton:
    """A control of a tournament: its word in ids, who may press it, what stands on it and when.

    `label` is a key of the catalogues, of its own unless another is named. `offered` says when it
    stands below the message for all or in the panel of its host, and `enabled` whether it is on.
    """

    word: str
    who: Who = Who.ANYONE
    offered: Callable[[Event], bool] = never
    enabled: Callable[[Event], bool] = _always
    label: str = ""
    style: Style = Style.PLAIN

    def require(self, event: Event, by: PersonId, *, manages: bool) -> None:
        """Return if a person may press it, who `manages` the server or does not.

        Raises:
            Refusal: They may not.
        """
        may = {Who.ANYONE: True, Who.HOST: False, Who.MANAGERS: manages}
        if by != event.tournament.host and not may[self.who]:
            raise Refusal("tournament_not_host")


_is_live: Final = attrgetter("live")


def _may_join(event: Event) -> bool:
    return joinable(event.tournament)


def _has_room(event: Event) -> bool:
    return not event.tournament.full


def _signs_up(event: Event) -> bool:
    return event.tournament.stage is Stage.SIGN_UP and not _is_arena(event)


def _is_arena(event: Event) -> bool:
    """Whether it comes by itself, begins at its time and ends by the clock."""
    return event.tournament.format is Format.ARENA


def _misses_some(event: Event) -> bool:
    running = event.tournament.stage is Stage.RUNNING
    return running and any(entry.away for entry in event.tournament.active)


def _are_enough(event: Event) -> bool:
    return len(event.tournament.entries) >= event.tournament.format.fewest


def _has_begun(event: Event) -> bool:
    return event.tournament.stage in {Stage.RUNNING, Stage.OVER}


def _has_ended(event: Event) -> bool:
    return not (event.live or _is_arena(event))


def _goes_on(event: Event) -> bool:
    return event.tournament.stage is Stage.RUNNING and not event.tournament.paused


def _is_paused(event: Event) -> bool:
    return event.tournament.stage is Stage.RUNNING and event.tournament.paused


class TournamentAction(StrEnum):
    """The controls of a tournament by their words, in the order in which they stand."""

    JOIN = TournamentButton(
        "join", Who.ANYONE, _may_join, _has_room, "control.join", style=Style.GOOD
    )
    BACK = TournamentButton("back", Who.ANYONE, _misses_some, style=Style.GOOD)
    LEAVE = TournamentButton("leave", Who.ANYONE, _is_live, label="control.leave")
    START = TournamentButton(
        "start", Who.HOST, _signs_up, _are_enough, "control.start", style=Style.PROMINENT
    )
    TABLE = TournamentButton("table", Who.ANYONE, _has_begun)
    RULES = TournamentButton("rules", Who.ANYONE, _always)
    MANAGE = TournamentButton("manage", Who.MANAGERS, _is_live)
    AGAIN = TournamentButton("again", Who.ANYONE, _has_ended, style=Style.PROMINENT)
    PAUSE = TournamentButton("pause", Who.MANAGERS, _goes_on)
    GO_ON = TournamentButton("go_on", Who.MANAGERS, _is_paused)
    END = TournamentButton("end", Who.MANAGERS, _is_live, style=Style.DANGEROUS)
    REMOVE = TournamentButton("remove", Who.MANAGERS)
    HERE = TournamentButton("here")
    SHARE = TournamentButton("share", label="control.share")

    button: TournamentButton

    def __new__(cls, button: TournamentButton) -> Self:
        """A member is its word, and carries its record."""
        self = str.__new__(cls, button.word)
        self._value_ = button.word
        self.button = button
        return self


FOR_ALL: Final = (
    *(
        TournamentAction.JOIN,
        TournamentAction.BACK,
        TournamentAction.LEAVE,
        TournamentAction.START,
        TournamentAction.TABLE,
    ),
    *(TournamentAction.RULES, TournamentAction.MANAGE, TournamentAction.AGAIN),
)
IN_PANEL: Final = (TournamentAction.PAUSE, TournamentAction.GO_ON, TournamentAction.END)
"""The controls below the message for all and in the panel of the host, as far as offered."""


@id_kind("t1")
@dataclass(frozen=True, slots=True)
class TournamentControl:
    """A control of a tournament: what it does, and to which leg, page or part of a menu."""

    tournament: TournamentId
    action: TournamentAction
    number: int = 0


class RoleFault(StrEnum):
    """The reasons why winners do not get the role of their server."""

    OUT_OF_REACH = "out_of_reach"
    """The bot may not manage roles, or does not stand above it."""
    UNSAFE = "unsafe"
    """It lets its members moderate, or is given by Discord itself."""


@dataclass(frozen=True, slots=True)
class Honour:
    """The role of a server for winners, and why the bot did not give it, if so."""

    role: int
    fault: RoleFault | None = None


def message(event: Event) -> Screen:
    """The message for all."""
    tournament = event.tournament
    lines = (*_heading(tournament), *_STATE[tournament.stage](event))
    tone = Tone.WON if tournament.champion else _TONES[tournament.stage]
    return Screen((Prose(lines), *rows(offered(event, FOR_ALL))), tone)


def named_format(tournament: Tournament) -> Text:
    """The name of a tournament, such as its thread has."""
    return text("tournament.name", format=text(f"tournament.format.{tournament.format}"))


def title_of(tournament: Tournament) -> Text:
    """The title of its messages."""
    return text("tournament.title", name=named_format(tournament))


def _heading(tournament: Tournament) -> Iterator[Text]:
    yield title_of(tournament)
    yield what(_session(tournament))
    yield pace(tournament.pace)


def _session(tournament: Tournament) -> Session:
    game = CATALOGUE[tournament.game].game
    options = game.settled(tournament.options)
    return Session(game, options, tournament.pace, tournament.host, ())


def _sign_up(event: Event) -> Iterator[Text]:
    tournament = event.tournament
    if tournament.host != THE_SERVER:
        yield text("tournament.host", host=named(tournament.host))
    if event.starts_at is not None:
        yield text("tournament.starts.at", moment=Moment(event.starts_at))
        if event.ends_at is not None:
            lasts = event.ends_at - event.starts_at
            yield text("tournament.arena.lasts", time=lasts)
    else:
        full = event.starts_when_full
        yield text("tournament.starts.full" if full else "tournament.starts.host")
        yield text("tournament.sign_up_ends", moment=Moment(event.sign_up_ends))
    yield text("tournament.in", taken=len(tournament.entries), places=tournament.places)
    if not _are_enough(event):
        yield text("tournament.fewest", fewest=tournament.format.fewest)
    if tournament.entries:
        yield text(
            "tournament.list", people=joined(named(each.person) for each in tournament.entries)
        )


def _running(event: Event) -> Iterator[Text]:
    tournament = event.tournament
    if event.ends_at is not None:
        yield text("tournament.arena.ends", moment=Moment(event.ends_at))
    elif tournament.round:
        yield text("tournament.round", round=tournament.round, rounds=tournament.rounds or 0)
    if tournament.paused:
        yield text("tournament.paused")
    if event.thread not in {None, event.channel}:
        yield text("tournament.where", channel=ChannelMention(event.thread or 0))
    if _is_arena(event):
        yield from _arena(tournament)
        return
    matches = tournament.round_of(tournament.round)
    yield from (match_line(tournament, legs) for legs in matches[:MOST_MATCHES])
    if tournament.format is not Format.KNOCKOUT and tournament.round > 1:
        yield from places(tournament)[:MOST_PLACES]


def _arena(tournament: Tournament) -> Iterator[Text]:
    """The standings of an arena that runs, who plays and who is away; few are told what follows."""
    there, away = tournament.there, [each for each in tournament.active if each.away]
    if len(there) > 2:
        waiting = len(arena.free(tournament))
        matches = sum(1 for _ in tournament.open_legs())
        yield text("tournament.arena.on", matches=matches, waiting=waiting)
    elif len(there) == 2:
        people = joined((named(each.person) for each in there), Separator.DOT)
        yield text("tournament.arena.duel", people=people)
    elif there:
        yield text("tournament.arena.alone", player=named(there[0].person))
    else:
        yield text("tournament.arena.nobody")
    yield from places(tournament)[:MOST_PLACES]
    if away:
        people = joined(named(each.person) for each in away[:MOST_PLACES])
        yield text("tournament.arena.away", people=people)


def _over(event: Event) -> Iterator[Text]:
    yield winner_line(event.tournament)
    yield from places(event.tournament)[:MOST_PLACES]


def winner_line(tournament: Tournament) -> Text:
    """The line that names the champion, or who is in front and why that is no champion."""
    if tournament.champion is not None:
        key = "tournament.won"
    elif tournament.complete:
        arena_ = tournament.format is Format.ARENA
        key = "tournament.arena.no_champion" if arena_ else "tournament.no_champion"
    else:
        key = "tournament.ended"
    return text(key, winner=named(standings(tournament)[0].person))


def _called_off(_event: Event) -> Iterator[Text]:
    yield text("tournament.called_off")


_STATE: Final = {
    Stage.SIGN_UP: _sign_up,
    Stage.RUNNING: _running,
    Stage.OVER: _over,
    Stage.CALLED_OFF: _called_off,
}
_TONES: Final = {
    Stage.SIGN_UP: Tone.WAITING,
    Stage.RUNNING: Tone.RUNNING,
    Stage.OVER: Tone.OVER,
    Stage.CALLED_OFF: Tone.OVER,
}


def offered(event: Event, actions: Iterable[TournamentAction]) -> Iterator[Control]:
    """Those of some controls that a tournament offers now."""
    return (control_of(event, each) for each in actions if each.button.offered(event))


def control_of(event: Event, action: TournamentAction, *, number: int = 0) -> Control:
    """A control of a tournament as its record says."""
    button = action.button
    label = text(button.label) if button.label else text(f"control.tournament.{action}")
    pressed = TournamentControl(event.id, action, number)
    return Control(pressed, label, style=button.style, enabled=button.enabled(event))


def match_line(tournament: Tournament, legs: Sequence[Leg]) -> Text:
    """A match in a line: its entries with their points so far."""
    first = legs[0]
    if len(first.parts) == 1:
        return text("tournament.bye", player=_name(tournament, first.parts[0]))
    if not legs[-1].open and any(part.absent for part in legs[-1].parts):
        return _walkover(tournament, legs[-1])
    sides, made = [_name(tournament, part) for part in first.parts], match_points(legs)
    if not first.open:
        points = map(number_of, made.values())
        sides = [
            text("tournament.side", player=player, points=own)
            for player, own in zip(sides, points, strict=True)
        ]
    return text("tournament.match", sides=joined(sides, Separator.DOT))


def _walkover(tournament: Tournament, leg: Leg) -> Text:
    """A match that was not played out, since some did not come or have left."""
    missing = [_name(tournament, part) for part in leg.parts if part.absent]
    there = [_name(tournament, part) for part in leg.parts if not part.absent]
    if not there:
        return text("tournament.unplayed", sides=joined(missing, Separator.DOT))
    winner, others = joined(there, Separator.DOT), joined(missing, Separator.DOT)
    return text("tournament.walkover", winner=winner, others=others)


def _name(tournament: Tournament, part: Part) -> Text:
    return text("tournament.list", people=named(tournament.by_number[part.entry].person))


def number_of(points: float) -> str:
    """Points as they are written in tables: 1½."""
    whole, half = divmod(round(points * 2), 2)
    return (str(whole) if whole or not half else "") + "½" * half


def places(tournament: Tournament) -> Sequence[Text]:
    """The entries from the first place on, with their points where points decide."""
    scores = TournamentScores(tournament)
    made = scores.points
    usual = "tournament.place" if tournament.format is Format.KNOCKOUT else "tournament.standing"
    goes_on = tournament.format is Format.ARENA and tournament.stage is Stage.RUNNING
    sheets = scores.sheets if goes_on else {}
    doubled = {number for number, sheet in sheets.items() if sheet.doubled}
    return [
        text(
            "tournament.arena.doubled" if entry.number in doubled else usual,
            place=place,
            player=named(entry.person),
            points=number_of(made[entry.number]),
        )
        for place, entry in enumerate(standings(tournament), 1)
    ]


def how(event: Event, patience: timedelta) -> Screen:
    """The rules, for one reader."""
    tournament = event.tournament
    own = text(f"tournament.rules.{tournament.format}", wait=patience)
    general = () if _is_arena(event) else (text("tournament.rules", wait=patience),)
    return Screen((Prose((title_of(tournament), own, *general)),), Tone.OVER)


def call(event: Event, leg: Leg, link: str, until: datetime) -> Screen:
    """The call of a leg's players to their table."""
    people = [event.tournament.by_number[number].person for number in leg.entries]
    line = text(
        "tournament.call", players=joined(map(named, people)), link=link, until=Moment(until)
    )
    here = control_of(event, TournamentAction.HERE, number=leg.number)
    return Screen((Prose((line,)), *rows([here])), Tone.RUNNING, notifies=tuple(people))


def podium(event: Event, honour: Honour | None, *, first_title: bool) -> Screen:
    """The winners, the role that the first one gets, and the badge for a `first_title`.

    Without a champion at the end there is no podium, and the message says so.
    """
    share = rows([control_of(event, TournamentAction.SHARE)])
    tournament = event.tournament
    if tournament.complete and tournament.champion is None:
        return Screen((Prose((winner_line(tournament),)), *share), Tone.OVER)
    winner = standings(tournament)[0].person
    badge = (earned((winner, TITLE)),) if first_title else ()
    return Screen((Prose((*_podium(event, honour), *badge)), *share), Tone.WON)


def _podium(event: Event, honour: Honour | None) -> Iterator[Text]:
    first, *others = standings(event.tournament)[:3]
    won = text("tournament.podium", winner=named(first.person))
    yield winner_line(event.tournament) if event.tournament.champion is None else won
    for place, entry in enumerate(others, 2):
        yield text(f"tournament.podium.{place}", player=named(entry.person))
    if honour is not None:
        yield _honoured(honour, winner=first.person, host=event.tournament.host)


def _honoured(honour: Honour, *, winner: PersonId, host: PersonId) -> Text:
    role = RoleMention(honour.role)
    told = text("tournament.managers") if host == THE_SERVER else named(host)
    if honour.fault is None:
        return text("tournament.role.given", winner=named(winner), role=role)
    unsafe = honour.fault is RoleFault.UNSAFE
    refused = "tournament.role.unsafe" if unsafe else "tournament.role.refused"
    return text(refused, host=told, role=role)


def honour_reason(event: Event) -> Text:
    """The reason for the winner's role in the server's audit log."""
    game = text(f"game.{event.tournament.game}")
    return text(
        "tournament.role.reason",
        tournament=named_format(event.tournament),
        game=game,
        number=str(event.id),
    )

"""The messages of a tournament: sign-up, round, end; its rules, its places, its calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Prose, Screen, Tone, rows
from bot.message.text import (
    ChannelMention,
    CommandMention,
    Moment,
    RoleMention,
    Separator,
    Text,
    TextValue,
    joined,
    named,
    text,
)
from bot.records.badges import TITLE
from bot.screens.badges import earned
from bot.screens.lobby import pace, what
from bot.screens.tournament_controls import (
    AS_REMINDER,
    FOR_ALL,
    TournamentAction,
    are_enough,
    control_of,
    is_arena,
    offered,
)
from bot.table.seats import FORMER_PLAYERS, PersonId
from bot.table.session import Session
from bot.tournaments import arena, decisions
from bot.tournaments.decisions import Decider, Decision
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.progress import go_on, is_decided, standings
from bot.tournaments.scores import TournamentScores, match_points
from bot.tournaments.tournament import THE_SERVER, CalledOff, Format, Leg, Part, Stage, Tournament

MOST_MATCHES: Final = 6
MOST_PLACES: Final = 8
LEADERS: Final = 4
PODIUM: Final = 3
"""The most matches and places in the main message, places below matches, and places on a podium;
*Table* shows all."""


class RoleFault(StrEnum):
    """The reasons why winners do not get the role of their server."""

    OUT_OF_REACH = "out_of_reach"
    """The bot may not manage roles, or its own role is not above this one."""
    UNSAFE = "unsafe"
    """The role gives power over others, or is managed by Discord or an integration."""


@dataclass(frozen=True, slots=True)
class Honour:
    """The role of a server for winners, and why the bot did not give it, if it did not."""

    role: int
    fault: RoleFault | None = None


def message(hosted: HostedTournament) -> Screen:
    """The tournament's main message."""
    tournament = hosted.tournament
    lines = (*_heading(tournament), *_STATE[tournament.stage](hosted))
    tone = Tone.WON if tournament.champion else _TONES[tournament.stage]
    nobody = tournament.host in FORMER_PLAYERS or tournament.host == THE_SERVER
    unseen = tournament.why is CalledOff.UNSEEN and not nobody
    notifies = (tournament.host,) if unseen else ()
    return Screen((Prose(lines), *rows(offered(hosted, FOR_ALL))), tone, notifies)


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


def settles(tournament: Tournament) -> Text | None:
    """The warning that drawn matches are likely, and how they are then decided."""
    entry = CATALOGUE[tournament.game]
    if tournament.format is not Format.KNOCKOUT or not entry.often_drawn(tournament.options):
        return None
    return text(f"tournament.often_drawn.{tournament.pace}")


def _sign_up(hosted: HostedTournament) -> Iterator[Text]:
    tournament = hosted.tournament
    if (warning := settles(tournament)) is not None:
        yield warning
    if tournament.host != THE_SERVER:
        yield text("tournament.host", host=named(tournament.host))
    if hosted.starts_at is not None:
        yield text("tournament.starts.at", moment=Moment(hosted.starts_at))
        if hosted.ends_at is not None:
            lasts = hosted.ends_at - hosted.starts_at
            yield text("tournament.arena.lasts", time=lasts)
    else:
        full = hosted.starts_when_full
        yield text("tournament.starts.full" if full else "tournament.starts.host")
        yield text("tournament.sign_up_ends", moment=Moment(hosted.sign_up_ends))
    yield text("tournament.in", taken=len(tournament.entries), places=tournament.places)
    if not are_enough(hosted):
        yield text("tournament.fewest", fewest=tournament.format.fewest)
    if tournament.entries:
        yield text(
            "tournament.list", people=joined(named(each.person) for each in tournament.entries)
        )


def _running(hosted: HostedTournament) -> Iterator[Text]:
    tournament = hosted.tournament
    if hosted.ends_at is not None:
        yield text("tournament.arena.ends", moment=Moment(hosted.ends_at))
    elif tournament.round:
        yield text("tournament.round", round=tournament.round, rounds=tournament.rounds or 0)
    if tournament.paused:
        yield text("tournament.paused")
        if hosted.pause_ends is not None and hosted.ends_at is None:
            yield text("tournament.pause_ends", moment=Moment(hosted.pause_ends))
    if hosted.thread not in {None, hosted.channel}:
        yield text("tournament.where", channel=ChannelMention(hosted.thread or 0))
    if is_arena(hosted):
        yield from _arena(tournament)
        return
    matches = tournament.round_of(tournament.round)
    yield from (match_line(tournament, legs) for legs in matches[:MOST_MATCHES])
    if tournament.format is not Format.KNOCKOUT and tournament.round > 1:
        yield from places(tournament)[:LEADERS]


def _arena(tournament: Tournament) -> Iterator[Text]:
    """The standings of a running arena and who is away; with two people or fewer, what follows."""
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


def _over(hosted: HostedTournament) -> Iterator[Text]:
    yield winner_line(hosted.tournament)
    yield from tie_break(hosted.tournament)
    yield from places(hosted.tournament)[:MOST_PLACES]


def winner_line(tournament: Tournament) -> Text:
    """The line that names the champion, or the leader and why there is no champion."""
    if tournament.champion is not None:
        key = "tournament.won"
    elif tournament.complete:
        arena_ = tournament.format is Format.ARENA
        key = "tournament.arena.no_champion" if arena_ else "tournament.no_champion"
    else:
        key = "tournament.ended"
    return text(key, winner=named(standings(tournament)[0].person))


def _called_off(hosted: HostedTournament) -> Iterator[Text]:
    why = hosted.tournament.why
    if why is CalledOff.UNSEEN and hosted.tournament.host != THE_SERVER:  # a person to notify
        yield text("tournament.host", host=named(hosted.tournament.host))
    yield text("tournament.called_off" if why is None else f"tournament.called_off.{why}")


def tie_break(tournament: Tournament) -> Iterator[Text]:
    """The first tie for a place on the podium in a sentence, with what broke it."""
    podium = [entry.number for entry in standings(tournament)[:PODIUM]]
    ties = (each for each in decisions.tie_breaks(tournament) if each.first in podium)
    for tie in islice(ties, 1):
        ahead, behind = (named(tournament.by_number[n].person) for n in (tie.first, tie.second))
        yield text("tournament.before", ahead=ahead, behind=behind, why=_ground(tie))


def _ground(decision: Decision) -> Text:
    """The ground of a decision, with its numbers; times have the decimals by which they differ."""
    own, other, told = decision.own, decision.other, score_of
    if decision.ground is Decider.TIME:
        differs = (each for each in range(3) if round(own, each) != round(other, each))
        told = partial(time_of, decimals=next(differs, 3))
    return text(f"tournament.ground.{decision.ground}", own=told(own), other=told(other))


def time_of(seconds: float, decimals: int = 0) -> str:
    """A time to think as a clock shows it: 1:12, or 1:12.4."""
    minutes, left = divmod(round(seconds, decimals), 60)
    hours, minutes = divmod(int(minutes), 60)
    shown = f"{left:0{decimals + 3 if decimals else 2}.{decimals}f}"
    return f"{hours}:{minutes:02}:{shown}" if hours else f"{minutes}:{shown}"


def score_of(score: float) -> str:
    """A score as in tables, such as `1½`; other fractions have decimals."""
    return number_of(score) if score * 2 == round(score * 2) else f"{score:g}"


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


def match_line(tournament: Tournament, legs: Sequence[Leg]) -> Text:
    """A match in a line: its entries with their points so far, its games, why it was decided."""
    first = legs[0]
    if len(first.parts) == 1:
        return text("tournament.bye", player=_name(tournament, first.parts[0]))
    if not legs[-1].open and sum(not part.absent for part in legs[-1].parts) < 2:
        return _walkover(tournament, legs[-1])
    sides, made = [_name(tournament, part) for part in first.parts], match_points(legs)
    if not first.open:
        points = map(number_of, made.values())
        sides = [
            text("tournament.side", player=player, points=own)
            for player, own in zip(sides, points, strict=True)
        ]
        sides += _decided(tournament, legs)
    return text("tournament.match", sides=joined(sides, Separator.DOT))


def _decided(tournament: Tournament, legs: Sequence[Leg]) -> Iterator[Text]:
    """The games of a match with several, and what decided it if points did not."""
    over = [leg for leg in legs if not leg.open]
    if len(over) > 1:
        games = joined(_game(legs[0], leg) for leg in over)
        yield text("tournament.games", games=games)
    if tournament.format is not Format.KNOCKOUT or not is_decided(tournament, legs):
        return
    found = decisions.of_match(tournament, legs)
    if found is not None and found.ground in {Decider.TIME, Decider.SEED}:
        winner = named(tournament.by_number[found.first].person)
        yield text("tournament.by", winner=winner, why=_ground(found))


def _game(first: Leg, leg: Leg) -> str:
    """The points of a game such as `1–0`, in the order of seats of the match's first game."""
    made = {part.entry: part.points or 0 for part in leg.parts}
    return "–".join(number_of(made[number]) for number in first.entries)


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
    """Points, rounded to halves, as in tables: `1½`."""
    whole, half = divmod(round(points * 2), 2)
    return (str(whole) if whole or not half else "") + "½" * half


def places(tournament: Tournament, *, tie_breaks: bool = False) -> Sequence[Text]:
    """The entries from the first place on, with their points if points decide.

    With `tie_breaks`, entries with equal points have the criteria that order them.
    """
    scores = TournamentScores(tournament)
    usual = "tournament.place" if tournament.format is Format.KNOCKOUT else "tournament.standing"
    goes_on = tournament.format is Format.ARENA and tournament.stage is Stage.RUNNING
    sheets = scores.sheets if goes_on else {}
    doubled = {number for number, sheet in sheets.items() if sheet.doubled}
    found = list[Text]()
    for place, entry in enumerate(standings(tournament), 1):
        points: TextValue = number_of(scores.points[entry.number])
        numbers = decisions.numbers(scores, entry.number) if tie_breaks else ()
        if numbers:
            points = joined((points, *(_number(*each) for each in numbers)), Separator.DOT)
        key = "tournament.arena.doubled" if entry.number in doubled else usual
        found.append(text(key, place=place, player=named(entry.person), points=points))
    return found


def _number(ground: Decider, number: float) -> Text:
    return text(f"tournament.number.{ground}", number=score_of(number))


def how(hosted: HostedTournament, patience: timedelta) -> Screen:
    """The rules, for one reader."""
    tournament = hosted.tournament
    own = text(f"tournament.rules.{tournament.format}", wait=patience)
    heats = tournament.format is Format.HEATS
    general = text("tournament.rules.at_tables" if heats else "tournament.rules", wait=patience)
    lines = (
        (title_of(tournament), own) if is_arena(hosted) else (title_of(tournament), own, general)
    )
    return Screen((Prose(lines),), Tone.OVER)


def call(
    hosted: HostedTournament, leg: Leg, link: str, until: datetime, *, lost: bool = False
) -> Screen:
    """The call of a leg's players to their table; `lost` if its board was deleted."""
    people = [hosted.tournament.by_number[number].person for number in leg.entries]
    line = text(
        "tournament.call", players=joined(map(named, people)), link=link, until=Moment(until)
    )
    again = text("refusal.board_deleted", board=CommandMention("board"))
    lines = (line, again) if lost else (line,)
    here = control_of(hosted, TournamentAction.HERE, number=leg.number)
    return Screen((Prose(lines), *rows([here])), Tone.RUNNING, notifies=tuple(people))


def match_ended(hosted: HostedTournament, legs: Sequence[Leg]) -> Screen:
    """The end of a match for all: who won, how, who goes on; and a button to the standings."""
    tournament = hosted.tournament
    lines = [match_line(tournament, legs)]
    if on := go_on(tournament, legs):
        people = joined(named(tournament.by_number[number].person) for number in on)
        lines.append(text("tournament.goes_on", people=people))
    table = control_of(hosted, TournamentAction.STANDINGS, number=legs[-1].number)
    return Screen((Prose(tuple(lines)), *rows([table])), Tone.OVER)


def starts_soon(hosted: HostedTournament, at: datetime, link: str) -> Screen:
    """The reminder that a tournament starts, for those who are in."""
    people = [entry.person for entry in hosted.tournament.active]
    line = text("tournament.starts_soon", players=joined(map(named, people)), moment=Moment(at))
    lines = (line, text("tournament.link", link=link))
    rules = control_of(hosted, TournamentAction.RULES, number=AS_REMINDER)
    return Screen((Prose(lines), *rows([rules])), Tone.WAITING, notifies=tuple(people))


def podium(hosted: HostedTournament, honour: Honour | None, *, first_title: bool) -> Screen:
    """The winners, the role that the first one gets, and the badge for a `first_title`.

    Without a champion at the end there is no podium, and the message says so.
    """
    share = rows([control_of(hosted, TournamentAction.SHARE)])
    tournament = hosted.tournament
    if tournament.complete and tournament.champion is None:
        return Screen((Prose((winner_line(tournament),)), *share), Tone.OVER)
    winner = standings(tournament)[0].person
    badge = (earned((winner, TITLE)),) if first_title else ()
    return Screen((Prose((*_podium(hosted, honour), *badge)), *share), Tone.WON)


def _podium(hosted: HostedTournament, honour: Honour | None) -> Iterator[Text]:
    tournament = hosted.tournament
    played = {n for leg in tournament.legs for n in leg.entries if leg.met_by(n)}
    first, *others = standings(tournament)[:PODIUM]
    won = text("tournament.podium", winner=named(first.person))
    yield winner_line(tournament) if tournament.champion is None else won
    for place, entry in enumerate(others, 2):
        if entry.number in played:
            yield text(f"tournament.podium.{place}", player=named(entry.person))
    yield from tie_break(tournament)
    if honour is not None:
        yield _honoured(honour, winner=first.person, host=tournament.host)


def _honoured(honour: Honour, *, winner: PersonId, host: PersonId) -> Text:
    role = RoleMention(honour.role)
    told = text("tournament.managers") if host == THE_SERVER else named(host)
    if honour.fault is None:
        return text("tournament.role.given", winner=named(winner), role=role)
    unsafe = honour.fault is RoleFault.UNSAFE
    refused = "tournament.role.unsafe" if unsafe else "tournament.role.refused"
    return text(refused, host=told, role=role)


def honour_reason(hosted: HostedTournament) -> Text:
    """The reason for the winner's role in the server's audit log."""
    game = text(f"game.{hosted.tournament.game}")
    return text(
        "tournament.role.reason",
        tournament=named_format(hosted.tournament),
        game=game,
        number=str(hosted.id),
    )

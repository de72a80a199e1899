"""Turns in words, a line each: the rolls, the moves, the captures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final

from bot.games.ludo.board.spots import COLOURS, Group, OnRing, emblem_at, spot_of
from bot.games.ludo.board.tiles import STAR, die_face
from bot.games.ludo.game_log import GameLog, Played, turn_of
from bot.message.text import Separator, Text, TextList, joined, player, text
from bot.table.session import Phase, Session
from bot.table.waiting import reader, unread
from engine.game import Seat
from engine.games.ludo import LudoPosition
from engine.games.ludo.board import LAST_ON_RING, STARTS
from engine.games.ludo.events import OpeningRoll, Roll, RollOutcome, Step
from engine.games.ludo.rules import Finish

OPENING_ROLLS_TOLD: Final = 8
CAPTIVES_TOLD: Final = 2
"""With more captives at once, only their colours are told."""


def of_turn(session: Session, plies: Sequence[Played], *, cut: bool = False) -> Text:
    """A line for a turn, or for its last throws if it is `cut`; the first ply is a roll."""
    first = plies[0]
    assert isinstance(first.event, Roll), "a turn begins with a roll"
    throws = [_throw(plies[start:end]) for start, end in pairwise(_rolls(plies))]
    last = plies[-1].event
    if isinstance(last, Step) and last.again and session.phase is Phase.RUNNING:
        throws.append(text("ludo.story.again"))
    emblem, told = emblem_at(first.before, first.event.seat), joined(throws, Separator.DOT)
    if cut:
        return text("ludo.story.turn_cut", emblem=emblem, throws=told)
    return text("ludo.story.turn", emblem=emblem, throws=told)


def of_roll_off(session: Session, plies: Sequence[Played]) -> Text:
    """A line for the rolls that decide who begins."""
    told = []
    for played in plies[-OPENING_ROLLS_TOLD:]:
        event = _opening_roll(played)
        told.append(_rolled_off(played))
        if event.tied:
            told.append(text("ludo.story.tied"))
        if event.begins is not None:
            first = emblem_at(played.before, event.begins)
            who = player(session.seats[event.begins])
            told.append(text("ludo.story.begins", emblem=first, player=who))
    return text("ludo.story.roll_off", rolls=joined(told, Separator.DOT))


def last_round(plies: Sequence[Played]) -> TextList:
    """The last round of these rolls, in digits; the highest begins."""
    rounds = [end for end, played in enumerate(plies[:-1], 1) if _opening_roll(played).tied]
    rolls = [(played, _opening_roll(played)) for played in plies[max(rounds, default=0) :]]
    told = [
        text("ludo.story.opening_roll", emblem=emblem_at(p.before, roll.seat), die=str(roll.pips))
        for p, roll in rolls
    ]
    return joined(told, Separator.SPACE)


def _opening_roll(played: Played) -> OpeningRoll:
    assert isinstance(played.event, OpeningRoll), "a roll-off has no other plies"
    return played.event


def _rolled_off(played: Played) -> Text:
    event = _opening_roll(played)
    emblem = emblem_at(played.before, event.seat)
    return text("ludo.story.opening_roll", emblem=emblem, die=die_face(event.pips))


def _rolls(plies: Sequence[Played]) -> Iterator[int]:
    yield from (ply for ply, played in enumerate(plies) if isinstance(played.event, Roll))
    yield len(plies)


def _throw(plies: Sequence[Played]) -> Text:
    roll, *steps = plies
    assert isinstance(roll.event, Roll), "a throw begins with a roll"
    told = [*_unplayed(roll.before, roll.event)]
    for played in steps:
        if isinstance(played.event, Step):
            told += _moved(played, played.event)
    die = die_face(roll.event.pips)
    if not told:
        return text("ludo.story.rolled", die=die)
    return text("ludo.story.throw", die=die, told=joined(told, Separator.SPACE))


def _unplayed(position: LudoPosition, roll: Roll) -> Iterator[Text]:
    """The reason why a roll was not played."""
    if roll.outcome is RollOutcome.NO_LEGAL_MOVE:
        yield text("ludo.story.stuck")
    if roll.outcome is RollOutcome.THIRD_SIX:
        yield text("ludo.story.third_six")
    if roll.sent_back is not None:
        owner, token = roll.sent_back
        yield text("ludo.story.sent_back", token=_token(position, roll.seat, owner, token))


def _moved(played: Played, step: Step) -> Iterator[Text]:
    token = _token(played.before, step.seat, step.owner, step.token)
    if step.came_home:
        home = played.after.homes(step.owner)
        of = played.after.table.rules.tokens
        yield text("ludo.story.came_home", token=token, home=home, of=of)
    else:
        yield _walked(played.after, step, token)
    if step.captured:
        table = played.before.table
        seats = groupby(step.captured, key=lambda captive: captive[0])
        groups = [
            Group(table.corners[seat], tuple(number + 1 for _, number in captives))
            for seat, captives in seats
        ]
        if len(step.captured) > CAPTIVES_TOLD:
            told = joined((COLOURS[group.corner].emblem for group in groups), Separator.NOTHING)
        else:
            told = joined(map(_numbered, groups))
        yield text("ludo.story.captured", tokens=told)
    if step.place is not None and played.after.table.rules.finish is Finish.PLACES:
        yield text("ludo.story.placed", place=step.place)


def _walked(position: LudoPosition, step: Step, token: Text) -> Text:
    where = spot_of(position, step.owner, step.token)
    if step.left_yard:
        return text("ludo.story.left_yard", token=token)
    if not isinstance(where, OnRing):
        entered = step.before <= LAST_ON_RING
        return text("ludo.story.lane" if entered else "ludo.story.along_lane", token=token)
    if where.square in position.table.safe:
        return text("ludo.story.safe", token=token, place=_place(where))
    if position.table.has_blocks and position.tokens[step.owner].count(step.after) > 1:
        return text("ludo.story.block", token=token)
    return text("ludo.story.walked", token=token, pips=step.after - step.before)


def _token(position: LudoPosition, seat: Seat, owner: Seat, token: int) -> Text:
    """A token, named by its owner if that is the partner."""
    if owner == seat:
        return text("ludo.token", number=token + 1)
    return text("ludo.token_of", emblem=emblem_at(position, owner), number=token + 1)


def _numbered(group: Group) -> Text:
    numbers = " ".join(map(str, group.numbers))
    return text("ludo.tokens", emblem=COLOURS[group.corner].emblem, numbers=numbers)


def _place(where: OnRing) -> Text:
    if where.square in STARTS:
        return text("ludo.place.start", emblem=COLOURS[where.square // 13].emblem)
    return text("ludo.place.star", star=STAR)


THROWS_TOLD: Final = 6
"""Throws told of one turn, the last ones."""

TURNS_TOLD: Final = 40
"""Turns told, the last ones; a line says so."""


def story(session: Session, record: GameLog) -> tuple[Text, ...]:
    """The lines, oldest turn first, one at least; none before the first roll."""
    first = unread(session, reader(session))
    lines: list[Text] = []
    for seat, latest in groupby(record.latest_first(), key=turn_of):
        plies = tuple(latest)[::-1]
        if lines and plies[-1].ply < first:
            break
        if seat is None:
            return of_roll_off(session, plies), *reversed(lines)
        if len(lines) == TURNS_TOLD:
            return text("ludo.story.cut"), *reversed(lines)
        told = _last_throws(plies)
        lines.append(of_turn(session, told, cut=len(told) < len(plies)))
    return tuple(reversed(lines))


def _last_throws(plies: tuple[Played, ...]) -> tuple[Played, ...]:
    starts = [ply for ply, played in enumerate(plies) if isinstance(played.event, Roll)]
    return plies[starts[max(0, len(starts) - THROWS_TOLD)] :]

"""The events since a ply in few words, the most important first; the end of a game in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, auto
from typing import Final, TypeAlias

from bot.games.entry import Happening
from bot.games.ludo.board.spots import Group, emblem_at
from bot.games.ludo.board.tiles import token_tile
from bot.games.ludo.game_log import GameLog, Played
from bot.games.ludo.words.turns import last_round
from bot.message.text import Separator, Sprite, Text, TextValue, joined, text
from bot.table.session import Ending, Session
from engine.game import Seat
from engine.games.ludo import LudoPosition
from engine.games.ludo.board import HOME
from engine.games.ludo.events import Event, OpeningRoll, Roll, RollOutcome, Step
from engine.games.ludo.rules import Finish, Lane


class Importance(StrEnum):
    """The kinds of happenings, the most important first; each has its text."""

    LOST = auto()
    YOU_TOOK = auto()
    YOUR_THIRD_SIX_BACK = auto()
    ALL_HOME = auto()
    ALL_YOURS_HOME = auto()
    TOOK = auto()
    ONE_TO_GO = auto()
    YOURS_HOME = auto()
    HOME = auto()
    THIRD_SIX_BACK = auto()
    NEAR = auto()
    YOUR_THIRD_SIX = auto()
    THIRD_SIX = auto()
    STARTS = auto()
    YOURS_OUT = auto()
    OUT = auto()
    YOU_STUCK = auto()
    WALKED = auto()
    STUCK = auto()


Token: TypeAlias = tuple[Seat, int]
Fact: TypeAlias = tuple[Importance, tuple[Token, ...], int]
"""A kind, its tokens, and a number to add up."""

ORDER = {kind: place for place, kind in enumerate(Importance)}


@dataclass(slots=True)
class Sum:
    """All facts of one kind about one seat."""

    plies: set[int] = field(default_factory=set)
    tokens: dict[Token, None] = field(default_factory=dict)
    number: int = 0


def since(played: Sequence[Played], reader: Seat | None) -> Sequence[Happening]:
    """The happenings of some plies up to the position now, those of a kind and a seat as one."""
    if not played:
        return ()
    position = played[-1].after
    mine = _mine(position, reader)
    sums: dict[tuple[Importance, Seat], Sum] = {}
    for each in played:
        for kind, tokens, number in _facts(each, mine):
            told = sums.setdefault((kind, each.event.seat), Sum())
            told.plies.add(each.throw)
            told.tokens |= dict.fromkeys(tokens)
            told.number += number
    if position.legal:
        _warn(position, mine, played, sums)
    found = [(kind, _told(position, kind, seat, told)) for (kind, seat), told in sums.items()]
    opening = [each for each in played if isinstance(each.event, OpeningRoll)]
    if opening:
        starts = Happening(_starts(opening), frozenset((opening[0].ply,)))
        found.append((Importance.STARTS, starts))
    return [happening for _, happening in sorted(found, key=lambda each: ORDER[each[0]])]


def _mine(position: LudoPosition, reader: Seat | None) -> frozenset[Seat]:
    """The seats whose tokens the reader moves."""
    if reader is None:
        return frozenset()
    partner = position.table.partners[reader]
    helps = partner is not None and reader in position.placed
    return frozenset((reader, partner)) if helps and partner is not None else frozenset((reader,))


def _facts(played: Played, mine: frozenset[Seat]) -> Iterator[Fact]:
    match played.event:
        case Roll(seat=seat, outcome=RollOutcome.NO_LEGAL_MOVE):
            yield Importance.YOU_STUCK if seat in mine else Importance.STUCK, (), 1
        case Roll(seat=seat, outcome=RollOutcome.THIRD_SIX, sent_back=None):
            yield Importance.YOUR_THIRD_SIX if seat in mine else Importance.THIRD_SIX, (), 1
        case Roll(seat=seat, sent_back=(owner, token)):
            kind = Importance.YOUR_THIRD_SIX_BACK if seat in mine else Importance.THIRD_SIX_BACK
            yield kind, ((owner, token),), 1
        case Step() as step:
            yield from _moved(step, mine)


def _moved(step: Step, mine: frozenset[Seat]) -> Iterator[Fact]:
    own, tokens = step.seat in mine, ((step.owner, step.token),)
    if step.captured:
        lost = tuple(token for token in step.captured if token[0] in mine)
        others = tuple(token for token in step.captured if token[0] not in mine)
        if lost:
            yield Importance.LOST, lost, 1
        if others:
            yield Importance.YOU_TOOK if own else Importance.TOOK, others, 1
    elif step.place is not None:
        yield Importance.ALL_YOURS_HOME if own else Importance.ALL_HOME, tokens, 1
    elif step.came_home:
        yield Importance.YOURS_HOME if own else Importance.HOME, tokens, 1
    elif step.left_yard:
        yield Importance.YOURS_OUT if own else Importance.OUT, tokens, 1
    else:
        yield Importance.WALKED, tokens, step.after - step.before


def _warn(
    position: LudoPosition,
    mine: frozenset[Seat],
    played: Sequence[Played],
    sums: dict[tuple[Importance, Seat], Sum],
) -> None:
    """Say of rivals who moved that they have one token to go, or one roll to win."""
    table = position.table
    for each in played:
        seat = each.event.seat
        if not isinstance(each.event, Step) or seat in mine or table.partners[seat] in mine:
            continue
        left = [token for token in position.tokens[seat] if token < table.home_from]
        if len(left) != 1 or table.rules.tokens == 1:
            continue
        home = sums.pop((Importance.HOME, seat), None)
        reach = [steps[left[0]] for steps in table.steps[table.rules.tokens - 1]]
        placed = position.placed
        wins = table.partners[seat] in placed if table.rules.teams else not placed
        if home is not None:
            sums[Importance.ONE_TO_GO, seat] = home
        elif wins and max(reach) >= table.home_from and (Importance.ONE_TO_GO, seat) not in sums:
            sums.setdefault((Importance.NEAR, seat), Sum()).plies = {each.throw}


def _told(position: LudoPosition, kind: Importance, seat: Seat, told: Sum) -> Happening:
    corners = position.table.corners
    values: dict[str, TextValue] = {"emblem": emblem_at(position, seat), "count": told.number}
    if told.tokens:
        tiles = [_tile(corners[owner], token + 1) for owner, token in told.tokens]
        values["tokens"] = joined(tiles, Separator.SPACE)
    words = text(f"ludo.since.{kind}", **values)
    return Happening(words, frozenset(told.plies), grave=kind is Importance.LOST)


def _tile(corner: int, number: int) -> Sprite:
    """A token as on the board, one emoji that no end of a line parts."""
    tile = token_tile((Group(corner, (number,)),))
    return Sprite(tile.name, f"{tile.fallback}{number}")


def _starts(opening: Sequence[Played]) -> Text:
    event, rolls = opening[-1].event, last_round(opening)
    assert isinstance(event, OpeningRoll), "only such are given"
    if event.begins is None:
        return text("ludo.story.roll_off", rolls=rolls)
    emblem = emblem_at(opening[-1].before, event.begins)
    return text("ludo.since.starts", emblem=emblem, rolls=rolls)


CLOSE: Final = 12
"""A game is close if the loser had at most this many squares to go."""


def sentence(session: Session, record: GameLog) -> Text | None:
    """A sentence on how close the game was, or on the winner's sixes; None if it was broken off.

    After a loss against computers alone it is about the person's own tokens.
    """
    if session.ending is not Ending.PLAYED:
        return None
    position, payoff = record.position, session.payoff or ()
    winner = Seat(payoff.index(max(payoff)))
    losers = [Seat(seat) for seat, share in enumerate(payoff) if share < max(payoff)]
    rules = position.table.rules
    own = session.seat_of(session.people[0]) if session.solo else winner
    if own in losers and position.homes(own) and rules.finish is Finish.FIRST:
        return text("ludo.sentence.you", home=position.homes(own), of=rules.tokens)
    if rules.finish is Finish.FIRST and not rules.teams and rules.lane is not Lane.SLOTS:
        left, second = min((_left(position, seat), seat) for seat in losers)
        if left <= CLOSE:
            return text("ludo.sentence.margin", emblem=emblem_at(position, second), count=left)
    closest = max(losers, key=position.homes)
    home = position.homes(closest)
    if rules.finish is Finish.FIRST and 2 * home >= rules.tokens > 1:
        return text("ludo.sentence.close", emblem=emblem_at(position, closest), count=home)
    sixes = sum(_is_six(played.event, winner) for played in record.since(0))
    return text("ludo.sentence.sixes", emblem=emblem_at(position, winner), count=sixes)


def _left(position: LudoPosition, seat: Seat) -> int:
    """The squares that a seat's tokens have yet to walk."""
    return sum(HOME - progress for progress in position.tokens[seat])


def _is_six(event: Event, seat: Seat) -> bool:
    return isinstance(event, Roll) and event.seat == seat and event.pips == 6

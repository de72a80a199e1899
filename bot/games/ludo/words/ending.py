"""A game that was played to its end, in one sentence."""

from __future__ import annotations

from typing import Final

from bot.games.ludo.board.colours import COLOURS
from bot.games.ludo.game_log import GameLog
from bot.message.text import Sprite, Text, text
from bot.table.session import Ending, Session
from engine.game import Seat
from engine.games.ludo import LudoPosition
from engine.games.ludo.board import HOME
from engine.games.ludo.events import Event, Roll
from engine.games.ludo.rules import Finish, Lane

CLOSE: Final = 12
"""The squares that a close game may be won by."""


def sentence(session: Session, record: GameLog) -> Text | None:
    """A sentence on how close it was, or on the winner's sixes; None of a game broken off.

    A person who has lost against computers alone is told of their own tokens.
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
        left = min(_left(position, seat) for seat in losers)
        if left <= CLOSE:
            return text("ludo.sentence.margin", count=left)
    closest = max(losers, key=position.homes)
    home = position.homes(closest)
    if rules.finish is Finish.FIRST and 2 * home >= rules.tokens > 1:
        return text("ludo.sentence.close", emblem=_emblem(position, closest), count=home)
    sixes = sum(_is_six(played.event, winner) for played in record.since(0))
    return text("ludo.sentence.sixes", emblem=_emblem(position, winner), count=sixes)


def _left(position: LudoPosition, seat: Seat) -> int:
    """The squares that a seat's tokens have yet to walk."""
    return sum(HOME - progress for progress in position.tokens[seat])


def _is_six(event: Event, seat: Seat) -> bool:
    return isinstance(event, Roll) and event.seat == seat and event.pips == 6


def _emblem(position: LudoPosition, seat: Seat) -> Sprite:
    return COLOURS[position.table.corners[seat]].emblem

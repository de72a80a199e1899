"""The position in words, for screen readers: always in the same order, and short.

First whose turn it is and the die, then seat by seat where its tokens are, then what can be done.
Squares of the ring are numbered 1-52 clockwise from the red start, those of a home lane 1-5 from
its entry. Colours stand for the players, since not everywhere can names be shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.games.ludo.board.colours import COLOURS, Colour
from bot.games.ludo.board.spots import AtHome, InLane, InYard, OnRing, Spot, spot
from bot.games.ludo.words.choices import effect
from bot.message.text import Separator, Text, TextList, joined, text
from bot.table.session import Phase, Session
from engine.game import Seat
from engine.games.ludo import LudoPosition
from engine.games.ludo.board import HOME


def description(session: Session) -> tuple[Text, ...]:
    """The lines, one sentence or list each."""
    position: LudoPosition = session.position
    seats = (_seat(position, Seat(seat)) for seat in range(position.table.seats))
    return _turn(session, position), *seats, *_moves(session, position)


def _turn(session: Session, position: LudoPosition) -> Text:
    if session.phase is not Phase.RUNNING:
        return text("board.words.over")
    colour = _colour(position, position.seat).name
    if position.opening:
        return text("ludo.words.roll_off", colour=colour)
    if not position.die:
        return text("ludo.words.to_roll", colour=colour)
    return text("ludo.words.to_move", colour=colour, pips=position.die)


def _seat(position: LudoPosition, seat: Seat) -> Text:
    corner = position.table.corners[seat]
    places: dict[int, list[int]] = {}
    for token, progress in enumerate(position.tokens[seat]):
        reached = HOME if position.is_home(seat, token) else progress
        places.setdefault(reached, []).append(token + 1)
    told = [
        _place(position, spot(corner, numbers[0], progress), joined(numbers, Separator.AND))
        for progress, numbers in sorted(places.items())
    ]
    return text(
        "ludo.words.seat", colour=COLOURS[corner].name, places=joined(told, Separator.SEMICOLON)
    )


def _place(position: LudoPosition, where: Spot, tokens: TextList) -> Text:
    match where:
        case InYard():
            return text("ludo.words.yard", tokens=tokens)
        case OnRing(square) if square in position.table.safe:
            return text("ludo.words.safe", tokens=tokens, square=square + 1)
        case OnRing(square):
            return text("ludo.words.ring", tokens=tokens, square=square + 1)
        case InLane(_, step):
            return text("ludo.words.lane", tokens=tokens, step=step)
        case AtHome():
            return text("ludo.words.home", tokens=tokens)


def _moves(session: Session, position: LudoPosition) -> Iterator[Text]:
    if session.phase is not Phase.RUNNING or not position.die:
        return
    moves = joined((effect(position, move).told for move in position.moves()), Separator.SEMICOLON)
    if position.owner == position.seat:
        yield text("ludo.words.moves", moves=moves)
    else:
        colour = _colour(position, position.owner).name
        yield text("ludo.words.partners_moves", colour=colour, moves=moves)


def _colour(position: LudoPosition, seat: Seat) -> Colour:
    return COLOURS[position.table.corners[seat]]

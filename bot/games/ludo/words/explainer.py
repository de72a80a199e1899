"""Ludo's moves as a review tells them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from bot.games.ludo.board.spots import COLOURS, colour_at, colour_of, emblem_at
from bot.games.ludo.board.sprites import emblem
from bot.games.ludo.words.description import effect
from bot.message.canvas import Canvas, Paint, Point
from bot.message.text import Text, TextValue, text
from bot.table.session import Session
from engine.game import CHANCE, Move, Reason, Seat
from engine.games.ludo import LudoPosition
from engine.games.ludo.events import Roll, RollOutcome, event_of
from engine.games.ludo.review import TokenReason, against
from engine.review import WeighedMove

PAINTS: Final = {"red": "#ff6b6b", "green": "#5fd38a", "yellow": "#ffd84d", "blue": "#6fb1ff"}


class LudoExplainer:
    """Names moves, rolls, and reasons."""

    def move(self, position: LudoPosition, move: Move) -> Text:
        """A move of a token, or a roll."""
        if position.turn == CHANCE:
            return text("ludo.words.rolled", pips=move)
        return effect(position, move).told

    costs: Final = frozenset[StrEnum]({TokenReason.RISKS})

    def reasons(self, position: LudoPosition, choice: WeighedMove, other: Move) -> Iterable[Reason]:
        """The gains and risks of a token's move beside another one."""
        return against(position, choice.move, other)

    def reason(self, position: LudoPosition, reason: Reason) -> Text:
        """A reason, with the tokens it is about."""
        about, values = reason.about, dict[str, TextValue]()
        match reason.kind:
            case TokenReason.CAPTURES | TokenReason.HUNTS:
                colour = colour_at(position, Seat(about[0])).name
                values["whom"] = text("ludo.captive", colour=colour, number=about[1] + 1)
            case TokenReason.FLEES | TokenReason.ADVANCES:
                values["count"] = about[0]
            case TokenReason.MAKES_BLOCK:
                values["token"] = about[0] + 1
            case TokenReason.EXPOSES:
                values |= {"token": about[0] + 1, "count": about[1]}
            case TokenReason.KEEPS_SAFE | TokenReason.RISKS:
                rival = emblem_at(position, Seat(about[1]))
                values |= {"token": about[0] + 1, "rival": rival, "count": about[2]}
        return text(f"ludo.reason.{reason.kind.value.replace(' ', '_')}", **values)

    def rolled(self, session: Session, ply: int, *, yours: bool, **told: TextValue) -> Text:
        """A roll with the tokens that it took and how far from home they were, or its move."""
        before, pips = session.at(ply).position, session.moves[ply]
        told["pips"] = pips
        match event_of(before, pips):
            case Roll(outcome=RollOutcome.NO_LEGAL_MOVE):
                return text("review.rolled.stuck", **told)
            case Roll(sent_back=(_, token)):
                return text("review.rolled.third_six_back", token=str(token + 1), **told)
            case Roll(outcome=RollOutcome.THIRD_SIX):
                return text("review.rolled.third_six", **told)
        after = before.play(pips)
        if ply + 1 >= session.ply or not after.die:
            return text("review.rolled", **told)
        return _moved(after, session.moves[ply + 1], yours=yours, **told)

    def victims(self, position: LudoPosition, move: Move) -> list[Seat]:
        """The seats whose tokens go back to the yard."""
        return [seat for seat, _ in position.victims(move)]

    def name(self, seats: int, seat: Seat) -> Text:
        """The colour of the seat's tokens in a word."""
        return colour_of(seats, seat).name

    def paint(self, seats: int, seat: Seat) -> Paint:
        """The colour of the seat's tokens."""
        return PAINTS[colour_of(seats, seat).key]

    def draw(self, seats: int, seat: Seat, canvas: Canvas, centre: Point, side: float) -> None:
        """The token, which has a shape of its own."""
        x, y = centre
        emblem(COLOURS.index(colour_of(seats, seat)), canvas, (x - side / 2, y - side / 2), side)


def _moved(position: LudoPosition, move: Move, *, yours: bool, **told: TextValue) -> Text:
    """A roll with the move that was made with it."""
    victims = position.victims(move)
    squares = {position.squares_left(seat, token) for seat, token in victims}
    does = effect(position, move)
    if len(squares) != 1:  # partners' tokens on one square are not as far from home
        return text("review.rolled.moved", move=does.told, **told)
    told["count"] = squares.pop()
    if yours and len(victims) == 1:
        return text("review.took.yours", token=str(victims[0][1] + 1), **told)
    return text("review.took", whom=does.whom, **told)

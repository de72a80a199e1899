"""The buttons of a turn: Roll, then one for each token that can move, saying what that does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.games.ludo.board.colours import COLOURS, Colour
from bot.games.ludo.board.emoji_grid import sprite
from bot.games.ludo.board.spots import Group
from bot.message.blocks import Control, Row, Style
from bot.message.text import Text, text
from bot.table.actions import Action, move_action
from bot.table.seats import Human
from bot.table.session import Session
from engine.game import Move
from engine.games.ludo import Position
from engine.games.ludo.board import LAST_ON_RING, STARTS, YARD, ring_square

DIE: Final = "🎲"

STYLES: Final = {
    "home": Style.GOOD,
    "capture": Style.GOOD,
    "leave": Style.PROMINENT,
    "start": Style.PROMINENT,
    "star": Style.PROMINENT,
    "lane": Style.PROMINENT,
    "block": Style.PROMINENT,
    "walk": Style.PLAIN,
}
"""How the button of each effect looks."""


def choices(session: Session) -> tuple[Row, ...]:
    """One row for the person whose turn it is; none if it is a computer's or the game is over."""
    if session.rolls_by_itself or not isinstance(session.mover, Human):
        return ()
    if session.rolling:
        roll = Control(Action.ROLL, text("control.ludo.roll"), DIE, Style.PROMINENT)
        return (Row((roll,)),)
    position: Position = session.position
    return (Row(tuple(_choice(position, move) for move in position.moves())),)


@dataclass(frozen=True, slots=True)
class Effect:
    """The most telling thing that a move does, by its key in the catalogues."""

    key: str
    number: int
    pips: int
    victims: tuple[Colour, ...]

    @property
    def label(self) -> Text:
        """What stands on the move's button."""
        whom = "".join(colour.token for colour in self.victims)
        return text(f"control.ludo.{self.key}", token=self.number, pips=self.pips, whom=whom)


def effect(position: Position, move: Move) -> Effect:
    """What a move does."""
    table, corners = position.table, position.table.corners
    own, after = position.tokens[position.owner], position.target(move)
    square = ring_square(corners[position.owner], after)
    victims = dict.fromkeys(COLOURS[corners[seat]] for seat, _ in position.victims(move))
    on_ring = square is not None
    holds = {
        "home": after >= table.home_from,
        "capture": bool(victims),
        "leave": own[move] == YARD,
        "start": square in STARTS,
        "star": square in table.safe,
        "lane": not on_ring and own[move] <= LAST_ON_RING,
        "block": on_ring and table.has_blocks and after in own,
        "walk": True,
    }
    key = next(key for key, true in holds.items() if true)
    return Effect(key, move + 1, position.die, tuple(victims))


def _choice(position: Position, move: Move) -> Control:
    does = effect(position, move)
    token = Group(position.table.corners[position.owner], (does.number,))
    return Control(move_action(move), does.label, sprite((token,)), STYLES[does.key])

"""The buttons of a turn: Roll, then one for each token that can move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.games.ludo.board.colours import COLOURS, Colour
from bot.games.ludo.board.tiles import DIE
from bot.message.blocks import Control, Style
from bot.message.text import Separator, Text, TextValue, joined, text
from bot.table.actions import Action, move_action
from bot.table.seats import Human
from bot.table.session import Session
from engine.game import Move
from engine.games.ludo import LudoPosition
from engine.games.ludo.board import LAST_ON_RING, STARTS, YARD, ring_square

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
"""The button's style, by effect."""

NAMED: Final = 1
"""So many captives have room in a label."""


def choices(session: Session) -> tuple[Control, ...]:
    """The buttons of the person to move; none if the game is over.

    While a computer is to move, or the dice roll by themselves, Roll keeps its place, switched off.
    """
    if session.turn is None:
        return ()
    waits = isinstance(session.mover, Human) and not session.rolls_by_itself
    if session.rolling or not waits:
        style = Style.PROMINENT if waits else Style.PLAIN
        return (Control(Action.ROLL, text("control.ludo.roll"), DIE, style, enabled=waits),)
    position: LudoPosition = session.position
    moves = position.moves()
    effects = [effect(position, move) for move in moves]
    return tuple(
        Control(move_action(move), does.label, style=STYLES[does.key])
        for move, does in zip(moves, effects, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Effect:
    """A move's most important effect, by its key in the catalogues."""

    key: str
    number: int
    pips: int
    victims: tuple[tuple[Colour, int], ...]

    @property
    def label(self) -> Text:
        """The label of the move's button, with the first captive, for whom alone there is room.

        It is a common sign of the token's shape: a label can't show own emoji.
        """
        whom = "".join(f"{of.shape}{number}" for of, number in self.victims[:NAMED])
        return text(f"control.ludo.{self.key}", token=self.number, pips=self.pips, whom=whom)

    @property
    def told(self) -> Text:
        """The effect in words, for a person who cannot see the board."""
        return text(
            f"ludo.words.move.{self.key}", token=self.number, pips=self.pips, whom=self.whom
        )

    @property
    def whom(self) -> TextValue:
        """The captives by their colours and numbers; empty without any."""
        names = [text("ludo.captive", colour=of.name, number=n) for of, n in self.victims]
        return joined(names, Separator.AND) if names else ""


def effect(position: LudoPosition, move: Move) -> Effect:
    """The effect of a move."""
    table, corners = position.table, position.table.corners
    own, after = position.tokens[position.owner], position.target(move)
    square = ring_square(corners[position.owner], after)
    victims = tuple((COLOURS[corners[seat]], token + 1) for seat, token in position.victims(move))
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
    return Effect(key, move + 1, position.die, victims)

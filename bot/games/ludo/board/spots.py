"""The colours of the board, and the spots of tokens, in terms of the board that people see.

The four colours stand one in each corner, in the order of play. A spot is what a token can stand
on: a place in a yard, a square of the ring or of a home lane, or home. Tokens are numbered from 1,
as they are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.message.text import Sign, Sprite, Text, text
from engine.game import Seat
from engine.games.ludo import LudoPosition
from engine.games.ludo.board import HOME, LAST_ON_RING, YARD, Square, corners, ring_square


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour: its key in the catalogues, and the common emoji of a token and of a square.

    `shape` is the common sign nearest to its tokens on the board, for labels, which show no others.
    """

    key: str
    token: str
    square: str
    shape: str

    @property
    def emblem(self) -> Sprite:
        """Its token without a number, the sign of the seat that plays it."""
        return Sprite(f"{self.key}_token", self.token)

    @property
    def sign(self) -> Sign:
        """The same in a label."""
        return Sign(self.emblem, self.shape)

    @property
    def name(self) -> Text:
        """The word for it."""
        return text(f"side.{self.key}")


COLOURS: Final = (
    Colour("red", "🔴", "🟥", "🔴"),
    Colour("green", "🟢", "🟩", "🟩"),
    Colour("yellow", "🟡", "🟨", "△"),
    Colour("blue", "🔵", "🟦", "🔷"),
)
"""By corner."""


def colour_of(seats: int, seat: Seat) -> Colour:
    """The colour of a seat at a table of `seats`."""
    return COLOURS[corners(seats)[seat]]


def colour_at(position: LudoPosition, seat: Seat) -> Colour:
    """The colour of a seat on a board."""
    return COLOURS[position.table.corners[seat]]


def emblem_at(position: LudoPosition, seat: Seat) -> Sprite:
    """The sign of a seat on a board."""
    return colour_at(position, seat).emblem


@dataclass(frozen=True, slots=True)
class InYard:
    """A token's place in the yard of its corner."""

    corner: int
    number: int


@dataclass(frozen=True, slots=True)
class OnRing:
    """A square of the ring, 0-51."""

    square: Square


@dataclass(frozen=True, slots=True)
class InLane:
    """A square of a corner's home lane, 1-5 from its entry."""

    corner: int
    step: int


@dataclass(frozen=True, slots=True)
class AtHome:
    """Home, for the tokens of a corner."""

    corner: int


Spot: TypeAlias = InYard | OnRing | InLane | AtHome


@dataclass(frozen=True, slots=True)
class Group:
    """Tokens of one corner on the same spot, by their numbers, ascending."""

    corner: int
    numbers: tuple[int, ...]


def spot(corner: int, number: int, progress: int) -> Spot:
    """The spot of a corner's token after so much progress, 0-57."""
    square = ring_square(corner, progress)
    if square is not None:
        return OnRing(square)
    if progress == YARD:
        return InYard(corner, number)
    return AtHome(corner) if progress == HOME else InLane(corner, progress - LAST_ON_RING)


def spot_of(position: LudoPosition, seat: Seat, token: int) -> Spot:
    """The spot of a seat's token, the first token being 0."""
    return spot(position.table.corners[seat], token + 1, position.tokens[seat][token])


def standing(position: LudoPosition) -> Mapping[Spot, tuple[Group, ...]]:
    """The tokens on every occupied spot, seat by seat."""
    found: dict[Spot, dict[int, tuple[int, ...]]] = {}
    for corner, own in zip(position.table.corners, position.tokens, strict=True):
        for number, progress in enumerate(own, 1):
            there = found.setdefault(spot(corner, number, progress), {})
            there[corner] = (*there.get(corner, ()), number)
    return {
        where: tuple(Group(corner, numbers) for corner, numbers in there.items())
        for where, there in found.items()
    }

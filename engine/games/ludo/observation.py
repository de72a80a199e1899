"""A position of Ludo in numbers, as a seat that learns sees it."""

from __future__ import annotations

from engine.game import Seat
from engine.games import Plane
from engine.games.ludo.board import HOME, LAST_ON_RING, RING, YARD, ring_square
from engine.games.ludo.position import ALL_PIPS, LudoPosition

QUARTER = RING // 4


def actions(first: LudoPosition) -> int:
    """The number of moves that there may be at a table: one for each token of a seat."""
    return len(first.tokens[0])


def observed(position: LudoPosition, seat: Seat) -> list[float]:
    """Numbers in [0, 1], seats in the order of their turns, the seat itself first.

    The progress of every token, where 1 is home; 1 for the seat whose turn it is; 1 for the pips
    that it has rolled.
    """
    seats = len(position.tokens)
    order = [Seat((seat + later) % seats) for later in range(seats)]
    progress = [token / HOME for each in order for token in position.tokens[each]]
    turn = [float(each == position.seat) for each in order]
    return [*progress, *turn, *(float(pips == position.die) for pips in ALL_PIPS)]


def planes(position: LudoPosition, seat: Seat) -> list[Plane]:
    """Planes of five rows and 13 columns: tokens of each seat, whose turn it is, the die.

    Seats come in the order of their turns, the seat itself first. In its plane the first four rows
    are the ring, a quarter a row, from the start of the seat that looks; the last row is the lane,
    five squares, home, and the yard. A cell has the share of the seat's tokens that stand there.
    Whose turn it is and the die are planes of 1 everywhere or of 0, one for each seat and face.
    """
    seats = len(position.tokens)
    order = [Seat((seat + later) % seats) for later in range(seats)]
    turn = [_flat(value=each == position.seat) for each in order]
    die = [_flat(value=pips == position.die) for pips in ALL_PIPS]
    return [*(_tokens(position, each, seat) for each in order), *turn, *die]


def _tokens(position: LudoPosition, seat: Seat, viewer: Seat) -> Plane:
    own, corners = position.tokens[seat], position.table.corners
    plane = _flat(value=False)
    for progress in own:
        square = ring_square(corners[seat], progress)
        if square is not None:
            row, column = divmod((square - QUARTER * corners[viewer]) % RING, QUARTER)
        else:
            row = 4
            lane = progress - LAST_ON_RING - 1
            column = HOME - LAST_ON_RING if progress == YARD else lane
        plane[row][column] += 1 / len(own)
    return plane


def _flat(*, value: bool) -> Plane:
    return [[float(value)] * QUARTER for _ in range(5)]

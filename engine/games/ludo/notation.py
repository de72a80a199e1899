"""Ludo in a terminal: the cross of 52 squares, 13 wide, and the tokens by their numbers.

The fields are those of `engine.games.ludo.board`. A square shows the seat's letter with the token's
number, or "+" in its place where more than one token stands; "o" is a start, "*" a star.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from engine.game import CHANCE, Move, Reason, Seat
from engine.games import Plane
from engine.games.ludo.board import (
    FIELDS,
    HEIGHT,
    HOME,
    LANES,
    LAST_ON_RING,
    RING,
    STARS,
    STARTS,
    WIDTH,
    YARD,
    Field,
    ring_square,
)
from engine.games.ludo.position import ALL_PIPS, LudoPosition
from engine.games.ludo.review import ABOUT, TokenReason

NAMES: Final = ("red", "green", "yellow", "blue")

REASONS: Final[Mapping[StrEnum, str]] = {
    TokenReason.CAPTURES: "captures {seat} {token}",
    TokenReason.LEAVES_YARD: "leaves the yard",
    TokenReason.FLEES: "flees from {hunters}",
    TokenReason.MAKES_BLOCK: "makes a block",
    TokenReason.HUNTS: "hunts {seat} {token}",
    TokenReason.ADVANCES: "advances {count}",
    TokenReason.EXPOSES: "exposes {token} to {hunters}",
    TokenReason.KEEPS_SAFE: "keeps {token} out of {seat}'s reach ({count} of 6 rolls)",
    TokenReason.RISKS: "lets {seat} take {token} ({count} of 6 rolls)",
}
"""The English of each reason that is more than its name."""


class LudoNotation:
    """The drawing of the cross, and the names of seats and tokens."""

    def seat(self, seat: Seat) -> str:
        """The colour of the seat, by the order of play."""
        return NAMES[seat]

    def drawing(self, state: LudoPosition) -> str:
        """The board, and below it the tokens of every seat."""
        shown = dict.fromkeys(FIELDS, ".")
        shown |= {FIELDS[square]: "o" for square in STARTS}
        shown |= {FIELDS[square]: "*" for square in STARS}
        shown |= {field: "-" for corner in state.table.corners for field in LANES[corner]}
        standing: dict[Field, list[str]] = {}
        for seat, own in enumerate(state.tokens):
            for token in range(len(own)):
                if field := self._field(state, Seat(seat), token):
                    standing.setdefault(field, []).append(f"{NAMES[seat][0].upper()}{token + 1}")
        for field, names in standing.items():
            shown[field] = names[0] if len(names) == 1 else f"{names[0][0]}+"
        rows = (
            "".join(shown.get((row, column), "").rjust(3) for column in range(WIDTH)).rstrip()
            for row in range(HEIGHT)
        )
        return "\n".join((*rows, "", *self._tokens(state)))

    def names(self, state: LudoPosition, move: Move) -> Sequence[str]:
        """A roll, such as "red rolls 4", or its pips alone; or the number of a token."""
        if state.turn == CHANCE:
            return f"{NAMES[state.seat]} rolls {move}", str(move)
        return (str(move + 1),)

    def how_to_move(self, state: LudoPosition) -> str:
        """The tokens that can move, and where to."""
        own = state.tokens[state.owner]
        steps = (
            f"{token + 1}: {_place(own[token])} to {_place(state.target(token))}"
            for token in state.moves()
        )
        return f"you rolled {state.die}; which token? " + ", ".join(steps)

    def reason(self, _state: LudoPosition, reason: Reason) -> str:
        """The reason in English, with its tokens, steps or hunters."""
        about = dict(zip(ABOUT.get(reason.kind, ()), reason.about, strict=True))
        seat, token, count = (about.get(name, 0) for name in ("seat", "token", "count"))
        hunters = f"{count} hunter{'' if count == 1 else 's'}"
        words = REASONS.get(reason.kind, reason.kind.value)
        return words.format(seat=NAMES[seat], token=token + 1, count=count, hunters=hunters)

    def _field(self, state: LudoPosition, seat: Seat, token: int) -> Field | None:
        progress = state.tokens[seat][token]
        square = state.square(seat, token)
        if square is not None:
            return FIELDS[square]
        if LAST_ON_RING < progress < HOME:
            return LANES[state.table.corners[seat]][progress - LAST_ON_RING - 1]
        return None

    def _tokens(self, state: LudoPosition) -> Iterator[str]:
        for seat, own in enumerate(state.tokens):
            places = (f"{number}: {_place(progress)}" for number, progress in enumerate(own, 1))
            yield f"{NAMES[seat]:7}" + "  ".join(places)


def _place(progress: int) -> str:
    if progress == YARD:
        return "yard"
    if progress <= LAST_ON_RING:
        return f"step {progress}"
    return "home" if progress == HOME else f"lane {progress - LAST_ON_RING}"


NOTATION: Final = LudoNotation()


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

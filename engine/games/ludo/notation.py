"""Ludo in a terminal: the cross of 52 squares, 13 wide, and the tokens by their numbers.

The fields are those of `engine.games.ludo.board`. A square shows the seat's letter with the token's
number, or "+" in its place where more than one token stands; "o" is a start, "*" a star.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from engine.game import CHANCE, Move, Reason, Seat
from engine.games.ludo import LudoPosition
from engine.games.ludo.board import (
    FIELDS,
    HEIGHT,
    HOME,
    LANES,
    LAST_ON_RING,
    STARS,
    STARTS,
    WIDTH,
    YARD,
    Field,
)
from engine.games.ludo.reasons import ABOUT, TokenReason

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

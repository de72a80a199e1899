"""Ludo positions drawn as text, for tests that show what they mean.

The ring is four rows of 13 squares, each with a start square first and a star in its ninth column.
A token is its seat's letter (a, b, c, d); two of one seat on a square are the capital.
Lanes and homes are given beside the ring; tokens that are not mentioned are in the yard.

    a.......*....      squares  0-12, seat a's start
    .............              13-25
    b.......*....              26-38, seat b's start if two play, seat c's otherwise
    .............              39-51
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Move, Options, Seat
from engine.games.ludo import GAME, LudoPosition
from engine.games.ludo.board import LAST_ON_RING, YARD, Square, progress_on

LETTERS = "abcd"


def drawn(
    ring: str,
    *,
    to_roll: str = "a",
    seats: int = 2,
    lanes: Mapping[str, tuple[int, ...]] | None = None,
    options: Options | None = None,
) -> LudoPosition:
    """The position of a drawing, before `to_roll` rolls; `lanes` has progress, 52-57, by seat."""
    first = GAME.start(seats, options or {})
    cells = "".join(ring.split())
    assert len(cells) == 52, f"{len(cells)} squares drawn"
    tokens = []
    for corner, letter in zip(first.table.corners, LETTERS, strict=False):
        own = list((lanes or {}).get(letter, ()))
        for square, cell in enumerate(cells):
            if cell.lower() == letter:
                progress = progress_on(corner, Square(square))
                assert progress is not None
                own += [progress] * (2 if cell.isupper() else 1)
        own.sort(reverse=True)
        own += [YARD] * (first.table.rules.tokens - len(own))
        tokens.append(tuple(own))
    home_from = first.table.home_from
    placed = tuple(Seat(s) for s, own in enumerate(tokens) if all(p >= home_from for p in own))
    return first._replace(
        tokens=tuple(tokens), seat=Seat(LETTERS.index(to_roll)), opening=(), placed=placed
    )


def rolled(position: LudoPosition, *pips: int) -> LudoPosition:
    """The position after rolls; between them the first token that can move does."""
    for number, die in enumerate(pips):
        if number and position.die:
            position = position.play(position.moves()[0])
        position = position.play(Move(die))
    return position


def drawing(position: LudoPosition) -> str:
    """The ring of a position, drawn as above."""
    cells = ["."] * 52
    for seat, own in enumerate(position.tokens):
        for token, progress in enumerate(own):
            if YARD < progress <= LAST_ON_RING:
                square = position.square(Seat(seat), token)
                assert square is not None
                letter = LETTERS[seat]
                cells[square] = letter if cells[square] == "." else letter.upper()
    return "\n".join("".join(cells[row : row + 13]) for row in range(0, 52, 13))


def homes(position: LudoPosition) -> str:
    """The number of tokens of each seat at home, as in `a2 b0`."""
    counts = [position.homes(Seat(seat)) for seat in range(position.table.seats)]
    return " ".join(f"{letter}{count}" for letter, count in zip(LETTERS, counts, strict=False))

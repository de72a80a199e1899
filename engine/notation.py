"""The names of a game's seats, moves and reasons, its drawing, and plain ones for any game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from engine.game import CHANCE, Game, Move, Reason, Seat, State
from engine.games import part
from engine.search.depth_first import FADING

AnyState: TypeAlias = Any
"""A position of the game that the notation is for."""


class Notation(Protocol):
    """The words and the drawing of one game."""

    def seat(self, seat: Seat) -> str:
        """The name of a seat."""

    def drawing(self, state: AnyState) -> str:
        """The position, as lines of text."""

    def names(self, state: AnyState, move: Move) -> Sequence[str]:
        """The names of `move`: first the one that is shown, last that of records, a single word."""

    def how_to_move(self, state: AnyState) -> str:
        """The moves that may be typed, in a few words."""

    def reason(self, state: AnyState, reason: Reason) -> str:
        """A reason for or against a move in `state`, in a few words."""


class Plain:
    """The notation of a game without one of its own: positions as they print, moves as numbers."""

    def seat(self, seat: Seat) -> str:
        """Player 1, 2 and so on."""
        return f"player {seat + 1}"

    def drawing(self, state: State) -> str:
        """The position as it prints."""
        return str(state)

    def names(self, _state: State, move: Move) -> Sequence[str]:
        """The number of the move."""
        return (str(move),)

    def how_to_move(self, state: State) -> str:
        """All legal moves."""
        return ", ".join(map(str, state.moves()))

    def reason(self, _state: State, reason: Reason) -> str:
        """The name of the reason."""
        return reason.kind.value


def notation(game: Game[Any]) -> Notation:
    """The notation of `game`: that of its module `notation`, or the plain one."""
    return part(game, "notation.NOTATION", Plain())


def named(state: State, moves: Sequence[Move], notation: Notation) -> Mapping[str, Move]:
    """The moves by each of their names, in lower case."""
    return {name.lower(): move for move in moves for name in notation.names(state, move)}


def move_names(
    moves: Sequence[Move], state: State, notation: Notation, *, recorded: bool = False
) -> str:
    """The names of successive moves, rolls in brackets; if `recorded`, the names of records."""
    names = []
    for move in moves:
        name = notation.names(state, move)[-1 if recorded else 0]
        names.append(f"({name})" if state.turn == CHANCE else name)
        state = state.play(move)
    return " ".join(names)


def outcome(payoff: Sequence[float | Fraction], notation: Notation, how: str = "") -> str:
    """A sentence that names the winners and ends with `how`."""
    winners = [notation.seat(Seat(n)) for n, won in enumerate(payoff) if won == max(payoff)]
    if len(winners) == len(payoff):
        return f"The game is a draw{how}."
    return f"{' and '.join(winners)} {'has' if len(winners) == 1 else 'have'} won{how}."


def value_name(value: float) -> str:
    """A value in words where it is a proven end, else as a number.

    >>> value_name(1 - 5 / 1024), value_name(-1 + 2 / 1024), value_name(0.0), value_name(0.25)
    ('wins in 5', 'loses in 2', '0', '+0.250')
    """
    if plies := plies_to_end(value):
        return f"{'wins' if value > 0 else 'loses'} in {plies}"
    return f"{value:+.3f}" if value else "0"


def plies_to_end(value: float) -> int:
    """The plies to the end that a value is proven to be; 0 for any other value.

    Only a proven end lies whole steps of `FADING` from 1; what dice leave open does not.
    """
    plies = (1 - abs(value)) / FADING
    return round(plies) if value and 0 < plies < 100 and plies.is_integer() else 0

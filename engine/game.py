"""The contract between the games and the code that plays, stores or shows them.

A position is an immutable `State`; a move is an integer that its game explains. The dice are a
player of their own, `CHANCE`, whose moves come with odds (the idea is OpenSpiel's: Lanctot et al.,
"OpenSpiel: A Framework for Reinforcement Learning in Games", 2019). A `Game` is a record that makes
first positions from options. Moves are what is kept; a board is always the replay of its moves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate
from typing import Any, Final, Generic, NewType, Protocol, Self, TypeAlias, TypeVar

Seat = NewType("Seat", int)
"""A player's place at the table, counted from 0 in the order of play."""

Move = NewType("Move", int)
"""The choice of a player, or of chance, in one ply; the game says what the number means."""

CHANCE: Final = Seat(-1)
"""The seat of the dice: a player whose moves are drawn by their odds."""

Value: TypeAlias = int | str
Options: TypeAlias = Mapping[str, Value]
"""The options of a table: one value for each `Option` of its game, by the option's key."""


class IllegalMove(ValueError):
    """The move is not among the moves of the position."""


class InvalidOptions(ValueError):
    """The options do not fit the game, or each other; `key` names the first that is wrong."""

    def __init__(self, message: str, *, key: str) -> None:
        super().__init__(message)
        self.key = key


class State(Hashable, Protocol):
    """A position: immutable, hashable and picklable; equal positions are equal objects."""

    @property
    def turn(self) -> Seat:
        """The seat to move, or `CHANCE`; meaningless when the game is over."""

    def moves(self) -> Sequence[Move]:
        """The legal moves, ascending; empty exactly when the game is over."""

    def odds(self) -> Sequence[float]:
        """The probability of each of `moves()`, summing to 1; only for `turn` `CHANCE`."""

    def play(self, move: Move) -> Self:
        """The position after `move`, whose legality is not checked."""

    def payoff(self) -> Sequence[float] | None:
        """The payoff of each seat, in [-1, 1], summing to 0; None while the game runs."""


class DiceState(State, Protocol):
    """A position of a game with dice, which says whose turn it is while they roll as well."""

    @property
    def seat(self) -> Seat:
        """The seat that has to roll or to move."""

    @property
    def opening(self) -> Sequence[int]:
        """Each seat's roll for who begins; empty once that is decided."""


S = TypeVar("S", bound=State)


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for or against a move: a kind from its game's enum, and numbers.

    The game's module `review` says what the numbers of each kind mean, its notation words it.
    """

    kind: StrEnum
    about: tuple[int, ...] = ()


def seat_at(state: Any) -> Seat:  # noqa: ANN401 - a position of any game
    """The seat that has to move, or to roll, where the state is a `DiceState`."""
    turn: Seat = state.turn
    seat: Seat = state.seat if turn == CHANCE else turn
    return seat


def _nobody(_before: Any, _after: Any) -> tuple[Seat, ...]:  # noqa: ANN401 - any game's positions
    return ()


def _undecided(_state: Any) -> tuple[Seat, ...]:  # noqa: ANN401 - a position of any game
    return ()


def _each_alone(seats: int, _options: Options) -> tuple[int, ...]:
    return tuple(range(seats))


def checked(state: S, move: Move) -> S:
    """The position after `move`.

    Raises:
        IllegalMove: The move is not legal here.
    """
    if move not in state.moves():
        raise IllegalMove(f"{move} is not among the legal moves {list(state.moves())}")
    return state.play(move)


def rolls_along(path: Iterable[State], moves: Iterable[Move]) -> Iterator[tuple[int, Move]]:
    """Yield each roll among the moves from position to position: its ply, and the pips."""
    for ply, (state, move) in enumerate(zip(path, moves, strict=False)):
        if state.turn == CHANCE:
            yield ply, move


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a table before the start; the first of `values` is the default."""

    key: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Game(Generic[S]):
    """The rules of a game, as a record.

    `key` is stored with every session and never renamed: changed rules are a new key, so that an
    old game always replays. `settle` completes chosen options with the defaults that fit them and
    raises `InvalidOptions` where they contradict each other; `first` makes the position before
    the first ply; `allied` names the side of each seat. Callers use the methods below, which raise
    `InvalidOptions` for options or seats that do not fit. The positions of a game with `dice` are
    `DiceState`s; there `concerned`, given the positions before and after a ply, names the seats
    whose players should see it before the dice roll on. `decided` names the seats of a position
    that have a certain place and no more turns, while the others play on. A game without `draws`
    always has a winner. `alone` has the options for one person against computers. `added` maps each
    option that came later to the value that records from before it mean.
    """

    key: str
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    first: Callable[[int, Options], S]
    settle: Callable[[Options], Options]
    presets: Mapping[str, Options] = field(default_factory=dict)
    dice: bool = False
    draws: bool = True
    allied: Callable[[int, Options], tuple[int, ...]] = _each_alone
    concerned: Callable[[S, S], Collection[Seat]] = _nobody
    decided: Callable[[S], Collection[Seat]] = _undecided
    alone: Options = field(default_factory=dict)
    added: Options = field(default_factory=dict)

    def settled(self, chosen: Options) -> Options:
        """The full options of a table: those chosen, and the default of every other."""
        known = {option.key: option.values for option in self.options}
        for key, value in chosen.items():
            if key not in known:
                raise InvalidOptions(f"{self.key} has no option {key!r}", key=key)
            if value not in known[key]:
                allowed = ", ".join(map(str, known[key]))
                raise InvalidOptions(f"{key} must be one of {allowed}, not {value}", key=key)
        return self.settle(chosen)

    def chosen(self, options: Options) -> Options:
        """The options without defaults and those that follow from the others."""
        chosen: Options = {}
        for key, value in self.settled(options).items():
            if self.settled(chosen)[key] != value:
                chosen = {**chosen, key: value}
        return chosen

    def start(self, seats: int, options: Options) -> S:
        """The position before the first ply.

        Raises:
            InvalidOptions: The game has no such number of seats, or no such options.
        """
        if seats not in self.seats:
            allowed = ", ".join(map(str, self.seats))
            raise InvalidOptions(f"{self.key} is for {allowed} seats, not {seats}", key="seats")
        return self.first(seats, self.settled(options))

    def sides(self, seats: int, options: Options) -> tuple[int, ...]:
        """The side of each seat; partners, who win and lose together, are on one side."""
        return self.allied(seats, self.settled(options))

    def replay(self, seats: int, options: Options, moves: Iterable[Move]) -> S:
        """The position after `moves`.

        Raises:
            IllegalMove: A move is not legal where it stands.
            InvalidOptions: As in `start`.
        """
        return self.checked_path(seats, options, moves)[-1]

    def checked_path(self, seats: int, options: Options, moves: Iterable[Move]) -> list[S]:
        """The positions from the first to that after the last of `moves`.

        Raises:
            IllegalMove: A move is not legal where it stands.
            InvalidOptions: As in `start`.
        """
        path = [self.start(seats, options)]
        for ply, move in enumerate(moves):
            try:
                path.append(checked(path[-1], move))
            except IllegalMove as error:
                raise IllegalMove(f"ply {ply}: {error}") from None
        return path

    def path(self, seats: int, options: Options, moves: Iterable[Move]) -> list[S]:
        """The positions from the first to that after the last of legal `moves`."""
        first = self.start(seats, options)
        return list(accumulate(moves, lambda state, move: state.play(move), initial=first))

    def rolls(
        self, seats: int, options: Options, moves: Sequence[Move]
    ) -> Iterator[tuple[int, Move]]:
        """Yield each roll among legal `moves`: its ply, and the pips."""
        return rolls_along(self.path(seats, options, moves), moves)

"""Finished games: their rules, moves and endings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any, Final, TypeVar

from engine.game import Game, InvalidOptions, Move, Options, State

S = TypeVar("S", bound=State)

FORMAT: Final = "Parlour game"
VERSION: Final = 1

PLAYED: Final = "played"
"""The ending of a game whose moves lead to its end."""

UNFINISHED: Final = "unfinished"
"""The ending of a game that names none, and whose moves do not lead to its end."""

FINEST: Final = 1000
"""The largest denominator of a result, which is a fraction that arithmetic has rounded."""


class RecordFault(StrEnum):
    """The ways in which a text is no game."""

    UNCLEAR = "unclear"
    SECOND = "second"
    MOVE = "move"
    END = "end"
    EMPTY = "empty"


class NotARecord(ValueError):
    """The text is not a game: the message says why, `line` where, and `about` which part of it.

    `key` names the header that it is about, and `ply` the move.
    """

    def __init__(
        self,
        message: str,
        fault: RecordFault = RecordFault.UNCLEAR,
        *,
        key: str = "",
        ply: int = 0,
        about: object = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.fault = fault
        self.key = key
        self.ply = ply
        self.about = str(about)
        self.line: int | None = None

    def at(self, line: int | None) -> NotARecord:
        """Name the line of the text at which it was found; return the exception itself."""
        self.line = line
        return self

    def __str__(self) -> str:
        return self.message if self.line is None else f"line {self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game, with its number where it was played.

    `result` is the payoff of each seat, in [-1, 1], summing to 0.
    """

    game: Game[Any]
    seats: int
    options: Options
    moves: tuple[Move, ...]
    ending: str
    result: tuple[Fraction, ...]
    number: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether it ended: by its moves, or with an ending or a winner that its text names."""
        return self.ending != UNFINISHED or any(self.result)

    @property
    def chosen(self) -> Options:
        """The options without defaults and those that follow from the others."""
        return self.game.chosen(self.options)


def exact(payoff: Sequence[float]) -> tuple[Fraction, ...]:
    """A payoff as exact fractions."""
    return tuple(Fraction(share).limit_denominator(FINEST) for share in payoff)


def verified(record: Record) -> Record:
    """The record with its options completed, after a check of its moves, ending and result.

    Raises:
        NotARecord: A move is not legal, or the ending or result does not fit the moves.
    """
    state = first(record.game, record.seats, record.options)
    for ply, move in enumerate(record.moves):
        if move not in state.moves():
            raise NotARecord(
                f"ply {ply}: {move} is not among the legal moves {list(state.moves())}",
                RecordFault.MOVE,
                ply=ply,
                about=move,
            )
        state = state.play(move)
    payoff, ended = state.payoff(), partial(NotARecord, fault=RecordFault.END)
    if len(record.result) != record.seats:
        why = f"there are {record.seats} seats, but results of {len(record.result)}"
        raise ended(why, key="result")
    if sum(record.result) != 0 or max(map(abs, record.result)) > 1:
        why = "what the seats have won lies between -1 and 1 and adds up to 0"
        raise ended(why, key="result")
    if (payoff is None) == (record.ending == PLAYED):
        lead = "do not lead" if payoff is None else "lead"
        why = f"the moves {lead} to the end of the game, but the ending says otherwise"
        raise ended(why, key="ending")
    if payoff is not None and exact(payoff) != record.result:
        raise ended("the moves lead to another result", key="result")
    return replace(record, options=record.game.settled(record.options))


def first(game: Game[S], seats: int, options: Options) -> S:
    """The position before the first ply of a record.

    Raises:
        NotARecord: The game has no such options or number of seats.
    """
    try:
        return game.start(seats, options)
    except InvalidOptions as error:
        key = "seats" if error.key == "seats" else "options"
        about = seats if key == "seats" else error.key
        raise NotARecord(f"{error}", key=key, about=about) from None

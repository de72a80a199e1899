"""Finished games: their rules, moves and endings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from engine.game import Game, IllegalMove, InvalidOptions, Move, Options

FORMAT: Final = "Parlour game"
VERSION: Final = 1

PLAYED: Final = "played"
"""The ending of a game whose moves lead to its end."""

FINEST: Final = 1000
"""The largest denominator of a result, which is a fraction that arithmetic has rounded."""


class NotARecord(ValueError):
    """The text is not a finished game; the message says why, and where."""


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
    def chosen(self) -> Options:
        """The options without those that follow from the others or are the usual ones."""
        chosen: Options = {}
        for key, value in self.game.settled(self.options).items():
            if self.game.settled(chosen)[key] != value:
                chosen = {**chosen, key: value}
        return chosen


def exact(payoff: Sequence[float]) -> tuple[Fraction, ...]:
    """A payoff as exact fractions."""
    return tuple(Fraction(share).limit_denominator(FINEST) for share in payoff)


def verified(record: Record) -> Record:
    """The record with its options completed, after a check that it can have been played so.

    Raises:
        NotARecord: It cannot have been played like that, or did not end like that.
    """
    try:
        payoff = record.game.replay(record.seats, record.options, record.moves).payoff()
        options = record.game.settled(record.options)
    except (InvalidOptions, IllegalMove) as error:
        raise NotARecord(f"{error}") from None
    if len(record.result) != record.seats:
        raise NotARecord(f"there are {record.seats} seats, but results of {len(record.result)}")
    if sum(record.result) != 0 or max(map(abs, record.result)) > 1:
        raise NotARecord("what the seats have won lies between -1 and 1 and adds up to 0")
    if (payoff is None) == (record.ending == PLAYED):
        lead = "do not lead" if payoff is None else "lead"
        raise NotARecord(f"the moves {lead} to the end of the game, but the ending says otherwise")
    if payoff is not None and exact(payoff) != record.result:
        raise NotARecord("the moves lead to another result")
    return replace(record, options=options)

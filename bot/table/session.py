"""A table's state as a value: its lobby, the running game, the finished or abandoned one.

Its methods return the session that follows, or raise a `Refusal`; nothing here knows a clock, a
database or Discord. The board is never stored: `position` is the replay of `moves`. Rolls are plies
like any other; the caller supplies them.

`lobby` fills the seats, `ending` ends the game, `rights` decides who may do what, and `waiting` how
long a table may wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Final, NewType

from bot.table.refusals import Linked, Outdated, Refusal
from bot.table.seat_log import USUAL, Preferences, Rolls, SeatLog, seat_logs, with_ply
from bot.table.seats import (
    FORMER_PLAYERS,
    Absent,
    Computer,
    Human,
    Invited,
    Occupant,
    Pace,
    PersonId,
    Vacant,
    asked_person,
)
from engine.game import CHANCE, Game, IllegalMove, Move, Options, Seat

SessionId = NewType("SessionId", int)


class Phase(StrEnum):
    """The phases of a table's life."""

    LOBBY = "lobby"
    RUNNING = "running"
    FINISHED = "finished"
    ABANDONED = "abandoned"


class Ending(StrEnum):
    """The end of a table; the first four leave a result, the others none."""

    PLAYED = "played"
    RESIGNED = "resigned"
    AGREED = "agreed"
    TIME = "time"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    MISSED = "missed"
    REMOVED = "removed"
    CANCELLED = "cancelled"
    CLOSED = "closed"
    SILENT = "silent"


UNBEGUN: Final = frozenset({Ending.DECLINED, Ending.WITHDRAWN, Ending.EXPIRED, Ending.REMOVED})
"""The endings of a table whose game never began."""

SETTLED: Final[dict[str, Any]] = {"lapsed": False, "offer": None, "take_back": None, "hint": None}
"""The fields that a ply, a take-back or an end resets, with their values."""


@dataclass(frozen=True)
class Session:
    """The seats of a table, its moves, and its result.

    `offer` is the seat that offers a draw, `take_back` the seat that asks to take its last move
    back. `lapsed` means that the player to move is out of time, `hints` that hints were given,
    `tried` that moves were taken back against computers; `hint` is the move of a hint on this
    board. `payoff` is per seat, in [-1, 1], sums to 0, and is None unless finished. A `match` is
    played in a tournament. `position` is None if the game has not begun. Derived values are cached,
    hence no `slots`.
    """

    game: Game[Any]
    options: Options
    pace: Pace
    host: PersonId
    seats: tuple[Occupant, ...]
    phase: Phase = Phase.LOBBY
    moves: tuple[Move, ...] = ()
    position: Any = None
    preferences: Preferences = USUAL
    offer: Seat | None = None
    take_back: Seat | None = None
    lapsed: bool = False
    hints: bool = False
    tried: bool = False
    hint: Move | None = None
    match: bool = False
    ending: Ending | None = None
    payoff: tuple[float, ...] | None = None

    @cached_property
    def ply(self) -> int:
        """The number of moves played."""
        return len(self.moves)

    @cached_property
    def line(self) -> str:
        """A short digest of the moves; once some are taken back, others come to the same ply."""
        return blake2b(repr(self.moves).encode(), digest_size=4).hexdigest()

    @cached_property
    def has_lobby(self) -> bool:
        """Whether people join until the host starts it; games of two begin as challenges."""
        return max(self.game.seats) > 2

    @cached_property
    def rolling(self) -> bool:
        """Whether the next ply is a roll."""
        return self.phase is Phase.RUNNING and self.position.turn == CHANCE

    @cached_property
    def turn(self) -> Seat | None:
        """The seat to roll or to move; None unless the game runs."""
        if self.phase is not Phase.RUNNING:
            return None
        seat: Seat = self.position.seat if self.rolling else self.position.turn
        return seat

    @cached_property
    def legal(self) -> Sequence[Move]:
        """The legal moves or rolls of the position; empty unless the game runs."""
        return self.position.moves() if self.phase is Phase.RUNNING else ()

    @cached_property
    def mover(self) -> Occupant | None:
        """The occupant to roll or to move; None unless the game runs."""
        return None if self.turn is None else self.seats[self.turn]

    @cached_property
    def thinking(self) -> bool:
        """Whether a computer has to choose a move."""
        return isinstance(self.mover, Computer | Absent) and not self.rolling

    @cached_property
    def rolls_by_itself(self) -> bool:
        """Whether the dice roll without a press."""
        if not self.rolling or self.position.opening or not isinstance(self.mover, Human):
            return self.rolling
        if self.rolls is Rolls.WITH_STOPS:
            return not self.seat_logs[self.position.seat].stops
        return self.rolls is Rolls.BY_THEMSELVES

    @property
    def rolls(self) -> Rolls:
        """How people's dice roll: by a press or automatically."""
        return self.preferences.rolls(alone=self.solo)

    @cached_property
    def forced(self) -> Move | None:
        """The only legal move after a roll, which is played without a press; else None."""
        alone = bool(self.game.dice) and not self.rolling and len(self.legal) == 1
        return self.legal[0] if alone else None

    @cached_property
    def unattended(self) -> bool:
        """Whether no person decides the next ply: it is a roll, forced, or a computer's."""
        return self.rolls_by_itself or self.forced is not None or self.thinking

    @cached_property
    def people(self) -> tuple[PersonId, ...]:
        """The people at the table, in the order of their seats."""
        return tuple([seat.person for seat in self.seats if isinstance(seat, Human)])

    def has_place(self, person: PersonId) -> bool:
        """Whether a player's place is certain, and the others play on without them."""
        if self.phase is not Phase.RUNNING:
            return False
        return self.seat_of(person) in self.game.decided(self.position)

    @cached_property
    def solo(self) -> bool:
        """Whether one person plays against computers alone."""
        computers = [seat for seat in self.seats if isinstance(seat, Computer)]
        return len(self.people) == 1 and len(computers) == len(self.seats) - 1 > 0

    @property
    def has_former_players(self) -> bool:
        """Whether a person with a seat has been forgotten."""
        return any((asked_person(seat) or 0) in FORMER_PLAYERS for seat in self.seats)

    def concerns(self, person: PersonId) -> bool:
        """Whether a person plays here, is invited, or may take a seat back."""
        return person in map(asked_person, self.seats)

    def seat_of(self, person: PersonId) -> Seat:
        """The seat of a person.

        Raises:
            Refusal: The person has none, or the computer has taken it over.
        """
        for index, occupant in enumerate(self.seats):
            if isinstance(occupant, Human | Absent) and occupant.person == person:
                if isinstance(occupant, Absent):
                    raise Linked("seat_handed_over")
                return Seat(index)
        raise Refusal("not_at_table")

    def require_running(self) -> None:
        """Refuse unless the game runs.

        Raises:
            Refusal: It has not begun, is over, or was closed without a result.
        """
        if self.phase is Phase.ABANDONED:
            raise Outdated("closed")
        if self.phase is not Phase.RUNNING:
            raise Outdated("not_running")

    def acting_seat(self, by: PersonId, ply: int) -> Seat:
        """The seat of a person who presses a button on the board of `ply`.

        Raises:
            Refusal: As in `seat_of` and `require_running`, or the board is at another ply.
        """
        seat = self.seat_of(by)
        self.require_running()
        if self.ply != ply:
            raise Outdated("stale_control")
        return seat

    def require_turn(self, by: PersonId, ply: int, *, rolling: bool) -> None:
        """Refuse unless a person is to move, or with `rolling` to roll, on the board of `ply`.

        Raises:
            Refusal: As in `acting_seat`, or another seat is next.
        """
        if self.turn != self.acting_seat(by, ply) or self.rolling is not rolling:
            raise Refusal("not_your_turn")

    @cached_property
    def seat_logs(self) -> tuple[SeatLog, ...]:
        """The plies of each seat in a game that has begun."""
        return seat_logs(self.game, len(self.seats), self.options, self.moves, self.rolls)

    def all_have_moved(self, plies: int) -> bool:
        """Whether every seat has made `plies` plies; rolls do not count."""
        return min(self.seat_logs, key=attrgetter("plies")).plies >= plies

    def start(self) -> Session:
        """The session started; itself while a seat is not taken.

        If one person plays against computers, the game's options `alone` replace others.

        Raises:
            InvalidOptions: The options are not for that many seats.
        """
        if any(isinstance(seat, Invited | Vacant) for seat in self.seats):
            return self
        options = {**self.options, **self.game.alone} if self.solo else self.options
        position = self.game.start(len(self.seats), options)
        return replace(self, phase=Phase.RUNNING, options=options, position=position)

    def play(self, by: PersonId, move: Move, *, ply: int) -> Session:
        """The session after a person's move; raises the errors of `require_turn` and `go_on`."""
        self.require_turn(by, ply, rolling=False)
        return self.go_on(move)

    def answer(self, move: Move, *, ply: int) -> Session:
        """The session after a computer's move that was searched for the board of `ply`.

        Raises:
            Refusal: The board is no longer at `ply`, or it is not a computer's turn.
            IllegalMove: The rules do not allow the move.
        """
        if self.ply != ply or not self.thinking:
            raise Outdated("stale_control")
        return self.go_on(move)

    def go_on(self, move: Move) -> Session:
        """The session after a move or a roll.

        Raises:
            IllegalMove: The rules do not allow the move.
        """
        if move not in self.legal:
            raise IllegalMove(f"{move} is not among the legal moves {list(self.legal)}")
        position = self.position.play(move)
        settled = {**SETTLED, "offer": self.offer if self.offer == self.turn else None}
        after = replace(self, **settled | {"moves": (*self.moves, move), "position": position})
        if (payoff := position.payoff()) is not None:
            after = after.finish(Ending.PLAYED, tuple(payoff))
        plies = self.ply, self.position, position
        rolls = self.rolls if self.game.dice else Rolls.BY_HAND
        logs = with_ply(self.seat_logs, self.game, *plies, rolls=rolls)
        vars(after)["seat_logs"] = logs  # fills the cache, which would else replay the game
        return after

    def at(self, ply: int) -> Session:
        """The session as it was before a ply, without the moves from there on."""
        moves = self.moves[:ply]
        position = self.game.replay(len(self.seats), self.options, moves)
        return replace(self, moves=moves, position=position, **SETTLED)

    def finish(self, ending: Ending, payoff: tuple[float, ...]) -> Session:
        """The session ended with a result: the payoff by seat."""
        return replace(self.abandon(ending), phase=Phase.FINISHED, payoff=payoff)

    def abandon(self, ending: Ending) -> Session:
        """The session closed without a result."""
        return replace(self, phase=Phase.ABANDONED, ending=ending, **SETTLED)

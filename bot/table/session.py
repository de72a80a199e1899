"""One table's life: lobby, running, finished or abandoned.

A `Session` is a value. Its methods give the session that follows, or raise a `Refusal` that names
why there is none; nothing here knows a clock, a database or Discord. The board is never kept: it
is the replay of `moves`, and `position` is that replay's result. How a table fills up before the
game is in `lobby`, how people end a game or leave it in `ending`.

Dice are plies like any other; the caller of `roll` or `go_on` brings what they show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, NewType

from bot.table.refusals import (
    Closed,
    HintsAgainstComputers,
    NotAtTable,
    NotRunning,
    NotYourTurn,
    SeatHandedOver,
    StaleControl,
)
from bot.table.seats import (
    FORMER_PLAYERS,
    Absent,
    BoardLook,
    Computer,
    Human,
    Invited,
    Occupant,
    Pace,
    PersonId,
    Vacant,
)
from engine.game import CHANCE, Game, IllegalMove, Move, Options, Seat

SessionId = NewType("SessionId", int)

CHALLENGE_LASTS: Final = timedelta(minutes=15)
LOBBY_LASTS: Final = timedelta(minutes=30)
SILENCE_LASTS: Final = timedelta(days=30)
SOLO_SILENCE_LASTS: Final = timedelta(hours=3)
"""For how long a game against computers alone outlives its last move, unless it is relaxed."""


class Phase(StrEnum):
    """Where a table is in its life."""

    LOBBY = "lobby"
    RUNNING = "running"
    FINISHED = "finished"
    ABANDONED = "abandoned"


class Ending(StrEnum):
    """How a table came to its end; the first four leave a result, the others none."""

    PLAYED = "played"
    RESIGNED = "resigned"
    AGREED = "agreed"
    TIME = "time"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"
    REMOVED = "removed"
    CANCELLED = "cancelled"
    CLOSED = "closed"


UNBEGUN: Final = frozenset({Ending.DECLINED, Ending.WITHDRAWN, Ending.EXPIRED, Ending.REMOVED})
"""How a table ends at which nothing was played."""


@dataclass(frozen=True, slots=True)
class SeatLog:
    """How many plies a seat has made, and the last of them at which it had a choice."""

    plies: int = 0
    choice: int | None = None


@dataclass(frozen=True)
class Session:
    """A table's state: who sits where, what was played, how it ended.

    `auto_roll` says that the dice roll without a press, `roll_chosen` that a person has decided on
    that; `board` is how the message shows the board. `offer` is the seat that offers a
    draw, `take_back` the seat that asks to take its last move back; `lapsed` says that the player
    to move has run out of time, `hints` that hints were given; `payoff` is per seat, in [-1, 1],
    sums to 0, and is there exactly when the session is finished. `position` is None in a lobby.
    What follows from these is worked out once a session, or carried on from one ply to the next,
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
    auto_roll: bool = False
    roll_chosen: bool = False
    board: BoardLook = BoardLook.EMOJI
    offer: Seat | None = None
    take_back: Seat | None = None
    lapsed: bool = False
    hints: bool = False
    ending: Ending | None = None
    payoff: tuple[float, ...] | None = None

    @cached_property
    def ply(self) -> int:
        """How many moves have been played."""
        return len(self.moves)

    @property
    def has_lobby(self) -> bool:
        """Whether the number of players is open until the start."""
        return len(self.game.seats) > 1

    @cached_property
    def rolling(self) -> bool:
        """Whether the dice are next."""
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
        """The moves of the position, those of the dice included; none unless the game runs."""
        return self.position.moves() if self.phase is Phase.RUNNING else ()

    @cached_property
    def mover(self) -> Occupant | None:
        """Who is to roll or to move; None unless the game runs."""
        return None if self.turn is None else self.seats[self.turn]

    @cached_property
    def thinking(self) -> bool:
        """Whether a computer has to choose a move."""
        return isinstance(self.mover, Computer | Absent) and not self.rolling

    @cached_property
    def rolls_by_itself(self) -> bool:
        """Whether the dice roll without a press."""
        asked = isinstance(self.mover, Human) and not self.auto_roll
        return self.rolling and (bool(self.position.opening) or not asked)

    @cached_property
    def forced(self) -> Move | None:
        """The move to which the dice leave no alternative, which is played by itself."""
        if not self.game.dice or self.phase is not Phase.RUNNING or self.rolling:
            return None
        return self.legal[0] if len(self.legal) == 1 else None

    @cached_property
    def unattended(self) -> bool:
        """Whether the next ply is for no person to decide."""
        return self.rolls_by_itself or self.forced is not None or self.thinking

    @cached_property
    def people(self) -> tuple[PersonId, ...]:
        """The people who sit at the table, in the order of their seats."""
        return tuple([seat.person for seat in self.seats if isinstance(seat, Human)])

    @cached_property
    def solo(self) -> bool:
        """Whether one person plays against computers alone."""
        computers = [seat for seat in self.seats if isinstance(seat, Computer)]
        return len(self.people) == 1 and len(computers) == len(self.seats) - 1 > 0

    def take_hint(self, by: PersonId) -> Session:
        """The session in which a person gets a hint, about the move that is theirs.

        Raises:
            NotAtTable, SeatHandedOver: As in `seat_of`.
            NotRunning, Closed: As in `require_running`.
            NotYourTurn: There is no move of theirs to choose.
            HintsAgainstComputers: Others play here too.
        """
        seat = self.seat_of(by)
        self.require_running()
        if not self.solo:
            raise HintsAgainstComputers
        if self.turn != seat or self.rolling:
            raise NotYourTurn
        return self if self.hints else replace(self, hints=True)

    @property
    def cancellable(self) -> bool:
        """Whether a player may end the game without a result: not every seat has moved yet."""
        ends = len(self.seats) == 2 or len(self.people) == 1
        return self.phase is Phase.RUNNING and ends and not self.all_have_moved(1)

    @property
    def may_take_back(self) -> bool:
        """Whether a move can be taken back: against computers, or asked for between two people."""
        asked = self.take_back is not None or self.offer is not None
        if self.phase is not Phase.RUNNING or asked:
            return False
        if self.solo:
            return self.seat_logs[self.seat_of(self.people[0])].choice is not None
        return self._among_two

    @property
    def _among_two(self) -> bool:
        """Whether two people have something to agree on: a game without dice has begun."""
        two = len(self.seats) == len(self.people) == 2
        return self.phase is Phase.RUNNING and two and not self.game.dice and self.ply > 0

    @property
    def has_former_players(self) -> bool:
        """Whether a person with a seat has been forgotten since."""
        return any(
            isinstance(seat, Human | Absent | Invited) and seat.person in FORMER_PLAYERS
            for seat in self.seats
        )

    @cached_property
    def time_limit(self) -> timedelta | None:
        """How long the table may stay as it is before `time_out`; None once it has ended."""
        match self.phase:
            case Phase.LOBBY:
                return LOBBY_LASTS if self.has_lobby else CHALLENGE_LASTS
            case Phase.RUNNING if self.turn_limit is not None and not self.lapsed:
                return self.turn_limit
            case Phase.RUNNING if self.solo and self.pace is not Pace.RELAXED:
                return SOLO_SILENCE_LASTS
            case Phase.RUNNING:
                return SILENCE_LASTS
            case _:
                return None

    @cached_property
    def turn_limit(self) -> timedelta | None:
        """The time for this turn; None where no person waits for another."""
        waited_for = len(self.people) > 1 and isinstance(self.mover, Human)
        return self.pace.turn if waited_for else None

    @property
    def may_offer_draw(self) -> bool:
        """Whether a draw may be offered now."""
        asked = self.offer is not None or self.take_back is not None
        return self._among_two and not asked

    def concerns(self, person: PersonId) -> bool:
        """Whether a person plays here, is invited, or may take a seat back."""
        return any(
            isinstance(seat, Human | Absent | Invited) and seat.person == person
            for seat in self.seats
        )

    def seat_of(self, person: PersonId) -> Seat:
        """The seat of a person.

        Raises:
            SeatHandedOver: The computer plays for the person.
            NotAtTable: The person has none.
        """
        for index, occupant in enumerate(self.seats):
            if isinstance(occupant, Human | Absent) and occupant.person == person:
                if isinstance(occupant, Absent):
                    raise SeatHandedOver
                return Seat(index)
        raise NotAtTable

    def all_have_moved(self, plies: int) -> bool:
        """Whether every seat has made so many plies; rolls are the dice's own."""
        return all(log.plies >= plies for log in self.seat_logs)

    @cached_property
    def seat_logs(self) -> tuple[SeatLog, ...]:
        """What each seat has done in a game that has begun."""
        logs = (SeatLog(),) * len(self.seats)
        state = self.game.start(len(self.seats), self.options)
        for ply, move in enumerate(self.moves):
            logs = self._logged(logs, state.turn, ply, state.moves())
            state = state.play(move)
        return logs

    def _logged(
        self, logs: tuple[SeatLog, ...], turn: Seat, ply: int, legal: Sequence[Move]
    ) -> tuple[SeatLog, ...]:
        """The logs after another ply; the dice often leave a seat no choice."""
        if turn == CHANCE:
            return logs
        chose = not self.game.dice or len(legal) > 1
        log = SeatLog(logs[turn].plies + 1, ply if chose else logs[turn].choice)
        return (*logs[:turn], log, *logs[turn + 1 :])

    def at(self, ply: int) -> Session:
        """The session as it was before a ply, with the moves from there on taken back."""
        moves = self.moves[:ply]
        position = self.game.replay(len(self.seats), self.options, moves)
        return replace(
            self, moves=moves, position=position, offer=None, take_back=None, lapsed=False
        )

    def start(self) -> Session:
        """The session with its first position, once every seat is taken; itself before.

        Unless a person has decided otherwise, dice roll by themselves in a game against computers.

        Raises:
            InvalidOptions: The options are not for that many seats.
        """
        if any(isinstance(seat, Invited | Vacant) for seat in self.seats):
            return self
        position = self.game.start(len(self.seats), self.options)
        auto_roll = self.auto_roll
        if self.game.dice and self.solo and not self.roll_chosen:
            auto_roll = True
        return replace(self, phase=Phase.RUNNING, position=position, auto_roll=auto_roll)

    def play(self, by: PersonId, move: Move, *, ply: int) -> Session:
        """The session after a person's move, meant for the board of `ply`.

        Raises:
            NotAtTable: The person does not play here.
            NotRunning: There is no game to move in.
            StaleControl: The board is not that of `ply` any more.
            NotYourTurn: Another seat is to move.
            IllegalMove: The rules do not allow the move.
        """
        seat = self.acting_seat(by, ply)
        if self.turn != seat or self.rolling:
            raise NotYourTurn
        return self._moved(move)

    def roll(self, by: PersonId, pips: Move, *, ply: int) -> Session:
        """The session after a person has rolled the dice, meant for the board of `ply`.

        Raises:
            NotAtTable, NotRunning, StaleControl: As in `play`.
            NotYourTurn: Another seat is to roll, or none.
        """
        seat = self.acting_seat(by, ply)
        if self.turn != seat or not self.rolling:
            raise NotYourTurn
        return self._moved(pips)

    def go_on(self, move: Move) -> Session:
        """The session after a ply that no person decides: dice, or what they leave no choice in."""
        return self._moved(move)

    def answer(self, move: Move, *, ply: int) -> Session:
        """The session after a computer's move that was thought of for the board of `ply`.

        Raises:
            StaleControl: The board is not that of `ply` any more, or it is not a computer's turn.
            IllegalMove: The rules do not allow the move.
        """
        if self.ply != ply or not self.thinking:
            raise StaleControl
        return self._moved(move)

    def abandon(self, ending: Ending) -> Session:
        """The session closed without a result."""
        return replace(
            self,
            phase=Phase.ABANDONED,
            ending=ending,
            offer=None,
            take_back=None,
            lapsed=False,
        )

    def require_running(self) -> None:
        """Does nothing while the game runs.

        Raises:
            NotRunning: It has not begun, or it is over.
            Closed: The table was closed without a result.
        """
        if self.phase is Phase.ABANDONED:
            raise Closed
        if self.phase is not Phase.RUNNING:
            raise NotRunning

    def acting_seat(self, by: PersonId, ply: int) -> Seat:
        """The seat of a person who uses a control that was drawn for the board of `ply`.

        Raises:
            NotAtTable, SeatHandedOver: As in `seat_of`.
            NotRunning, Closed: As in `require_running`.
            StaleControl: The board is not that of `ply` any more.
        """
        seat = self.seat_of(by)
        self.require_running()
        if self.ply != ply:
            raise StaleControl
        return seat

    def _moved(self, move: Move) -> Session:
        if move not in self.legal:
            raise IllegalMove(f"{move} is not among the legal moves {list(self.legal)}")
        turn, position = self.position.turn, self.position.play(move)
        offer = self.offer if self.offer == self.turn else None
        payoff = position.payoff()
        over = payoff is not None
        after = replace(
            self,
            moves=(*self.moves, move),
            position=position,
            phase=Phase.FINISHED if over else Phase.RUNNING,
            ending=Ending.PLAYED if over else None,
            payoff=None if payoff is None else tuple(payoff),
            offer=None if over else offer,
            take_back=None,
            lapsed=False,
        )
        logs = self._logged(self.seat_logs, turn, self.ply, self.legal)
        vars(after)["seat_logs"] = logs  # else it would replay the game
        return after

    def finish(self, ending: Ending, payoff: tuple[float, ...]) -> Session:
        """The session ended with a result, in payoff by seat."""
        return replace(
            self,
            phase=Phase.FINISHED,
            ending=ending,
            payoff=payoff,
            offer=None,
            take_back=None,
            lapsed=False,
        )

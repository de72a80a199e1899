"""One table's life: lobby, running, finished or abandoned.

A `Session` is a value. Its methods give the session that follows, or raise a `Refusal` that names
why there is none; nothing here knows a clock, a database or Discord. The board is never kept: it
is the replay of `moves`, and `position` is that replay's result.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final, NewType

from bot.refusals import (
    AlreadySeated,
    Closed,
    NoDrawOffered,
    NoDrawToOffer,
    NotAtTable,
    NotFinished,
    NotHost,
    NotInvited,
    NotRunning,
    NotWaiting,
    NotYourTurn,
    OwnOffer,
    StaleControl,
    TimeRemains,
)
from bot.seats import Computer, Human, Invited, Occupant, Pace, PersonId, Vacant
from engine.game import CHANCE, Game, Move, Options, Seat, checked

SessionId = NewType("SessionId", int)

CHALLENGE_LASTS: Final = timedelta(minutes=15)
SILENCE_LASTS: Final = timedelta(days=30)


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
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Session:
    """A table's state: who sits where, what was played, how it ended.

    `offer` is the seat that offers a draw; `lapsed` says that the player to move has run out of
    time; `payoff` is per seat, in [-1, 1], sums to 0, and is there exactly when the session is
    finished. `position` is None in a lobby.
    """

    game: Game[Any]
    options: Options
    pace: Pace
    host: PersonId
    seats: tuple[Occupant, ...]
    phase: Phase = Phase.LOBBY
    moves: tuple[Move, ...] = ()
    position: Any = None
    offer: Seat | None = None
    lapsed: bool = False
    ending: Ending | None = None
    payoff: tuple[float, ...] | None = None

    @property
    def ply(self) -> int:
        """How many moves have been played."""
        return len(self.moves)

    @property
    def turn(self) -> Seat | None:
        """The seat to move, or CHANCE; None unless the game runs."""
        if self.phase is not Phase.RUNNING:
            return None
        seat: Seat = self.position.turn
        return seat

    @property
    def mover(self) -> Occupant | None:
        """Who is to move; None unless the game runs and it is a player's turn."""
        turn = self.turn
        return None if turn is None or turn == CHANCE else self.seats[turn]

    @property
    def people(self) -> tuple[PersonId, ...]:
        """The people who sit at the table, in the order of their seats."""
        return tuple(seat.person for seat in self.seats if isinstance(seat, Human))

    @property
    def patience(self) -> timedelta | None:
        """How long the table may stay as it is before `time_out`; None once it has ended."""
        match self.phase:
            case Phase.LOBBY:
                return CHALLENGE_LASTS
            case Phase.RUNNING if self.turn_limit is not None and not self.lapsed:
                return self.turn_limit
            case Phase.RUNNING:
                return SILENCE_LASTS
            case _:
                return None

    @property
    def turn_limit(self) -> timedelta | None:
        """The time for this turn; None where nobody waits, since a computer is never in a hurry."""
        return self.pace.turn if len(self.people) > 1 else None

    @property
    def may_offer_draw(self) -> bool:
        """Whether somebody may offer a draw now."""
        between_people = len(self.seats) == 2 and len(self.people) == 2
        return (
            self.phase is Phase.RUNNING and between_people and self.ply > 0 and self.offer is None
        )

    def seat_of(self, person: PersonId) -> Seat:
        """The seat of a person.

        Raises:
            NotAtTable: The person has none.
        """
        for index, occupant in enumerate(self.seats):
            if occupant == Human(person):
                return Seat(index)
        raise NotAtTable

    def started(self) -> Session:
        """The session with its first position, once every seat is taken; itself before."""
        if any(isinstance(seat, Invited | Vacant) for seat in self.seats):
            return self
        position = self.game.start(len(self.seats), self.options)
        return replace(self, phase=Phase.RUNNING, position=position)

    def accept(self, by: PersonId) -> Session:
        """The session after the person invited has taken the seat.

        Raises:
            NotWaiting: Nobody is waited for any more.
            AlreadySeated: The person sits at the table.
            NotInvited: The seat is not for this person.
        """
        return self._take(by, Invited(by))

    def join(self, by: PersonId) -> Session:
        """The session after somebody has taken a vacant seat.

        Raises:
            NotWaiting: As in `accept`.
            AlreadySeated: As in `accept`.
            NotInvited: No seat is vacant.
        """
        return self._take(by, Vacant())

    def _take(self, by: PersonId, seat: Occupant) -> Session:
        self._in_lobby()
        if by in self.people:
            raise AlreadySeated
        if seat not in self.seats:
            raise NotInvited
        index = self.seats.index(seat)
        seats = (*self.seats[:index], Human(by), *self.seats[index + 1 :])
        return replace(self, seats=seats).started()

    def decline(self, by: PersonId) -> Session:
        """The session after the person invited has said no.

        Raises:
            NotWaiting: As in `accept`.
            NotInvited: The invitation is not for this person.
        """
        self._in_lobby()
        if Invited(by) not in self.seats:
            raise NotInvited
        return self._abandoned(Ending.DECLINED)

    def withdraw(self, by: PersonId) -> Session:
        """The session after its host has taken it back.

        Raises:
            NotWaiting: As in `accept`.
            NotHost: Somebody else opened the table.
        """
        self._in_lobby()
        if by != self.host:
            raise NotHost
        return self._abandoned(Ending.WITHDRAWN)

    def play(self, by: PersonId, move: Move, *, ply: int) -> Session:
        """The session after a person's move, meant for the board of `ply`.

        Raises:
            NotAtTable: The person does not play here.
            NotRunning: There is no game to move in.
            StaleControl: The board is not that of `ply` any more.
            NotYourTurn: Somebody else is to move.
            IllegalMove: The rules do not allow the move.
        """
        seat = self._acting(by, ply)
        if self.turn != seat:
            raise NotYourTurn
        return self._moved(move)

    def answer(self, move: Move, *, ply: int) -> Session:
        """The session after a computer's move that was thought of for the board of `ply`.

        Raises:
            StaleControl: The board is not that of `ply` any more, or it is not a computer's turn.
            IllegalMove: The rules do not allow the move.
        """
        if self.ply != ply or not isinstance(self.mover, Computer):
            raise StaleControl
        return self._moved(move)

    def resign(self, by: PersonId, *, ply: int) -> Session:
        """The session after a person has given the game up.

        Raises:
            NotAtTable, NotRunning, StaleControl: As in `play`.
        """
        return self._finished(Ending.RESIGNED, self._lost_by(self._acting(by, ply)))

    def offer_draw(self, by: PersonId, *, ply: int) -> Session:
        """The session with a draw on offer, until the opponent answers or moves.

        Raises:
            NotAtTable, NotRunning, StaleControl: As in `play`.
            NoDrawToOffer: Not here, or not now.
        """
        seat = self._acting(by, ply)
        if not self.may_offer_draw:
            raise NoDrawToOffer
        return replace(self, offer=seat)

    def agree_draw(self, by: PersonId, *, ply: int) -> Session:
        """The session drawn by agreement.

        Raises:
            NotAtTable, NotRunning, StaleControl: As in `play`.
            NoDrawOffered: Nothing is on offer.
            OwnOffer: The person made the offer.
        """
        self._answering(by, ply)
        return self._finished(Ending.AGREED, (0.0,) * len(self.seats))

    def refuse_draw(self, by: PersonId, *, ply: int) -> Session:
        """The session without the draw offer.

        Raises:
            As `agree_draw`.
        """
        self._answering(by, ply)
        return replace(self, offer=None)

    def claim(self, by: PersonId, *, ply: int) -> Session:
        """The session won on time by the opponent of the player to move.

        Raises:
            NotAtTable, NotRunning, StaleControl: As in `play`.
            TimeRemains: The time is not up, or it is the person's own.
        """
        seat = self._acting(by, ply)
        turn = self.turn
        if turn is None or not self.lapsed or turn == seat:
            raise TimeRemains
        return self._finished(Ending.TIME, self._lost_by(turn))

    def time_out(self) -> Session:
        """The session after its `patience` has run out."""
        if self.phase is Phase.LOBBY:
            return self._abandoned(Ending.EXPIRED)
        if self.turn_limit is not None and not self.lapsed:
            return replace(self, lapsed=True)
        return self._abandoned(Ending.CLOSED)

    def rematch(self, by: PersonId) -> Session:
        """A new session with the seats moved on by one; the other people are asked first.

        Raises:
            NotAtTable: The person did not play.
            NotFinished: There is nothing to repeat.
        """
        self.seat_of(by)
        if self.phase is not Phase.FINISHED:
            raise NotFinished
        asked = tuple(
            Invited(seat.person) if isinstance(seat, Human) and seat.person != by else seat
            for seat in (*self.seats[1:], self.seats[0])
        )
        return Session(self.game, self.options, self.pace, host=by, seats=asked).started()

    def _in_lobby(self) -> None:
        if self.phase is not Phase.LOBBY:
            raise NotWaiting

    def _acting(self, by: PersonId, ply: int) -> Seat:
        seat = self.seat_of(by)
        if self.phase is Phase.ABANDONED:
            raise Closed
        if self.phase is not Phase.RUNNING:
            raise NotRunning
        if self.ply != ply:
            raise StaleControl
        return seat

    def _answering(self, by: PersonId, ply: int) -> None:
        seat = self._acting(by, ply)
        if self.offer is None:
            raise NoDrawOffered
        if self.offer == seat:
            raise OwnOffer

    def _moved(self, move: Move) -> Session:
        position = checked(self.position, move)
        offer = self.offer if self.offer == self.turn else None
        payoff = position.payoff()
        over = payoff is not None
        return replace(
            self,
            moves=(*self.moves, move),
            position=position,
            phase=Phase.FINISHED if over else Phase.RUNNING,
            ending=Ending.PLAYED if over else None,
            payoff=None if payoff is None else tuple(payoff),
            offer=None if over else offer,
            lapsed=False,
        )

    def _lost_by(self, loser: Seat) -> tuple[float, ...]:
        share = 1.0 / (len(self.seats) - 1)
        return tuple(-1.0 if seat == loser else share for seat in range(len(self.seats)))

    def _finished(self, ending: Ending, payoff: tuple[float, ...]) -> Session:
        return replace(
            self, phase=Phase.FINISHED, ending=ending, payoff=payoff, offer=None, lapsed=False
        )

    def _abandoned(self, ending: Ending) -> Session:
        return replace(self, phase=Phase.ABANDONED, ending=ending, offer=None, lapsed=False)

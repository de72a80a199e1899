"""How people end a game, leave it, come back to it and play again.

Each function gives the session that follows, or raises a `Refusal` that names why there is none.
Where two play, who leaves loses; where three or four do, the computer keeps the seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.table.refusals import (
    NoDrawOffered,
    NoDrawToOffer,
    NoTakeBackAsked,
    NotCancellable,
    NotHandedOver,
    NothingToTakeBack,
    OwnOffer,
    TimeRemains,
)
from bot.table.seats import Absent, Computer, Human, Level, PersonId, reseated
from bot.table.session import Ending, Phase, Session
from engine.game import Seat, seat_at

STAND_IN: Final = Level.MEDIUM
"""How strong the computer plays for a person who has left."""


def resign(session: Session, by: PersonId, /, *, ply: int) -> Session:
    """The session after a person has given the game up.

    At a table of three or four the computer takes the seat over, until no one is left.

    Raises:
        NotAtTable, NotRunning, StaleControl: As in `Session.play`.
    """
    seat = session.acting_seat(by, ply)
    if len(session.seats) == 2:
        return session.finish(Ending.RESIGNED, _lost_by(session, {seat}))
    if len(session.people) > 1:
        return _handed_over(session, seat)
    return session.finish(Ending.RESIGNED, _lost_by(session, _given_up(session, seat)))


def cancel(session: Session, by: PersonId, /, *, ply: int) -> Session:
    """The session ended without a result, before every seat has moved.

    Raises:
        NotAtTable, NotRunning, StaleControl: As in `Session.play`.
        NotCancellable: Every seat has moved, or the others play on.
    """
    session.acting_seat(by, ply)
    if not session.cancellable:
        raise NotCancellable
    return session.abandon(Ending.CANCELLED)


def close(session: Session) -> Session:
    """The session closed without a result, by its only person or by the server's managers.

    Raises:
        NotRunning, Closed: As in `Session.play`; a lobby closes too.
    """
    if session.phase is Phase.LOBBY:
        return session.abandon(Ending.REMOVED)
    session.require_running()
    return session.abandon(Ending.CLOSED)


def come_back(session: Session, by: PersonId) -> Session:
    """The session after a person has taken the seat back that the computer played.

    Raises:
        NotHandedOver: There is none of this person.
        NotRunning, Closed: As in `Session.play`.
    """
    for index, occupant in enumerate(session.seats):
        if isinstance(occupant, Absent) and occupant.person == by:
            session.require_running()
            back = Human(by, occupant.word)
            return replace(session, seats=reseated(session.seats, index, back))
    raise NotHandedOver


def offer_draw(session: Session, by: PersonId, /, *, ply: int) -> Session:
    """The session with a draw on offer, until the opponent answers or moves.

    Raises:
        NotAtTable, NotRunning, StaleControl: As in `Session.play`.
        NoDrawToOffer: Not here, or not now.
    """
    seat = session.acting_seat(by, ply)
    if not session.may_offer_draw:
        raise NoDrawToOffer
    return replace(session, offer=seat)


def agree_draw(session: Session, by: PersonId, /, *, ply: int) -> Session:
    """The session drawn by agreement.

    Raises:
        NotAtTable, NotRunning, StaleControl: As in `Session.play`.
        NoDrawOffered: Nothing is on offer.
        OwnOffer: The person made the offer.
    """
    _answering(session, by, ply)
    return session.finish(Ending.AGREED, (0.0,) * len(session.seats))


def refuse_draw(session: Session, by: PersonId, /, *, ply: int) -> Session:
    """The session without the draw offer.

    Raises:
        As `agree_draw`.
    """
    _answering(session, by, ply)
    return replace(session, offer=None)


def take_back(session: Session, by: PersonId, /, *, ply: int) -> Session:
    """The session before the person's last decision, or with the wish for that.

    Against computers moves are taken back at once, between two people once the other agrees.

    Raises:
        NotAtTable, NotRunning, StaleControl: As in `Session.play`.
        NothingToTakeBack: There is no decision of the person, or the game does not allow it.
    """
    seat = session.acting_seat(by, ply)
    if not session.may_take_back:
        raise NothingToTakeBack
    before = _before_last_decision(session, seat)
    return before if session.solo else replace(session, take_back=seat)


def allow_take_back(session: Session, by: PersonId, /, *, ply: int) -> Session:
    """The session before the last decision of the opponent, who has asked for that.

    Raises:
        NotAtTable, NotRunning, StaleControl: As in `Session.play`.
        NoTakeBackAsked: No one asks.
        OwnOffer: It is the person who asks.
    """
    return _before_last_decision(session, _asking(session, by, ply))


def refuse_take_back(session: Session, by: PersonId, /, *, ply: int) -> Session:
    """The session without the wish to take a move back.

    Raises:
        As `allow_take_back`.
    """
    _asking(session, by, ply)
    return replace(session, take_back=None)


def claim(session: Session, by: PersonId, /, *, ply: int) -> Session:
    """The session won on time by the opponent of the player to move.

    Raises:
        NotAtTable, NotRunning, StaleControl: As in `Session.play`.
        TimeRemains: The time is not up, or it is the person's own.
    """
    seat = session.acting_seat(by, ply)
    turn = session.turn
    if turn is None or not session.lapsed or turn == seat:
        raise TimeRemains
    return session.finish(Ending.TIME, _lost_by(session, {turn}))


def time_out(session: Session) -> Session:
    """The session after its `time_limit` has run out."""
    if session.phase is Phase.LOBBY:
        return session.abandon(Ending.EXPIRED)
    turn = session.turn
    if session.turn_limit is None or session.lapsed or turn is None:
        return session.abandon(Ending.CLOSED)
    return replace(session, lapsed=True) if len(session.seats) == 2 else _handed_over(session, turn)


def payoffs(session: Session) -> Iterator[tuple[float, ...]]:
    """What a game can have paid that ended as this one did: by its rules, or by who left."""
    people = [Seat(i) for i, seat in enumerate(session.seats) if isinstance(seat, Human)]
    match session.ending:
        case Ending.PLAYED:
            yield tuple(session.position.payoff() or ())
        case Ending.AGREED:
            yield (0.0,) * len(session.seats)
        case Ending.TIME:
            yield _lost_by(session, {seat_at(session.position)})
        case Ending.RESIGNED if len(session.seats) == 2:
            yield from (_lost_by(session, {seat}) for seat in people)
        case Ending.RESIGNED if len(people) == 1:
            yield _lost_by(session, _given_up(session, people[0]))


def _answering(session: Session, by: PersonId, ply: int) -> None:
    seat = session.acting_seat(by, ply)
    if session.offer is None:
        raise NoDrawOffered
    if session.offer == seat:
        raise OwnOffer


def _asking(session: Session, by: PersonId, ply: int) -> Seat:
    """The seat that asks `by` to take a move back."""
    seat = session.acting_seat(by, ply)
    if session.take_back is None:
        raise NoTakeBackAsked
    if session.take_back == seat:
        raise OwnOffer
    return session.take_back


def _before_last_decision(session: Session, seat: Seat) -> Session:
    ply = session.seat_logs[seat].choice
    if ply is None:
        raise NothingToTakeBack
    return session.at(ply)


def _handed_over(session: Session, seat: Seat) -> Session:
    occupant = session.seats[seat]
    assert isinstance(occupant, Human), "only people leave"
    absent = Absent(occupant.person, STAND_IN, occupant.word)
    return replace(session, seats=reseated(session.seats, seat, absent), lapsed=False)


def _given_up(session: Session, last: Seat) -> set[Seat]:
    """Who has lost when the last person leaves: the people, to the computers if there are any.

    Without a computer at the table from the start, the last to leave has outlasted the others.
    """
    people = {Seat(i) for i, seat in enumerate(session.seats) if not isinstance(seat, Computer)}
    return people if len(people) < len(session.seats) else people - {last}


def _lost_by(session: Session, losers: set[Seat]) -> tuple[float, ...]:
    lost, won = len(losers), len(session.seats) - len(losers)
    down, up = -min(1.0, won / lost), min(1.0, lost / won)
    return tuple(down if seat in losers else up for seat in map(Seat, range(len(session.seats))))

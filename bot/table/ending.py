"""The end of a game, and the ways to leave it, come back to it, and take a move back.

Each function returns the session that follows, or raises a `Refusal`; `bot.table.rights` decides
who may call it. A player who leaves a game of two loses; at a table of three or four the computer
takes the seat over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.table.refusals import Outdated, Refusal
from bot.table.rights import has_outlasted, may_cancel, may_offer_draw, may_take_back, would_lose
from bot.table.seats import Absent, Computer, Human, Level, PersonId, reseated
from bot.table.session import Ending, Phase, Session
from bot.table.waiting import turn_limit
from engine.game import Seat, seat_at

STAND_IN: Final = Level.MEDIUM
"""The level of the computer that plays for a person who left."""


def resign(session: Session, by: PersonId) -> Session:
    """The session after a person has resigned.

    At a table of three or four the computer takes the seat over; if the last person resigns, the
    game ends.
    """
    seat = session.seat_of(by)
    if len(session.seats) == 2:
        return session.finish(Ending.RESIGNED, _lost_by(session, {seat}))
    if len(session.people) > 1:
        return _hand_over(session, seat)
    return session.finish(Ending.RESIGNED, _lost_by(session, _given_up(session, seat)))


def cancel(session: Session) -> Session:
    """The session ended without a result.

    Raises:
        Refusal: It cannot be cancelled; see `may_cancel`.
    """
    if not may_cancel(session):
        raise Outdated("not_cancellable")
    return session.abandon(Ending.CANCELLED)


def close(session: Session) -> Session:
    """The session, a lobby or a running game, closed without a result.

    Raises:
        Refusal: As in `Session.require_running`.
    """
    if session.phase is Phase.LOBBY:
        return session.abandon(Ending.REMOVED)
    session.require_running()
    return session.abandon(Ending.CLOSED)


def close_alone(session: Session, ending: Ending = Ending.RESIGNED) -> Session:
    """A game of one person against computers, ended without their asking; lost if `would_lose`.

    Raises:
        Refusal: As in `Session.require_running`.
    """
    if not would_lose(session):
        return session.abandon(Ending.SILENT) if ending is Ending.TIME else close(session)
    return session.finish(ending, _lost_by(session, {session.seat_of(session.people[0])}))


def come_back(session: Session, by: PersonId) -> Session:
    """The session after a person has taken the seat back that the computer played."""
    index, absent = next(
        (index, seat)
        for index, seat in enumerate(session.seats)
        if isinstance(seat, Absent) and seat.person == by
    )
    return replace(session, seats=reseated(session.seats, index, Human(by, absent.word)))


def offer_draw(session: Session, by: PersonId) -> Session:
    """The session with a draw on offer, until the opponent answers or moves.

    Raises:
        Refusal: No draw may be offered here, or not now.
    """
    if not may_offer_draw(session):
        raise Refusal("no_draw_to_offer")
    return replace(session, offer=session.seat_of(by))


def agree_draw(session: Session, by: PersonId) -> Session:
    """The session drawn by agreement.

    Raises:
        Refusal: As in `refuse_draw`.
    """
    refuse_draw(session, by)
    return session.finish(Ending.AGREED, (0.0,) * len(session.seats))


def refuse_draw(session: Session, by: PersonId) -> Session:
    """The session without the draw offer.

    Raises:
        Refusal: Nothing is on offer, or the person made the offer.
    """
    if session.offer is None:
        raise Outdated("no_draw_offered")
    if session.offer == session.seat_of(by):
        raise Refusal("own_offer")
    return replace(session, offer=None)


def take_back(session: Session, by: PersonId) -> Session:
    """The session before the person's last decision, or with the question whether they may.

    Against computers moves are taken back at once, and the game is marked as `tried`. Between two
    people the other one is asked.

    Raises:
        Refusal: The person has made no decision yet, or the game does not allow it.
    """
    if not may_take_back(session):
        raise Refusal("nothing_to_take_back")
    seat = session.seat_of(by)
    before = _before_last_decision(session, seat)
    return replace(before, tried=True) if session.solo else replace(session, take_back=seat)


def allow_take_back(session: Session, by: PersonId) -> Session:
    """The session before the last decision of the opponent, who has asked for that.

    Raises:
        Refusal: As in `refuse_take_back`.
    """
    refuse_take_back(session, by)
    assert session.take_back is not None, "else it would have been refused"
    return _before_last_decision(session, session.take_back)


def refuse_take_back(session: Session, by: PersonId) -> Session:
    """The session without the question whether a move may be taken back.

    Raises:
        Refusal: Nobody has asked, or it was this person.
    """
    if session.take_back is None:
        raise Outdated("no_take_back_asked")
    if session.take_back == session.seat_of(by):
        raise Refusal("own_offer")
    return replace(session, take_back=None)


def claim(session: Session, by: PersonId) -> Session:
    """The session won on time by the opponent of the player to move.

    Raises:
        Refusal: The time is not up, or it is this person's time.
    """
    turn = session.turn
    if turn is None or not session.lapsed:
        raise Refusal("time_remains")
    if turn == session.seat_of(by):
        raise Refusal("own_time_up")
    return session.finish(Ending.TIME, _lost_by(session, {turn}))


def forfeit(session: Session, *, both: bool) -> Session:
    """An overdue match, lost by the player to move, or ended without a result if `both` are absent.

    Raises:
        Refusal: As in `Session.require_running`.
    """
    session.require_running()
    if both or session.turn is None:
        return session.abandon(Ending.MISSED)
    return session.finish(Ending.TIME, _lost_by(session, {session.turn}))


def time_out(session: Session) -> Session:
    """The session after its time limit has passed: closed, out of time, or left to a computer."""
    if session.phase is Phase.LOBBY:
        return session.abandon(Ending.EXPIRED)
    if session.solo:
        return close_alone(session, Ending.TIME)
    turn = session.turn
    if turn_limit(session) is None or session.lapsed or turn is None:
        return session.abandon(Ending.SILENT)
    return replace(session, lapsed=True) if len(session.seats) == 2 else _hand_over(session, turn)


def payoffs(session: Session) -> Iterator[tuple[float, ...]]:
    """The payoffs that are possible for a game that ended like this one."""
    people = [Seat(i) for i, seat in enumerate(session.seats) if isinstance(seat, Human)]
    match session.ending:
        case Ending.PLAYED:
            yield tuple(session.position.payoff() or ())
        case Ending.AGREED:
            yield (0.0,) * len(session.seats)
        case Ending.TIME:
            yield _lost_by(session, set(people) if session.solo else {seat_at(session.position)})
        case Ending.RESIGNED if len(session.seats) == 2:
            yield from (_lost_by(session, {seat}) for seat in people)
        case Ending.RESIGNED if len(people) == 1:
            yield _lost_by(session, _given_up(session, people[0]))


def _before_last_decision(session: Session, seat: Seat) -> Session:
    ply = session.seat_logs[seat].choice
    if ply is None:
        raise Refusal("nothing_to_take_back")
    return session.at(ply)


def _hand_over(session: Session, seat: Seat) -> Session:
    occupant = session.seats[seat]
    assert isinstance(occupant, Human), "only people leave"
    absent = Absent(occupant.person, STAND_IN, occupant.word)
    return replace(session, seats=reseated(session.seats, seat, absent), lapsed=False)


def _given_up(session: Session, last: Seat) -> set[Seat]:
    """The seats that lose when the last person leaves: people's, but not one that outlasted all."""
    people = {Seat(i) for i, seat in enumerate(session.seats) if not isinstance(seat, Computer)}
    return people - {last} if has_outlasted(session) else people


def _lost_by(session: Session, losers: set[Seat]) -> tuple[float, ...]:
    lost, won = len(losers), len(session.seats) - len(losers)
    down, up = -min(1.0, won / lost), min(1.0, lost / won)
    return tuple(down if seat in losers else up for seat in map(Seat, range(len(session.seats))))

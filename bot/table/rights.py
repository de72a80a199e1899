"""The rights at a table, by person and phase: a right refuses everybody else.

Each is a function of the session, the person who presses, and the ply of the pressed board.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from bot.table.refusals import Outdated, Refusal, UnknownControl
from bot.table.seats import FORMER_PLAYERS, Absent, Computer, PersonId
from bot.table.session import Phase, Session

LOST_PLIES: Final = 2
"""Once every seat has made this many plies, leaving a game against computers loses it."""

Right: TypeAlias = Callable[[Session, PersonId, int], object]
"""Returns if the person may press, else raises a `Refusal`."""


def anyone(_session: Session, _by: PersonId, _ply: int) -> None:
    """Everyone who sees the button, at any time."""


def anyone_in_lobby(session: Session, _by: PersonId, _ply: int) -> None:
    """Everyone, before the game.

    Raises:
        Refusal: The lobby is closed.
    """
    if session.phase is not Phase.LOBBY:
        raise Outdated("not_waiting")


def host_in_lobby(session: Session, by: PersonId, ply: int) -> None:
    """The host, before the game.

    Raises:
        Refusal: The lobby is closed, or another person opened the table.
    """
    anyone_in_lobby(session, by, ply)
    if by != session.host:
        raise Refusal("not_host")


def host_at_setup(session: Session, by: PersonId, ply: int) -> None:
    """The host of a lobby, which people join until its start.

    Raises:
        Refusal: As `host_in_lobby`.
        UnknownControl: The table is a challenge, which cannot be changed after opening.
    """
    host_in_lobby(session, by, ply)
    if not session.has_lobby:
        raise UnknownControl


def player_in_lobby(session: Session, by: PersonId, ply: int) -> None:
    """The people with a seat, before the game.

    Raises:
        Refusal: The lobby is closed, or the person has no seat.
    """
    anyone_in_lobby(session, by, ply)
    session.seat_of(by)


def player_in_game(session: Session, by: PersonId, ply: int) -> None:
    """The players, on the present board.

    Raises:
        Refusal: As `Session.acting_seat`.
    """
    session.acting_seat(by, ply)


def mover(session: Session, by: PersonId, ply: int) -> None:
    """The player to move, on the present board.

    Raises:
        Refusal: As `Session.require_turn`.
    """
    session.require_turn(by, ply, rolling=False)


def roller(session: Session, by: PersonId, ply: int) -> None:
    """The player to roll, on the present board.

    Raises:
        Refusal: As `Session.require_turn`.
    """
    session.require_turn(by, ply, rolling=True)


def player_still_in(session: Session, by: PersonId, _ply: int) -> None:
    """The players whose place is not certain yet, on a board of any ply.

    Raises:
        Refusal: As `Session.acting_seat`, or the others play on without the person.
    """
    session.acting_seat(by, session.ply)
    if session.has_place(by):
        raise Outdated("not_running")


def host_or_player(session: Session, by: PersonId, ply: int) -> None:
    """The host before the game, every player during it.

    Raises:
        Refusal: As `host_in_lobby` and `Session.seat_of`.
    """
    if session.phase is Phase.RUNNING:
        session.seat_of(by)
    else:
        host_in_lobby(session, by, ply)


def absent_player(session: Session, by: PersonId, _ply: int) -> None:
    """The people whose seat the computer has taken over and not brought to its place.

    Raises:
        Refusal: The person has no such seat, or as in `Session.require_running`, or the others play
            on without it.
    """
    if not any(isinstance(seat, Absent) and seat.person == by for seat in session.seats):
        raise Refusal("not_handed_over")
    session.require_running()
    if by not in _away(session):
        raise Outdated("not_running")


def learner(session: Session, by: PersonId, ply: int) -> None:
    """The only person against computers, if it is their turn to move.

    Raises:
        Refusal: As `Session.require_turn`, or other people play too.
    """
    session.acting_seat(by, session.ply)
    if not session.solo:
        raise Refusal("hints_against_computers")
    session.require_turn(by, ply, rolling=False)


def may_cancel(session: Session) -> bool:
    """Whether a player may end the game without a result, as not every seat has moved yet.

    A game against computers alone can be cancelled until `LOST_PLIES`. A larger table cannot, even
    with one person left, as that would undo the loss of those who left. Nor can a game with moves
    taken back, or a match of a tournament.
    """
    ends = (len(session.seats) == 2 or session.solo) and not (session.tried or session.match)
    plies = LOST_PLIES if session.solo else 1
    return session.phase is Phase.RUNNING and ends and not session.all_have_moved(plies)


def would_lose(session: Session) -> bool:
    """Whether a game against computers alone would count as lost if it were closed now."""
    if session.phase is not Phase.RUNNING or not session.solo:
        return False
    if session.has_place(session.people[0]):  # the computers play on for the other places
        return False
    return session.tried or session.all_have_moved(LOST_PLIES)


def has_outlasted(session: Session) -> bool:
    """Whether one person is left at a table that began with people only."""
    return len(session.people) == 1 and not any(isinstance(s, Computer) for s in session.seats)


def untouched(session: Session) -> bool:
    """Whether the only person against computers has neither rolled nor moved yet."""
    if session.phase is not Phase.RUNNING or not session.solo:
        return False
    log = session.seat_logs[session.seat_of(session.people[0])]
    return log.choice is None and log.pressed is None and log.unread == 0


def may_resign(session: Session) -> bool:
    """Whether a player may resign: the game runs and cannot be cancelled."""
    return session.phase is Phase.RUNNING and not may_cancel(session)


def may_take_back(session: Session) -> bool:
    """Whether moves can be taken back: against computers, or by asking the other of two people.

    Not in matches of tournaments, which thinking time may decide.
    """
    if not session.solo:
        return may_offer_draw(session) and not session.match
    own = session.seat_logs[session.seat_of(session.people[0])]
    return session.phase is Phase.RUNNING and own.choice is not None


def may_offer_draw(session: Session) -> bool:
    """Whether two people have begun a game without dice, and no offer or question is open."""
    two = len(session.seats) == len(session.people) == 2
    begun = session.phase is Phase.RUNNING and session.ply > 0 and not session.game.dice
    return begun and two and session.offer is None and session.take_back is None


def may_come_back(session: Session) -> bool:
    """Whether the computer plays for a person who is not forgotten, and has no place yet."""
    return any(person not in FORMER_PLAYERS for person in _away(session))


def is_asked_to_take_back(session: Session) -> bool:
    """Whether a player has asked to take a move back."""
    return session.take_back is not None


def is_offered_draw(session: Session) -> bool:
    """Whether a player waits for the answer to a draw offer."""
    return session.offer is not None


def has_dice(session: Session) -> bool:
    """Whether the game is played with dice."""
    return bool(session.game.dice)


def is_finished(session: Session) -> bool:
    """Whether the game has a result."""
    return session.phase is Phase.FINISHED


def may_have_hint(session: Session) -> bool:
    """Whether one person plays against computers alone, and no roll is next."""
    return session.solo and not session.rolling


def may_ask_why(session: Session) -> bool:
    """Whether a computer has made a choice in a game of one person against computers alone."""
    if session.phase is not Phase.RUNNING or not session.solo:
        return False
    choices = zip(session.seats, session.seat_logs, strict=True)
    return any(isinstance(seat, Computer) and log.choice is not None for seat, log in choices)


def _away(session: Session) -> list[PersonId]:
    """The people for whom the computer plays on: their seats have no certain place yet."""
    if Absent not in map(type, session.seats):
        return []
    certain = session.game.decided(session.position)
    return [
        seat.person
        for index, seat in enumerate(session.seats)
        if isinstance(seat, Absent) and index not in certain
    ]

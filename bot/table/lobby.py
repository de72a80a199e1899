"""How a table fills up before the game: challenges of two, and tables that gather two to four.

Each function gives the session that follows, or raises a `Refusal` that names why there is none.
A challenge begins by itself once both seats are taken; a gathering when its host starts it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from bot.table.refusals import (
    AlreadySeated,
    NoComputer,
    NotAtTable,
    NotFinished,
    NotHost,
    NotInvited,
    NotWaiting,
    PlayerForgotten,
    TableFull,
    TooFewPlayers,
    UnknownControl,
    fitting,
)
from bot.table.seats import (
    BoardLook,
    Computer,
    Human,
    Invited,
    Level,
    Occupant,
    PersonId,
    Vacant,
    player_of,
    reseated,
)
from bot.table.session import Ending, Phase, Session
from bot.table.word import Word
from engine.game import Value

Step: TypeAlias = Callable[[Session, PersonId], Session]
"""What a person does to a table that waits."""


def accept(session: Session, by: PersonId) -> Session:
    """The session after the person invited has taken the seat.

    Raises:
        NotWaiting: Nobody is waited for any more.
        AlreadySeated: The person sits at the table.
        NotInvited: The seat is not for this person.
    """
    return _take(session, by, Invited(by))


def join(session: Session, by: PersonId) -> Session:
    """The session after a person has taken a seat: one kept for this person, or a vacant one.

    Raises:
        NotWaiting: As in `accept`.
        AlreadySeated: As in `accept`.
        NotInvited: The challenge is for another person.
        TableFull: No seat is free.
    """
    if not session.has_lobby:
        return _take(session, by, Vacant())
    _waiting(session)
    if by in session.people:
        raise AlreadySeated
    if Invited(by) in session.seats:
        return _taken(session, Invited(by), by)
    return _seated(session, Human(by))


def decline(session: Session, by: PersonId) -> Session:
    """The session after the person invited has said no; a host who says so withdraws.

    A gathering goes on without the person.

    Raises:
        NotWaiting: As in `accept`.
        NotInvited: The invitation is not for this person.
    """
    _waiting(session)
    if by == session.host:
        return withdraw(session, by)
    if Invited(by) not in session.seats:
        raise NotInvited
    return leave(session, by) if session.has_lobby else session.abandon(Ending.DECLINED)


def withdraw(session: Session, by: PersonId) -> Session:
    """The session after its host has taken it back.

    Raises:
        NotWaiting: As in `accept`.
        NotHost: Another person opened the table.
    """
    _hosting(session, by)
    return session.abandon(Ending.WITHDRAWN)


def leave(session: Session, by: PersonId) -> Session:
    """The session after a person has left a gathering, or turned its invitation down.

    The next person becomes the host; with the last one the table goes.

    Raises:
        NotWaiting: As in `accept`.
        NotAtTable: The person has no seat.
    """
    _waiting(session)
    kept = tuple(
        seat
        for seat in session.seats
        if not (isinstance(seat, Human | Invited) and seat.person == by)
    )
    if kept == session.seats:
        raise NotAtTable
    left = replace(session, seats=kept)
    if not left.people:
        return left.abandon(Ending.WITHDRAWN)
    return replace(left, host=left.people[0]) if by == session.host else left


def add_computer(session: Session, by: PersonId, level: Level) -> Session:
    """The session with one more computer.

    Raises:
        NotWaiting, NotHost: As in `withdraw`.
        TableFull: As in `join`.
    """
    _hosting(session, by)
    return _seated(session, Computer(level))


def fill(session: Session, by: PersonId) -> Session:
    """The session with a computer on every free seat, as strong as the last one there.

    Raises:
        NotWaiting, NotHost: As in `withdraw`.
        TableFull: As in `join`.
    """
    _hosting(session, by)
    levels = [seat.level for seat in session.seats if isinstance(seat, Computer)]
    computer = Computer(levels[-1] if levels else Level.MEDIUM)
    filled = _seated(session, computer)
    while len(filled.seats) < max(filled.game.seats):
        filled = _seated(filled, computer)
    return filled


def remove_computer(session: Session, by: PersonId) -> Session:
    """The session without the computer that came last.

    Raises:
        NotWaiting, NotHost: As in `withdraw`.
        NoComputer: There is none.
    """
    _hosting(session, by)
    for index in reversed(range(len(session.seats))):
        if isinstance(session.seats[index], Computer):
            seats = (*session.seats[:index], *session.seats[index + 1 :])
            return replace(session, seats=seats)
    raise NoComputer


def choose_preset(session: Session, by: PersonId, preset: str) -> Session:
    """The session by the rules of a preset.

    Raises:
        NotWaiting, NotHost: As in `withdraw`.
        UnknownControl: There is no such preset.
    """
    _hosting(session, by)
    if preset not in session.game.presets:
        raise UnknownControl
    return replace(session, options=session.game.settled(session.game.presets[preset]))


def choose_rule(session: Session, by: PersonId, key: str, value: str) -> Session:
    """The session with one rule changed; rules that nobody chose give way to it.

    Raises:
        NotWaiting, NotHost: As in `withdraw`.
        OptionRefused: The rule does not fit the others.
        UnknownControl: There is no such rule or value.
    """
    _hosting(session, by)
    chosen: dict[str, Value] = {}
    for option in session.game.options:
        known = {str(possible): possible for possible in option.values}
        if option.key == key:
            if value not in known:
                raise UnknownControl
            chosen[key] = known[value]
        elif session.options[option.key] != option.values[0]:
            chosen[option.key] = session.options[option.key]
    if key not in chosen:
        raise UnknownControl
    with fitting(session.game):
        return replace(session, options=session.game.settled(chosen))


def switch_auto_roll(session: Session, by: PersonId) -> Session:
    """The session with dice that roll by themselves, or by hand again.

    In a lobby that is for the host to decide, in a game for every player.

    Raises:
        NotWaiting, NotHost: As in `withdraw`.
        NotAtTable, SeatHandedOver: As in `Session.seat_of`.
    """
    if session.phase is Phase.RUNNING:
        session.seat_of(by)
    else:
        _hosting(session, by)
    return replace(session, auto_roll=not session.auto_roll, roll_chosen=True)


def choose_board(session: Session, by: PersonId, style: BoardLook) -> Session:
    """The session with its board shown in a style.

    Raises:
        NotWaiting, NotHost: As in `withdraw`.
    """
    _hosting(session, by)
    return replace(session, board=style)


def change_partners(session: Session, by: PersonId) -> Session:
    """The session with the next of the three ways to pair four players; the first stays.

    Raises:
        NotWaiting, NotHost: As in `withdraw`.
    """
    _hosting(session, by)
    first, *others = session.seats
    return replace(session, seats=(first, *others[1:], *others[:1]))


def choose_word(session: Session, by: PersonId, typed: str) -> Session:
    """The session with another word of a player for the dice, or none.

    Raises:
        NotWaiting: The game has begun: its rolls follow from the words by now.
        NotAtTable: The person has no seat.
    """
    _waiting(session)
    seat = session.seat_of(by)
    return replace(session, seats=reseated(session.seats, seat, Human(by, Word.typed(typed))))


def start(session: Session, by: PersonId) -> Session:
    """The session begun, with those who have come; invitations without an answer lapse.

    Raises:
        NotWaiting, NotHost: As in `withdraw`.
        TooFewPlayers: There is nobody to play with.
        OptionRefused: The rules are not for that many players.
    """
    _hosting(session, by)
    seats = tuple(seat for seat in session.seats if not isinstance(seat, Invited))
    if len(seats) < min(session.game.seats):
        raise TooFewPlayers
    with fitting(session.game):
        return replace(session, seats=seats).start()


def _waiting(session: Session) -> None:
    if session.phase is not Phase.LOBBY:
        raise NotWaiting


def _hosting(session: Session, by: PersonId) -> None:
    _waiting(session)
    if by != session.host:
        raise NotHost


def _take(session: Session, by: PersonId, seat: Occupant) -> Session:
    _waiting(session)
    if by in session.people:
        raise AlreadySeated
    if seat not in session.seats:
        raise NotInvited
    return _taken(session, seat, by).start()


def _taken(session: Session, seat: Occupant, by: PersonId) -> Session:
    index = session.seats.index(seat)
    return replace(session, seats=reseated(session.seats, index, Human(by)))


def _seated(session: Session, occupant: Occupant) -> Session:
    if len(session.seats) >= max(session.game.seats):
        raise TableFull
    return replace(session, seats=(*session.seats, occupant))


def ask_again(session: Session, by: PersonId) -> Session:
    """A new session like one for which nobody came in time; those invited are asked once more.

    Raises:
        NotHost: Another person opened the table.
        NotFinished: It did not end that way.
        PlayerForgotten: A person who was asked is not known any more.
    """
    if session.ending is not Ending.EXPIRED:
        raise NotFinished
    if by != session.host:
        raise NotHost
    if session.has_former_players:
        raise PlayerForgotten
    return replace(session, phase=Phase.LOBBY, ending=None)


def rematch(session: Session, by: PersonId) -> Session:
    """A new session at the same table, or with the two sides changed; the others are asked.

    Raises:
        NotAtTable: The person did not play.
        NotFinished: There is nothing to repeat.
        PlayerForgotten: A person who played is not known any more.
    """
    if session.phase is Phase.ABANDONED:
        return ask_again(session, by)
    if by not in map(player_of, session.seats):
        raise NotAtTable
    if session.phase is not Phase.FINISHED:
        raise NotFinished
    if session.has_former_players:
        raise PlayerForgotten
    seats = session.seats if session.has_lobby else (*session.seats[1:], session.seats[0])
    asked = tuple(_asked(seat, by) for seat in seats)
    new = Session(
        session.game,
        session.options,
        session.pace,
        by,
        asked,
        auto_roll=session.auto_roll,
        roll_chosen=True,
        board=session.board,
    )
    return new.start()


def _asked(occupant: Occupant, by: PersonId) -> Occupant:
    """Who sits on a seat in a rematch that `by` asks for."""
    person = player_of(occupant)
    if isinstance(occupant, Computer):
        return Computer(occupant.level.present)
    if person is None:
        return occupant
    return Human(by) if person == by else Invited(person)

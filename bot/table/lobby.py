"""The seats before the game: challenges of two, and lobbies of two to four.

Each function returns the session that follows, or raises a `Refusal`; `bot.table.rights` decides
who may call it. A challenge begins once both seats are taken, a lobby when its host starts it.
"""

from __future__ import annotations

from dataclasses import replace

from bot.table.refusals import Refusal, UnknownControl, fitting
from bot.table.seat_log import BoardLook
from bot.table.seats import (
    Computer,
    Human,
    Invited,
    Level,
    Occupant,
    PersonId,
    Vacant,
    Word,
    player_of,
    reseated,
)
from bot.table.session import Ending, Phase, Session


def accept(session: Session, by: PersonId) -> Session:
    """The session after an invited person has taken their seat.

    Raises:
        Refusal: The person sits at the table already, or is not invited.
    """
    return _take(session, by, Invited(by)).start()


def join(session: Session, by: PersonId) -> Session:
    """The session after a person has taken a seat: one kept for this person, or a vacant one.

    Raises:
        Refusal: The person sits at the table already, the challenge is for another person, or no
            seat is free.
    """
    if not session.has_lobby:
        return _take(session, by, Vacant()).start()
    if by in session.people or Invited(by) in session.seats:
        return _take(session, by, Invited(by))
    return _add(session, Human(by))


def decline(session: Session, by: PersonId) -> Session:
    """The session after an invited person has declined; a host who declines withdraws it.

    Raises:
        Refusal: The invitation is not for this person.
    """
    if by == session.host:
        return withdraw(session)
    if Invited(by) not in session.seats:
        raise Refusal("not_invited")
    return leave(session, by) if session.has_lobby else session.abandon(Ending.DECLINED)


def withdraw(session: Session) -> Session:
    """The session after its host has withdrawn it."""
    return session.abandon(Ending.WITHDRAWN)


def leave(session: Session, by: PersonId) -> Session:
    """The session after a person has left a lobby, or declined an invitation to it.

    If the host leaves, the next person becomes the host; if the last person does, it is closed.

    Raises:
        Refusal: The person has no seat.
    """
    kept = tuple(seat for seat in session.seats if seat != Invited(by) and player_of(seat) != by)
    if kept == session.seats:
        raise Refusal("not_at_table")
    left = replace(session, seats=kept)
    if not left.people:
        return withdraw(left)
    return replace(left, host=left.people[0]) if by == session.host else left


def add_computer(session: Session, level: str) -> Session:
    """The session with one more computer.

    Raises:
        Refusal: No seat is free.
        UnknownControl: There is no such level.
    """
    if level not in set(Level):
        raise UnknownControl
    return _add(session, Computer(Level(level)))


def fill(session: Session) -> Session:
    """The session with computers on all free seats, of the level of the last one there.

    Raises:
        Refusal: No seat is free.
    """
    levels = [seat.level for seat in session.seats if isinstance(seat, Computer)]
    computer = Computer(levels[-1] if levels else Level.MEDIUM)
    filled = _add(session, computer)
    while len(filled.seats) < max(filled.game.seats):
        filled = _add(filled, computer)
    return filled


def remove_computer(session: Session) -> Session:
    """The session without the computer that came last.

    Raises:
        Refusal: No seat has a computer.
    """
    for index in reversed(range(len(session.seats))):
        if isinstance(session.seats[index], Computer):
            seats = (*session.seats[:index], *session.seats[index + 1 :])
            return replace(session, seats=seats)
    raise Refusal("no_computer")


def choose_preset(session: Session, preset: str) -> Session:
    """The session with the rules of a preset.

    Raises:
        UnknownControl: There is no such preset.
    """
    if preset not in session.game.presets:
        raise UnknownControl
    return replace(session, options=session.game.settled(session.game.presets[preset]))


def choose_rule(session: Session, chosen: str) -> Session:
    """The session with one rule changed, such as `tokens:2`; rules that nobody chose may adapt.

    Raises:
        Refusal: The rule does not fit the others.
        UnknownControl: There is no such rule or value.
    """
    key, _, value = chosen.partition(":")
    game = session.game
    known = {
        (option.key, str(possible)): possible
        for option in game.options
        for possible in option.values
    }
    if (key, value) not in known:
        raise UnknownControl
    with fitting(game):
        options = {**game.chosen(session.options), key: known[key, value]}
        return replace(session, options=game.settled(options))


def switch_auto_roll(session: Session) -> Session:
    """The session with automatic dice turned on or off."""
    preferences = replace(session.preferences, auto_roll=not session.rolls.automatic)
    return replace(session, preferences=preferences)


def choose_board(session: Session, look: str) -> Session:
    """The session with its board shown in another look.

    Raises:
        UnknownControl: There is no such look.
    """
    if look not in set(BoardLook):
        raise UnknownControl
    return replace(session, preferences=replace(session.preferences, board=BoardLook(look)))


def change_partners(session: Session) -> Session:
    """The session with the next of the three ways to form partners; the first seat stays."""
    first, *others = session.seats
    return replace(session, seats=(first, *others[1:], *others[:1]))


def choose_word(session: Session, by: PersonId, typed: str) -> Session:
    """The session with a player's new word for the dice; an empty one removes it.

    Raises:
        Refusal: The person has no seat.
    """
    seat = session.seat_of(by)
    return replace(session, seats=reseated(session.seats, seat, Human(by, Word.typed(typed))))


def begin(session: Session) -> Session:
    """The session started with the people who have come; unanswered invitations are dropped.

    A person alone among computers gets the first seat; otherwise the order is kept.

    Raises:
        Refusal: There are too few players, or the options do not fit their number.
    """
    seats = tuple(seat for seat in session.seats if not isinstance(seat, Invited))
    if len(seats) < min(session.game.seats):
        raise Refusal("too_few_players")
    gathered = replace(session, seats=seats)
    if gathered.solo:
        first = gathered.seat_of(gathered.people[0])
        gathered = replace(gathered, seats=(*seats[first:], *seats[:first]))
    with fitting(session.game):
        return gathered.start()


def ask_again(session: Session, by: PersonId) -> Session:
    """A new session like one that expired, with the same invitations.

    Raises:
        Refusal: It did not expire, another person opened it, or an invited person is forgotten.
    """
    if session.ending is not Ending.EXPIRED:
        raise Refusal("not_finished")
    if by != session.host:
        raise Refusal("not_host")
    if session.has_former_players:
        raise Refusal("player_forgotten")
    return replace(session, phase=Phase.LOBBY, ending=None)


def rematch(session: Session, by: PersonId) -> Session:
    """A new session with the same seats, or with two sides changed; the other people are invited.

    An expired session is asked for again.

    Raises:
        Refusal: The person did not play, the game is not over, or a player is forgotten.
    """
    silent = session.ending is Ending.SILENT
    if session.phase is Phase.ABANDONED and not silent:
        return ask_again(session, by)
    if by not in map(player_of, session.seats):
        raise Refusal("not_at_table")
    if session.phase is not Phase.FINISHED and not silent:
        raise Refusal("not_finished")
    if session.has_former_players:
        raise Refusal("player_forgotten")
    seats = session.seats if session.has_lobby else (*session.seats[1:], session.seats[0])
    asked = tuple(_asked(seat, by) for seat in seats)
    kept = session.preferences
    return Session(session.game, session.options, session.pace, by, asked, preferences=kept).start()


def _asked(occupant: Occupant, by: PersonId) -> Occupant:
    person = player_of(occupant)
    if person is None:
        return occupant
    return Human(by) if person == by else Invited(person)


def _take(session: Session, by: PersonId, seat: Occupant) -> Session:
    if by in session.people:
        raise Refusal("already_seated")
    if seat not in session.seats:
        raise Refusal("not_invited")
    index = session.seats.index(seat)
    return replace(session, seats=reseated(session.seats, index, Human(by)))


def _add(session: Session, occupant: Occupant) -> Session:
    if len(session.seats) >= max(session.game.seats):
        raise Refusal("table_full")
    return replace(session, seats=(*session.seats, occupant))

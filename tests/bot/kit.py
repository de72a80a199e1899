"""People, games and tables as values, for tests without a Discord; their people there: `people.py`.

`new_game("tictactoe", ANN, BEN)` has begun, `after_moves(game, 4, 0)` is the same two plies later.
"""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import TypeAlias

from bot.games.catalogue import CATALOGUE
from bot.locales import ENGLISH
from bot.table.dice import Dice
from bot.table.seats import Computer, Human, Level, Occupant, Pace, PersonId
from bot.table.session import Session, SessionId
from bot.table.table import Place, Table
from bot.table.waiting import time_limit
from engine.game import Move, Options

ANN, BEN, CLEO, DAN, EVE = map(PersonId, range(1, 6))

Sits: TypeAlias = Occupant | int | Level
"""An occupant of a seat; a person by their id, a computer by its level."""


def new_game(
    game: str, *seats: Sits, pace: Pace = Pace.LIVE, options: Options | None = None
) -> Session:
    """A game that has begun, if its seats are taken; its host is the first person."""
    occupants = tuple(map(_occupant, seats))
    host = next(each.person for each in occupants if isinstance(each, Human))
    rules = CATALOGUE[game].game
    return Session(rules, rules.settled(options or {}), pace, host, occupants).start()


def after_moves(session: Session, *moves: int) -> Session:
    """The game after these moves."""
    for move in moves:
        session = session.go_on(Move(move))
    return session


def at_random(session: Session, rng: Random, plies: int | None = None) -> Session:
    """The game after random moves and rolls: to its end, or at most up to a ply."""
    while session.legal and (plies is None or session.ply < plies):
        session = session.go_on(rng.choice(session.legal))
    return session


def table_of(session: Session, at: datetime, place: Place) -> Table:
    """A table that is not stored yet, changed at a moment, with its time limit."""
    limit = time_limit(session)
    due = None if limit is None else at + limit
    return Table(SessionId(0), 1, session, place, "en-US", moved_at=at, due=due)


def stored(session: Session) -> Table:
    """The table of a game as it comes from the database, with its dice."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    place = Place(guild=1, channel=2, message=3)
    number, dice = SessionId(123_456), Dice.drawn(Random(1))
    return Table(number, 1, session, place, ENGLISH, moved_at=now, due=now, dice=dice)


def _occupant(sits: Sits) -> Occupant:
    match sits:
        case Level():
            return Computer(sits)
        case int():
            return Human(PersonId(sits))
        case _:
            return sits

"""Puts a former player in the place of a person, in every row that names one."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    bindparam,
    case,
    delete,
    insert,
    null,
    or_,
    select,
    update,
)

from bot.games.catalogue import CATALOGUE
from bot.storage.dialect import dialect_of
from bot.storage.errors import StillSeated
from bot.storage.people import FORGOTTEN, tell
from bot.storage.records import places
from bot.storage.schema import (
    ABANDONED,
    REDRAWN_LATER,
    UNFINISHED,
    blocks,
    level_records,
    notes,
    pairings,
    people,
    puzzle_answers,
    results,
    seats,
    sessions,
    standing_reminders,
    standings,
)
from bot.table.seats import PersonId
from bot.table.session import Ending, Phase
from bot.table.table import NO_CHANNEL

TAKES_PART: Final = seats.c.kind.in_(("human", "invited"))


COPIES: Final = "copies"
"""The note that SQLite may have left copies of rows that name a person who is forgotten."""


def seated(person: PersonId) -> Select[int]:
    """The tables that wait or run where a person has a seat, or one is kept for them."""
    return _played(person, UNFINISHED & TAKES_PART & sessions.c.game.in_(CATALOGUE))


def forget(connection: Connection, person: PersonId, former: PersonId) -> None:
    """Leaves no row that names the person, and has other processes keep nothing in memory.

    Raises:
        StillSeated: They have a seat at a table that waits or runs.
    """
    dialect_of(connection).alone(connection)
    if connection.execute(seated(person)).first():
        raise StillSeated
    _close_unknown(connection, person)
    _leave_sessions(connection, person, former)
    _leave_reminders(connection, person, former)
    _leave_pairings(connection, person, former)
    _leave_places(connection, person)
    connection.execute(update(seats).where(seats.c.person == person).values(word=None))
    for table in (seats, results, standings, level_records, pairings):
        own = update(table).where(table.c.person == person)
        connection.execute(own.values(person=former))
    connection.execute(delete(people).where(people.c.id == person))
    connection.execute(delete(puzzle_answers).where(puzzle_answers.c.person == person))
    for column in (blocks.c.person, blocks.c.blocked):
        connection.execute(delete(blocks).where(column == person))
    if not copies_left(connection):
        connection.execute(insert(notes), {"key": COPIES, "value": ""})
    tell(connection, FORGOTTEN, person)


def copies_left(connection: Connection) -> bool:
    """Whether copies may be left of what a forgotten person had."""
    note = select(notes.c.key).where(notes.c.key == COPIES)
    return connection.execute(note).first() is not None


def no_copies_left(connection: Connection) -> None:
    """Takes note that there are no copies any more."""
    connection.execute(delete(notes).where(notes.c.key == COPIES))


def _played(person: PersonId, condition: ColumnElement[bool]) -> Select[int]:
    own = select(sessions.c.id).join(seats, seats.c.session == sessions.c.id)
    return own.where(seats.c.person == person, condition)


def _close_unknown(connection: Connection, person: PersonId) -> None:
    """Closes tables of games that this version has not: nobody could leave them by their rules."""
    unknown = _played(person, UNFINISHED & TAKES_PART & sessions.c.game.not_in(CATALOGUE))
    closed = update(sessions).where(sessions.c.id.in_(unknown))
    connection.execute(
        closed.values(phase=Phase.ABANDONED, ending=Ending.CLOSED, due=None, unattended=False)
    )


def _leave_sessions(connection: Connection, person: PersonId, former: PersonId) -> None:
    """Names the person in no session, and has none saved or shown as it was."""
    own = sessions.c.id.in_(select(seats.c.session).where(seats.c.person == person))
    hosted = ABANDONED & (sessions.c.host == person)
    # A channel that tells whose it is; in a group chat others may go on.
    reachable = sessions.c.unreachable.is_(False)
    direct = sessions.c.guild.is_(None) & or_(reachable, ~UNFINISHED)
    values = {
        "host": case((sessions.c.host == person, former), else_=sessions.c.host),
        "nudge": case((sessions.c.nudge == person, null()), else_=sessions.c.nudge),
        "channel": case((direct, NO_CHANNEL), else_=sessions.c.channel),
        "message": case((direct, null()), else_=sessions.c.message),
        "revision": sessions.c.revision + 1,
        "shown": _shown(direct),
    }
    for which in (hosted, own):
        connection.execute(update(sessions).where(which).values(values))


def _shown(direct: ColumnElement[bool]) -> ColumnElement[int]:
    """What messages show from now on; there is no hurry with those of tables that are over."""
    gone = or_(direct, sessions.c.message.is_(None)) & ~UNFINISHED
    over = ~UNFINISHED & (sessions.c.shown >= sessions.c.revision)
    return case(
        (gone, sessions.c.revision + 1),
        (over, REDRAWN_LATER),
        else_=sessions.c.shown,
    )


def _leave_reminders(connection: Connection, person: PersonId, former: PersonId) -> None:
    """Has the reminders in channels taken away when they are done with, as a former player's."""
    own = standing_reminders.c.person == person
    direct = standing_reminders.c.channel.not_in(select(sessions.c.channel))
    connection.execute(delete(standing_reminders).where(own, direct))
    connection.execute(update(standing_reminders).where(own).values(person=former))


def _leave_places(connection: Connection, person: PersonId) -> None:
    key = standings.c
    rows = select(key.game, key.scope, key.ordinal, key.person).where(key.person == person)
    own = connection.execute(rows).mappings()
    places.change(connection, [{**row, "by": -1} for row in own])


def _leave_pairings(connection: Connection, person: PersonId, former: PersonId) -> None:
    """Has all whom the person has met know a former player in their place."""
    met = select(pairings.c.opponent, pairings.c.game, pairings.c.scope)
    rows = connection.execute(met.where(pairings.c.person == person)).all()
    theirs = update(pairings).where(
        pairings.c.person == bindparam("other"),
        pairings.c.game == bindparam("of"),
        pairings.c.scope == bindparam("where"),
        pairings.c.opponent == person,
    )
    if rows:
        named = [{"other": other, "of": game, "where": scope} for other, game, scope in rows]
        connection.execute(theirs.values(opponent=former), named)

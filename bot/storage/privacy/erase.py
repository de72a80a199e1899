"""Forgetting a person: a former player takes their place in every row."""

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
    union_all,
    update,
)

from bot.games.catalogue import CATALOGUE
from bot.storage.dialect import ANSWERING, alone, in_turn
from bot.storage.errors import StillSeated
from bot.storage.people import FORGOTTEN, tell
from bot.storage.reading import UnreadableRows
from bot.storage.records.puzzles import redraw_news
from bot.storage.schema.choice_tables import blocks, notes, people, puzzle_answers, puzzle_servers
from bot.storage.schema.game_tables import (
    ABANDONED,
    REDRAWN_LATER,
    UNFINISHED,
    seats,
    sessions,
    standing_reminders,
)
from bot.storage.schema.record_tables import (
    badges,
    level_records,
    pairings,
    puzzle_points,
    results,
    standings,
)
from bot.storage.schema.tournament_tables import LIVE, entries, tournaments
from bot.table.seats import PersonId
from bot.table.session import Ending, Phase
from bot.table.table import NO_CHANNEL

TAKES_PART: Final = seats.c.kind.in_(("human", "invited"))


COPIES: Final = "copies"
"""The key of the note that SQLite may have left copies of a forgotten person's rows."""


def seated(person: PersonId, unreadable: UnreadableRows) -> Select[int]:
    """The tables that wait or run where a person has a seat, or one is kept for them."""
    return _played(person, UNFINISHED & TAKES_PART & _known(unreadable))


def forget(
    connection: Connection, person: PersonId, former: PersonId, unreadable: UnreadableRows
) -> None:
    """Replace or delete every row that names the person, and have other processes forget them.

    Tables that this version cannot read are closed: no rule lets the person leave them.

    Raises:
        StillSeated: They have a seat at a table that waits or runs.
    """
    alone(connection)
    in_turn(connection, ANSWERING)
    busy = (seated(person, unreadable), competing(person, unreadable))
    if any(connection.execute(query.limit(1)).first() for query in busy):
        raise StillSeated
    _close_unknown(connection, person, unreadable)
    _leave_sessions(connection, person, former)
    _leave_reminders(connection, person, former)
    _leave_pairings(connection, person, former)
    _leave_tournaments(connection, person, former)
    connection.execute(update(seats).where(seats.c.person == person).values(word=None))
    for table in (seats, results, standings, level_records, pairings, badges):
        own = update(table).where(table.c.person == person)
        connection.execute(own.values(person=former))
    connection.execute(delete(people).where(people.c.id == person))
    redraw_news(connection, person)
    for column in (
        puzzle_answers.c.person,
        puzzle_servers.c.person,
        puzzle_points.c.person,
        blocks.c.person,
        blocks.c.blocked,
    ):
        connection.execute(delete(column.table).where(column == person))
    if not copies_left(connection):
        connection.execute(insert(notes), {"key": COPIES, "value": ""})
    tell(connection, FORGOTTEN, person)


def copies_left(connection: Connection) -> bool:
    """Whether copies of a forgotten person's rows may be left."""
    note = select(notes.c.key).where(notes.c.key == COPIES)
    return connection.execute(note).first() is not None


def no_copies_left(connection: Connection) -> None:
    """Note that no copies are left."""
    connection.execute(delete(notes).where(notes.c.key == COPIES))


def _played(person: PersonId, condition: ColumnElement[bool]) -> Select[int]:
    own = select(sessions.c.id).join(seats, seats.c.session == sessions.c.id)
    return own.where(seats.c.person == person, condition)


def _known(unreadable: UnreadableRows) -> ColumnElement[bool]:
    return sessions.c.game.in_(CATALOGUE) & unreadable.none_of(sessions.c.id)


def _close_unknown(connection: Connection, person: PersonId, unreadable: UnreadableRows) -> None:
    unknown = _played(person, UNFINISHED & TAKES_PART & ~_known(unreadable))
    closed = update(sessions).where(sessions.c.id.in_(unknown))
    connection.execute(
        closed.values(phase=Phase.ABANDONED, ending=Ending.CLOSED, due=None, unattended=False)
    )


def _leave_sessions(connection: Connection, person: PersonId, former: PersonId) -> None:
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
    """The revisions shown from now on; messages of tables that are over can wait."""
    gone = or_(direct, sessions.c.message.is_(None)) & ~UNFINISHED
    over = ~UNFINISHED & (sessions.c.shown >= sessions.c.revision)
    return case(
        (gone, sessions.c.revision + 1),
        (over, REDRAWN_LATER),
        else_=sessions.c.shown,
    )


def _leave_reminders(connection: Connection, person: PersonId, former: PersonId) -> None:
    """Give the reminders in channels to the former player, until they are taken away."""
    own = standing_reminders.c.person == person
    threads = select(sessions.c.thread).where(sessions.c.thread.is_not(None))
    shared = union_all(select(sessions.c.channel), threads)
    direct = standing_reminders.c.channel.not_in(shared)
    connection.execute(delete(standing_reminders).where(own, direct))
    connection.execute(update(standing_reminders).where(own).values(person=former))


def competing(person: PersonId, unreadable: UnreadableRows) -> Select[int]:
    """The tournaments that wait or run and that a person has not left, but could."""
    own = select(tournaments.c.id).join(entries, entries.c.tournament == tournaments.c.id)
    known = tournaments.c.game.in_(CATALOGUE), unreadable.none_of(tournaments.c.id)
    return own.where(LIVE, *known, entries.c.person == person, entries.c.departed.is_(False))


def _leave_tournaments(connection: Connection, person: PersonId, former: PersonId) -> None:
    """Let the former player keep the place; messages name them so from the next round on."""
    taking = select(entries.c.tournament).where(entries.c.person == person)
    own = tournaments.c.id.in_(taking) | (tournaments.c.host == person)
    host = case((tournaments.c.host == person, former), else_=tournaments.c.host)
    renamed = {"host": host, "revision": tournaments.c.revision + 1}
    connection.execute(update(tournaments).where(own).values(renamed))
    connection.execute(update(entries).where(entries.c.person == person).values(person=former))


def _leave_pairings(connection: Connection, person: PersonId, former: PersonId) -> None:
    met = select(pairings.c.opponent, pairings.c.game, pairings.c.scope).distinct()
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

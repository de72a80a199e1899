"""Find, read and forget the data of a person.

Forgetting deletes rows, or replaces the person in them by a former player, as the columns' marks
say.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    case,
    delete,
    exists,
    insert,
    null,
    or_,
    select,
    union_all,
    update,
)

from bot.games.catalogue import CATALOGUE
from bot.storage.choices import FORGOTTEN, Choices, People, load_people, tell
from bot.storage.database import Database
from bot.storage.dialect import ANSWERING, advisory_lock, lock_tables
from bot.storage.errors import StillSeated
from bot.storage.news import redraw_naming
from bot.storage.privacy import read
from bot.storage.privacy.read import Json, PersonalData, rows_naming, tables_of, tournaments_of
from bot.storage.processes import delete_note, has_note
from bot.storage.reading import Reader, UnreadableRows
from bot.storage.records.puzzles import answers
from bot.storage.schema.base import Fate, IdKind, Mark, marked
from bot.storage.schema.choice_tables import notes
from bot.storage.schema.game_tables import (
    REDRAWN_LATER,
    UNFINISHED,
    interactions,
    seats,
    sessions,
    standing_reminders,
)
from bot.storage.schema.tournament_tables import LIVE, entries, legs, parts, tournaments
from bot.storage.sqlite_file import ANYTHING
from bot.storage.tables import Tables
from bot.table.seats import PersonId
from bot.table.session import Ending, Phase, SessionId
from bot.table.table import NO_CHANNEL

TAKES_PART: Final = seats.c.kind.in_(("human", "invited"))


COPIES: Final = "copies"
"""The key of a note that is there while SQLite may have copies of a forgotten person's rows."""


def seated(person: PersonId, unreadable: UnreadableRows) -> Select[int]:
    """The query of unfinished, readable tables where a person has a seat or is invited to one."""
    return _played(person, UNFINISHED & TAKES_PART & _known(unreadable))


def forget(
    connection: Connection,
    person: PersonId,
    former: PersonId,
    unreadable: UnreadableRows,
    done: Collection[SessionId] = (),
) -> None:
    """Replace or delete every row that names the person, and notify other processes.

    The person's tables that this version cannot read are closed, as nobody could leave them.

    Raises:
        StillSeated: They have a seat at an unfinished table that is not among those `done`, or
            take part in a tournament.
    """
    lock_tables(connection)
    advisory_lock(connection, ANSWERING)
    waited_for = seated(person, unreadable).where(sessions.c.id.not_in(done))
    busy = (waited_for, competing(person, unreadable))
    if any(connection.execute(query.limit(1)).first() for query in busy):
        raise StillSeated
    _close_unknown(connection, person, unreadable)
    _redraw(connection, person)
    _delete_direct_reminders(connection, person)
    for column, mark in marked(IdKind.PERSON):
        _erase(connection, column, mark, person, former)
    if not has_note(connection, COPIES):
        connection.execute(insert(notes), {"key": COPIES, "value": ""})
    tell(connection, FORGOTTEN, person)


def _erase(
    connection: Connection, column: Column[Any], mark: Mark, person: PersonId, former: PersonId
) -> None:
    """Delete or change the rows in which `column` names a person, as its `mark` says."""
    own = rows_naming(column, person)
    if mark.fate is Fate.DELETED:
        connection.execute(delete(column.table).where(own))
        return
    emptied = dict.fromkeys(mark.along)
    left = former if mark.fate is Fate.FORMER else None
    connection.execute(update(column.table).where(own).values({**emptied, column.name: left}))


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


def _redraw(connection: Connection, person: PersonId) -> None:
    """Have all messages that name a person drawn anew.

    Of a tournament these are its message, the podium, and the messages of the person's matches.
    A finished table outside of servers loses its channel, whose id leads to the person; an
    unfinished one in a group chat keeps it, since others may go on there.
    """
    reachable = sessions.c.unreachable.is_(False)
    direct = sessions.c.guild.is_(None) & or_(reachable, ~UNFINISHED)
    values = {
        "channel": case((direct, NO_CHANNEL), else_=sessions.c.channel),
        "message": case((direct, null()), else_=sessions.c.message),
        "revision": sessions.c.revision + 1,
        "shown": _shown(direct),
    }
    own = sessions.c.id.in_(tables_of(person))
    connection.execute(update(sessions).where(own).values(values))
    held = tournaments.c.id.in_(tournaments_of(person))
    following = {"revision": tournaments.c.revision + 1}
    connection.execute(update(tournaments).where(held).values(following))
    taken = parts.c.tournament == legs.c.tournament, parts.c.leg == legs.c.number
    own_part = entries.c.tournament == parts.c.tournament, entries.c.number == parts.c.entry
    named = exists().where(*taken, *own_part, entries.c.person == person)
    connection.execute(update(legs).where(named).values(stale=True))
    redraw_naming(connection, person)


def _shown(direct: ColumnElement[bool]) -> ColumnElement[int]:
    """The new value of `shown` for tables that name a forgotten person.

    A finished game without a message in a channel counts as up to date; one whose message was up to
    date is drawn anew later.
    """
    gone = or_(direct, sessions.c.message.is_(None)) & ~UNFINISHED
    over = ~UNFINISHED & (sessions.c.shown >= sessions.c.revision)
    return case(
        (gone, sessions.c.revision + 1),
        (over, REDRAWN_LATER),
        else_=sessions.c.shown,
    )


def _delete_direct_reminders(connection: Connection, person: PersonId) -> None:
    """Delete a person's reminders in direct messages; those in channels are deleted when done."""
    threads = select(sessions.c.thread).where(sessions.c.thread.is_not(None))
    shared = union_all(select(sessions.c.channel), threads)
    direct = standing_reminders.c.channel.not_in(shared)
    own = standing_reminders.c.person == person
    connection.execute(delete(standing_reminders).where(own, direct))


def competing(person: PersonId, unreadable: UnreadableRows) -> Select[int]:
    """The query of live, readable tournaments that a person has not left."""
    own = select(tournaments.c.id).join(entries, entries.c.tournament == tournaments.c.id)
    known = tournaments.c.game.in_(CATALOGUE), unreadable.none_of(tournaments.c.id)
    return own.where(LIVE, *known, entries.c.person == person, entries.c.departed.is_(False))


BATCH: Final = 50
"""The most games read in one transaction, so that other work can go on in between."""


def all_data(reader: Reader, person: PersonId) -> PersonalData:
    """Everything that is stored about a person, read at one moment."""
    choices = load_people(reader, [person]).get(person, Choices())
    chunks = _chunks(reader.connection, person)
    games = [game for each in chunks for game in read.games(reader, person=person, numbers=each)]
    return replace(_without_games(reader, person, choices), games=games)


def _chunks(connection: Connection, person: PersonId) -> list[list[int]]:
    """The ids of a person's games in lists of at most `BATCH`."""
    numbers = sorted(connection.execute(read.tables_of(person)).scalars())
    return [numbers[start : start + BATCH] for start in range(0, len(numbers), BATCH)]


def _without_games(reader: Reader, person: PersonId, choices: Choices) -> PersonalData:
    return PersonalData(
        person,
        choices,
        read.statistics(reader, person),
        [],
        answers(reader, person),
        read.rows(reader, person),
        read.of_tournaments(reader.connection, person),
    )


class PersonalDataStore:
    """The data of people, in the database and in memory."""

    def __init__(self, database: Database, tables: Tables, people: People) -> None:
        self._database = database
        self._tables = tables
        self._people = people
        self._traces: set[bytes] = set()

    async def knows(self, person: PersonId) -> bool:
        """Whether anything is stored about a person."""
        return await self._database.run(lambda c: read.knows(c, person))

    async def personal_data(self, person: PersonId) -> PersonalData:
        """Everything that is stored about a person."""
        games: list[Json] = []
        for chunk in await self._database.run(lambda c: _chunks(c, person)):
            games += await self._database.read(partial(read.games, person=person, numbers=chunk))
        choices = self._people.of(person)
        others = await self._database.read(lambda each: _without_games(each, person, choices))
        return replace(others, games=games)

    async def seated(self, person: PersonId) -> Sequence[SessionId]:
        """The unfinished, readable tables where a person has a seat or is invited to one."""
        own = seated(person, self._database.unreadable)
        rows = await self._database.run(lambda c: c.execute(own).scalars().all())
        return [SessionId(row) for row in rows]

    async def forget(
        self, person: PersonId, former: PersonId, done: Collection[SessionId] = ()
    ) -> None:
        """Delete a person's rows, or replace them by a former player where others need the row.

        At a table that is `done` for the person, whose place is certain, a former player keeps it.

        Raises:
            StillSeated: The person has not left all other tables and tournaments.
        """
        if await self.copies_left() and not self._traces:
            self._traces.add(ANYTHING)  # an earlier process forgot people: their ids are unknown
        unreadable = self._database.unreadable
        async with self._people.changing:
            await self._database.run(
                lambda c: forget(c, person, former, unreadable, done), erasing=()
            )
            self._people.drop(person)
        self._traces.update(_traces(person))
        self._tables.cache.drop_person(person)

    async def copies_left(self) -> bool:
        """Whether copies of deleted rows may be left in unused parts of a file."""
        return await self._database.run(lambda c: has_note(c, COPIES))

    async def quiet(self, since: datetime) -> bool:
        """Whether no press or command has changed a table since a time."""
        pressed = select(interactions.c.id).where(interactions.c.at >= since).limit(1)
        return await self._database.run(lambda c: c.execute(pressed).first() is None)

    async def erase(self) -> bool:
        """Remove the copies of deleted rows from the disk; return whether that succeeded.

        Other work may have to wait. It fails while a reader is at work, or if the disk is full.
        """
        traces, self._traces = self._traces or {ANYTHING}, set()
        if not await self._database.erase(traces):
            self._traces |= traces
            return False
        if not self._traces:
            await self._database.run(lambda c: delete_note(c, COPIES))
        return True


def _traces(person: PersonId) -> tuple[bytes, ...]:
    """The bytes of an id as it may be on the disk: as an SQLite integer, and as text."""
    return person.to_bytes(8, "big"), str(person).encode()

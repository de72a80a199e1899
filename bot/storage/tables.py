"""The store of tables, in SQL."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, delete, insert, select, update
from sqlalchemy import text as sql
from sqlalchemy.exc import IntegrityError

from bot.catalogue import BY_KEY
from bot.clock import Clock
from bot.seats import PersonId
from bot.session import Phase, SessionId
from bot.storage.database import Database
from bot.storage.ended import finished
from bot.storage.finished import over
from bot.storage.recording import record
from bot.storage.rows import (
    changing_values,
    move_values,
    seat_values,
    session_values,
    stored_table,
)
from bot.storage.schema import (
    BEHIND,
    REDRAWN_LATER,
    UNATTENDED,
    UNFINISHED,
    interactions,
    moves,
    notes,
    seats,
    sessions,
)
from bot.store import (
    Conflict,
    Crowded,
    Ended,
    InteractionId,
    Repeated,
    Table,
    UnknownTable,
)

REMEMBERED: Final = 4096
"""How many tables are kept in memory, so that a press need not replay its game."""

_SESSION = select(sessions).where(sessions.c.id == bindparam("session"))
_SEATS = select(seats).where(seats.c.session == bindparam("session")).order_by(seats.c.seat)
_MOVES = select(moves.c.move).where(moves.c.session == bindparam("session")).order_by(moves.c.ply)
_CARRIED_OUT = select(interactions.c.session).where(interactions.c.id == bindparam("interaction"))
_UNFINISHED = (
    select(sessions.c.id)
    .where(sessions.c.channel == bindparam("channel"), UNFINISHED)
    .order_by(sessions.c.moved_at)
)
_LONGEST_UNMOVED: Final = sessions.c.moved_at.asc()
_CHANGE = update(sessions).where(
    sessions.c.id == bindparam("of"), sessions.c.revision == bindparam("since")
)
_KEEP_SERVER = sql("INSERT INTO server (id) VALUES (:guild) ON CONFLICT (id) DO NOTHING")
_LEAVE_SEATS = delete(seats).where(seats.c.session == bindparam("of"))
_ADD_SEATS, _ADD_MOVES, _ADD_INTERACTION = insert(seats), insert(moves), insert(interactions)
_SHOWN = update(sessions).where(
    sessions.c.id == bindparam("of"), sessions.c.shown < bindparam("now_shown")
)


class Note(NamedTuple):
    """That an interaction is carried out, and when."""

    interaction: InteractionId
    at: datetime


class SqlStore:
    """A `bot.store.Store` on a database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._remembered: OrderedDict[SessionId, Table] = OrderedDict()

    async def table(self, session: SessionId) -> Table:
        """See `Store`."""
        known = self._remembered.get(session)
        if known is not None:
            self._remembered.move_to_end(session)
            return known
        return self._remember(await self._database.run(lambda c: _load(c, session)))

    async def open(
        self,
        table: Table,
        interaction: InteractionId,
        *,
        follows: Table | None = None,
        most: int | None = None,
    ) -> Table:
        """See `Store`."""
        note = Note(interaction, self._clock.now())
        try:
            opened = await self._database.run(lambda c: _open(c, table, note, follows, most))
        except Conflict:
            if follows is not None:
                self._remembered.pop(follows.id, None)
            raise
        if follows is not None:
            self._remember(_followed(follows, opened.id))
        return self._remember(opened)

    async def save(self, before: Table, after: Table, interaction: InteractionId | None) -> Table:
        """See `Store`."""
        note = None if interaction is None else Note(interaction, self._clock.now())
        try:
            await self._database.run(lambda c: _save(c, before, after, note))
        except (Conflict, Repeated):
            self._remembered.pop(before.id, None)
            raise
        known = self._remembered.get(after.id, after)
        nudge = after.nudge if _moved(before, after) else known.nudge
        return self._remember(replace(after, place=known.place, nudge=nudge))

    async def carried_out(self, interaction: InteractionId) -> SessionId | None:
        """See `Store`."""
        return await self._database.run(lambda c: _carried_out(c, interaction))

    async def settle(self, shown: Mapping[SessionId, int]) -> None:
        """See `Messages`."""
        rows = [{"of": session, "now_shown": to, "shown": to} for session, to in shown.items()]
        if rows:
            await self._database.run(lambda c: c.execute(_SHOWN, rows))

    async def place(self, session: SessionId, message: int) -> None:
        """See `Messages`."""
        await self._set(session, message=message)
        known = self._remembered.get(session)
        if known is not None:
            self._remember(replace(known, place=replace(known.place, message=message)))

    async def nudged(self, table: Table) -> None:
        """See `Messages`."""
        told = update(sessions).where(sessions.c.id == table.id, sessions.c.nudge == table.nudge)
        await self._database.run(lambda c: c.execute(told.values(nudge=None)))
        known = self._remembered.get(table.id)
        if known is not None and known.nudge == table.nudge:
            self._remember(replace(known, nudge=None))

    async def due(self, now: datetime) -> Sequence[SessionId]:
        """See `Store`."""
        return await self._sessions(sessions.c.due <= now)

    async def unattended(self) -> Sequence[SessionId]:
        """See `Store`."""
        return await self._sessions(UNATTENDED)

    async def unfinished(self, channel: int) -> Sequence[SessionId]:
        """See `Store`."""
        return await self._sessions((sessions.c.channel == channel) & UNFINISHED)

    async def finished(self, channel: int, person: PersonId) -> Sequence[Ended]:
        """See `Store`."""
        return await self._database.run(lambda c: finished(c, channel, person))

    async def behind(self) -> Sequence[SessionId]:
        """See `Messages`."""
        return await self._sessions(BEHIND & (sessions.c.shown != REDRAWN_LATER))

    async def rewritten(self) -> Sequence[SessionId]:
        """See `Messages`."""
        later = BEHIND & (sessions.c.shown == REDRAWN_LATER)
        known = sessions.c.game.in_(BY_KEY)  # the others cannot be drawn
        return await self._sessions(later & known, sessions.c.moved_at.desc())

    async def forget_messages(self) -> None:
        """See `Messages`."""
        lost = update(sessions).where(UNFINISHED).values(message=None, shown=0)
        await self._database.run(lambda c: c.execute(lost))
        self._remembered.clear()

    def let_go(self, guild: int) -> None:
        """Has nothing of a server's tables at hand any more, since they were changed at once."""
        own = [table.id for table in self._remembered.values() if table.place.guild == guild]
        for session in own:
            del self._remembered[session]

    async def forget_interactions(self, before: datetime) -> None:
        """See `Store`."""
        old = delete(interactions).where(interactions.c.at < before)
        await self._database.run(lambda c: c.execute(old))

    async def note(self, key: str) -> str | None:
        """See `Messages`."""
        query = select(notes.c.value).where(notes.c.key == key)
        return await self._database.run(lambda c: c.execute(query).scalar())

    async def keep(self, key: str, value: str) -> None:
        """See `Messages`."""
        await self._database.run(lambda c: _keep(c, key, value))

    def let_go_of(self, person: PersonId) -> None:
        """Keeps no table in memory that names a person."""
        for number, table in [*self._remembered.items()]:
            if person in {table.session.host, table.nudge} or table.session.concerns(person):
                del self._remembered[number]

    async def _sessions(
        self,
        condition: ColumnElement[bool],
        order: ColumnElement[Any] = _LONGEST_UNMOVED,
    ) -> Sequence[SessionId]:
        query = select(sessions.c.id).where(condition).order_by(order)
        rows = await self._database.run(lambda c: c.execute(query).scalars().all())
        return [SessionId(row) for row in rows]

    async def _set(self, session: SessionId, **values: int | None) -> None:
        change = update(sessions).where(sessions.c.id == session).values(**values)
        await self._database.run(lambda c: c.execute(change))

    def _remember(self, table: Table) -> Table:
        self._remembered[table.id] = table
        self._remembered.move_to_end(table.id)
        if len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        return table


def _load(connection: Connection, session: SessionId) -> Table:
    key = {"session": session}
    row = connection.execute(_SESSION, key).mappings().one_or_none()
    if row is None:
        raise UnknownTable(session)
    return stored_table(
        row,
        connection.execute(_SEATS, key).mappings().all(),
        connection.execute(_MOVES, key).scalars(),
    )


def _open(
    connection: Connection, table: Table, note: Note, follows: Table | None, most: int | None
) -> Table:
    earlier = _carried_out(connection, note.interaction)
    if earlier is not None:
        raise Repeated(earlier)
    key = connection.execute(insert(sessions), session_values(table)).inserted_primary_key
    opened = replace(table, id=SessionId(key[0] if key else 0))
    _add_seats(connection, opened)
    _add_moves(connection, opened, since=0)
    _write(connection, note, opened.id)
    if table.place.guild is not None:
        connection.execute(_KEEP_SERVER, {"guild": table.place.guild})
    if follows is not None:
        _change(connection, follows, _followed(follows, opened.id))
    if most is not None:
        _check_room(connection, opened, most)
    return opened


def _check_room(connection: Connection, opened: Table, most: int) -> None:
    """Raises `Crowded` if a new table is one too many for its channel."""
    unfinished = connection.execute(_UNFINISHED, {"channel": opened.place.channel}).scalars()
    others = [SessionId(number) for number in unfinished if number != opened.id]
    if len(others) >= most:
        raise Crowded(others)


def _save(connection: Connection, before: Table, after: Table, note: Note | None) -> None:
    if note is not None:
        _write(connection, note, before.id)
    _change(connection, before, after)
    _add_moves(connection, after, since=before.session.ply)
    old, new = before.session, after.session
    if (old.seats, old.payoff) != (new.seats, new.payoff):
        connection.execute(_LEAVE_SEATS, {"of": after.id})
        _add_seats(connection, after)
    if old.phase is not new.phase is Phase.FINISHED:
        record(connection, over(after))


def _change(connection: Connection, before: Table, after: Table) -> None:
    values = {"of": before.id, "since": before.revision, **changing_values(after)}
    if not _moved(before, after):
        del values["nudge"]  # it may have been cleared since
    if connection.execute(_CHANGE, values).rowcount != 1:
        raise Conflict


def _moved(before: Table, after: Table) -> bool:
    return before.moved_at != after.moved_at


def _add_seats(connection: Connection, table: Table) -> None:
    if rows := seat_values(table):
        connection.execute(_ADD_SEATS, rows)


def _add_moves(connection: Connection, table: Table, *, since: int) -> None:
    if rows := move_values(table, since=since):
        connection.execute(_ADD_MOVES, rows)


def _write(connection: Connection, note: Note, session: SessionId) -> None:
    row = {"id": note.interaction, "session": session, "at": note.at}
    try:
        connection.execute(_ADD_INTERACTION, row)
    except IntegrityError as error:
        raise Repeated(session) from error


def _carried_out(connection: Connection, interaction: InteractionId) -> SessionId | None:
    found = connection.execute(_CARRIED_OUT, {"interaction": interaction}).scalar()
    return None if found is None else SessionId(found)


def _followed(table: Table, by: SessionId) -> Table:
    return replace(table, rematch=by, revision=table.revision + 1)


def _keep(connection: Connection, key: str, value: str) -> None:
    connection.execute(delete(notes).where(notes.c.key == key))
    connection.execute(insert(notes), {"key": key, "value": value})

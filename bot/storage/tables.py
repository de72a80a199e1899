"""The store of tables, in SQL."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    bindparam,
    case,
    delete,
    func,
    literal_column,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from bot.clock import Clock
from bot.games.catalogue import CATALOGUE
from bot.storage.archive import finished
from bot.storage.claims import Claims
from bot.storage.database import Database
from bot.storage.errors import Conflict, Repeated, Unavailable
from bot.storage.reminders import StandingReminder, drop, keep, standing
from bot.storage.schema import (
    BEHIND,
    NUDGES,
    REDRAWN_LATER,
    REMINDS,
    ROLLING,
    UNATTENDED,
    UNFINISHED,
    UNSHOWN,
    interactions,
    notes,
    sessions,
)
from bot.storage.shards import WHOLE, Share
from bot.storage.table_rows import load
from bot.storage.table_sql import Note, accepted, carried_out, followed, open_new, save
from bot.storage.values import Prepared
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.table import EndedTable, InteractionId, Table

REMEMBERED: Final = 4096
"""How many tables are kept in memory, so that a press need not replay its game."""

_LONGEST_UNMOVED: Final = sessions.c.moved_at.asc()
_SHOWN = update(sessions).where(
    sessions.c.id == bindparam("of"), sessions.c.shown < bindparam("now_shown")
)

_AT_MESSAGE = Prepared(
    select(sessions.c.id).where(
        sessions.c.channel == bindparam("channel"),
        sessions.c.message == bindparam("message"),
        UNFINISHED,
    )
)
_PLACE = (
    update(sessions)
    .where(sessions.c.id == bindparam("of"))
    .values(
        message=bindparam("to"),
        lost=False,
        dice_message=func.coalesce(
            sessions.c.dice_message, case((~ROLLING, bindparam("to", type_=BigInteger)))
        ),
    )
    .returning(sessions.c.dice_message)
)
"""Notes a table's message, which is the one that its dice roll by if it is the first."""

_REDRAW = update(sessions).where(UNFINISHED, sessions.c.shown > 0).values(shown=0)
_REDRAW_OVER = (
    update(sessions)
    .where(~UNFINISHED, ~BEHIND, sessions.c.message.is_not(None))
    .values(shown=REDRAWN_LATER)
)


class SqlStore:
    """A `bot.service.ports.Store` on a database.

    What is remembered of a table is as good as its revision: where other processes change tables
    too, the revision is read before. What is asked for to be drawn, mended or reminded of is of
    this process's share; what happens by itself is done by the process that claims it first.
    """

    def __init__(self, database: Database, clock: Clock, share: Share = WHOLE) -> None:
        self._database = database
        self._clock = clock
        self._alone = share.whole
        self._own = _own(share)
        self.claims = Claims(database, clock, share)
        self._remembered: OrderedDict[SessionId, Table] = OrderedDict()

    async def table(self, session: SessionId) -> Table:
        """See `Store`."""
        known = self._remembered.get(session)
        if known is not None and self._alone:
            self._remembered.move_to_end(session)
            return known
        return self._remember(await self._database.run(lambda c: load(c, session, known)))

    def latest(self, table: Table) -> Table:
        """See `Messages`."""
        known = self._remembered.get(table.id, table)
        return known if known.revision >= table.revision else table

    async def open(
        self,
        table: Table,
        interaction: InteractionId,
        *,
        follows: Table | None = None,
        room: int | None = None,
    ) -> Table:
        """See `Store`."""
        note = Note(interaction, self._clock.now())
        try:
            opened = await self._database.run(
                lambda c: open_new(c, table, note, follows, room, claim=self.claims.made())
            )
        except (Conflict, Unavailable):
            if follows is not None:
                self._remembered.pop(follows.id, None)
            raise
        if follows is not None:
            self._remember(followed(follows, opened.id))
        return self._remember(opened)

    async def save(self, before: Table, after: Table, interaction: InteractionId | None) -> Table:
        """See `Store`."""
        note = None if interaction is None else Note(interaction, self._clock.now())
        try:
            claim = None if self._alone else self.claims.made()
            await self._database.run(lambda c: save(c, before, after, note, claim=claim))
        except (Conflict, Repeated, Unavailable):
            self._remembered.pop(before.id, None)
            raise
        known = self._remembered.get(after.id, after)
        notice = after.notice if accepted(before, after) else known.notice
        late = known.remind_at if before.remind_at == after.remind_at else after.remind_at
        return self._remember(
            replace(after, place=known.place, dice=known.dice, notice=notice, remind_at=late)
        )

    async def carried_out(self, interaction: InteractionId) -> SessionId | None:
        """See `Store`."""
        return await self._database.run(lambda c: carried_out(c, interaction))

    async def settle(self, shown: Mapping[SessionId, int]) -> None:
        """See `Messages`."""
        rows = [
            {"of": session, "now_shown": to, "shown": to} for session, to in sorted(shown.items())
        ]
        if rows:
            await self._database.run(lambda c: c.execute(_SHOWN, rows))

    async def place(self, session: SessionId, message: int) -> None:
        """See `Messages`."""
        placed = {"of": session, "to": message}
        first = await self._database.run(lambda c: c.execute(_PLACE, placed).scalar())
        self._moved(session, message=message, lost=False, first=first)

    async def promise(self, session: SessionId, message: int) -> None:
        """See `Messages`."""
        await self._set(session, dice_promise=message)
        known = self._remembered.get(session)
        if known is not None and known.dice is not None:
            self._remember(replace(known, dice=replace(known.dice, promise=message)))

    async def lose(self, channel: int, message: int) -> SessionId | None:
        """See `Messages`."""
        here = {"channel": channel, "message": message}
        found = await self._database.run(lambda c: _AT_MESSAGE.run(c, here).scalar())
        session = None if found is None else SessionId(found)
        if session is not None:
            await self._set(session, message=None, lost=True)
            self._moved(session, message=None, lost=True)
        return session

    async def lose_channel(self, channel: int) -> Sequence[SessionId]:
        """See `Messages`."""
        unfinished = await self.unfinished(channel)
        gone = update(sessions).where(sessions.c.channel == channel, UNFINISHED | BEHIND)
        await self._database.run(lambda c: c.execute(gone.values(message=None, lost=True)))
        for session in unfinished:
            self._moved(session, message=None, lost=True)
        return unfinished

    async def put_off(self, table: Table, until: datetime | None) -> bool:
        """See `Reminders`."""
        due = sessions.c.remind_at == table.remind_at
        done = await self._exchange(table.id, due, remind_at=until)
        known = self._remembered.get(table.id)
        if done and known is not None:
            self._remember(replace(known, remind_at=until))
        return done

    async def nudged(self, table: Table) -> bool:
        """See `Reminders`."""
        done = await self._exchange(table.id, sessions.c.nudge == table.notice, nudge=None)
        known = self._remembered.get(table.id)
        if done and known is not None:
            self._remember(replace(known, notice=None))
        return done

    async def _exchange(
        self, session: SessionId, same: ColumnElement[bool], **values: datetime | None
    ) -> bool:
        """Changes a table's row if a column is the same still, and says whether it was."""
        change = update(sessions).where(sessions.c.id == session, same).values(**values)
        return bool(await self._database.run(lambda c: c.execute(change).rowcount))

    async def standing(self) -> Sequence[StandingReminder]:
        """See `Reminders`."""
        return await self._database.run(lambda c: standing(c, self._own))

    async def keep_reminder(self, reminder: StandingReminder) -> None:
        """See `Reminders`."""
        await self._database.run(lambda c: keep(c, reminder))

    async def drop_reminder(self, reminder: StandingReminder) -> None:
        """See `Reminders`."""
        await self._database.run(lambda c: drop(c, reminder))

    async def to_remind(self, now: datetime) -> Sequence[SessionId]:
        """See `Reminders`."""
        nudged = await self._sessions(NUDGES & self._own)
        late = await self._sessions(REMINDS & (sessions.c.remind_at <= now) & self._own)
        return [*nudged, *(session for session in late if session not in nudged)]

    async def due(self, now: datetime) -> Sequence[SessionId]:
        """See `Store`."""
        return await self._claimed(sessions.c.due <= now)

    async def unattended(self) -> Sequence[SessionId]:
        """See `Store`."""
        return await self._claimed(UNATTENDED & ROLLING)

    def held(self, session: SessionId) -> AbstractContextManager[None]:
        """See `Store`."""
        return self.claims.held(session)

    async def idle(self, after: datetime, until: datetime) -> Sequence[SessionId]:
        """See `Store`."""
        moved_at = sessions.c.moved_at
        silent = (moved_at > after) & (moved_at <= until)
        return await self._sessions(UNFINISHED & silent & self._own)

    async def unfinished(self, channel: int) -> Sequence[SessionId]:
        """See `Store`."""
        return await self._sessions((sessions.c.channel == channel) & UNFINISHED)

    async def finished(self, channel: int, person: PersonId) -> Sequence[EndedTable]:
        """See `Store`."""
        return await self._database.run(lambda c: finished(c, channel, person))

    async def behind(self, replies: Collection[SessionId] = ()) -> Sequence[SessionId]:
        """See `Messages`."""
        own = await self._sessions(BEHIND & (sessions.c.shown != REDRAWN_LATER) & self._own)
        if not replies:
            return own
        return [*own, *await self._sessions(UNSHOWN & sessions.c.id.in_(sorted(replies)))]

    async def redraw(self, over_since: datetime | None = None) -> None:
        """See `Messages`."""
        await self._database.run(lambda c: c.execute(_REDRAW))
        if over_since is not None:
            lately = _REDRAW_OVER.where(sessions.c.moved_at >= over_since)
            await self._database.run(lambda c: c.execute(lately))

    async def rewritten(self) -> Sequence[SessionId]:
        """See `Messages`."""
        later = BEHIND & (sessions.c.shown == REDRAWN_LATER)
        known = sessions.c.game.in_(CATALOGUE)  # the others cannot be drawn
        return await self._sessions(later & known & self._own, sessions.c.moved_at.desc())

    async def forget_messages(self) -> None:
        """Takes the messages of all unfinished tables for lost, so that they are sent again."""
        lost = update(sessions).where(UNFINISHED).values(message=None, lost=False, shown=0)
        await self._database.run(lambda c: c.execute(lost))
        self._remembered.clear()

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

    def let_go(self, guild: int) -> None:
        """Has nothing of a server's tables at hand any more, since they were changed at once."""
        self._let_go(lambda table: table.place.guild == guild)

    def let_go_of(self, person: PersonId) -> None:
        """Keeps no table in memory that names a person."""
        self._let_go(
            lambda table: (
                person in {table.session.host, table.notice} or table.session.concerns(person)
            )
        )

    def _let_go(self, which: Callable[[Table], bool]) -> None:
        for session in [table.id for table in self._remembered.values() if which(table)]:
            del self._remembered[session]

    async def _claimed(self, condition: ColumnElement[bool]) -> Sequence[SessionId]:
        """The tables for which something holds, and that this process may see to."""
        taken = await self.claims.taken(condition, _LONGEST_UNMOVED)
        return await self._sessions(condition) if taken is None else taken

    async def _sessions(
        self,
        condition: ColumnElement[bool],
        order: ColumnElement[Any] = _LONGEST_UNMOVED,
    ) -> Sequence[SessionId]:
        query = select(sessions.c.id).where(condition).order_by(order)
        rows = await self._database.run(lambda c: c.execute(query).scalars().all())
        return [SessionId(row) for row in rows]

    def _moved(
        self, session: SessionId, *, message: int | None, lost: bool, first: int | None = None
    ) -> None:
        known = self._remembered.get(session)
        if known is not None:
            place = replace(known.place, message=message, lost=lost)
            dice = known.dice
            if dice is not None and first is not None:
                dice = replace(dice, board=first)
            self._remember(replace(known, place=place, dice=dice))

    async def _set(self, session: SessionId, **values: int | None) -> None:
        change = update(sessions).where(sessions.c.id == session).values(**values)
        await self._database.run(lambda c: c.execute(change))

    def _remember(self, table: Table) -> Table:
        self._remembered[table.id] = table
        self._remembered.move_to_end(table.id)
        if len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        return table


def _own(share: Share) -> ColumnElement[bool]:
    """That a table is of a share; see `Share.owns`."""
    if share.whole or share.count is None:
        return true()
    shard = func.coalesce(sessions.c.guild, 0).bitwise_rshift(literal_column("22")) % share.count
    return shard.in_(sorted(share.numbers))


def _keep(connection: Connection, key: str, value: str) -> None:
    note = insert(notes).values(key=key, value=value)
    kept = {"value": note.excluded.value}
    connection.execute(note.on_conflict_do_update(index_elements=[notes.c.key], set_=kept))

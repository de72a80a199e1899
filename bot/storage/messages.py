"""Where the messages of tables and reminders are, and which revision each shows.

A message is a projection of its table, and may fall behind it. A reminder is sent when it is due;
its message stays in the channel until it has served its purpose.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    RowMapping,
    bindparam,
    case,
    delete,
    func,
    insert,
    select,
    update,
)

from bot.games.catalogue import CATALOGUE
from bot.storage.schema.game_tables import (
    BEHIND,
    NUDGES,
    REDRAWN_LATER,
    REMINDS,
    ROLLING,
    UNFINISHED,
    UNSHOWN,
    sessions,
    standing_reminders,
)
from bot.storage.tables import Tables
from bot.storage.values import Prepared, Values
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.table import Table
from bot.table.waiting import Occasion, Reminder

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
        shown=0,
        dice_message=func.coalesce(
            sessions.c.dice_message, case((~ROLLING, bindparam("to", type_=BigInteger)))
        ),
    )
    .returning(sessions.c.dice_message)
)
"""Sets a table's message; the id of the first one becomes part of what its dice roll by.

`shown` is reset and saved later, since a person may have been forgotten while it was sent.
"""

_REDRAW = update(sessions).where(UNFINISHED, sessions.c.shown > 0).values(shown=0)
_REDRAW_OVER = (
    update(sessions)
    .where(~UNFINISHED, ~BEHIND, sessions.c.message.is_not(None))
    .values(shown=REDRAWN_LATER)
)
_BEHIND_NOW = BEHIND & (sessions.c.shown != REDRAWN_LATER)
_REPLIED = UNSHOWN & sessions.c.id.in_(bindparam("replies", expanding=True))
_REWRITTEN = BEHIND & (sessions.c.shown == REDRAWN_LATER) & sessions.c.game.in_(CATALOGUE)
"""Tables of unknown games cannot be drawn."""

_SHOWN_RIGHT = (
    UNFINISHED
    & (sessions.c.shown == sessions.c.revision)
    & sessions.c.message.is_not(None)
    & sessions.c.unreachable.is_(False)
)
_LATEST_MOVED = sessions.c.moved_at.desc()

_FORGET = update(sessions).where(UNFINISHED).values(message=None, lost=False, shown=0)


class Messages:
    """The messages of tables; methods that list tables list those of this process's share."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.table = tables.table
        self._behind = _BEHIND_NOW & tables.own
        self._rewritten = _REWRITTEN & tables.own
        self._shown_right = _SHOWN_RIGHT & tables.own
        self._cache = tables.cache
        self._database = tables.database

    def latest(self, table: Table) -> Table:
        """The table, or a later state of it that this process has saved."""
        known = self._cache.get(table.id) or table
        return known if known.revision >= table.revision else table

    async def behind(self, replies: Collection[SessionId] = ()) -> Sequence[SessionId]:
        """The tables whose message shows an old revision, without those whose message was deleted.

        Tables in places where the bot is no member are left out, unless they are in `replies`.
        """
        own = await self._tables.where(self._behind)
        if not replies:
            return own
        return [*own, *await self._tables.where(_REPLIED, replies=sorted(replies))]

    async def shown(self) -> Sequence[SessionId]:
        """The unfinished tables whose messages are recorded as up to date."""
        return await self._tables.where(self._shown_right)

    async def rewritten(self) -> Sequence[SessionId]:
        """The finished tables whose messages are to be drawn anew, the latest first.

        Their messages name a person forgotten since, or show emoji that are gone.
        """
        return await self._tables.where(self._rewritten, _LATEST_MOVED)

    async def redraw(self, over_since: datetime | None = None) -> None:
        """Have the messages of all unfinished tables drawn anew.

        With `over_since`, tables that ended since then follow later, as `rewritten` lists them.
        """
        await self._database.run(lambda c: c.execute(_REDRAW))
        if over_since is not None:
            lately = _REDRAW_OVER.where(sessions.c.moved_at >= over_since)
            await self._database.run(lambda c: c.execute(lately))

    async def save_shown(self, shown: Mapping[SessionId, int]) -> None:
        """Save which revision each message shows."""
        rows = [
            {"of": session, "now_shown": to, "shown": to} for session, to in sorted(shown.items())
        ]
        if rows:
            await self._database.run(lambda c: c.execute(_SHOWN, rows))

    async def save_message(self, session: SessionId, message: int) -> None:
        """Save a table's message; dice that wait for the id of the first one can roll then."""
        placed = {"of": session, "to": message}
        first = await self._database.run(lambda c: c.execute(_PLACE, placed).scalar())

        def change(table: Table) -> Table:
            dice = table.dice
            if dice is not None and first is not None:
                dice = replace(dice, board=first)
            place = replace(table.place, message=message, lost=False)
            return replace(table, place=place, dice=dice)

        self._cache.change(session, change)

    async def save_thread(self, session: SessionId, thread: int) -> None:
        """Save the thread of a table's message."""
        change = update(sessions).where(sessions.c.id == session).values(thread=thread)
        await self._database.run(lambda c: c.execute(change))
        self._cache.change(
            session, lambda table: replace(table, place=replace(table.place, thread=thread))
        )

    async def save_commitment(self, session: SessionId, message: int | None) -> None:
        """Save the message with the seal of a table's dice, or None if there is none."""
        change = update(sessions).where(sessions.c.id == session).values(dice_promise=message)
        await self._database.run(lambda c: c.execute(change))
        self._cache.change(
            session,
            lambda table: replace(table, dice=table.dice and replace(table.dice, promise=message)),
        )

    async def mark_lost(self, channel: int, message: int) -> SessionId | None:
        """Save that a message was deleted; return the unfinished table it showed, if any."""
        here = {"channel": channel, "message": message}
        found = await self._database.run(lambda c: _AT_MESSAGE.run(c, here).scalar())
        if found is None:
            return None
        await self.lose(session := SessionId(found))
        return session

    async def lose(self, session: SessionId) -> None:
        """Save that a table's message was deleted."""
        await self._lose([session], sessions.c.id == session)

    async def mark_channel_lost(self, channel: int) -> Sequence[SessionId]:
        """Save that a channel was deleted; return its unfinished tables."""
        unfinished = await self._tables.unfinished(channel)
        await self._lose(unfinished, (sessions.c.channel == channel) & (UNFINISHED | BEHIND))
        return unfinished

    async def places(self) -> Sequence[tuple[int, int]]:
        """The (guild, channel) pairs of this process's share where tables wait or run."""
        here = sessions.c.guild.is_not(None) & sessions.c.unreachable.is_(False)
        query = select(sessions.c.guild, sessions.c.channel).where(UNFINISHED & here)
        own = query.where(self._tables.own).distinct()
        rows = await self._database.run(lambda c: c.execute(own).all())
        return [(row.guild, row.channel) for row in rows]

    async def forget_all(self) -> None:
        """Have the messages of all unfinished tables sent again."""
        await self._database.run(lambda c: c.execute(_FORGET))
        self._cache.clear()

    async def _lose(self, tables: Sequence[SessionId], condition: ColumnElement[bool]) -> None:
        lost = update(sessions).where(condition).values(message=None, lost=True)
        await self._database.run(lambda c: c.execute(lost))
        for session in tables:
            self._cache.change(
                session,
                lambda table: replace(table, place=replace(table.place, message=None, lost=True)),
            )


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that reminds a person."""

    channel: int
    message: int


@dataclass(frozen=True, slots=True)
class StandingReminder:
    """A reminder whose message stands, and the ply that it is about."""

    session: SessionId
    reminder: Reminder
    posted: Posted
    ply: int


_ROWS = standing_reminders.c
_ADD = Prepared(insert(standing_reminders))
_DROP = Prepared(
    delete(standing_reminders).where(
        *(_ROWS[name] == bindparam(name) for name in ("session", "person", "occasion"))
    )
)


class Reminders:
    """The reminders of this process's share of the tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.table = tables.table
        self._database = tables.database
        self._noticed = NUDGES & tables.own
        self._late = REMINDS & (sessions.c.remind_at <= bindparam("now")) & tables.own
        self._standing = (
            select(standing_reminders)
            .join(sessions, sessions.c.id == _ROWS.session)
            .where(tables.own)
        )

    async def due(self, now: datetime) -> Sequence[SessionId]:
        """The tables with a challenge to announce, then those with another reminder due."""
        noticed = await self._tables.where(self._noticed)
        late = await self._tables.where(self._late, now=now)
        return [*noticed, *(session for session in late if session not in noticed)]

    async def reminded(self, table: Table, following: datetime | None) -> bool:
        """Save that a table's due reminders were sent, and when the `following` one is due.

        Return False, saving nothing, if they have changed since the table was read.
        """
        same = (sessions.c.remind_at == table.remind_at, sessions.c.nudge == table.notice)
        saved = {"remind_at": following, "nudge": None}
        change = update(sessions).where(sessions.c.id == table.id, *same).values(saved)
        if not await self._database.run(lambda c: c.execute(change).rowcount):
            return False
        self._tables.cache.change(
            table.id, lambda known: replace(known, remind_at=following, notice=None)
        )
        return True

    async def standing(self) -> Sequence[StandingReminder]:
        """The reminders whose messages stand."""
        return await self._database.read(
            lambda reader: reader.rows(standing_reminders, self._standing, _standing)
        )

    async def keep(self, *reminders: StandingReminder) -> None:
        """Save the messages of reminders, each replacing one of the same person and occasion.

        Reminders of tables that were deleted meanwhile are left out.
        """

        def replace_rows(connection: Connection) -> None:
            ids = sessions.c.id.in_([each.session for each in reminders])
            there = {*connection.execute(select(sessions.c.id).where(ids)).scalars()}
            for each in reminders:
                if each.session in there:
                    posted = {"channel": each.posted.channel, "message": each.posted.message}
                    _DROP.run(connection, _key(each))
                    _ADD.run(connection, {**_key(each), **posted, "ply": each.ply})

        await self._database.run(replace_rows)

    async def drop(self, reminder: StandingReminder) -> None:
        """Delete the message of a reminder from the database."""
        await self._database.run(lambda c: _DROP.run(c, _key(reminder)))


def _standing(row: RowMapping) -> StandingReminder:
    return StandingReminder(
        SessionId(row["session"]),
        Reminder(PersonId(row["person"]), Occasion(row["occasion"])),
        Posted(row["channel"], row["message"]),
        row["ply"],
    )


def _key(reminder: StandingReminder) -> Values:
    told = reminder.reminder
    return {"session": reminder.session, "person": told.person, "occasion": told.occasion}

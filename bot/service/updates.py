"""Updates of tables: a change, the plies that follow it by themselves, and saving both.

After a change, dice roll, forced moves are played, and computers that need no search answer. A
table that waits for a person reminds them: in a live game with a minute left, in a correspondence
game after an hour and again 12 hours before the end. When time is up, the people who may claim the
win are told.

A table is read, the session computes what follows, and the result is saved in one transaction. If
another change came first, all is computed again from the stored table. Searches run between
transactions, never inside one, and their move is saved only at the ply for which it was searched.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Final, TypeAlias

from bot.clock import Clock
from bot.service.ports import Thinker
from bot.service.search_pool import SearchQueue
from bot.storage.errors import Conflict, Repeated, Unavailable, UnknownTable
from bot.storage.tables import Tables
from bot.table.dice import Dice
from bot.table.refusals import Refusal, UnknownControl
from bot.table.seats import Pace, PersonId
from bot.table.session import Phase, Session, SessionId
from bot.table.table import InteractionId, Place, Table, made_at
from bot.table.waiting import time_limit, turn_limit
from engine.game import IllegalMove, Move

log = logging.getLogger(__name__)

LAST_MINUTE: Final = timedelta(minutes=1)
WAITED_LONG: Final = timedelta(hours=1)
LAST_HOURS: Final = timedelta(hours=12)


class Turns:
    """Computes tables after changes: the next turn with dice, quick computers and time limits."""

    def __init__(self, thinker: Thinker, clock: Clock, rng: Random) -> None:
        self._thinker = thinker
        self._clock = clock
        self._rng = rng

    def opened(
        self, session: Session, place: Place, locale: str, interaction: InteractionId | None
    ) -> Table:
        """The table of a new session, not stored yet; its dice roll once its message is sent.

        `interaction` opened it; None for the table of a match.
        """
        now = self._clock.now()
        if not session.game.dice:
            session = self.gone_on(session, pips=_undiced)
        due = _due(session, now)
        return Table(
            id=SessionId(0),
            revision=1,
            session=session,
            place=place,
            locale=locale,
            moved_at=now,
            due=due,
            remind_at=reminder_time(session, due),
            dice=Dice.drawn(self._rng) if session.game.dice else None,
            opened_at=now if interaction is None else min(now, made_at(interaction)),
        )

    def after(self, table: Table, session: Session) -> Table:
        """The table after a change of its session and the plies that follow by themselves.

        Before the table's first message is sent none follow, as its id is part of the dice.
        """
        now = self._clock.now()
        before = table.session
        if table.dice is None or table.dice.ready:
            here = session
            session = self.gone_on(here, pips=lambda ply: replace(table, session=here).pips(ply))
        moved = (session.phase, session.ply) != (before.phase, before.ply)
        due, remind_at = table.due, table.remind_at
        if moved or _waiting(session) != _waiting(before):
            due = _due(session, now)
            remind_at = reminder_time(session, due)
        return replace(
            table,
            revision=table.revision + 1,
            session=session,
            moved_at=now if moved else table.moved_at,
            due=due,
            remind_at=remind_at,
            notice=_challenger(before, session) or table.notice,
        )

    def gone_on(self, session: Session, pips: Callable[[int], Move]) -> Session:
        """The session after the plies that no person decides, up to one that needs a search."""
        while True:
            move = session.forced
            if session.rolls_by_itself:
                move = pips(session.ply)
            elif move is None and session.thinking:
                move = self._thinker.quick(session)
            if move is None:
                return session
            session = session.go_on(move)


def reminder_time(
    session: Session, due: datetime | None, *, after: datetime | None = None
) -> datetime | None:
    """The time of the first reminder of a session's present state, or the first `after` a time.

    `due` is the end of the session's time limit. None if there is no such reminder.
    """
    limit = time_limit(session)
    if due is None or limit is None:
        return None
    since = due - limit
    times = _times(session, since=since, due=due)
    for time in times:
        if after is None or time > after:
            return time
    return None


def _times(session: Session, *, since: datetime, due: datetime) -> tuple[datetime, ...]:
    if session.pace is Pace.BLITZ:  # there is no time for it
        return ()
    if session.lapsed:
        return (since,)
    if turn_limit(session) is None:
        return ()
    if session.pace is Pace.LIVE:
        return (due - LAST_MINUTE,)
    return since + WAITED_LONG, due - LAST_HOURS


def _due(session: Session, now: datetime) -> datetime | None:
    limit = time_limit(session)
    return None if limit is None else now + limit


def next_roll(table: Table) -> Move:
    """The next roll of the dice; 0 if there are no dice or they cannot roll yet."""
    can = table.dice is not None and table.dice.ready
    return table.pips(table.session.ply) if can else Move(0)


def _undiced(ply: int) -> Move:
    raise AssertionError(f"no dice roll at ply {ply} of a game without dice")


def _waiting(session: Session) -> object:
    return session.lapsed, time_limit(session), session.mover


def _challenger(before: Session, after: Session) -> PersonId | None:
    accepted = before.phase is Phase.LOBBY and after.phase is Phase.RUNNING
    return before.host if accepted and not before.has_lobby else None


Change: TypeAlias = Callable[[Table], Session]
"""Computes the session after a table; called again if the table turns out to have changed."""


class Updates:
    """Changes tables in storage, with the computers' answers."""

    def __init__(self, stored: Tables, turns: Turns, queue: SearchQueue, clock: Clock) -> None:
        self._stored = stored
        self._turns = turns
        self._queue = queue
        self._clock = clock
        self._answers: dict[SessionId, asyncio.Task[Table]] = {}
        self.match_ended: Callable[[SessionId], None] = lambda _: None
        """Called with the table of each match that has just ended."""

    async def table(self, session: SessionId) -> Table:
        """A table by its number.

        Raises:
            UnknownControl: There is no such table, or this version cannot read it.
        """
        try:
            return await self._stored.table(session)
        except UnknownTable as error:
            raise UnknownControl from error

    async def change(
        self,
        table: Table,
        interaction: InteractionId | None,
        change: Change,
        *,
        only_if_due: bool = False,
    ) -> Table:
        """The table after a change; the same `interaction` never changes it twice.

        `table` may be an older state: if another is stored, that one is changed instead. With
        `only_if_due` a table whose time limit has not passed is returned as it is.

        Raises:
            UnknownControl: As in `table`.
            Refusal, IllegalMove: The session refuses the change.
        """
        while True:
            if only_if_due and (table.due is None or table.due > self._clock.now()):
                return table
            try:
                changed = change(table)
            except (Refusal, IllegalMove):
                stored = await self.table(table.id)
                if interaction and await self._stored.carried_out(interaction) is not None:
                    return stored
                if stored.revision == table.revision:
                    raise
                table = stored
                continue
            after = self._turns.after(table, changed)
            try:
                return self._told(await self._stored.save(table, after, interaction))
            except Repeated:
                return await self.table(table.id)
            except Conflict:
                table = await self.table(table.id)

    async def postpone(self, table: Table, due: datetime) -> Table:
        """The table with its time limit and next reminder moved to end at `due`.

        If it was changed meanwhile, the stored table instead.
        """
        remind_at = table.remind_at
        if remind_at is not None and table.due is not None:
            remind_at += due - table.due
        later = replace(table, revision=table.revision + 1, due=due, remind_at=remind_at)
        try:
            return await self._stored.save(table, later, None)
        except Conflict:
            return await self.table(table.id)

    async def answered(
        self, table: Table, *, owed: bool = False, within: float | None = None
    ) -> Table:
        """The table after the plies that no person decides: dice, forced moves, computers.

        Nothing happens before the table's first message is sent. Searches `owed` from before go
        first. What cannot be saved now is left to due work: the ply before is saved.

        Raises:
            TimeoutError: They take longer than `within` seconds; they go on in the background.
        """
        if not table.session.unattended or table.awaits_message:
            return table
        task = self._answers.get(table.id)
        if task is None or task.done():
            task = asyncio.create_task(self._answer(table, owed=owed), name=f"answer {table.id}")
            self._answers[table.id] = task
            task.add_done_callback(partial(self._answered, table.id))
        async with asyncio.timeout(within):
            return await asyncio.shield(task)

    def at_work(self, session: SessionId) -> bool:
        """Whether plies that no person decides are being played at a table."""
        return session in self._answers

    def _answered(self, session: SessionId, task: asyncio.Task[Table]) -> None:
        """Forget a finished task; a failed one is left to the next round of due work."""
        if self._answers.get(session) is task:
            del self._answers[session]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.debug("answer left to the next round session=%s error=%r", session, error)

    async def _answer(self, table: Table, *, owed: bool) -> Table:
        with self._stored.held(table.id), suppress(Unavailable):
            while table.unattended:
                table = await self._gone_on(table, owed=owed)
        return table

    async def _gone_on(self, table: Table, *, owed: bool) -> Table:
        after = self._turns.after(table, table.session)
        if after.session is table.session:
            move = await self._queue.move(table.session, owed=owed)
            after = self._turns.after(table, table.session.answer(move, ply=table.session.ply))
        try:
            return self._told(await self._stored.save(table, after, None))
        except Conflict:
            return await self.table(table.id)

    def _told(self, saved: Table) -> Table:
        if saved.session.match and saved.session.ending is not None:
            self.match_ended(saved.id)
        return saved

"""Updates of tables: read, change, save, and again on a conflict; and the answers of computers.

The table is read, the session says what follows, the result is saved in one transaction. A faster
change makes the rest start again from the stored table. Searches that take time run between two
transactions, never inside one, and their move is saved only for the ply that it was thought for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from bot.clock import Clock
from bot.service.search_queue import SearchQueue
from bot.service.turns import Turns, reminder_time
from bot.storage.errors import Conflict, Repeated, UnknownTable
from bot.storage.tables import Tables
from bot.table.refusals import Refusal, UnknownControl
from bot.table.session import Session, SessionId
from bot.table.table import InteractionId, Table
from engine.game import IllegalMove

Change: TypeAlias = Callable[[Table], Session]
"""The session that follows a table; it may be asked again, for a later state of it."""


class Updates:
    """Changes of tables, and the answers of computers there."""

    def __init__(self, stored: Tables, turns: Turns, queue: SearchQueue, clock: Clock) -> None:
        self._stored = stored
        self._turns = turns
        self._queue = queue
        self._clock = clock
        self._answers: dict[SessionId, asyncio.Task[Table]] = {}
        self.match_ended: Callable[[SessionId], None] = lambda _: None
        """Hears of each match of a tournament that has just ended at its table."""

    async def table(self, session: SessionId) -> Table:
        """A table.

        Raises:
            UnknownControl: There is no such table.
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
        """The table after a change, which an interaction makes once however often it comes.

        It is changed as it was read, and read again only if it turns out to have changed since.
        With `only_if_due` it is changed only if its time limit has passed.

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
        """The table with the end of its time limit at a later time, unless it has changed."""
        remind_at = reminder_time(table.session, due, after=self._clock.now())
        later = replace(table, revision=table.revision + 1, due=due, remind_at=remind_at)
        try:
            return await self._stored.save(table, later, None)
        except Conflict:
            return await self.table(table.id)

    async def answered(self, table: Table, *, owed: bool = False) -> Table:
        """The table after the plies that no person decides: dice, forced moves, computers.

        Searches that are `owed` since before come before others.
        """
        if not table.session.unattended or table.awaits_message:
            return table
        task = self._answers.get(table.id)
        if task is None or task.done():
            task = asyncio.create_task(self._answer(table, owed=owed), name=f"answer {table.id}")
            self._answers[table.id] = task
            task.add_done_callback(lambda _: self._answers.pop(table.id, None))
        return await asyncio.shield(task)

    async def _answer(self, table: Table, *, owed: bool) -> Table:
        with self._stored.held(table.id):
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

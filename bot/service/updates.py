"""How a change reaches a table, and the computers that answer it.

The table is read, the session says what follows, the result is saved in one transaction. A faster
change makes the rest start again from what is stored by then. Searches that take time run
between two transactions, never inside one, and their move is saved only for the ply it was thought
for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from bot.service.ports import Clock, Conflict, InteractionId, Repeated, Store, Thinker, UnknownTable
from bot.service.turns import Turns
from bot.table.refusals import Refusal, UnknownControl
from bot.table.session import Session, SessionId
from bot.table.table import Table
from engine.game import IllegalMove

Change: TypeAlias = Callable[[Table], Session]
"""What follows a table; it may be asked again, for a later state of it."""


class Updates:
    """Updates tables, and has computers answer there."""

    def __init__(self, store: Store, turns: Turns, thinker: Thinker, clock: Clock) -> None:
        self._store = store
        self._turns = turns
        self._thinker = thinker
        self._clock = clock
        self._answers: dict[SessionId, asyncio.Task[Table]] = {}

    async def table(self, session: SessionId) -> Table:
        """A table.

        Raises:
            UnknownControl: There is no such table.
        """
        try:
            return await self._store.table(session)
        except UnknownTable as error:
            raise UnknownControl from error

    async def change(
        self,
        session: SessionId,
        interaction: InteractionId | None,
        change: Change,
        *,
        only_if_due: bool = False,
    ) -> Table:
        """The table after a change, which an interaction makes once however often it comes.

        With `only_if_due` it is changed only if its patience has run out.

        Raises:
            UnknownControl: As in `table`.
            Refusal, IllegalMove: What the session says against it.
        """
        while True:
            table = await self.table(session)
            if only_if_due and (table.due is None or table.due > self._clock.now()):
                return table
            try:
                changed = change(table)
            except (Refusal, IllegalMove):
                if interaction is None or await self._store.carried_out(interaction) is None:
                    raise
                return await self.table(session)
            try:
                return await self._store.save(table, self._turns.after(table, changed), interaction)
            except Repeated:
                return await self.table(session)
            except Conflict:
                continue

    async def answered(self, table: Table) -> Table:
        """The table after everything that no person decides: dice, forced moves, computers."""
        if not table.session.unattended:
            return table
        task = self._answers.get(table.id)
        if task is None or task.done():
            task = asyncio.create_task(self._answer(table), name=f"answer {table.id}")
            self._answers[table.id] = task
            task.add_done_callback(lambda _: self._answers.pop(table.id, None))
        return await asyncio.shield(task)

    async def _answer(self, table: Table) -> Table:
        with self._store.held(table.id):
            while table.session.unattended:
                table = await self._gone_on(table)
        return table

    async def _gone_on(self, table: Table) -> Table:
        """The table after the next search, or as it is stored if it has changed meanwhile."""
        after = self._turns.after(table, table.session)
        if after.session is table.session:
            move = await self._thinker.move(table.session)
            after = self._turns.after(table, table.session.answer(move, ply=table.session.ply))
        try:
            return await self._store.save(table, after, None)
        except Conflict:
            return await self.table(table.id)

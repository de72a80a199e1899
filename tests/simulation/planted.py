"""Faults that are planted one at a time, to show that the simulation finds them.

Each is a context in which a part of the product is as it would be with the fault.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from unittest.mock import patch
from weakref import WeakSet

from bot.service.jobs import Job, Jobs
from bot.service.tournaments import Tournaments
from bot.storage import table_sql
from bot.storage.messages import Messages
from bot.storage.processes import Claims
from bot.table.session import Session
from bot.tournaments.tournament import Stage
from bot.ui import postman
from bot.ui.boards import Boards
from bot.ui.postman import Postman
from bot.ui.reminder_messages import ReminderMessages

Planted = Callable[[], AbstractContextManager[object]]


@contextmanager
def no_ply_check() -> Iterator[None]:
    """A control counts on whatever board it was drawn for."""

    def acting_seat(self: Session, by: Any, ply: int) -> Any:
        del ply
        seat = self.seat_of(by)
        self.require_running()
        return seat

    with patch.object(Session, "acting_seat", acting_seat):
        yield


@contextmanager
def interactions_not_stored() -> Iterator[None]:
    """An interaction that comes twice is carried out twice."""
    with patch.object(table_sql, "_write", lambda *_: None):
        yield


@contextmanager
def shown_before_it_arrived() -> Iterator[None]:
    """A message counts as right before Discord has taken its edit."""
    put = Postman.put

    async def noted_put(self: Any, post: Any, letter: Any) -> int:
        if letter.message is not None:
            sure = True
            await letter.there(letter.message, sure)
        return await put(self, post, letter)

    async def noted_show(self: Any, response: Any, table: Any, message: int) -> None:
        async def show(drawn: Any) -> None:
            await response.show(drawn.view, drawn.files or None)

        self._shown.note(table)
        drawn, _ = await self._sent(table, show)
        await self._note(table, message, response, drawn)

    with ExitStack() as stack:
        stack.enter_context(patch.object(Postman, "put", noted_put))
        stack.enter_context(patch.object(Boards, "_show", noted_show))
        yield


@contextmanager
def late_answers_cover() -> Iterator[None]:
    """Writers of one message do not wait for each other, and draw what each has read."""

    async def save(self: Any, post: Any, message: int, saving: Awaitable[None]) -> None:
        del self, post, message
        await saving

    with ExitStack() as stack:
        stack.enter_context(patch.object(Postman, "save", save))
        stack.enter_context(patch.object(Postman, "lock", lambda *_: asyncio.Lock()))
        stack.enter_context(patch.object(Messages, "latest", lambda _, table: table))
        yield


@contextmanager
def no_repairs() -> Iterator[None]:
    """A message that fell behind stays so."""

    async def nothing(*_: Any) -> None:
        return

    with ExitStack() as stack:
        stack.enter_context(patch.object(Postman, "deliver_soon", lambda *_: None))
        stack.enter_context(patch.object(Boards, "run_due", nothing))
        yield


@contextmanager
def no_nonce() -> Iterator[None]:
    """Discord cannot know a request that comes again."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(postman, "nonce", lambda *_: None))
        yield


@contextmanager
def round_ends_with_a_job() -> Iterator[None]:
    """A job fails, and those behind it have to wait for ever."""
    do, ended = Jobs._do, WeakSet[Jobs]()

    async def do_first(self: Jobs, job: Job, now: datetime) -> None:
        if self in ended:
            return
        await do(self, job, now)
        if self._next[job.name] == now:  # it failed
            ended.add(self)

    with patch.object(Jobs, "_do", do_first):
        yield


@contextmanager
def reminders_stay() -> Iterator[None]:
    """A reminder that is done with is not deleted."""

    async def nothing(*_: Any) -> None:
        return

    with patch.object(ReminderMessages, "_take_away", nothing):
        yield


@contextmanager
def step_taken_twice() -> Iterator[None]:
    """After a restart a running tournament takes its last step again."""
    known: dict[int, set[Any]] = {}
    go_on = Tournaments.go_on

    async def again(self: Any, number: Any) -> Any:
        taken = known.setdefault(id(self), set())
        if number not in taken and len(known) > 1:
            taken.add(number)
            hosted = await self.hosted(number)
            if hosted.tournament.stage is Stage.RUNNING:
                legs = tuple(replace(leg, table=None) for leg in hosted.tournament.legs)
                before = replace(hosted, tournament=replace(hosted.tournament, legs=legs))
                tables = self._matches.opened(before, before.tournament)
                if tables:
                    return await self.stored.save(hosted, before, tables)
        taken.add(number)
        return await go_on(self, number)

    with patch.object(Tournaments, "go_on", again):
        yield


@contextmanager
def claims_not_renewed() -> Iterator[None]:
    """A claim of a table ends although its process is still at work on it."""

    async def nothing(*_: Any) -> None:
        return

    with patch.object(Claims, "_renew", nothing):
        yield


PLANTED: Final[Mapping[str, Planted]] = {
    each.__name__: each
    for each in (
        no_ply_check,
        interactions_not_stored,
        shown_before_it_arrived,
        late_answers_cover,
        no_repairs,
        no_nonce,
        round_ends_with_a_job,
        reminders_stay,
        step_taken_twice,
        claims_not_renewed,
    )
}

"""Jobs: what happens without a press. An error in one job, or at one item, stops no other.

Errors are logged with the job's name and counted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock, ahead
from bot.service.ports import Meter, Occurrence, Unreachable
from bot.storage.errors import Unavailable, UnknownTable, UnknownTournament
from bot.table.refusals import UnknownControl

log = logging.getLogger(__name__)

ROUND_EVERY: Final = timedelta(seconds=5)
"""The time between two rounds of jobs."""

AWAY: Final = (Unavailable, Unreachable)
"""Errors that concern all items alike: the database is away, or Discord has trouble."""

GONE: Final = (UnknownControl, UnknownTable, UnknownTournament)
"""Errors of an item that is gone, or that cannot be read (storage has logged that)."""


@dataclass(frozen=True, slots=True)
class Job:
    """Work that is started `every` so often, once if that is None.

    It starts after the jobs before it in the list have ended, and later jobs wait for it; a job
    `beside` the others runs at the same time, however long, and starts again after it has ended.
    """

    name: str
    work: Callable[[], Awaitable[None]]
    every: timedelta | None = ROUND_EVERY
    beside: bool = False


class Jobs:
    """A list of jobs; each round runs the due ones in order.

    A job that failed in any way is started again by the next round. `missed` is called when the
    database was away.
    """

    def __init__(
        self, jobs: Iterable[Job], clock: Clock, meter: Meter | None, *, missed: Callable[[], None]
    ) -> None:
        self._jobs = tuple(jobs)
        self._clock = clock
        self._meter = meter
        self._missed = missed
        self._next: dict[str, datetime | None] = {job.name: clock.now() for job in self._jobs}
        self._beside: dict[str, asyncio.Task[None]] = {}
        self._known: dict[str, set[str]] = {}

    async def run(self) -> None:
        """Make rounds until cancelled."""
        try:
            while True:
                begun = self._clock.now()
                for job in self._jobs:
                    await self._begin(job, begun)
                await self._clock.until(min(begun, self._clock.now()) + ROUND_EVERY)
        finally:
            for task in self._beside.values():
                task.cancel()
            await asyncio.gather(*self._beside.values(), return_exceptions=True)

    async def _begin(self, job: Job, now: datetime) -> None:
        due = self._next[job.name]
        if due is None or job.name in self._beside:
            return
        if ahead(due, now, job.every or ROUND_EVERY):
            return
        if not job.beside:
            await self._do(job, now)
            return
        self._beside[job.name] = task = asyncio.create_task(self._do(job, now), name=job.name)
        task.add_done_callback(lambda _: self._beside.pop(job.name))

    async def _do(self, job: Job, now: datetime) -> None:
        faults: list[Exception] = []
        try:
            await job.work()
        except Exception as error:  # noqa: BLE001 - the others go on, whatever it is
            faults = [*_leaves(error)]
        again = self._tell(job, faults)
        self._next[job.name] = now if again else None if job.every is None else now + job.every

    def _tell(self, job: Job, faults: Iterable[Exception]) -> bool:
        """Log and count faults; return whether there was any, so that the job is tried again soon.

        A fault that the previous try met too is logged for debugging only.
        """
        again, known, met = False, self._known.get(job.name, set()), set()
        for error in faults:
            again = True
            if isinstance(error, Unavailable):
                self._missed()
                log.debug("%s put off, since the database is away", job.name)
            elif isinstance(error, Unreachable):
                log.info("%s put off, since Discord has trouble error=%r", job.name, error)
            else:
                met.add(fault := repr((error, getattr(error, "__notes__", ()))))
                level = logging.DEBUG if fault in known else logging.ERROR
                log.log(level, "%s failed", job.name, exc_info=error)
                if self._meter is not None:
                    self._meter.count(Occurrence.FAULTS, job.name)
        self._known[job.name] = met
        return again


class Items:
    """The items of a job and the errors met at them; see `apart`."""

    def __init__(self) -> None:
        self.errors: list[Exception] = []

    @property
    def away(self) -> bool:
        """Whether the database or Discord was away at one of them."""
        return any(isinstance(error, AWAY) for error in self.errors)

    async def do(self, work: Awaitable[object], item: object) -> None:
        """Do the work at an item; collect its error, unless `GONE`, for `apart` to raise."""
        try:
            await work
        except GONE:
            log.debug("item left alone item=%s", item)
        except AWAY as error:
            self.errors.append(error)
        except Exception as error:  # noqa: BLE001 - the others go on, whatever it is
            error.add_note(f"at {item}")
            self.errors.append(error)


@contextmanager
def apart() -> Iterator[Items]:
    """Work at items so that an error at one does not stop the others; raise all at the end.

    Raises:
        Unavailable, Unreachable: No other errors occurred.
        ExceptionGroup: All errors; those of single items have a note that names the item.
    """
    items = Items()
    try:
        yield items
    except Exception as error:
        if not items.errors:
            raise
        items.errors.append(error)
    if items.errors and all(isinstance(error, AWAY) for error in items.errors):
        raise items.errors[0]
    if items.errors:
        raise ExceptionGroup("at some items", items.errors)


def _leaves(error: Exception) -> Iterator[Exception]:
    if isinstance(error, ExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error

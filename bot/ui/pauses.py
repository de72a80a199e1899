"""How long a message is left alone that could not be brought up to date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.service.ports import Clock
from bot.table.session import SessionId
from bot.table.table import Table

SHORTEST_PAUSE: Final = timedelta(seconds=10)
LONGEST_PAUSE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Pause:
    """After a failure: until when the message of a table is left alone, and how long that is.

    News of its server end it: permissions are given back, threads opened again.
    """

    table: Table
    until: datetime
    length: timedelta


class Pauses:
    """The pauses of messages, by their tables; a restart ends all."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._pauses: dict[SessionId, Pause] = {}
        self._woken: dict[int, datetime] = {}

    def hold(self, session: SessionId) -> bool:
        """Whether the message of a table is to be left alone now."""
        pause = self._pauses.get(session)
        return pause is not None and self._clock.now() < pause.until

    def lengthen(self, table: Table) -> timedelta:
        """Leaves a message alone for longer than the last time, and says for how long."""
        last = self._pauses.get(table.id)
        length = SHORTEST_PAUSE if last is None else min(2 * last.length, LONGEST_PAUSE)
        return self._begin(table, length)

    def await_news(self, table: Table) -> timedelta:
        """Leaves a message alone for long, or until there is news of its server."""
        return self._begin(table, LONGEST_PAUSE)

    def end(self, session: SessionId) -> None:
        """Takes what went wrong at a table for mended."""
        self._pauses.pop(session, None)

    def wake(self, guild: int) -> Sequence[Table]:
        """The tables of a server that need not wait any more, since there is news of it.

        Where there was news a moment ago already they wait a little, however often it comes.
        """
        now = self._clock.now()
        waiting = [each for each in self._pauses.values() if each.table.place.guild == guild]
        if not waiting:
            return []
        last = self._woken.get(guild)
        if last is not None and now - last < SHORTEST_PAUSE:
            for each in waiting:
                soon = min(each.until, now + SHORTEST_PAUSE)
                self._pauses[each.table.id] = replace(each, until=soon)
            return []
        self._woken[guild] = now
        for each in waiting:
            del self._pauses[each.table.id]
        return [each.table for each in waiting]

    def _begin(self, table: Table, length: timedelta) -> timedelta:
        self._pauses[table.id] = Pause(table, self._clock.now() + length, length)
        return length

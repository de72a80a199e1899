"""The absences of a bot with all shards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.clock import Clock
from bot.service.due_work import Absence, Absences
from bot.storage.database import Database
from bot.storage.processes import AbsenceStore
from bot.storage.shards import WHOLE


def absences_in(database: Database, clock: Clock) -> Absences:
    """The absences that a database has."""
    return Absences(AbsenceStore(database, WHOLE), clock)


class NeverAway(Absences):
    """The absences of a bot that has none, though it never notes that it is there."""

    @classmethod
    def of(cls, database: Database, clock: Clock) -> NeverAway:
        """Make them."""
        return cls(AbsenceStore(database, WHOLE), clock)

    async def since(self, time: datetime, guild: int | None) -> Sequence[Absence]:  # noqa: ARG002
        """None."""
        return ()

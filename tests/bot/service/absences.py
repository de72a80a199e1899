"""The absences of a bot with all shards."""

from __future__ import annotations

from bot.clock import Clock
from bot.service.due_work import Absences
from bot.storage.database import Database
from bot.storage.processes import AbsenceStore
from bot.storage.shards import WHOLE


def absences_in(database: Database, clock: Clock) -> Absences:
    """The absences that a database has."""
    return Absences(AbsenceStore(database, WHOLE), clock)

"""What an interface can ask of Parlour."""

from __future__ import annotations

from dataclasses import dataclass

from bot.clock import Clock
from bot.service.guilds import Departures, Leavers
from bot.service.lessons import Lessons, Puzzles
from bot.service.ports import Messages, Reminders
from bot.service.privacy import Privacy
from bot.service.tables import Service
from bot.storage.guild_settings import Guilds
from bot.storage.people import People
from bot.storage.records.queries import Records
from bot.storage.shards import Share


@dataclass(frozen=True, slots=True)
class UseCases:
    """Parlour without an interface: its tables, what it remembers, and whom it knows."""

    tables: Service
    lessons: Lessons
    puzzles: Puzzles
    messages: Messages
    reminders: Reminders
    records: Records
    people: People
    guilds: Guilds
    privacy: Privacy
    departures: Departures
    leavers: Leavers
    clock: Clock
    share: Share

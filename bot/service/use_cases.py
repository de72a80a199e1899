"""What an interface can ask of Parlour."""

from __future__ import annotations

from dataclasses import dataclass

from bot.service.guild_settings import Share
from bot.service.guilds import Departures, Leavers
from bot.service.lessons import Lessons, Puzzles
from bot.service.ports import Clock, Guilds, Messages, People, Records, Reminders
from bot.service.privacy import Privacy
from bot.service.tables import Service


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

"""All use cases of a process, made over its stores."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from bot.clock import Clock
from bot.service.admission import Admission
from bot.service.due_work import DueWork
from bot.service.explanations import Explanations, Puzzles, StudyPool
from bot.service.guilds import DepartedPlayers, Departures
from bot.service.privacy import Privacy
from bot.service.search_queue import SearchQueue
from bot.service.stale_sign_ups import StaleSignUps
from bot.service.tables import Service
from bot.service.tournaments import Tournaments
from bot.service.weekly_arenas import WeeklyArenas
from bot.storage.backup import DailyBackups
from bot.storage.guild_settings import Guilds
from bot.storage.messages import Messages
from bot.storage.news import NewsStore
from bot.storage.notes import Notes
from bot.storage.people import People
from bot.storage.records.queries import Records
from bot.storage.reminders import Reminders
from bot.storage.shards import Share
from bot.storage.stores import Stores


@dataclass(frozen=True, slots=True)
class UseCases:
    """The use cases and stores that an interface needs."""

    tables: Service
    tournaments: Tournaments
    due_work: DueWork
    explanations: Explanations
    puzzles: Puzzles
    messages: Messages
    reminders: Reminders
    notes: Notes
    news: NewsStore
    records: Records
    people: People
    guilds: Guilds
    privacy: Privacy
    departures: Departures
    departed_players: DepartedPlayers
    weekly_arenas: WeeklyArenas
    stale_sign_ups: StaleSignUps
    backups: DailyBackups | None
    clock: Clock
    share: Share

    @classmethod
    def over(
        cls,
        kept: Stores,
        queue: SearchQueue,
        study: StudyPool,
        clock: Clock,
        rng: Random,
        *,
        backups: DailyBackups | None = None,
    ) -> UseCases:
        """The use cases of a process, over its stores."""
        admission = Admission(kept.people, kept.guilds)
        tables = Service(kept.tables, admission, queue, clock, rng)
        tournaments = Tournaments(kept.tournaments, tables, admission, clock, rng)
        return cls(
            tables=tables,
            tournaments=tournaments,
            due_work=DueWork(tables, kept.tables, clock),
            explanations=Explanations(tables, study, kept.records),
            puzzles=Puzzles(study, kept.records, clock),
            messages=kept.messages,
            reminders=kept.reminders,
            notes=kept.notes,
            news=kept.news,
            records=kept.records,
            people=kept.people,
            guilds=kept.guilds,
            privacy=Privacy(kept.personal_data, tables.depart, tournaments.leave, rng),
            departures=Departures(kept.guild_data, clock),
            departed_players=DepartedPlayers(tables, kept.tables, clock),
            weekly_arenas=WeeklyArenas(kept.guilds, tournaments, clock, rng, kept.share),
            stale_sign_ups=StaleSignUps(tournaments, clock),
            backups=backups,
            clock=clock,
            share=kept.share,
        )

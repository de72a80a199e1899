"""All use cases of a process, made over its stores."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from bot.clock import Clock
from bot.service.due_work import Absences, DueWork
from bot.service.explanations import Explanations, Puzzles, StudyPool
from bot.service.guilds import DepartedPlayers, Departures, StaleSignUps
from bot.service.matches import Matches
from bot.service.openings import Admission
from bot.service.privacy import Privacy
from bot.service.search_pool import SearchQueue
from bot.service.tables import TableService
from bot.service.tournaments import Tournaments
from bot.service.weekly_arenas import WeeklyArenas
from bot.storage.backup import DailyBackups
from bot.storage.stores import Stores


@dataclass(frozen=True, slots=True)
class UseCases:
    """All use cases, and the stores below them."""

    stores: Stores
    tables: TableService
    tournaments: Tournaments
    absences: Absences
    due_work: DueWork
    explanations: Explanations
    puzzles: Puzzles
    privacy: Privacy
    departures: Departures
    departed_players: DepartedPlayers
    weekly_arenas: WeeklyArenas
    stale_sign_ups: StaleSignUps
    backups: DailyBackups | None
    clock: Clock

    @classmethod
    def over(
        cls,
        stores: Stores,
        queue: SearchQueue,
        study: StudyPool,
        clock: Clock,
        rng: Random,
        *,
        backups: DailyBackups | None = None,
    ) -> UseCases:
        """The use cases of a process, over its stores."""
        admission = Admission(stores.people, stores.guilds)
        tables = TableService(stores.tables, admission, queue, clock, rng)
        absences = Absences(stores.absences, clock)
        matches = Matches(stores.tournaments, tables, admission, absences, clock)
        tournaments = Tournaments(stores.tournaments, matches, admission, clock, rng)
        return cls(
            stores=stores,
            tables=tables,
            tournaments=tournaments,
            absences=absences,
            due_work=DueWork(tables, stores.tables, absences, clock, tournaments.seen),
            explanations=Explanations(tables, study, stores.records),
            puzzles=Puzzles(study, stores.records, clock),
            privacy=Privacy(stores.personal_data, tables.depart, tournaments.leave, rng),
            departures=Departures(stores.guild_data, clock),
            departed_players=DepartedPlayers(tables, stores.tables, clock),
            weekly_arenas=WeeklyArenas(stores.guilds, tournaments, clock, rng, stores.share),
            stale_sign_ups=StaleSignUps(tournaments, clock),
            backups=backups,
            clock=clock,
        )

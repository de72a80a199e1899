"""The list of jobs: everything that happens without a press, in the order in which it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Final

import discord

from bot.service.due_work import NOTED_EVERY, REPEATS_END
from bot.service.jobs import Job, Jobs
from bot.service.ports import Meter
from bot.service.use_cases import UseCases
from bot.ui.boards import Boards
from bot.ui.news_messages import NewsMessages
from bot.ui.postman import Postman
from bot.ui.reach import Comparison, Presence
from bot.ui.registration import Registration
from bot.ui.reminder_messages import ReminderMessages
from bot.ui.tournament_messages import TournamentMessages
from bot.ui.words import Speech

BACKUP_EVERY: Final = timedelta(hours=1)
"""The time between two checks, or tries, whether the day's backup is made."""


class Rounds:
    """The jobs of this process; `run` does them until it is cancelled."""

    def __init__(
        self,
        client: discord.AutoShardedClient,
        use_cases: UseCases,
        speech: Speech,
        postman: Postman,
        boards: Boards,
        *,
        presence: Presence,
        comparison: Comparison,
        registration: Registration,
        meter: Meter | None,
    ) -> None:
        self._client = client
        self._postman = postman
        self._use_cases = use_cases
        self._boards = boards
        self._presence = presence
        self._comparison = comparison
        self._registration = registration
        self._reminders = ReminderMessages(client, speech, postman, use_cases)
        self.reminders = self._reminders.rounds
        self._news = NewsMessages(client, speech, postman, use_cases)
        self.tournaments = TournamentMessages(client, speech, postman, use_cases, boards)
        self.run = Jobs(self._jobs(), use_cases.clock, meter, missed=comparison.soon).run

    async def _note_presence(self) -> None:
        """Note whether the bot is connected and Discord accepts its requests."""
        shards = self._client.shards.values()
        connected = bool(shards) and not any(shard.is_closed() for shard in shards)
        await self._use_cases.absences.note(here=connected and not self._postman.in_trouble)

    def _jobs(self) -> Iterator[Job]:
        use_cases, show = self._use_cases, self._boards.refresh
        first, clock = use_cases.stores.share.first, use_cases.clock
        if first:
            emoji = partial(self._registration.use_emoji, self._boards)
            yield Job("emoji", emoji, beside=True)
            yield Job("reviews", use_cases.explanations.renew_reviews, every=None, beside=True)
        else:
            yield Job("registration", self._registration.look_again)
        yield Job("presence", self._note_presence, every=NOTED_EVERY)
        yield Job("due work", partial(use_cases.due_work.run, show))
        opened = partial(use_cases.weekly_arenas.run_due, self.tournaments.locale_of)
        yield Job("weekly arenas", opened)
        yield Job("tournaments", self.tournaments.run_due)
        yield Job("boards", self._boards.run_due)
        yield Job("reminders", self._reminders.run_due)
        yield Job("news", self._news.run_due)
        yield Job("edits of news", self._news.edit_due)
        players = partial(use_cases.departed_players.run_due, self._presence.has_left, show)
        yield Job("departed players", players)
        stale = partial(use_cases.stale_sign_ups.run_due, self._presence.has_left)
        yield Job("stale sign-ups", stale)
        yield Job("departed servers", use_cases.departures.run_due)
        yield Job("repeated presses", use_cases.due_work.forget_interactions, every=REPEATS_END)
        if first:
            yield Job("erasure", lambda: use_cases.privacy.run_due(clock.now()))
        if use_cases.backups is not None:
            make = use_cases.backups.make
            yield Job(
                "backup",
                lambda: asyncio.to_thread(make, clock.now().date()),
                every=BACKUP_EVERY,
                beside=True,
            )
        yield Job("comparison", self._comparison.run_due)

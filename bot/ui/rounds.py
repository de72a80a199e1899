"""The rounds of the bot: every few seconds everything that is due without a press is done."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Final

import discord

from bot.service.news import DailyNews
from bot.service.reminder_rounds import ReminderRounds
from bot.service.use_cases import UseCases
from bot.storage.errors import Unavailable
from bot.ui.boards import Boards
from bot.ui.comparison import Comparison
from bot.ui.messenger import DiscordMessenger
from bot.ui.news_desk import DiscordNewsDesk
from bot.ui.presence import Presence
from bot.ui.registration import Registration
from bot.ui.retries import Retries
from bot.ui.tournament_messages import TournamentMessages
from bot.ui.words import Speech

log = logging.getLogger(__name__)

ROUND_EVERY: Final = timedelta(seconds=5)
"""The time between two rounds."""


class Rounds:
    """Everything that is due without a press, in the order in which it is done."""

    def __init__(
        self,
        client: discord.Client,
        use_cases: UseCases,
        speech: Speech,
        boards: Boards,
        *,
        presence: Presence,
        comparison: Comparison,
        registration: Registration,
    ) -> None:
        self._use_cases = use_cases
        self._boards = boards
        self._presence = presence
        self._comparison = comparison
        self._registration = registration
        people, guilds, clock = use_cases.people, use_cases.guilds, use_cases.clock
        messenger = DiscordMessenger(client, speech, people)
        self.reminders = ReminderRounds(use_cases.reminders, people, messenger, clock)
        desk = DiscordNewsDesk(client, speech, people, guilds)
        self._news = DailyNews(
            use_cases.news, guilds, use_cases.puzzles, desk, clock, share=use_cases.share
        )
        self.tournaments = TournamentMessages(
            client,
            speech,
            use_cases.tournaments,
            use_cases.tables,
            boards,
            clock=clock,
            retries=Retries.brief(),
        )

    async def make(self) -> None:
        """Make rounds until cancelled; a fault, or a database that is away, ends one of them."""
        clock = self._use_cases.clock
        while True:
            begun = clock.now()
            try:
                await self._make_one()
            except Unavailable:
                self._comparison.soon()
                log.debug("round put off")
            except Exception:
                log.exception("round failed")
            await clock.until(begun + ROUND_EVERY)

    async def _make_one(self) -> None:
        use_cases, boards = self._use_cases, self._boards
        await self._registration.look_again()
        await use_cases.due_work.run(boards.refresh)
        await self.tournaments.run_due()
        await boards.refresh_all()
        await self.reminders.run_due()
        await self._news.run_due()
        await use_cases.departed_players.run_due(self._presence.has_left, boards.refresh)
        await use_cases.departures.run_due()
        if use_cases.share.first:
            await use_cases.privacy.run_due(use_cases.clock.now())
        await self._comparison.run_due()

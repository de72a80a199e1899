"""Reminders as messages of Discord: in the channel of the board, or by direct message."""

from __future__ import annotations

import logging

import discord
from discord.abc import Messageable

from bot.message.text import named, text
from bot.service.ports import People, Posted
from bot.service.reminders import ReminderRounds
from bot.service.use_cases import UseCases
from bot.table.reminders import Reminder
from bot.table.table import Table
from bot.ui.errors import UNDELIVERED
from bot.ui.render import mentions
from bot.ui.words import Speech, link

log = logging.getLogger(__name__)


def reminder_rounds(client: discord.Client, speech: Speech, use_cases: UseCases) -> ReminderRounds:
    """The rounds of reminders that are sent on Discord."""
    messenger = DiscordMessenger(client, speech, use_cases.people)
    return ReminderRounds(use_cases.reminders, use_cases.people, messenger, use_cases.clock)


class DiscordMessenger:
    """A `bot.service.ports.Messenger` on Discord."""

    def __init__(self, client: discord.Client, speech: Speech, people: People) -> None:
        self._client = client
        self._speech = speech
        self._people = people

    async def remind(self, table: Table, reminder: Reminder, *, direct: bool) -> Posted | None:
        """See `Messenger`."""
        own = self._people.choices(reminder.person).language if direct else None
        words = self._speech.words(own, table.locale)
        said = text(
            f"reminder.{reminder.occasion}",
            player=named(reminder.person),
            link=link(table.place),
        )
        try:
            channel: Messageable = self._client.get_partial_messageable(table.place.channel)
            if direct and table.place.guild is not None:
                channel = await self._client.create_dm(discord.Object(reminder.person))
            allowed = mentions([reminder.person])
            sent = await channel.send(words.of(said), allowed_mentions=allowed)
        except UNDELIVERED as error:
            log.info("reminder not delivered session=%s error=%r", table.id, error)
            return None
        return Posted(sent.channel.id, sent.id)

    async def take_away(self, posted: Posted) -> None:
        """See `Messenger`."""
        channel = self._client.get_partial_messageable(posted.channel)
        try:
            await channel.get_partial_message(posted.message).delete()
        except UNDELIVERED as error:
            log.info("reminder not deleted message=%s error=%r", posted.message, error)

"""Reminders as messages of Discord: in the channel of the board, or by direct message."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

import discord

from bot.message.text import named, text
from bot.service.ports import Unreachable
from bot.service.reminder_rounds import ReminderRounds
from bot.service.use_cases import UseCases
from bot.storage.people import People
from bot.storage.reminders import Posted
from bot.table.reminders import Reminder
from bot.table.table import Table
from bot.ui.errors import UNDELIVERED, unavailable
from bot.ui.render import mentions
from bot.ui.retries import Retries, nonce
from bot.ui.words import Speech, link

log = logging.getLogger(__name__)

T = TypeVar("T")

TRIED_FOR: Final = 2.0
"""Seconds for which a message is tried again while Discord has trouble."""


def reminder_rounds(client: discord.Client, speech: Speech, use_cases: UseCases) -> ReminderRounds:
    """Make the rounds of reminders that are sent on Discord."""
    messenger = DiscordMessenger(client, speech, use_cases.people)
    return ReminderRounds(use_cases.reminders, use_cases.people, messenger, use_cases.clock)


class DiscordMessenger:
    """Sends reminders, in the channel of the board or by direct message."""

    def __init__(self, client: discord.Client, speech: Speech, people: People) -> None:
        self._client = client
        self._speech = speech
        self._people = people
        self._retries = Retries.brief()

    async def remind(self, table: Table, reminder: Reminder, *, direct: bool) -> Posted | None:
        """Send a person a reminder of a table; return None if Discord refuses it.

        Raises:
            Unreachable: Discord has trouble.
        """
        own = self._people.choices(reminder.person).language if direct else None
        words = self._speech.words(own, table.locale)
        said = text(
            f"reminder.{reminder.occasion}",
            player=named(reminder.person),
            link=link(table.place),
        )
        channel: discord.PartialMessageable | discord.DMChannel
        channel = self._client.get_partial_messageable(table.place.channel)
        allowed = mentions([reminder.person])
        try:
            if direct and not table.place.direct:
                person = discord.Object(reminder.person)
                channel = await self._tried(partial(self._client.create_dm, person))
            at = (table.id, table.revision, str(table.remind_at))
            once = nonce(*at, reminder.occasion, reminder.person, channel.id)
            send = partial(channel.send, words.of(said), allowed_mentions=allowed, nonce=once)
            sent: discord.Message = await self._tried(send)
        except discord.HTTPException as error:
            log.info("reminder not delivered session=%s error=%r", table.id, error)
            return None
        return Posted(sent.channel.id, sent.id)

    async def take_away(self, posted: Posted) -> None:
        """Delete a reminder, unless Discord refuses that.

        Raises:
            Unreachable: Discord has trouble.
        """
        channel = self._client.get_partial_messageable(posted.channel)
        try:
            await self._tried(channel.get_partial_message(posted.message).delete)
        except discord.HTTPException as error:
            log.info("reminder not deleted message=%s error=%r", posted.message, error)

    async def _tried(self, request: Callable[[], Awaitable[T]]) -> T:
        try:
            return await self._retries.send(request, lasting=TRIED_FOR)
        except UNDELIVERED as error:
            if unavailable(error):
                log.info("Discord has trouble error=%r", error)
                raise Unreachable from error
            raise

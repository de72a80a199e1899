"""Reminders as messages of Discord: in the channel of the board, or by direct message."""

from __future__ import annotations

import logging
from functools import partial

import discord

from bot.message.text import named, text
from bot.service.ports import OutOfReach
from bot.storage.people import People
from bot.storage.reminders import Posted
from bot.table.reminders import Reminder
from bot.table.seats import PersonId
from bot.table.table import Table
from bot.ui.render import mentions
from bot.ui.retries import Retries, nonce, tried
from bot.ui.words import Speech, link

log = logging.getLogger(__name__)


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
        told, allowed = words.of(said), mentions([reminder.person])
        at = (table.id, table.revision, str(table.remind_at), reminder.occasion, reminder.person)
        for number in _channels(table, direct=direct):
            try:
                channel = await self._channel(number, reminder.person)
                once = nonce(*at, channel.id)
                send = partial(channel.send, told, allowed_mentions=allowed, nonce=once)
                sent: discord.Message = await tried(self._retries, send)
            except discord.HTTPException as error:
                log.info("reminder not delivered session=%s error=%r", table.id, error)
            else:
                return Posted(sent.channel.id, sent.id)
        return None

    async def take_away(self, posted: Posted) -> None:
        """Delete a reminder, if it is still there.

        Raises:
            Unreachable: Discord has trouble.
            OutOfReach: It does not let the bot delete it.
        """
        channel = self._client.get_partial_messageable(posted.channel)
        try:
            await tried(self._retries, channel.get_partial_message(posted.message).delete)
        except discord.NotFound:
            log.debug("reminder gone message=%s", posted.message)
        except discord.HTTPException as error:
            log.info("reminder not deleted message=%s error=%r", posted.message, error)
            raise OutOfReach from error

    async def _channel(
        self, number: int | None, person: PersonId
    ) -> discord.PartialMessageable | discord.DMChannel:
        """The channel of a number, or the direct messages of a person."""
        if number is not None:
            return self._client.get_partial_messageable(number)
        return await tried(self._retries, partial(self._client.create_dm, discord.Object(person)))


def _channels(table: Table, *, direct: bool) -> list[int | None]:
    """The channels for a reminder, the best first; None stands for direct messages."""
    place = table.place
    if direct and not place.direct:
        return [None]
    return [place.thread, place.channel] if place.thread else [place.channel]

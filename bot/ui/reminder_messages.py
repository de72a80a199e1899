"""Reminders as posts: in the channel of the board, or by direct message."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

import discord

from bot.clock import lately
from bot.message.text import named, text
from bot.service.ports import OutOfReach
from bot.service.reminder_rounds import REFUSED_FOR, DueReminder, ReminderRounds
from bot.service.use_cases import UseCases
from bot.storage.messages import Posted
from bot.table.seats import PersonId
from bot.table.session import SessionId
from bot.table.table import Table
from bot.ui.custom_ids import NoHistory, found_in
from bot.ui.postman import SETTLED_AFTER, Letter, Post, PostKind, Postman
from bot.ui.render import mentions
from bot.ui.retries import Retries
from bot.ui.words import Speech, link

log = logging.getLogger(__name__)

MOST_A_ROUND: Final = 100
"""The most reminders of a round, well below the 50 requests a second that Discord allows."""


class Unheard(NamedTuple):
    """A reminder that may have been sent, although no answer came."""

    due: DueReminder
    letter: Letter
    at: datetime


class ReminderMessages:
    """Sends each reminder of a table once, and deletes it when its turn is over.

    If no answer came to sending one, the channel is searched for it, so that it can be deleted.
    """

    def __init__(
        self, client: discord.Client, speech: Speech, postman: Postman, use_cases: UseCases
    ) -> None:
        self._client = client
        self._speech = speech
        self._postman = postman
        self._people = use_cases.stores.people
        self._clock = use_cases.clock
        self._retries = Retries()
        self._kind = PostKind("reminder", self._draw)
        self.rounds = ReminderRounds(
            use_cases.stores.reminders,
            use_cases.stores.people,
            self._take_away,
            use_cases.due_work.full_time,
            use_cases.clock,
        )
        self._unheard: dict[SessionId, Unheard] = {}

    async def run_due(self) -> None:
        """Send due reminders, and delete those that have served their purpose."""
        sessions = dict.fromkeys([*await self.rounds.begin(), *self._unheard])
        posts = (Post(self._kind, session) for session in sessions)
        await self._postman.go_round(posts, most=MOST_A_ROUND)

    async def _draw(self, session: SessionId) -> Letter | None:
        if session in self._unheard:
            await self._look_for(session)
        due = await self.rounds.next(session)
        return None if due is None else await self._letter(due, _channels(due.table, due.direct))

    async def _look_for(self, session: SessionId) -> None:
        """Look whether a reminder was sent after all, while it may still arrive.

        If the bot may not read the channel, it looks again for `REFUSED_FOR`.

        Raises:
            Unreachable: Discord has trouble.
        """
        due, letter, at = self._unheard[session]
        now = self._clock.now()
        lasts = lately(at, now, SETTLED_AFTER)
        channel = self._client.get_partial_messageable(letter.channel, guild_id=letter.guild)

        def is_it(message: discord.Message) -> bool:
            return message.author == self._client.user and message.content == letter.content

        try:
            message = await self._retries.send_briefly(partial(found_in, channel, is_it))
        except (discord.HTTPException, NoHistory) as error:
            unreadable = isinstance(error, discord.Forbidden | NoHistory)
            message, lasts = None, unreadable and lately(at, now, REFUSED_FOR)
            if not lasts:
                log.info("reminder not looked for session=%s error=%r", session, error)
        if message is not None:
            await self._there(due, letter.channel, message)
        elif not lasts:
            del self._unheard[session]

    async def _letter(self, due: DueReminder, channels: Sequence[int | None]) -> Letter | None:
        """The letter to the first of these channels; None if a direct one cannot be opened."""
        table, reminder = due.table, due.reminder
        own = self._people.of(reminder.person).language if due.direct else None
        said = text(
            f"reminder.{reminder.occasion}",
            player=named(reminder.person),
            link=link(table.place),
        )
        try:
            channel = await self._channel(channels[0], reminder.person)
        except discord.HTTPException as error:
            log.info("reminder not delivered session=%s error=%r", table.id, error)
            return None
        remind_at = str(table.remind_at)
        letter = Letter(
            channel=channel,
            guild=table.place.guild,
            there=partial(self._there, due, channel),
            refused=partial(self._refused, due, channels[1:]),
            content=self._speech.words(own, table.locale).of(said),
            once=True,
            marked=(table.id, table.revision, remind_at, reminder.occasion, reminder.person),
            allowed=mentions([reminder.person]),
            drawn_once=True,
        )
        self._unheard[table.id] = Unheard(due, letter, self._clock.now())
        return letter

    async def _there(self, due: DueReminder, channel: int, message: int, *_: object) -> None:
        await self.rounds.sent(due, Posted(channel, message))
        self._unheard.pop(due.table.id, None)

    async def _refused(
        self, due: DueReminder, others: Sequence[int | None], _: discord.HTTPException
    ) -> None:
        """Try the next channel, if there is one, unless an earlier try may have been sent."""
        if not self._postman.is_sure(Post(self._kind, due.table.id)):
            return
        self._unheard.pop(due.table.id, None)
        letter = await self._letter(due, others) if others else None
        if letter is None:
            return
        try:
            message = await self._postman.put(Post(self._kind, due.table.id), letter)
        except discord.HTTPException as error:
            self._unheard.pop(due.table.id, None)
            log.info("reminder not delivered session=%s error=%r", due.table.id, error)
        else:
            await self._there(due, letter.channel, message)

    async def _take_away(self, posted: Posted) -> None:
        """Delete a reminder, if it is still there.

        Raises:
            Unreachable: Discord has trouble.
            OutOfReach: Discord does not let the bot delete it.
        """
        letter = Letter(channel=posted.channel, message=posted.message, away=True)
        delete = partial(self._postman.put, Post(self._kind, posted), letter)
        try:
            await self._retries.send_briefly(delete)
        except discord.NotFound:
            log.debug("reminder gone message=%s", posted.message)
        except discord.HTTPException as error:
            log.info("reminder not deleted message=%s error=%r", posted.message, error)
            raise OutOfReach from error

    async def _channel(self, number: int | None, person: PersonId) -> int:
        """The id of a channel: `number`, or for None that of direct messages with the person."""
        if number is not None:
            return number
        create = partial(self._client.create_dm, discord.Object(person))
        return (await self._retries.send_briefly(create)).id


def _channels(table: Table, direct: bool) -> list[int | None]:
    """The channels for a reminder, the best first; None stands for direct messages."""
    place = table.place
    if direct and not place.direct:
        return [None]
    return [place.thread, place.channel] if place.thread else [place.channel]

"""The messages of tournaments: the one for all, the thread, the calls to tables, the podium.

They are projections, as those of tables: a row says what is still to be sent, and whatever breaks
off is made good by the next round.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import suppress
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

import discord

from bot.clock import Clock
from bot.message.blocks import Screen
from bot.screens import tournament as screens
from bot.screens.tournament import CupAction, Honour, RoleFault, TournamentControl
from bot.service.jobs import apart
from bot.service.matches import PATIENCE
from bot.service.ports import Unreachable
from bot.service.tables import Service
from bot.service.tournaments import Tournaments
from bot.tournaments.event import Event
from bot.tournaments.tournament import Leg, Stage, TournamentId
from bot.ui.boards import Boards
from bot.ui.custom_ids import page_id
from bot.ui.errors import UNDELIVERED
from bot.ui.message_kinds import found_by
from bot.ui.render import mentions, page_view
from bot.ui.retries import Retries, nonce, tried
from bot.ui.threads import thread_of
from bot.ui.winner_roles import role_fault
from bot.ui.words import Speech, link

log = logging.getLogger(__name__)


ARCHIVED_AFTER: Final = 10_080
"""Minutes without a message, as many as Discord allows."""


class TournamentMessages:
    """Brings the messages of tournaments up to date."""

    def __init__(
        self,
        client: discord.Client,
        speech: Speech,
        tournaments: Tournaments,
        tables: Service,
        boards: Boards,
        *,
        clock: Clock,
        retries: Retries,
    ) -> None:
        self._client = client
        self._speech = speech
        self._tournaments = tournaments
        self._stored = tournaments.stored
        self._tables = tables
        self._boards = boards
        self._clock = clock
        self._retries = retries
        self._locks: WeakValueDictionary[TournamentId, asyncio.Lock] = WeakValueDictionary()

    async def run_due(self) -> None:
        """Take the steps that are due, and show what they lead to.

        Raises:
            ExceptionGroup: What went wrong with some of them.
        """
        with apart() as items:
            for number in await self._tournaments.due():
                await items.do(self._tournaments.go_on(number), f"tournament {number}")
            for number in await self._stored.behind():
                await items.do(_sent(number, self.refresh(number)), f"tournament {number}")
            for number in await self._stored.uncalled():
                await items.do(self._call(number), f"tournament {number}")

    async def refresh(self, number: TournamentId) -> None:
        """Bring what is shown of a tournament up to date.

        Raises:
            HTTPException: Discord refuses its first message.
            Unreachable: Discord has trouble.
        """
        async with self._locks.setdefault(number, asyncio.Lock()):
            event = await self._tournaments.event(number)
            message = event.message
            if message is None:
                message = await self._send(
                    event, screens.message(event), CupAction.RULES, event.channel
                )
                await self._stored.place(number, message=message)
            else:
                await self._edit(event, message)
            if event.tournament.stage is Stage.RUNNING and event.thread is None:
                thread = await self._thread(event, message)
                await self._stored.place(number, thread=thread, due=self._clock.now())
                await self._tournaments.go_on(number)
                return  # which is shown by the next round
            if event.tournament.stage is Stage.OVER and event.podium is None:
                first = await self._stored.first_title(event)
                shown = screens.podium(event, await self._honour(event), first_title=first)
                podium = await self._send(event, shown, CupAction.SHARE, event.channel)
                await self._stored.place(number, podium=podium)
            await self._stored.place(number, shown=event.revision)

    async def _edit(self, event: Event, message: int) -> None:
        to = self._channel(event, event.channel).get_partial_message(message)
        view = page_view(screens.message(event), self._speech.words(event.locale))
        try:
            await tried(self._retries, partial(to.edit, view=view))
        except discord.HTTPException as error:
            log.info("tournament not shown id=%s error=%r", event.id, error)

    async def _thread(self, event: Event, message: int) -> int:
        """The thread of a tournament; its channel where the bot may not make one."""
        named = self._speech.words(event.locale).of(screens.named_format(event.tournament))
        of = self._channel(event, event.channel).get_partial_message(message)
        thread = await thread_of(of, named[:100], self._retries, archived_after=ARCHIVED_AFTER)
        return event.channel if thread is None else thread

    async def _honour(self, event: Event) -> Honour | None:
        """Give the champion the server's role; None if there is none, or they have left."""
        champion, chosen = event.tournament.champion, self._tournaments.winner_role(event)
        guild = self._client.get_guild(event.guild)
        role = None if guild is None or chosen is None else guild.get_role(chosen)
        if champion is None or guild is None or role is None:
            return None
        if (fault := role_fault(role)) is not None:
            log.info("role not given server=%s fault=%s", event.guild, fault)
            return Honour(role.id, fault)
        reason = self._speech.words(event.locale).of(screens.honour_reason(event))
        try:
            member = await tried(self._retries, partial(guild.fetch_member, champion.person))
            await tried(self._retries, partial(member.add_roles, role, reason=reason))
        except discord.HTTPException as error:
            log.info("role not given server=%s error=%r", event.guild, error)
            gone = isinstance(error, discord.NotFound)
            return None if gone else Honour(role.id, RoleFault.OUT_OF_REACH)
        return Honour(role.id)

    async def _call(self, number: TournamentId) -> None:
        """Call players to their tables, once these have a message."""
        event = await self._tournaments.event(number)
        with apart() as items:
            for leg in event.to_call:
                await items.do(_sent(number, self._call_to(event, leg)), f"leg {leg.number}")

    async def _call_to(self, event: Event, leg: Leg) -> None:
        assert leg.table is not None, "a leg without a table is not called"
        table = await self._tables.table(leg.table)
        if table.place.message is None:
            await self._boards.refresh(table)
            table = await self._tables.table(leg.table)
        if table.place.message is not None:
            await self._send_call(event, leg, link(table.place))

    async def _send_call(self, event: Event, leg: Leg, where: str) -> None:
        until = self._clock.now() + PATIENCE[event.tournament.pace]
        shown, to = screens.call(event, leg, where, until), event.thread or event.channel
        await self._send(event, shown, CupAction.HERE, to, leg.number)
        await self._stored.call(event.id, leg.number)

    async def _send(
        self, event: Event, shown: Screen, known_by: CupAction, to: int, number: int = 0
    ) -> int:
        """Send a message, unless Discord has it already, which one of its controls tells.

        Of requests with one nonce Discord carries out one, but only for a few minutes.
        """
        control = page_id(TournamentControl(event.id, known_by, number))
        channel = self._channel(event, to)
        with suppress(discord.Forbidden):  # then there is no way to know
            there = await tried(self._retries, partial(found_by, channel, control))
            if there is not None:
                return there
        send = partial(
            channel.send,
            view=page_view(shown, self._speech.words(event.locale)),
            nonce=nonce(control, to),
            allowed_mentions=mentions(shown.notifies),
        )
        sent: discord.Message = await tried(self._retries, send)
        return sent.id

    def _channel(self, event: Event, channel: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel, guild_id=event.guild)


async def _sent(number: TournamentId, sending: Awaitable[None]) -> None:
    """Send something of a tournament, or leave it to the next round."""
    try:
        await sending
    except (*UNDELIVERED, Unreachable) as error:
        log.info("tournament left for the next round id=%s error=%r", number, error)

"""The messages of tables that the bot cannot reach by their channel, and their tokens.

A message that answers an interaction can be changed by the token of that interaction for 15
minutes, wherever it is. Every press brings a new one; a restart forgets all of them, so that the
next press draws the message.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import discord
from discord import ui
from discord.utils import MISSING

from bot.clock import Clock
from bot.table.session import SessionId
from bot.table.table import Table
from bot.ui.errors import lost

log = logging.getLogger(__name__)

TOKEN_LASTS: Final = timedelta(minutes=14, seconds=30)
"""For how long a token is used: a request with one that is dead counts towards a ban."""


@dataclass(frozen=True, slots=True)
class LiveReply:
    """A message that answers an interaction, and the webhook that changes it until its token dies.

    `revision` is the table's that it shows.
    """

    webhook: discord.Webhook
    message: int
    revision: int
    until: datetime


class Replies:
    """The latest reply of each table, as long as it can be changed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._latest: OrderedDict[SessionId, LiveReply] = OrderedDict()

    @property
    def tables(self) -> Collection[SessionId]:
        """The tables whose message can be changed."""
        self._drop_dead()
        return self._latest.keys()

    def of(self, session: SessionId) -> LiveReply | None:
        """The reply of a table."""
        self._drop_dead()
        return self._latest.get(session)

    def keep(self, table: Table, message: int, webhook: discord.Webhook) -> None:
        """Keep the reply that has just drawn a table."""
        until = self._clock.now() + TOKEN_LASTS
        self._latest[table.id] = LiveReply(webhook, message, table.revision, until)
        self._latest.move_to_end(table.id)
        self._drop_dead()

    def shows(self, table: Table) -> bool:
        """Whether the message of a table is known to show it as it is."""
        reply = self.of(table.id)
        return reply is not None and reply.revision >= table.revision

    def note_unchanged(self, table: Table) -> None:
        """Count the message of a table as up to date."""
        reply = self._latest.get(table.id)
        if reply is not None:
            self._latest[table.id] = replace(reply, revision=table.revision)

    async def change(
        self, reply: LiveReply, view: ui.LayoutView, files: list[discord.File] | None = None
    ) -> bool:
        """Change a reply; return False if it is gone."""
        attachments = MISSING if files is None else files
        try:
            await reply.webhook.edit_message(reply.message, view=view, attachments=attachments)
        except discord.HTTPException as error:
            if not lost(error) and not isinstance(error, discord.NotFound):
                raise
            log.info("reply gone message=%s error=%r", reply.message, error)
            self._forget(reply)
            return False
        return True

    def _forget(self, reply: LiveReply) -> None:
        gone = [session for session, latest in self._latest.items() if latest is reply]
        for session in gone:
            del self._latest[session]

    def _drop_dead(self) -> None:
        now = self._clock.now()
        while self._latest and next(iter(self._latest.values())).until <= now:
            self._latest.popitem(last=False)

"""What this process remembers of boards: the revisions they show, and how to edit answers.

Where the bot is no member, a message that answers an interaction can be edited with the token of
that interaction for 15 minutes. Every press brings a new token; a restart forgets all of them, and
then the next press draws the message.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.cache import KB, MB, Cache
from bot.clock import Clock
from bot.storage.errors import Unavailable
from bot.storage.messages import Messages
from bot.table.session import SessionId
from bot.table.table import Table

log = logging.getLogger(__name__)

SAVED_AFTER: Final = 1.0
"""Seconds before shown revisions are saved, so that a press is committed to disk only once."""

REMEMBERED: Final = 640 * KB
"""The bytes for the revisions that messages show."""

A_REVISION: Final = 160
"""The bytes of a table's number and revision."""


class ShownRevisions:
    """The revisions that messages show: those not saved yet, and the latest ones drawn here."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._shown: dict[SessionId, int] = {}
        self.drawn_last: Cache[SessionId, int] = Cache(
            "shown_revisions", REMEMBERED, lambda _: A_REVISION
        )
        self._saving: asyncio.Task[None] | None = None
        self._one_save = asyncio.Lock()

    def note(self, table: Table) -> None:
        """Note that a table's message shows its present revision."""
        self._shown[table.id] = self.drawn_last.keep(table.id, table.revision)
        if self._saving is None or self._saving.done():
            self._saving = asyncio.create_task(self._save_soon(), name="save shown revisions")

    def drop(self, table: Table) -> None:
        """Forget what a table's message shows."""
        self._shown.pop(table.id, None)
        self.drawn_last.drop(table.id)

    def drawn(self, table: Table) -> bool:
        """Whether the message that this process drew last for a table shows its revision."""
        return self.drawn_last.get(table.id) == table.revision

    def up_to_date(self, table: Table) -> bool:
        """Whether a table's message shows its revision, which is not saved yet."""
        return self._shown.get(table.id, 0) >= table.revision

    async def save(self, *, forgetting: bool = False) -> None:
        """Save the revisions after any save in progress; `forgetting` clears those drawn here."""
        async with self._one_save:
            if forgetting:
                self.drawn_last.clear()
            shown, self._shown = self._shown, {}
            try:
                await self._messages.save_shown(shown)
            except Unavailable:
                self._shown = shown | self._shown  # a later round saves them
            except Exception:  # as of a full disk
                log.exception("shown revisions not saved")
                self._shown = shown | self._shown

    async def _save_soon(self) -> None:
        await asyncio.sleep(SAVED_AFTER)
        await self.save()


MOST_REPLIES: Final = 3 * MB
"""The bytes for replies; tables whose reply is dropped are drawn by their next press."""

A_REPLY: Final = 768
"""The bytes of a reply with its webhook."""

TOKEN_LASTS: Final = timedelta(minutes=14, seconds=30)
"""How long a token is used; requests with a dead token count towards a ban by Discord."""


@dataclass(frozen=True, slots=True)
class LiveReply:
    """A message that answers an interaction, and the webhook that can edit it `until` a time.

    `revision` is the table's revision that it shows.
    """

    webhook: discord.Webhook
    message: int
    revision: int
    until: datetime


class Replies:
    """The latest reply of each table, as long as it can be edited."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.latest: Cache[SessionId, LiveReply] = Cache("replies", MOST_REPLIES, lambda _: A_REPLY)

    @property
    def tables(self) -> Collection[SessionId]:
        """The tables whose reply can be edited."""
        self._drop_dead()
        return self.latest.keys()

    def of(self, session: SessionId) -> LiveReply | None:
        """The reply of a table."""
        self._drop_dead()
        return self.latest.get(session)

    def keep(
        self, table: Table, message: int, webhook: discord.Webhook, *, sure: bool = True
    ) -> None:
        """Keep the reply that has just drawn a table; unless `sure`, it will be drawn again."""
        until = self._clock.now() + TOKEN_LASTS
        shown = table.revision if sure else 0
        self.latest.keep(table.id, LiveReply(webhook, message, shown, until))
        self._drop_dead()

    def shows(self, table: Table) -> bool:
        """Whether the message of a table is known to show it as it is."""
        reply = self.of(table.id)
        return reply is not None and reply.revision >= table.revision

    def note(self, table: Table, *, sure: bool = True) -> None:
        """Note that a table's reply shows it, by no new token; `sure` as in `keep`."""
        reply = self.latest.get(table.id)
        if reply is not None:
            shown = table.revision if sure else 0
            self.latest.replace(table.id, replace(reply, revision=shown))

    def drop(self, reply: LiveReply) -> None:
        """Drop a reply that is gone or can no longer be edited."""
        gone = [session for session, latest in self.latest.items() if latest is reply]
        for session in gone:
            self.latest.drop(session)

    def _drop_dead(self) -> None:
        now = self._clock.now()
        while self.latest and self.latest[oldest := next(iter(self.latest))].until <= now:
            self.latest.drop(oldest)

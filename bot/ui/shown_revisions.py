"""The revisions that the messages of tables show, saved some at a time."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from bot.cache import KB, Cache
from bot.storage.errors import Unavailable
from bot.storage.messages import Messages
from bot.table.session import SessionId
from bot.table.table import Table

log = logging.getLogger(__name__)

SAVED_AFTER: Final = 1.0
"""Seconds for which revisions are gathered, so that a press writes to disk once."""

REMEMBERED: Final = 640 * KB
"""The room for tables of which it is known that their messages show them as they are."""

A_REVISION: Final = 160
"""The bytes of a table's number and revision."""


class ShownRevisions:
    """Remembers the revisions shown until they are saved, and those of the latest messages."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._shown: dict[SessionId, int] = {}
        self.drawn_last: Cache[SessionId, int] = Cache(
            "shown_revisions", REMEMBERED, lambda _: A_REVISION
        )
        self._saving: asyncio.Task[None] | None = None
        self._one_save = asyncio.Lock()

    def note(self, table: Table) -> None:
        """Note that a table's message shows it as it is."""
        self._shown[table.id] = self.drawn_last.keep(table.id, table.revision)
        if self._saving is None or self._saving.done():
            self._saving = asyncio.create_task(self._save_soon(), name="save shown revisions")

    def drop(self, table: Table) -> None:
        """Forget what a table's message shows."""
        self._shown.pop(table.id, None)
        self.drawn_last.drop(table.id)

    def drawn(self, table: Table) -> bool:
        """Return whether this process has drawn a table's message last, and as it is now."""
        return self.drawn_last.get(table.id) == table.revision

    def up_to_date(self, table: Table) -> bool:
        """Return whether a table's message is known to show it as it is."""
        return self._shown.get(table.id, 0) >= table.revision

    async def save(self, *, forgetting: bool = False) -> None:
        """Save the revisions, after a save in progress; `forgetting` those of boards to redraw."""
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

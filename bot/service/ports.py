"""Protocols of the use cases: what they need from outside and have in two kinds."""

from __future__ import annotations

from typing import Protocol

from bot.storage.reminders import Posted
from bot.table.reminders import Reminder
from bot.table.session import Session
from bot.table.table import Table
from engine.game import Move


class Unreachable(Exception):
    """Nobody can be told anything just now, since Discord has trouble of its own."""


class Thinker(Protocol):
    """Chooses moves for computers."""

    async def move(self, session: Session) -> Move:
        """A legal move for the computer whose turn it is."""

    def quick(self, session: Session) -> Move | None:
        """The same at once, from agents that take well under a millisecond; None for the others."""


class Messenger(Protocol):
    """Delivers reminders."""

    async def remind(self, table: Table, reminder: Reminder, *, direct: bool) -> Posted | None:
        """The message that reminds a person of a table; None where it cannot be delivered.

        Raises:
            Unreachable: Discord takes nothing just now.
        """

    async def take_away(self, posted: Posted) -> None:
        """Deletes a message, if that is possible.

        Raises:
            Unreachable: Discord takes nothing just now.
        """

"""Protocols of the use cases: what they need from outside.

Saving a table is optimistic: a change is worked out from the table as it was read, and is written
only if the stored revision is still the one it was worked out from. `(session, ply)` is the primary
key of a move, so two clicks can never store both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from bot.storage.reminders import Posted, StandingReminder
from bot.table.reminders import Reminder
from bot.table.seats import PersonId
from bot.table.session import Session, SessionId
from bot.table.table import EndedTable, InteractionId, Table
from engine.game import Move


class Unreachable(Exception):
    """Nobody can be told anything just now, since Discord has trouble of its own."""


class Thinker(Protocol):
    """Chooses moves for computers."""

    async def move(self, session: Session) -> Move:
        """A legal move for the computer whose turn it is."""

    def quick(self, session: Session) -> Move | None:
        """The same at once, from agents that take well under a millisecond; None for the others."""


class Store(Protocol):
    """Keeps tables. Whatever a method has returned from is on the disk."""

    async def table(self, session: SessionId) -> Table:
        """The table as it is stored, or as this process stored it last.

        Raises:
            UnknownTable: There is none.
        """

    async def open(
        self,
        table: Table,
        interaction: InteractionId,
        *,
        follows: Table | None = None,
        room: int | None = None,
    ) -> Table:
        """The new table with its id, which `table` lacks; `follows` gets it as its rematch.

        `room` is how many tables may wait or run in the channel, this one included: for a game
        against computers alone the host's own of that kind, for any other all others.

        Raises:
            Repeated: This interaction opened a table before.
            Crowded: So many do already.
            Conflict: `follows` has changed.
        """

    async def save(self, before: Table, after: Table, interaction: InteractionId | None) -> Table:
        """The table after a change: new moves, the session's state, and the interaction's id.

        Raises:
            Repeated: The interaction has been carried out before.
            Conflict: `before` is not what is stored.
        """

    async def carried_out(self, interaction: InteractionId) -> SessionId | None:
        """The table that an interaction changed or opened, if it was carried out."""

    async def forget_interactions(self, before: datetime) -> None:
        """Drops the ids of interactions from before a time after which Discord repeats none."""

    async def due(self, now: datetime) -> Sequence[SessionId]:
        """The tables whose time limit has passed, and that no other process sees to."""

    async def unattended(self) -> Sequence[SessionId]:
        """The tables where no person decides the next ply, and that no other process sees to."""

    def held(self, session: SessionId) -> AbstractContextManager[None]:
        """Keeps the other processes from a table while this one is at work on it."""

    async def unfinished(self, channel: int) -> Sequence[SessionId]:
        """The tables of a channel that have not come to their end, the latest to move last."""

    async def idle(self, after: datetime, until: datetime) -> Sequence[SessionId]:
        """The tables that wait or run whose last move was later than `after`, at most `until`."""

    async def finished(self, channel: int, person: PersonId) -> Sequence[EndedTable]:
        """The latest games that were finished in a channel or by a person, the latest first."""


class Messages(Protocol):
    """Keeps what the messages of the tables show: a projection, which may fall behind them."""

    async def table(self, session: SessionId) -> Table:
        """See `Store`."""

    def latest(self, table: Table) -> Table:
        """The table, or what this process has stored of it since."""

    async def behind(self, replies: Collection[SessionId] = ()) -> Sequence[SessionId]:
        """The tables whose message does not show them as they are; lost messages are left out.

        Those in places that the bot is not in are left out too, unless they are among `replies`.
        """

    async def redraw(self, over_since: datetime | None = None) -> None:
        """Takes every message of a table that is not over for one that has fallen behind.

        Those of tables that are `over_since` then count as rewritten.
        """

    async def rewritten(self) -> Sequence[SessionId]:
        """The tables that are over, whose message showed that, but not as it is drawn now.

        It names a person forgotten since, or shows emoji that are gone. The latest come first.
        """

    async def settle(self, shown: Mapping[SessionId, int]) -> None:
        """Notes which revision each message shows."""

    async def place(self, session: SessionId, message: int) -> None:
        """Notes a table's message; the dice of a new one can roll from then on, by its id."""

    async def promise(self, session: SessionId, message: int) -> None:
        """Notes the message that has what a table's dice are bound to."""

    async def lose(self, channel: int, message: int) -> SessionId | None:
        """Notes that a message was deleted, and gives the unfinished table that it showed."""

    async def lose_channel(self, channel: int) -> Sequence[SessionId]:
        """Notes that a channel was deleted, and gives the unfinished tables that were there."""

    async def note(self, key: str) -> str | None:
        """What was last kept under a key."""

    async def keep(self, key: str, value: str) -> None:
        """Keeps a value under a key, in place of the last one."""


class Reminders(Protocol):
    """Keeps when tables remind of what, and the messages that did."""

    async def table(self, session: SessionId) -> Table:
        """See `Store`."""

    async def to_remind(self, now: datetime) -> Sequence[SessionId]:
        """The tables with a reminder that is due."""

    async def put_off(self, table: Table, until: datetime | None) -> bool:
        """Sets when a table reminds next, unless that has changed since it was read."""

    async def nudged(self, table: Table) -> bool:
        """Takes the person of `table.notice` for told, unless that has happened already."""

    async def standing(self) -> Sequence[StandingReminder]:
        """The reminders whose messages stand."""

    async def keep_reminder(self, reminder: StandingReminder) -> None:
        """Notes the message of a reminder."""

    async def drop_reminder(self, reminder: StandingReminder) -> None:
        """Forgets the message of a reminder."""


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

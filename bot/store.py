"""What the service needs of a store: tables, saved whole or not at all.

A `Table` is a session with its place in Discord. Saving is optimistic: a change is worked out from
the table as it was read, and is written only if the stored revision is still the one it was worked
out from. `(session, ply)` is the primary key of a move, so two clicks can never store both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType, Protocol

from bot.dice import Dice
from bot.seats import PersonId
from bot.session import Session, SessionId

InteractionId = NewType("InteractionId", int)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table's message is; `guild` is None in direct messages.

    `message` is None until Discord has told its id.
    """

    guild: int | None
    channel: int
    message: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A session where it is played.

    `revision` grows by one with every change that a reader of the message should see. `due` is
    when the session's patience runs out; `nudge` is a person to tell that it is their turn, since
    they have been waiting for long; `rematch` is the table that follows this one. `dice` are drawn
    when a game starts that needs some.
    """

    id: SessionId
    revision: int
    session: Session
    place: Place
    locale: str
    moved_at: datetime
    due: datetime | None
    nudge: PersonId | None = None
    rematch: SessionId | None = None
    dice: Dice | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """A finished game in a list: its session without moves and seats, and when it ended.

    `own` says that the person who asks has played in it.
    """

    id: SessionId
    session: Session
    at: datetime
    own: bool


class UnknownTable(LookupError):
    """There is no table of this id, or its game is not one this version knows."""


class Conflict(Exception):
    """The table has changed since it was read."""


class Crowded(Exception):
    """As many tables of the channel wait or run as may: those of `unfinished`, the oldest first."""

    def __init__(self, unfinished: Sequence[SessionId]) -> None:
        super().__init__(unfinished)
        self.unfinished = unfinished


class Repeated(Exception):
    """The interaction has been carried out before; `table` is what it led to."""

    def __init__(self, table: SessionId) -> None:
        super().__init__(table)
        self.table = table


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
        most: int | None = None,
    ) -> Table:
        """The new table with its id, which `table` lacks; `follows` gets it as its rematch.

        `most` is how many tables of the channel may wait or run, this one included.

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
        """The tables whose patience has run out."""

    async def unattended(self) -> Sequence[SessionId]:
        """The tables where the next ply is for no person to decide."""

    async def unfinished(self, channel: int) -> Sequence[SessionId]:
        """The tables of a channel that have not come to their end, the latest to move last."""

    async def finished(self, channel: int, person: PersonId) -> Sequence[Ended]:
        """The latest games that were finished in a channel or by a person, the latest first."""


class Messages(Protocol):
    """Keeps what the messages of the tables show: a projection, which may fall behind them."""

    async def table(self, session: SessionId) -> Table:
        """See `Store`."""

    async def behind(self) -> Sequence[SessionId]:
        """The tables whose message does not show them as they are, or who have somebody to tell."""

    async def rewritten(self) -> Sequence[SessionId]:
        """The tables that are over, whose message showed that, but names somebody forgotten since.

        The latest come first.
        """

    async def settle(self, shown: Mapping[SessionId, int]) -> None:
        """Notes which revision each message shows."""

    async def place(self, session: SessionId, message: int) -> None:
        """Notes a table's message."""

    async def nudged(self, table: Table) -> None:
        """Notes that the person of `table.nudge` has been told."""

    async def forget_messages(self) -> None:
        """Takes the messages of all unfinished tables for lost, so that they are sent again."""

    async def note(self, key: str) -> str | None:
        """What was last kept under a key."""

    async def keep(self, key: str, value: str) -> None:
        """Keeps a value under a key, in place of the last one."""

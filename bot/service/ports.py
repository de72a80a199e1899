"""Protocols of the use cases: what they need from outside and have in two kinds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Protocol, TypeVar

from bot.records.puzzle_league import Edition
from bot.storage.guild_settings import GuildId
from bot.storage.reminders import Posted
from bot.table.reminders import Reminder
from bot.table.seats import PersonId
from bot.table.session import Session
from bot.table.table import Table
from engine.game import Move
from engine.review import Puzzle

T = TypeVar("T")


class Unreachable(Exception):
    """Discord takes no messages for now."""


class OutOfReach(Exception):
    """A channel is gone, or the bot may not write there."""


class Thinker(Protocol):
    """A chooser of moves for computers."""

    async def move(self, session: Session) -> Move:
        """A legal move for the computer whose turn it is."""

    def quick(self, session: Session) -> Move | None:
        """A move from an agent that takes well under a millisecond; None for the others."""


class Messenger(Protocol):
    """A sender of reminders."""

    async def remind(self, table: Table, reminder: Reminder, *, direct: bool) -> Posted | None:
        """Remind a person of a table; None where the message cannot be delivered.

        Raises:
            Unreachable: Discord takes nothing just now.
        """

    async def take_away(self, posted: Posted) -> None:
        """Delete a message, if it is still there.

        Raises:
            Unreachable: Discord takes nothing just now.
            OutOfReach: The bot may not.
        """


class NewsDesk(Protocol):
    """A sender of news to the channels of guilds, and of warnings to people."""

    def sees(self, guild: GuildId) -> bool:
        """Whether the guild can be seen just now."""

    async def publish(
        self,
        guild: GuildId,
        puzzle: Puzzle,
        edition: Edition,
        before: Puzzle,
        *,
        perhaps_sent: bool,
    ) -> int | None:
        """Send the puzzle and the news of a day, and the answer to the puzzle `before`.

        The message's id comes back, or None where Discord refuses it. News that are `perhaps_sent`
        are looked for first, and not sent where that is impossible.

        Raises:
            Unreachable: Discord takes nothing just now.
            OutOfReach: The channel is gone, or the bot may not write there.
        """

    async def sent(self, guild: GuildId, day: date) -> int | None:
        """The message of a day's news that were perhaps sent; None if they were not.

        Raises:
            Unreachable: Discord takes nothing just now.
        """

    async def edit(
        self, guild: GuildId, message: int, puzzle: Puzzle, edition: Edition, before: Puzzle
    ) -> None:
        """Show the news of a day as they are now, unless Discord refuses that.

        Raises:
            Unreachable: Discord takes nothing just now.
            OutOfReach: The message or its channel is gone.
        """

    async def warn(self, person: PersonId, puzzle: Puzzle, streak: int) -> None:
        """Tell a person that a streak breaks unless they solve a puzzle, if that is possible.

        Raises:
            Unreachable: Discord takes nothing just now.
        """


class Workers(Protocol):
    """Processes, each of which does one piece of work at a time."""

    async def answer(self, work: Callable[..., T], about: tuple[object, ...], allowed: float) -> T:
        """The result of work, for which a worker has so many seconds once it begins.

        Raises:
            ProcessExpired, BrokenProcessPool, MemoryError: Another may have an answer.
            TimeoutError: It took longer.
        """

    def close(self) -> None:
        """End all work at once."""


class NewProcesses(Protocol):
    """Starts processes of this machine."""

    def __call__(self, count: int, niceness: int = 0, /) -> Workers:
        """So many processes; the higher their niceness, the more they give way to others."""

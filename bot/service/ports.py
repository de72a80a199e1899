"""What the use cases need from outside: a clock, computers that think, and what is stored.

Saving a table is optimistic: a change is worked out from the table as it was read, and is written
only if the stored revision is still the one it was worked out from. `(session, ply)` is the primary
key of a move, so two clicks can never store both.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import NewType, Protocol, TypeAlias, Unpack

from bot.records.queries import History, Leaderboard, Stats
from bot.records.reviewed import ReviewedGame
from bot.service.guild_settings import GuildChoices, GuildId, GuildSettings
from bot.service.people import Choices, Chosen
from bot.service.personal_data_file import PersonalData
from bot.table.reminders import Reminder
from bot.table.seats import PersonId
from bot.table.session import Session, SessionId
from bot.table.table import EndedTable, Table
from engine.game import Move

InteractionId = NewType("InteractionId", int)


class UnknownTable(LookupError):
    """There is no table of this id, or its game is not one this version knows."""


class Unavailable(Exception):
    """What is stored is out of reach for now; it is as it was, or as it was asked to become."""


class Unreachable(Exception):
    """Nobody can be told anything just now, since Discord has trouble of its own."""


class Conflict(Exception):
    """The table has changed since it was read."""


class Crowded(Exception):
    """As many tables of the channel wait or run as may: those of `unfinished`, the oldest first.

    For a game against computers alone they are the person's own of that kind.
    """

    def __init__(self, unfinished: Sequence[SessionId]) -> None:
        super().__init__(unfinished)
        self.unfinished = unfinished


class Repeated(Exception):
    """The interaction has been carried out before; `table` is what it led to."""

    def __init__(self, table: SessionId) -> None:
        super().__init__(table)
        self.table = table


Turn: TypeAlias = Callable[[int], Awaitable[None]]
"""Returns when a shard of a bucket may identify itself; for 5 s no other of the bucket may."""


class Clock(Protocol):
    """Tells the time and waits for it."""

    def now(self) -> datetime:
        """The time now, in UTC."""

    async def until(self, moment: datetime) -> None:
        """Returns at `moment`, or at once when it has passed."""


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

        `room` is how many tables may wait or run in the channel, this one included. Games against
        computers alone do not count among them; each person may have a few.

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


@dataclass(frozen=True, slots=True)
class Posted:
    """Where a message is that reminds a person."""

    channel: int
    message: int


@dataclass(frozen=True, slots=True)
class StandingReminder:
    """A reminder whose message stands, and the ply that it is about."""

    session: SessionId
    reminder: Reminder
    posted: Posted
    ply: int


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


class People(Protocol):
    """Keeps people's choices, and has those of everybody at hand."""

    def choices(self, person: PersonId) -> Choices:
        """What the person has chosen, as far as this process has heard."""

    async def refresh(self, people: Collection[PersonId]) -> None:
        """Has the choices of people at hand as they are stored, if other processes change any."""

    async def choose(self, person: PersonId, **chosen: Unpack[Chosen]) -> None:
        """Remembers what the person has chosen."""

    async def block(self, person: PersonId, other: PersonId) -> None:
        """Keeps another person away from the person."""

    async def unblock(self, person: PersonId, other: PersonId) -> None:
        """Keeps them away no longer."""


class Guilds(Protocol):
    """Keeps the settings of servers, and has those of all at hand."""

    def server(self, guild: GuildId) -> GuildSettings:
        """The settings of a server."""

    async def list_channels(
        self, guild: GuildId, *, listed: Collection[int] = (), delisted: Collection[int] = ()
    ) -> None:
        """Adds channels to those where games may be played, and takes others away."""

    async def choose(self, guild: GuildId, **chosen: Unpack[GuildChoices]) -> None:
        """Remembers what the server has chosen."""


class GuildData(Protocol):
    """Keeps the settings of servers, and for how long the bot has not been in each."""

    async def known(self) -> Mapping[GuildId, datetime | None]:
        """The servers of which something is stored, each with when the bot left it, if it has."""

    async def leave(self, guild: GuildId, at: datetime) -> None:
        """Notes when the bot left a server, and closes the tables there without a result.

        Their messages count as lost, and no message in the server as behind.
        """

    async def come_back(self, guild: GuildId) -> None:
        """Takes the note away, unless what is stored has begun to go."""

    async def clear(self, guild: GuildId) -> None:
        """Removes what is stored of a server, unless the bot is back there.

        The games finished there are their players' own: they stay, as games of no server. What was
        broken off is taken up again by the next call.
        """


class Records(Protocol):
    """Answers what players ask about finished games, and keeps what was made of them.

    A page beyond the last is the last.
    """

    async def stats(self, person: PersonId, game: str, guild: int | None = None) -> Stats:
        """A person's record in a game; an empty one for a person who has not played it."""

    async def leaderboard(
        self, game: str, guild: int | None = None, *, asking: PersonId, page: int = 0
    ) -> Leaderboard:
        """The best of a game by the ordinal of their ratings, and the asker's place."""

    async def history(
        self,
        person: PersonId,
        game: str | None = None,
        guild: int | None = None,
        *,
        page: int = 0,
    ) -> History:
        """A person's finished games: of all games or one, played anywhere or in one server."""

    async def review(self, session: SessionId) -> ReviewedGame | None:
        """The review of a game, if it was made."""

    async def keep_review(self, session: SessionId, reviewed: ReviewedGame) -> None:
        """Keeps the review of a game."""

    async def puzzle_answers(self, person: PersonId) -> Mapping[date, bool]:
        """Whether a person's first answer to each puzzle was right, by the day of the puzzle."""

    async def answer_puzzle(self, person: PersonId, day: date, *, solved: bool) -> None:
        """Keeps a person's answer, unless there is one."""


class StillSeated(Exception):
    """The person has a seat at a table that waits or runs."""


class PersonalDataStore(Protocol):
    """Finds and gives up what is stored about a person."""

    async def knows(self, person: PersonId) -> bool:
        """Whether anything is stored."""

    async def personal_data(self, person: PersonId) -> PersonalData:
        """All that is stored."""

    async def seated(self, person: PersonId) -> Sequence[SessionId]:
        """The tables that wait or run where the person has a seat, or one is kept for them."""

    async def forget(self, person: PersonId, former: PersonId) -> None:
        """Puts a former player in the place of the person wherever others need one.

        Everything else about the person is deleted.

        Raises:
            StillSeated: They have not left all tables.
        """

    async def copies_left(self) -> bool:
        """Whether copies of what was forgotten may be left in unused parts of a file."""

    async def quiet(self, since: datetime) -> bool:
        """Whether nobody has changed a table since then."""

    async def erase(self) -> None:
        """Removes the copies of what was forgotten, which everything else may have to wait for."""

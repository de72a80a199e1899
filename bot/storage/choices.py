"""The stores of what people and guilds have chosen, all of it in memory.

It is read once, at the start, so that an answer in a person's language costs no query. That is
little: there is no row without a choice. Every change passes here, so the memory agrees with the
database. Of several processes each tells the others of its changes of a person's choices; a guild's
are changed by the one with its shard alone.
"""

from __future__ import annotations

from asyncio import Lock
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Generic, NewType, Self, TypeVar

from sqlalchemy import Connection, RowMapping, Table, delete, select, update
from sqlalchemy.dialects.postgresql import insert

from bot.storage.database import Database
from bot.storage.dialect import notify
from bot.storage.reading import Reader
from bot.storage.schema.choice_tables import blocks, people, server_channels, servers
from bot.storage.values import EPOCH
from bot.table.seat_log import BoardLook
from bot.table.seats import PersonId

N = TypeVar("N", bound=int)
C = TypeVar("C")


class ChoiceStore(Generic[N, C]):
    """The choices in the rows of a `table` by their ids, kept in memory and in the database.

    `usual` are those of an id without a row.
    """

    def __init__(self, database: Database, table: Table, known: dict[N, C], usual: C) -> None:
        self._database = database
        self._table = table
        self._known = known
        self._usual = usual
        self._changing = Lock()  # what is in memory is changed in the order of what is stored

    def of(self, number: N) -> C:
        """The choices of an id, as far as this process has heard."""
        return self._known.get(number, self._usual)

    async def choose(self, number: N, **chosen: Any) -> None:  # noqa: ANN401 - of any field
        """Save choices by their names."""

        def keep(connection: Connection) -> None:
            connection.execute(insert(self._table).values(id=number).on_conflict_do_nothing())
            own = self._table.c.id == number
            connection.execute(update(self._table).where(own).values(**chosen))

        await self._change(number, keep, lambda known: replace(known, **chosen))  # type: ignore[type-var]

    def drop(self, number: N) -> None:
        """Drop the choices of an id from memory."""
        self._known.pop(number, None)

    async def _change(
        self, number: N, save: Callable[[Connection], object], change: Callable[[C], C]
    ) -> None:
        """Save a change of the choices of an id, and know it from then on."""
        async with self._changing:
            await self._database.run(save)
            self._known[number] = change(self.of(number))


class Form(StrEnum):
    """The form in which a person is shown boards."""

    MESSAGE = "message"
    WORDS = "words"
    IMAGE = "image"


class Reminding(StrEnum):
    """The way a person is reminded of their games."""

    ON = "on"
    OFF = "off"
    DIRECT = "direct"


@dataclass(frozen=True, slots=True)
class Choices:
    """A person's choices.

    `form` is that of boards and `language` is Discord's name of theirs; None stands for no choice.
    Without `challenges` nobody can challenge or invite them. With `streaks` they are told before a
    streak of puzzles breaks. A `blocked` person can neither challenge them nor sit down at a table
    where they are.
    """

    form: Form | None = None
    language: str | None = None
    challenges: bool = True
    reminders: Reminding = Reminding.ON
    streaks: bool = False
    blocked: frozenset[PersonId] = frozenset()


NOTHING: Final = Choices()

CHANGED, FORGOTTEN = "changed", "forgotten"
"""News of people that processes tell each other."""


class People(ChoiceStore[PersonId, Choices]):
    """The choices of all people."""

    def __init__(
        self, database: Database, known: dict[PersonId, Choices], *, shared: bool = False
    ) -> None:
        super().__init__(database, people, known, NOTHING)
        self._shared = shared

    @classmethod
    async def loaded(cls, database: Database, *, shared: bool = False) -> Self:
        """The people of a database, which are `shared` with other processes or not."""
        return cls(database, await database.read(load_people), shared=shared)

    async def block(
        self, person: PersonId, *others: PersonId, unblocked: Collection[PersonId] = ()
    ) -> None:
        """Keep other people away from a person, and let those `unblocked` near again."""

        def change(known: Choices) -> Choices:
            blocked = known.blocked.difference(unblocked).union(others)
            return replace(known, blocked=blocked)

        await self._change(person, lambda c: _block(c, person, others, unblocked), change)

    async def refresh(self, people: Collection[PersonId]) -> None:
        """Read the choices of some people again, if other processes may have changed them."""
        if self._shared:
            await self.reload(people)

    async def reload(self, people: Collection[PersonId] | None = None) -> None:
        """Read the choices of some people again, or of all."""
        async with self._changing:
            known = await self._database.read(lambda reader: load_people(reader, people))
            for person in [*self._known] if people is None else people:
                self._known.pop(person, None)
            self._known.update(known)

    def drop(self, person: PersonId) -> None:
        """Drop a person from memory, and from the blocks of others."""
        super().drop(person)
        for other, known in [*self._known.items()]:
            if person in known.blocked:
                self._known[other] = replace(known, blocked=known.blocked - {person})

    async def _change(
        self,
        number: PersonId,
        save: Callable[[Connection], object],
        change: Callable[[Choices], Choices],
    ) -> None:
        def told(connection: Connection) -> None:
            save(connection)
            tell(connection, CHANGED, number)

        await super()._change(number, told, change)


def load_people(
    reader: Reader, which: Collection[PersonId] | None = None
) -> dict[PersonId, Choices]:
    """The choices of people, or of all who have made some."""
    blocking, choosing = select(blocks), select(people)
    if which is not None:
        blocking = blocking.where(blocks.c.person.in_(which))
        choosing = choosing.where(people.c.id.in_(which))
    blocked: defaultdict[PersonId, set[PersonId]] = defaultdict(set)
    for row in reader.connection.execute(blocking):
        blocked[PersonId(row.person)].add(PersonId(row.blocked))
    known = dict(reader.rows(people, choosing, _choices))
    for each, others in blocked.items():
        known[each] = replace(known.get(each, NOTHING), blocked=frozenset(others))
    return known


def _choices(row: RowMapping) -> tuple[PersonId, Choices]:
    return PersonId(row["id"]), Choices(
        form=None if row["form"] is None else Form(row["form"]),
        language=row["language"],
        challenges=row["challenges"],
        reminders=Reminding(row["reminders"]),
        streaks=row["streaks"],
    )


def _block(
    connection: Connection,
    person: PersonId,
    others: Collection[PersonId],
    unblocked: Collection[PersonId],
) -> None:
    own = (blocks.c.person == person) & blocks.c.blocked.in_(unblocked)
    connection.execute(delete(blocks).where(own))
    for other in others:
        pair = insert(blocks).values(person=person, blocked=other)
        connection.execute(pair.on_conflict_do_nothing())


def tell(connection: Connection, what: str, person: PersonId) -> None:
    """Tell other processes of a person's choices, or that the person is forgotten."""
    notify(connection, f"{what} {person}")


GuildId = NewType("GuildId", int)

FEWEST_GAMES, USUAL_GAMES, MOST_GAMES = 1, 5, 50
"""The number of games that may wait or run at once in a channel: the bounds and the default."""


USUAL_HOUR: Final = 16
"""The hour of UTC from which news come unless another is chosen."""

DAYS: Final = 7
FRIDAY: Final = 4
ARENA_MINUTES: Final = (20, 30, 45, 60)
"""The lengths of a weekly arena."""

QUIET_WEEKS: Final = 4
"""The weeks in a row without two people who play after which a weekly arena comes no more."""

MOST_CHANNELS: Final = 50
"""The most channels a guild may list: as many as one message can name."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """The settings of a guild.

    `channels` are those where games may be played, threads included; none stands for all of them.
    `games` may wait or run at once in one channel. `language` is Discord's name of the boards'
    language; None stands for the language of the person who opens the game. `board` is the look of
    boards unless a table chooses; None stands for that of each game.

    News come to `news_channel`, if there is one, from `news_hour` of UTC on, and not on days when
    that was before `news_since`. `news_lost` is a channel that they could not be sent to, until a
    person who manages the guild sees that in its settings; once before they are told with a
    command, after which it is `news_told`. With `threads` each game between people has a thread for
    its talk and reminders. Winners of tournaments get the role `winner_role`, if there is one.

    An arena comes to `arena_channel`, if there is one, each week on `arena_day`, where 0 is Monday,
    at `arena_hour` of UTC, for `arena_minutes`, and next at `arena_next`. Its game is a word of
    `bot.games.variants.duels`, None for the usual one. `arena_lost` and `arena_told` are as for
    news. `arena_quiet` is the number of arenas since the choice, or from the last one on in which
    two people played; more than `QUIET_WEEKS` have ended them.
    """

    channels: frozenset[int] = frozenset()
    games: int = USUAL_GAMES
    language: str | None = None
    board: BoardLook | None = None
    news_channel: int | None = None
    news_hour: int = USUAL_HOUR
    news_since: datetime = EPOCH
    news_lost: int | None = None
    news_told: bool = False
    arena_channel: int | None = None
    arena_game: str | None = None
    arena_day: int = FRIDAY
    arena_hour: int = 18
    arena_minutes: int = 30
    arena_next: datetime | None = None
    arena_lost: int | None = None
    arena_told: bool = False
    arena_quiet: int = 0
    threads: bool = False
    winner_role: int | None = None

    @property
    def named_channels(self) -> frozenset[int]:
        """All channels that were chosen for something."""
        chosen = {self.news_channel, self.arena_channel}
        return self.channels.union(each for each in chosen if each is not None)

    @property
    def quiet(self) -> bool:
        """Whether weekly arenas have ended since nobody played."""
        return self.arena_quiet > QUIET_WEEKS

    def arena_after(self, moment: datetime) -> datetime:
        """The first start of a weekly arena at or after a moment."""
        begin = moment.astimezone(UTC).replace(
            hour=self.arena_hour, minute=0, second=0, microsecond=0
        )
        start = begin + timedelta((self.arena_day - begin.weekday()) % DAYS)
        return start if start >= moment else start + timedelta(DAYS)


USUAL: Final = GuildSettings()

_CHOSEN: Final = tuple(each.name for each in fields(GuildSettings) if each.name in servers.c)
"""The fields that are columns; a column without a value stands for the usual one."""

CHOSEN_FROM: Final[Mapping[str, Collection[str | int]]] = {
    "games": range(FEWEST_GAMES, MOST_GAMES + 1),
    "board": tuple(BoardLook),
    "news_hour": range(24),
    "arena_day": range(DAYS),
    "arena_hour": range(24),
    "arena_minutes": ARENA_MINUTES,
}
"""The possible values of columns that have few."""


class Guilds(ChoiceStore[GuildId, GuildSettings]):
    """The settings of all guilds."""

    @classmethod
    async def loaded(cls, database: Database) -> Self:
        """The guilds of a database."""
        return cls(database, servers, await database.read(load), USUAL)

    def with_news(self) -> Mapping[GuildId, GuildSettings]:
        """The guilds that have chosen a channel for their news."""
        return {guild: each for guild, each in self._known.items() if each.news_channel is not None}

    def with_arena(self) -> Mapping[GuildId, GuildSettings]:
        """The guilds that have chosen a channel for a weekly arena."""
        return {
            guild: each for guild, each in self._known.items() if each.arena_channel is not None
        }

    async def list_channels(
        self, guild: GuildId, *, listed: Collection[int] = (), delisted: Collection[int] = ()
    ) -> None:
        """Add channels to those where games may be played, and take others away."""

        def change(known: GuildSettings) -> GuildSettings:
            return replace(known, channels=known.channels.difference(delisted).union(listed))

        await self._change(guild, lambda c: _list(c, guild, listed, delisted), change)

    async def lose_news(self, guild: GuildId) -> None:
        """Send a guild no more news, since its channel for them is out of reach."""
        lost = self.of(guild).news_channel
        await self.choose(guild, news_channel=None, news_lost=lost, news_told=False)

    async def lose_arena(self, guild: GuildId, *, quiet: int = 0) -> None:
        """Hold no more weekly arenas in a guild.

        Their channel is out of reach, or they were `quiet` for too long.
        """
        lost = self.of(guild).arena_channel
        ended = {"arena_channel": None, "arena_lost": lost, "arena_told": False}
        await self.choose(guild, **ended, arena_quiet=quiet)

    async def open_arena(
        self, guild: GuildId, opening: Awaitable[datetime | None], *, quiet: int
    ) -> None:
        """Open the weekly arena of a guild, which saves when the next one is."""
        async with self._changing:
            following = await opening
            held = replace(self.of(guild), arena_next=following, arena_quiet=quiet)
            self._known[guild] = held


def load(reader: Reader) -> dict[GuildId, GuildSettings]:
    """The settings of all guilds that have chosen any."""
    channels: defaultdict[GuildId, set[int]] = defaultdict(set)
    for listed in reader.connection.execute(select(server_channels)):
        channels[GuildId(listed.server)].add(listed.channel)

    def settings(row: RowMapping) -> tuple[GuildId, GuildSettings]:
        guild = GuildId(row["id"])
        chosen: dict[str, Any] = {name: row[name] for name in _CHOSEN if row[name] is not None}
        for name in chosen.keys() & CHOSEN_FROM:
            if chosen[name] not in CHOSEN_FROM[name]:
                raise ValueError(f"{name} cannot be {chosen[name]!r}")
        if "board" in chosen:
            chosen["board"] = BoardLook(chosen["board"])
        return guild, GuildSettings(frozenset(channels[guild]), **chosen)

    return dict(reader.rows(servers, select(servers), settings))


def _list(
    connection: Connection, guild: GuildId, listed: Collection[int], delisted: Collection[int]
) -> None:
    connection.execute(insert(servers).values(id=guild).on_conflict_do_nothing())
    own = server_channels.c.server == guild
    touched = server_channels.c.channel.in_([*listed, *delisted])
    connection.execute(delete(server_channels).where(own & touched))
    if listed:
        rows = [{"server": guild, "channel": channel} for channel in listed]
        connection.execute(insert(server_channels).on_conflict_do_nothing(), rows)

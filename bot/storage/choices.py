"""The choices of people and the settings of guilds, stored in the database and kept in memory.

All rows are read once, at the start, so that an answer in a person's language costs no query; only
people and guilds that have chosen something have a row. Every change goes through these stores, so
memory and database agree. A process tells the others when a person's choices change; a guild's
settings are changed only by the process that has its shard.
"""

from __future__ import annotations

from asyncio import Lock
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
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
    """Choices by id, kept in memory and in the rows of a `table`; `usual` stands for no row.

    Rows and memory are changed while `changing` is held, so that both change in the same order.
    """

    def __init__(self, database: Database, table: Table, known: dict[N, C], usual: C) -> None:
        self._database = database
        self._table = table
        self._known = known
        self._usual = usual
        self.changing = Lock()

    def of(self, number: N) -> C:
        """The choices of an id, as this process knows them."""
        return self._known.get(number, self._usual)

    async def choose(
        self,
        number: N,
        still: Mapping[str, object] = MappingProxyType({}),
        /,
        **chosen: Any,  # noqa: ANN401 - of any field
    ) -> None:
        """Save choices by their field names, such as `choose(guild, news_hour=9)`.

        Nothing changes unless the fields in `still` have these values once it is their turn.
        """

        def keep(connection: Connection) -> None:
            connection.execute(insert(self._table).values(id=number).on_conflict_do_nothing())
            own = self._table.c.id == number
            connection.execute(update(self._table).where(own).values(**chosen))

        def change(known: C) -> C | None:
            if any(getattr(known, field) != value for field, value in still.items()):
                return None
            return replace(known, **chosen)  # type: ignore[type-var]

        await self._change(number, keep, change)

    def drop(self, number: N) -> None:
        """Drop the choices of an id from memory."""
        self._known.pop(number, None)

    async def _change(
        self, number: N, save: Callable[[Connection], object], change: Callable[[C], C | None]
    ) -> None:
        """Save a change of the choices of an id in the database, then in memory.

        `change` returns None if nothing is to be saved.
        """
        async with self.changing:
            if (changed := change(self.of(number))) is not None:
                await self._database.run(save)
                self._known[number] = changed


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

    `form` is how boards are shown to them, and `language` a locale of Discord's, such as `de`; None
    stands for no choice. Without `challenges` nobody can challenge or invite them. With `streaks`
    they are warned before a streak of puzzles breaks. People in `blocked` can neither challenge
    them nor sit down at their tables.
    """

    form: Form | None = None
    language: str | None = None
    challenges: bool = True
    reminders: Reminding = Reminding.ON
    streaks: bool = False
    blocked: frozenset[PersonId] = frozenset()


NOTHING: Final = Choices()

CHANGED, FORGOTTEN = "changed", "forgotten"
"""The two kinds of notices about a person that processes send each other."""


class People(ChoiceStore[PersonId, Choices]):
    """The choices of all people."""

    def __init__(
        self, database: Database, known: dict[PersonId, Choices], *, shared: bool = False
    ) -> None:
        super().__init__(database, people, known, NOTHING)
        self._shared = shared

    @classmethod
    async def loaded(cls, database: Database, *, shared: bool = False) -> Self:
        """Read all people; `shared` says whether other processes change them too."""
        return cls(database, await database.read(load_people), shared=shared)

    async def block(
        self, person: PersonId, *others: PersonId, unblocked: Collection[PersonId] = ()
    ) -> None:
        """Add `others` to the people whom `person` blocks, and remove those in `unblocked`."""

        def change(known: Choices) -> Choices:
            blocked = known.blocked.difference(unblocked).union(others)
            return replace(known, blocked=blocked)

        await self._change(person, lambda c: _block(c, person, others, unblocked), change)

    async def refresh(self, people: Collection[PersonId]) -> None:
        """Reload the choices of some people if other processes may have changed them."""
        if self._shared:
            await self.reload(people)

    async def reload(self, people: Collection[PersonId] | None = None) -> None:
        """Read the choices of some people from the database again; None stands for all."""
        async with self.changing:
            known = await self._database.read(lambda reader: load_people(reader, people))
            for person in [*self._known] if people is None else people:
                self._known.pop(person, None)
            self._known.update(known)

    def drop(self, person: PersonId) -> None:
        """Drop a person from memory, and from the people whom others block."""
        super().drop(person)
        for other, known in [*self._known.items()]:
            if person in known.blocked:
                self._known[other] = replace(known, blocked=known.blocked - {person})

    async def _change(
        self,
        number: PersonId,
        save: Callable[[Connection], object],
        change: Callable[[Choices], Choices | None],
    ) -> None:
        def told(connection: Connection) -> None:
            save(connection)
            tell(connection, CHANGED, number)

        await super()._change(number, told, change)


def load_people(
    reader: Reader, which: Collection[PersonId] | None = None
) -> dict[PersonId, Choices]:
    """The choices of those people who have made any; `which` None stands for all people."""
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
    """Tell other processes that a person's choices `CHANGED`, or that they are `FORGOTTEN`."""
    notify(connection, f"{what} {person}")


GuildId = NewType("GuildId", int)

FEWEST_GAMES, USUAL_GAMES, MOST_GAMES = 1, 5, 50
"""How many games may wait or run at once in a channel: the least, the default, the most."""


USUAL_HOUR: Final = 16
"""The default hour, in UTC, at which the news of the day come."""

DAYS: Final = 7
FRIDAY: Final = 4
ARENA_MINUTES: Final = (20, 30, 45, 60)
"""The possible lengths of a weekly arena, in minutes."""

QUIET_WEEKS: Final = 4
"""The most weeks in a row without two players; after these, weekly arenas end."""

MOST_CHANNELS: Final = 50
"""The most channels a guild may list: as many as one message can name."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """The settings of a guild.

    Games may be played in `channels` and their threads; an empty set stands for all channels. At
    most `games` may wait or run at once in one channel. `language` is the locale of boards; None
    stands for that of the person who opens the game. `board` is the default look of boards; None
    stands for the default of each game.

    News are posted to `news_channel`, if any, each day at `news_hour` UTC, first at such an hour
    after `news_since`. `news_lost` is a channel to which they could not be sent; it is kept until a
    manager of the guild sees it in the settings. `news_told` says that a manager was told once with
    the answer to a command. With `threads` each game between people has a thread. Winners of
    tournaments get the role `winner_role`, if any.

    A weekly arena opens in `arena_channel`, if any, on `arena_day` (0 is Monday) at `arena_hour`
    UTC, for `arena_minutes`; the next at `arena_next`. `arena_game` is a word of
    `bot.games.variants.duels`; None stands for the default. `arena_lost` and `arena_told` are as
    for news. `arena_quiet` counts arenas since the last in which two people played; above
    `QUIET_WEEKS` they end.
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
        """Whether weekly arenas have ended because too few people played."""
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
"""The fields of `GuildSettings` that are columns; null stands for the default."""

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
        """Add `listed` to the channels where games may be played, and remove `delisted`."""

        def change(known: GuildSettings) -> GuildSettings:
            return replace(known, channels=known.channels.difference(delisted).union(listed))

        await self._change(guild, lambda c: _list(c, guild, listed, delisted), change)

    async def lose_news(self, guild: GuildId, channel: int) -> None:
        """End a guild's news because their channel is out of reach; keep it as `news_lost`.

        Nothing changes if another channel was chosen since.
        """
        chosen = {"news_channel": channel}
        await self.choose(guild, chosen, news_channel=None, news_lost=channel, news_told=False)

    async def lose_arena(self, guild: GuildId, channel: int, *, quiet: int = 0) -> None:
        """End a guild's weekly arenas: their channel is out of reach, or `quiet` weeks too many.

        Nothing changes if another channel was chosen since.
        """
        chosen = {"arena_channel": channel}
        ended = {"arena_channel": None, "arena_lost": channel, "arena_told": False}
        await self.choose(guild, chosen, **ended, arena_quiet=quiet)

    async def note_told(self, guild: GuildId, seen: GuildSettings, *, in_settings: bool) -> None:
        """Note that a manager was told what had been lost in `seen`; that in the settings is over.

        What was lost since is still to be told.
        """
        field, value = ("lost", None) if in_settings else ("told", True)
        for lost in ("news_lost", "arena_lost"):
            if (channel := getattr(seen, lost)) is not None:
                told = {lost.replace("lost", field): value}
                await self.choose(guild, {lost: channel}, **told)

    async def open_arena(
        self, guild: GuildId, opening: Awaitable[datetime | None], *, quiet: int
    ) -> None:
        """Await `opening`, which stores an arena, and keep in memory when the next one starts."""
        async with self.changing:
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

"""Settings of guilds. Of several processes only the one with a guild's shard changes its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Collection, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NewType, Self

from sqlalchemy import Connection, RowMapping, delete, select
from sqlalchemy.dialects.postgresql import insert

from bot.storage.choices import ChoiceStore
from bot.storage.database import Database
from bot.storage.reading import Reader
from bot.storage.schema.choice_tables import server_channels, servers
from bot.storage.values import EPOCH
from bot.table.preferences import BoardLook

GuildId = NewType("GuildId", int)

FEWEST_GAMES, USUAL_GAMES, MOST_GAMES = 1, 5, 50
"""The number of games that may wait or run at once in a channel: the bounds and the default."""


USUAL_HOUR: Final = 16
"""The hour of UTC from which news come unless another is chosen."""

DAYS: Final = 7
FRIDAY: Final = 4
ARENA_MINUTES: Final = (20, 30, 45, 60)
"""The lengths of a weekly arena."""

MOST_CHANNELS: Final = 50
"""The most channels a guild may list: as many as one message can name."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """The settings of a guild.

    `channels` are those where games may be played, threads included; none stands for all of them.
    `games` may wait or run at once in one channel. `language` is Discord's name of the boards'
    language; None stands for the language of the person who opens the game. `board` is the look of
    boards unless a table chooses. News come to `news_channel`, if there is one, from `news_hour` of
    UTC on, and not on days when that was before `news_since`. `news_lost` is a channel that they
    could not be sent to, until a person who manages the guild sees that in its settings; once
    before they are told with a command, after which it is `news_told`. With `threads` each game
    between people has a thread for its talk and reminders. Winners of tournaments get the role
    `winner_role`, if there is one.

    An arena comes to `arena_channel`, if there is one, each week on `arena_day`, where 0 is Monday,
    at `arena_hour` of UTC, for `arena_minutes`, and next at `arena_next`. Its game is a word of
    `bot.games.variants.duels`, None for the usual one. `arena_lost` and `arena_told` are as for
    news.
    """

    channels: frozenset[int] = frozenset()
    games: int = USUAL_GAMES
    language: str | None = None
    board: BoardLook = BoardLook.EMOJI
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
    threads: bool = False
    winner_role: int | None = None

    @property
    def named_channels(self) -> frozenset[int]:
        """All channels that were chosen for something."""
        chosen = {self.news_channel, self.arena_channel}
        return self.channels.union(each for each in chosen if each is not None)

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

    async def lose_arena(self, guild: GuildId) -> None:
        """Hold no more weekly arenas in a guild, since their channel is out of reach."""
        lost = self.of(guild).arena_channel
        await self.choose(guild, arena_channel=None, arena_lost=lost, arena_told=False)

    async def open_arena(self, guild: GuildId, opening: Awaitable[datetime | None]) -> None:
        """Open the weekly arena of a guild, which saves when the next one is."""
        async with self._changing:
            following = await opening
            self._known[guild] = replace(self.of(guild), arena_next=following)


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

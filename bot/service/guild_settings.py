"""What Parlour remembers of a server's settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NewType, TypedDict

from bot.table.seats import BoardLook

GuildId = NewType("GuildId", int)

FEWEST_GAMES, USUAL_GAMES, MOST_GAMES = 1, 5, 50
"""How many games may wait or run at once in a channel: bounds, and what holds unless chosen."""

MOST_CHANNELS: Final = 50
"""How many channels a server may list: as many as one message can name."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """The settings of a server.

    `channels` are those where games may be played, threads included; none stands for all of them.
    `games` is how many may wait or run at once in one channel. `language` is Discord's name of the
    one in which boards speak; None leaves it to who opens the game. `board` is how boards are
    shown unless a table chooses.
    """

    channels: frozenset[int] = frozenset()
    games: int = USUAL_GAMES
    language: str | None = None
    board: BoardLook = BoardLook.EMOJI


class GuildChoices(TypedDict, total=False):
    """Those of `GuildSettings` that a server sets anew."""

    games: int
    language: str | None
    board: BoardLook


def shard_of(guild: int, count: int) -> int:
    """Which of so many shards hears of a server, as Discord divides them."""
    return (guild >> 22) % count


@dataclass(frozen=True, slots=True)
class Shard:
    """One of `count` connections among which all servers are divided; `number` counts from 0."""

    number: int
    count: int

    def covers(self, guild: GuildId) -> bool:
        """Whether this connection is the one that hears of a server."""
        return shard_of(guild, self.count) == self.number


@dataclass(frozen=True, slots=True)
class Share:
    """The shards of `count` that this process has, by their numbers; without a count all there are.

    A table belongs to the process that has the shard of its server, or the first shard if it is in
    direct messages: that process alone draws it and reminds of it.
    """

    count: int | None = None
    numbers: frozenset[int] = frozenset()

    @property
    def whole(self) -> bool:
        """Whether no other process has any."""
        return self.count is None or len(self.numbers) == self.count

    @property
    def first(self) -> bool:
        """Whether this is the one process that does what has to be done once."""
        return self.owns(None)

    def owns(self, guild: int | None) -> bool:
        """Whether a server is on one of the shards; None stands for direct messages."""
        return self.count is None or shard_of(guild or 0, self.count) in self.numbers


WHOLE: Final = Share()

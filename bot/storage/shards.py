"""Shards: Discord divides guilds among them, and each process has some of them."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import Final


def shard_of(guild: int, count: int) -> int:
    """The number of a guild's shard among `count`, as Discord divides them."""
    return (guild >> 22) % count


@dataclass(frozen=True, slots=True)
class Shard:
    """One of `count` connections that divide the guilds; `number` counts from 0."""

    number: int
    count: int

    def covers(self, guild: int) -> bool:
        """Whether this connection gets the events of a guild."""
        return shard_of(guild, self.count) == self.number

    def meets(self, other: Shard) -> bool:
        """Whether there are guilds that both cover, such as after a change of the count."""
        return (self.number - other.number) % gcd(self.count, other.count) == 0


@dataclass(frozen=True, slots=True)
class Share:
    """The `numbers` of the shards of this process, out of `count`; all of them without a count.

    A table belongs to the process that has its guild's shard, or the first shard if it is in direct
    messages: that process alone draws it and reminds of it.
    """

    count: int | None = None
    numbers: frozenset[int] = frozenset()

    @property
    def whole(self) -> bool:
        """Whether this process has all shards."""
        return self.count is None or len(self.numbers) == self.count

    @property
    def first(self) -> bool:
        """Whether this process has the first shard, and with it the work that is done once."""
        return self.owns(None)

    def owns(self, guild: int | None) -> bool:
        """Whether a guild is on one of the shards; None stands for direct messages."""
        return self.count is None or shard_of(guild or 0, self.count) in self.numbers


WHOLE: Final = Share()

"""What Parlour remembers of a server's settings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NewType, Protocol

ServerId = NewType("ServerId", int)

FEWEST_GAMES, USUAL_GAMES, MOST_GAMES = 1, 5, 50
"""How many games may wait or run at once in a channel: bounds, and what holds unless chosen."""

MOST_CHANNELS: Final = 50
"""How many channels a server may list: as many as one message can name."""


@dataclass(frozen=True, slots=True)
class Server:
    """The settings of a server.

    `channels` are those where games may be played, threads included; none stands for all of them.
    `games` is how many may wait or run at once in one channel. `language` is Discord's name of the
    one in which boards speak; None leaves it to whoever opens the game.
    """

    channels: frozenset[int] = frozenset()
    games: int = USUAL_GAMES
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Shard:
    """One of `count` connections among which all servers are divided; `number` counts from 0."""

    number: int
    count: int

    def covers(self, server: ServerId) -> bool:
        """Whether this connection is the one that hears of a server."""
        return (server >> 22) % self.count == self.number


class Servers(Protocol):
    """Keeps the settings of servers, and has those of all at hand."""

    def server(self, server: ServerId) -> Server:
        """The settings of a server."""

    async def list_channels(
        self, server: ServerId, *, listed: Collection[int] = (), delisted: Collection[int] = ()
    ) -> None:
        """Adds channels to those where games may be played, and takes others away."""

    async def limit_games(self, server: ServerId, games: int) -> None:
        """Sets how many games may wait or run at once in a channel."""

    async def choose_language(self, server: ServerId, language: str | None) -> None:
        """Sets the language of the server's boards; None leaves it to whoever opens a game."""

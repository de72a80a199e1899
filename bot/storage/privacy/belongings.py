"""What is stored of a server, and how each kind of it goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, select, update

from bot.storage.guild_settings import GuildId
from bot.storage.schema import (
    level_records,
    pairings,
    results,
    seats,
    server_channels,
    servers,
    sessions,
    standing_blocks,
    standings,
)
from bot.table.session import Phase
from bot.table.table import NO_CHANNEL

TOGETHER: Final = 500
"""How many people's records are dropped by one statement."""


@dataclass(frozen=True, slots=True)
class Belongings:
    """A server's tables that came to their end, by number; who finished games there, and which."""

    finished: tuple[int, ...] = ()
    abandoned: tuple[int, ...] = ()
    people: frozenset[int] = frozenset()
    games: frozenset[str] = frozenset()

    def __or__(self, other: Belongings) -> Belongings:
        """What belongs to either."""
        return Belongings(
            self.finished + other.finished,
            self.abandoned + other.abandoned,
            self.people | other.people,
            self.games | other.games,
        )


def portions(numbers: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Numbers in their order, so many at a time."""
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]


def tables_of(guild: GuildId) -> ColumnElement[bool]:
    """That a table is one of a server: those where the bot is no member are their people's own."""
    return (sessions.c.guild == guild) & sessions.c.unreachable.is_(False)


def belongings(connection: Connection, guild: GuildId, after: int, until: int) -> Belongings:
    """What a server has among the sessions numbered above `after`, up to `until`.

    There is no index of servers: it would grow with every game, and serve only here.
    """
    own = (sessions.c.id > after, sessions.c.id <= until, tables_of(guild))
    rows = connection.execute(select(sessions.c.id, sessions.c.phase, sessions.c.game).where(*own))
    tables = rows.all()
    if not tables:
        return Belongings()
    players = (
        select(seats.c.person)
        .distinct()
        .join(sessions, seats.c.session == sessions.c.id)
        .where(*own, sessions.c.phase == Phase.FINISHED, seats.c.person.is_not(None))
    )
    return Belongings(
        finished=tuple(row.id for row in tables if row.phase == Phase.FINISHED),
        abandoned=tuple(row.id for row in tables if row.phase == Phase.ABANDONED),
        people=frozenset(connection.execute(players).scalars()),
        games=frozenset(row.game for row in tables),
    )


def drop_records(connection: Connection, guild: GuildId, own: Belongings) -> None:
    """Drops what was counted in a server apart.

    A person forgotten since the people were looked for is among the former players now.
    """
    people = [*portions(sorted(own.people), TOGETHER)]
    for table in (standings, level_records, pairings):
        key = table.c
        for whose in (key.person < 0, *map(key.person.in_, people)):
            counted = whose & key.game.in_(own.games) & (key.scope == guild)
            connection.execute(delete(table).where(counted))
    blocks = (standing_blocks.c.scope == guild) & standing_blocks.c.game.in_(own.games)
    connection.execute(delete(standing_blocks).where(blocks))


def part_from(connection: Connection, numbers: Sequence[int]) -> None:
    """Lets finished games be games of no server, which count everywhere as they did before.

    Nor do they lead to their rematch any more, which was a button of their message.
    """
    nowhere = {"guild": None, "channel": NO_CHANNEL, "message": None, "rematch": None}
    connection.execute(update(sessions).where(sessions.c.id.in_(numbers)).values(nowhere))
    uncounted = {"guild": None, "mu_here": None, "sigma_here": None}
    connection.execute(update(results).where(results.c.session.in_(numbers)).values(uncounted))


def delete_sessions(connection: Connection, numbers: Sequence[int]) -> None:
    """Deletes tables with their seats, moves and interactions."""
    connection.execute(delete(sessions).where(sessions.c.id.in_(numbers)))


def delete_settings(connection: Connection, guild: GuildId) -> None:
    """Deletes a server's settings, and that it was ever known."""
    connection.execute(delete(server_channels).where(server_channels.c.server == guild))
    connection.execute(delete(servers).where(servers.c.id == guild))

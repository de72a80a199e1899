"""Rows of a guild, and their removal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, select, update

from bot.storage.dialect import ANSWERING, in_turn
from bot.storage.guild_settings import GuildId
from bot.storage.schema.choice_tables import (
    frozen_days,
    news,
    puzzle_servers,
    server_channels,
    servers,
)
from bot.storage.schema.game_tables import seats, sessions
from bot.storage.schema.record_tables import (
    badges,
    level_records,
    pairings,
    puzzle_points,
    results,
    standings,
)
from bot.storage.schema.tournament_tables import tournaments
from bot.table.session import Phase
from bot.table.table import NO_CHANNEL

TOGETHER: Final = 500
"""The most people whose records one statement drops."""


@dataclass(frozen=True, slots=True)
class GuildTables:
    """The numbers of a guild's tables that are over, their players, and their kinds of games."""

    finished: tuple[int, ...] = ()
    abandoned: tuple[int, ...] = ()
    people: frozenset[int] = frozenset()
    games: frozenset[str] = frozenset()

    def __or__(self, other: GuildTables) -> GuildTables:
        """The tables of both."""
        return GuildTables(
            self.finished + other.finished,
            self.abandoned + other.abandoned,
            self.people | other.people,
            self.games | other.games,
        )


def portions(numbers: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Split numbers into pieces of a size."""
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]


def tables_of(guild: GuildId) -> ColumnElement[bool]:
    """The condition that a table is a guild's own; without the bot it belongs to its people."""
    return (sessions.c.guild == guild) & sessions.c.unreachable.is_(False)


def guild_tables(connection: Connection, guild: GuildId, after: int, until: int) -> GuildTables:
    """A guild's tables among the sessions numbered above `after`, up to `until`.

    There is no index of guilds: it would grow with every game, and serve only here.
    """
    own = (sessions.c.id > after, sessions.c.id <= until, tables_of(guild))
    rows = connection.execute(select(sessions.c.id, sessions.c.phase, sessions.c.game).where(*own))
    tables = rows.all()
    if not tables:
        return GuildTables()
    players = (
        select(seats.c.person)
        .distinct()
        .join(sessions, seats.c.session == sessions.c.id)
        .where(*own, sessions.c.phase == Phase.FINISHED, seats.c.person.is_not(None))
    )
    return GuildTables(
        finished=tuple(row.id for row in tables if row.phase == Phase.FINISHED),
        abandoned=tuple(row.id for row in tables if row.phase == Phase.ABANDONED),
        people=frozenset(connection.execute(players).scalars()),
        games=frozenset(row.game for row in tables),
    )


def drop_records(connection: Connection, guild: GuildId, own: GuildTables) -> None:
    """Delete a guild's own records.

    A person forgotten since the people were looked for is among the former players now.
    """
    people = [*portions(sorted(own.people), TOGETHER)]
    for table in (standings, level_records, pairings):
        key = table.c
        for whose in (key.person < 0, *map(key.person.in_, people)):
            counted = whose & key.game.in_(own.games) & (key.scope == guild)
            connection.execute(delete(table).where(counted))


def part_from(connection: Connection, numbers: Sequence[int]) -> None:
    """Make finished games games of no guild, which count everywhere as they did before.

    They no longer lead to their rematch either, which was a button of their message.
    """
    nowhere = dict.fromkeys(("guild", "message", "thread", "rematch"))
    gone = update(sessions).where(sessions.c.id.in_(numbers))
    connection.execute(gone.values(**nowhere, channel=NO_CHANNEL))
    earned = badges.c.session.in_(numbers)
    connection.execute(update(badges).where(earned).values(guild=None))
    uncounted = {"guild": None, "mu_here": None, "sigma_here": None}
    connection.execute(update(results).where(results.c.session.in_(numbers)).values(uncounted))


def delete_sessions(connection: Connection, numbers: Sequence[int]) -> None:
    """Delete tables with their seats, moves and interactions."""
    connection.execute(delete(sessions).where(sessions.c.id.in_(numbers)))


def delete_settings(connection: Connection, guild: GuildId) -> None:
    """Delete a guild's settings, its news, puzzles and tournaments, and that it was ever known."""
    in_turn(connection, ANSWERING)
    for table in (puzzle_points, frozen_days):
        connection.execute(delete(table).where(table.c.scope == guild))
    for table in (server_channels, puzzle_servers, news):
        connection.execute(delete(table).where(table.c.server == guild))
    connection.execute(delete(servers).where(servers.c.id == guild))
    connection.execute(delete(tournaments).where(tournaments.c.guild == guild))

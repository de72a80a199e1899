"""Tournaments in the database.

Saving is optimistic, as for tables: a step is computed from the tournament as it was read, and
written, with the tables that it opens, only if the stored revision is still the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    bindparam,
    case,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)

from bot.records.rating import ALL_TIME
from bot.storage.records.badges import first_title
from bot.storage.schema.choice_tables import servers
from bot.storage.schema.game_tables import moves, sessions
from bot.storage.schema.record_tables import standings
from bot.storage.schema.tournament_tables import (
    AT_TABLE,
    LIVE,
    NOT_SHOWN,
    SIGNING_UP,
    STALE,
    UNDECIDED,
    UNTOLD,
    entries,
    legs,
    tournaments,
)
from bot.storage.shards import Share
from bot.storage.tables import Tables, in_share
from bot.storage.tournament_rows import call_off_at, load, open_hosted, open_weekly, save_hosted
from bot.table.seats import Pace, PersonId
from bot.table.session import SessionId
from bot.table.table import Table
from bot.tournaments.hosted import HostedTournament
from bot.tournaments.progress import standings as standings_of
from bot.tournaments.tournament import CalledOff, Format, TournamentId


class TournamentStore:
    """The tournaments of a database; most lists are limited to servers of this process's share."""

    def __init__(self, tables: Tables, share: Share) -> None:
        self._tables = tables
        self._database = tables.database
        self._own = in_share(share, tournaments.c.guild)

    async def hosted(self, number: TournamentId) -> HostedTournament:
        """A tournament by its number.

        Raises:
            UnknownTournament: It does not exist, or this version cannot read it.
        """
        hosted = await self._database.run(lambda c: load(c, number), reading=True)
        self._database.unreadable.drop(tournaments, number)
        return hosted

    async def open(self, hosted: HostedTournament) -> HostedTournament:
        """Save a new tournament and return it; return the stored one if it was opened before.

        Raises:
            TooManyTournaments: The server has as many as it may have at once.
        """
        return await self._database.run(lambda c: open_hosted(c, hosted))

    async def open_weekly(
        self, hosted: HostedTournament, at: datetime, following: datetime, *, quiet: int
    ) -> datetime | None:
        """Save a server's weekly arena, as `tournament_rows.open_weekly` does."""
        return await self._database.run(lambda c: open_weekly(c, hosted, at, following, quiet))

    async def last_arena(self, guild: int) -> TournamentId | None:
        """A server's latest weekly arena, if it had any."""
        own = (tournaments.c.guild == guild) & (tournaments.c.format == Format.ARENA)
        query = select(func.max(tournaments.c.id)).where(own)
        return await self._database.run(lambda c: c.execute(query).scalar())

    async def save(
        self,
        before: HostedTournament,
        after: HostedTournament,
        tables: Mapping[int, Table] | None = None,
    ) -> HostedTournament:
        """Save a step with the new `tables` by leg; return the tournament that names their ids.

        Raises:
            Conflict: The stored revision is no longer that of `before`.
        """
        cache = self._tables.cache
        drops = cache.drops
        opened, saved = await self._database.run(
            lambda c: save_hosted(c, before, after, tables or {})
        )
        for table in opened:
            cache.keep(table, drops)
        return saved

    async def due(self, now: datetime, silent: Mapping[Pace, timedelta]) -> Sequence[TournamentId]:
        """The tournaments with a step to take.

        Their time has come, or one of their tables has ended, or nobody moved at one for the time
        that `silent` gives for the tournament's pace.
        """
        since: dict[str, Any] = {f"silent_{pace}": None for pace in Pace}
        since |= {f"silent_{pace}": now - limit for pace, limit in silent.items()}
        return await self._where(_DUE, now=now, **since)

    async def live_in(self, guild: int) -> Sequence[TournamentId]:
        """A server's tournaments in sign-up or running, the oldest first."""
        return await self._where(_LIVE_IN, guild=guild)

    async def signing_up(self) -> Sequence[TournamentId]:
        """The tournaments in sign-up that have no time of their start."""
        return await self._where(_UNTIMED)

    async def behind(self) -> Sequence[TournamentId]:
        """The tournaments whose message shows an old revision, in servers that have the bot."""
        return await self._where(_BEHIND)

    async def uncalled(self) -> Sequence[TournamentId]:
        """The tournaments with open legs to whose table the players have not been called yet."""
        return await self._where(_UNCALLED)

    async def untold(self) -> Sequence[TournamentId]:
        """The tournaments that may have calls to delete, or ends of matches to tell or redraw.

        There are none in servers that the bot has left.
        """
        return await self._where(_UNTOLD)

    async def starting(self, before: datetime) -> Sequence[TournamentId]:
        """The tournaments that start before a time and have no reminder yet."""
        return await self._where(_STARTING, before=before)

    async def begun(self) -> Sequence[TournamentId]:
        """The tournaments past sign-up whose reminder is still there."""
        return await self._where(_BEGUN)

    async def legs_at(self, table: SessionId) -> Sequence[tuple[TournamentId, int]]:
        """The tournaments, with the leg's number, whose leg is played at a table: one at most."""
        query = select(legs.c.tournament, legs.c.number).where(AT_TABLE, legs.c.session == table)
        rows = await self._database.run(lambda c: c.execute(query).all())
        return [(TournamentId(tournament), number) for tournament, number in rows]

    async def of_person(self, person: PersonId) -> Sequence[TournamentId]:
        """The live tournaments that a person has entered and not left, of all servers."""
        return await self._where(_OF_PERSON, everywhere=True, person=person)

    async def place(self, number: TournamentId, **placed: int | datetime | None) -> None:
        """Save columns of a tournament's messages, such as `message`, `thread` or `podium`."""
        change = update(tournaments).where(tournaments.c.id == number).values(placed)
        await self._database.run(lambda c: c.execute(change))

    async def show(self, number: TournamentId, message: int, revision: int) -> None:
        """Save the revision that a tournament's message shows, unless it was deleted meanwhile."""
        there = (tournaments.c.id == number) & (tournaments.c.message == message)
        shown = update(tournaments).where(there).values(shown=revision)
        await self._database.run(lambda c: c.execute(shown))

    async def forget_messages(self) -> None:
        """Have the messages and threads of all live tournaments made again."""
        gone = {"message": None, "thread": None, "shown": 0}
        await self._database.run(lambda c: c.execute(update(tournaments).where(LIVE).values(gone)))

    async def call(self, number: TournamentId, leg: int, at: datetime, message: int | None) -> None:
        """Save when the players of a leg were called to its table, and by which message, if any."""
        await self._mark(number, [leg], called_at=at, call=message)

    async def take_away(self, number: TournamentId, leg: int) -> None:
        """Save that the message that called to a leg was deleted."""
        await self._mark(number, [leg], call=None)

    async def tell(
        self, number: TournamentId, of: Sequence[int], message: int | None = None
    ) -> None:
        """Save that the end of a match was told, and by which message, if any.

        `of` are the numbers of its legs; the message is stored with the last of them.
        """
        result = case((legs.c.number == of[-1], literal(message, BigInteger)))
        await self._mark(number, of, told=True, result=result)

    async def freshen(self, number: TournamentId, leg: int, revision: int) -> None:
        """Save that a leg's messages name no forgotten person, unless there is a later revision."""
        fresh = update(legs).where(legs.c.tournament == number, legs.c.number == leg)
        since = exists().where(tournaments.c.id == number, tournaments.c.revision > revision)
        await self._database.run(lambda c: c.execute(fresh.where(~since).values(stale=False)))

    async def lose_message(self, message: int) -> None:
        """Save that the message of a live tournament was deleted."""
        gone = {"message": None, "shown": 0, "deleted": tournaments.c.deleted + 1}
        lost = update(tournaments).where(LIVE, tournaments.c.message == message).values(gone)
        await self._database.run(lambda c: c.execute(lost))

    async def lose_channel(self, channel: int) -> None:
        """Save that a channel or thread was deleted.

        Tournaments of the channel are called off; without their thread, matches are played in the
        tournament's channel.
        """
        lost = tournaments.c.channel == channel
        why = CalledOff.CHANNEL_LOST
        await self._database.run(lambda c: call_off_at(c, lost, why))
        moved = update(tournaments).where(~lost, tournaments.c.thread == channel)
        moved = moved.values(thread=tournaments.c.channel)
        await self._database.run(lambda c: c.execute(moved))

    async def ratings(
        self, people: Collection[PersonId], game: str, guild: int
    ) -> Mapping[PersonId, float]:
        """The ratings (ordinals) in a server by which people are seeded; some have none."""
        here = (
            (standings.c.game == game)
            & (standings.c.scope == guild)
            & (standings.c.season == ALL_TIME)
        )
        query = select(standings.c.person, standings.c.ordinal).where(
            here, standings.c.person.in_([*people])
        )
        rows = await self._database.run(lambda c: c.execute(query).all())
        return {PersonId(row.person): row.ordinal for row in rows}

    async def first_title(self, hosted: HostedTournament) -> bool:
        """Whether a tournament that is over gave its winner their first title in its game."""
        winner, game = standings_of(hosted.tournament)[0].person, hosted.tournament.game
        first = await self._database.run(lambda c: first_title(c, winner, game))
        return first is not None and first.tournament == hosted.id

    async def times(self, session: SessionId) -> Sequence[datetime]:
        """The times of a table's moves, by ply."""
        query = select(moves.c.played_at).where(moves.c.session == session).order_by(moves.c.ply)
        return await self._database.run(lambda c: c.execute(query).scalars().all())

    async def _mark(self, number: TournamentId, of: Sequence[int], **values: Any) -> None:  # noqa: ANN401 - of any column
        own = (legs.c.tournament == number) & legs.c.number.in_([*of])
        await self._database.run(lambda c: c.execute(update(legs).where(own).values(values)))

    async def _where(
        self, condition: ColumnElement[bool], *, everywhere: bool = False, **values: object
    ) -> Sequence[TournamentId]:
        """The numbers of the tournaments that meet a condition, as in `Database.numbers`."""
        conditions = [condition] if everywhere else [condition, self._own]
        rows = await self._database.numbers(
            tournaments, *conditions, order=tournaments.c.id, **values
        )
        return [TournamentId(row) for row in rows]


_OVER: Final = or_(
    sessions.c.ending.is_not(None),
    *(
        (tournaments.c.pace == pace) & (sessions.c.moved_at <= bindparam(f"silent_{pace}"))
        for pace in Pace
    ),
)
_DUE: Final = (tournaments.c.due <= bindparam("now")) | tournaments.c.id.in_(
    select(legs.c.tournament)
    .join(sessions, sessions.c.id == legs.c.session)
    .join(tournaments, tournaments.c.id == legs.c.tournament)
    .where(LIVE, UNDECIDED, _OVER)
)
_LEFT: Final = select(servers.c.id).where(servers.c.left_at.is_not(None))
_THERE: Final = tournaments.c.guild.not_in(_LEFT)
_BEHIND: Final = NOT_SHOWN & _THERE
_LIVE_IN: Final = LIVE & (tournaments.c.guild == bindparam("guild"))
_OF_PERSON: Final = LIVE & tournaments.c.id.in_(
    select(entries.c.tournament).where(
        entries.c.person == bindparam("person"), entries.c.departed.is_(False)
    )
)
_UNTIMED: Final = SIGNING_UP & tournaments.c.starts_at.is_(None)
_STARTING: Final = (
    SIGNING_UP & (tournaments.c.starts_at <= bindparam("before")) & tournaments.c.reminder.is_(None)
)
_BEGUN: Final = ~SIGNING_UP & tournaments.c.reminder.is_not(None) & _THERE
_UNCALLED: Final = tournaments.c.id.in_(
    select(legs.c.tournament).where(UNDECIDED, AT_TABLE, legs.c.called_at.is_(None))
)
_UNTOLD: Final = _THERE & tournaments.c.id.in_(
    select(legs.c.tournament)
    .where(UNTOLD, or_(UNDECIDED.is_(False), legs.c.call.is_not(None)))
    .union(select(legs.c.tournament).where(STALE))
)

"""Badges in the database, which people earn as games are entered into the records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection, Select, bindparam, case, func, insert, select

from bot.games.catalogue import badges_of
from bot.records.badges import TITLE, GamePart
from bot.records.standings import RecordEntry, Standings
from bot.records.summaries import EarnedBadge, Finished
from bot.storage.schema.game_tables import RECORDED, seats, sessions
from bot.storage.schema.record_tables import badges
from bot.storage.schema.tournament_tables import COMPLETE, PLAYED, entries, legs, tournaments
from bot.storage.values import Prepared, Values
from bot.table.seats import PersonId
from bot.table.table import Award
from bot.tournaments.tournament import Format

_OWN: Final = (badges.c.person == bindparam("person")) & (badges.c.game == bindparam("game"))
_HELD: Final = Prepared(select(badges.c.badge).where(_OWN))
_ADD: Final = Prepared(insert(badges))


class BadgeBook:
    """The badges of `players` (person, game) while games are entered, and the rows of new badges.

    It must be given all players of these games: others count as having no badge.
    """

    def __init__(self, connection: Connection, players: Iterable[tuple[PersonId, str]]) -> None:
        self.rows: list[Values] = []
        self._held: defaultdict[tuple[int, str], set[str]] = defaultdict(set)
        for person, game in {*players}:
            own = {"person": person, "game": game}
            self._held[person, game] = {*_HELD.run(connection, own).scalars()}

    def enter(self, game: Finished, entry: RecordEntry, before: Standings) -> None:
        """Add the badges that a game earns unless it was short; `before` are the standings then."""
        assert game.result is not None, "a game without people is in no records"
        if game.short:
            return
        for verdict in game.result.verdicts:
            part = GamePart(game, verdict, before, entry.standings)
            held = self._held[verdict.person, game.game]
            for badge in badges_of(game.game):
                if badge.key not in held and badge.earned(part):
                    held.add(badge.key)
                    self.rows.append(_row(game, verdict.person, badge.key))

    def write(self, connection: Connection) -> tuple[Award, ...]:
        """Insert the new badges, and return them."""
        if self.rows:
            _ADD.run(connection, *self.rows)
        return tuple(Award(row["person"], row["badge"]) for row in self.rows)


def _row(game: Finished, person: PersonId, badge: str) -> Values:
    return {
        "person": person,
        "game": game.game,
        "badge": badge,
        "session": game.session,
        "guild": game.guild,
        "at": game.at,
    }


def earned_by(connection: Connection, person: PersonId, game: str) -> tuple[EarnedBadge, ...]:
    """A person's badges in a kind of game, the first one first."""
    own = select(badges.c.badge, badges.c.at).where(_OWN)
    given = connection.execute(own, {"person": person, "game": game})
    earned = [EarnedBadge(*row) for row in given]
    if (title := first_title(connection, person, game)) is not None:
        earned.append(EarnedBadge(TITLE.key, title.at))
    return tuple(sorted(earned, key=lambda each: (each.at, each.key)))


def titles(person: PersonId, game: str, guild: int | None = None) -> Select[int]:
    """The query of tournaments in a game that a person has won, as in `Tournament.champion`."""
    opponent, rival = seats.alias(), entries.alias()
    opposed = (opponent.c.session == seats.c.session) & (opponent.c.seat != seats.c.seat)
    arena = tournaments.c.format == Format.ARENA
    counted = (rival.c.person == opponent.c.person) & (~arena | rival.c.departed.is_(False))
    really_met = (
        select(func.count(opponent.c.person.distinct()))
        .where(legs.c.tournament == entries.c.tournament, legs.c.void.is_(False))
        .where(sessions.c.id == legs.c.session, seats.c.session == sessions.c.id)
        .where(seats.c.person == person, PLAYED, opposed, opponent.c.kind == "human")
        .where(rival.c.tournament == entries.c.tournament, counted)
        .scalar_subquery()
    )
    fewest = case((arena, Format.ARENA.fewest_met), else_=Format.KNOCKOUT.fewest_met)
    query = (
        select(entries.c.tournament)
        .join(tournaments, tournaments.c.id == entries.c.tournament)
        .where(entries.c.person == person, entries.c.place == 1, really_met >= fewest)
        .where(COMPLETE, tournaments.c.game == game)
    )
    return query if guild is None else query.where(tournaments.c.guild == guild)


class Title(NamedTuple):
    """A tournament that a person won, and when its last game ended."""

    tournament: int
    at: datetime


def first_title(connection: Connection, person: PersonId, game: str) -> Title | None:
    """The first title of a person in a kind of game, if there is one."""
    last = func.max(sessions.c.moved_at).label("at")
    won = (
        select(legs.c.tournament, last)
        .join(sessions, sessions.c.id == legs.c.session)
        .where(legs.c.tournament.in_(titles(person, game)), RECORDED)
        .group_by(legs.c.tournament)
        .order_by(last, legs.c.tournament)
    )
    row = connection.execute(won.limit(1)).first()
    return None if row is None else Title(*row)


def found_in(connection: Connection, guild: int | None, game: str) -> frozenset[str]:
    """The badges that anybody earned in a guild's games; empty without a guild."""
    if guild is None:
        return frozenset()
    here = (badges.c.guild == guild) & (badges.c.game == game)
    return frozenset(connection.execute(select(badges.c.badge).distinct().where(here)).scalars())


def awards_of(connection: Connection, session: int) -> Sequence[Award]:
    """The badges that a game has earned."""
    given = select(badges.c.person, badges.c.badge).where(badges.c.session == session)
    return [Award(PersonId(person), badge) for person, badge in connection.execute(given)]

"""The best of a game, and a person's own place among them.

Places are counted over a range of `ix_standing_ordinal`, which holds each leaderboard in order and
tells former players apart, who have no place. The range is short, as all above it is in blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, RowMapping, select

from bot.records.standings import scope_of
from bot.records.summaries import PAGE, Leaderboard, Ranked, last_page
from bot.storage.records.places import Ranking, people_above, people_on, start
from bot.storage.records.statistics import of
from bot.storage.records.write import standing_of
from bot.storage.schema.record_tables import standings
from bot.table.seats import PersonId


def leaderboard(
    connection: Connection, game: str, guild: int | None, asking: PersonId, page: int
) -> Leaderboard:
    """A page, the last if there are not so many, and the line of the person who asks."""
    board = Ranking(game, scope_of(guild))
    people = people_on(connection, board)
    page = min(page, last_page(people))
    rows = _rows(connection, board, page)
    own = select(standings).where(of(standings, asking, game, board.scope))
    asking_row = connection.execute(own).mappings().one_or_none()
    return Leaderboard(
        page=page,
        people=people,
        lines=tuple(_ranked(connection, board, rows, page * PAGE)),
        own=_line(asking_row, _place(connection, board, asking_row)) if asking_row else None,
    )


def _rows(connection: Connection, board: Ranking, page: int) -> list[RowMapping]:
    """The standings of a page, the best first, found by the index alone."""
    bound, skipped = start(connection, board, page * PAGE)
    best = (
        select(standings.c.person)
        .where(board.below(bound))
        .order_by(standings.c.ordinal.desc(), standings.c.person.desc())
        .limit(PAGE)
        .offset(skipped)
    )
    people = connection.execute(best).scalars().all()
    theirs = select(standings).where(board.rows, standings.c.person.in_(people))
    rows = {row["person"]: row for row in connection.execute(theirs).mappings()}
    return [rows[person] for person in people]


def _ranked(
    connection: Connection, board: Ranking, rows: Sequence[RowMapping], before: int
) -> Iterator[Ranked]:
    """The lines of a page; equals share a place."""
    place, ordinal = 0, None
    for index, row in enumerate(rows):
        if row["ordinal"] != ordinal:
            place = before + index + 1 if index else _place(connection, board, row)
            ordinal = row["ordinal"]
        yield _line(row, place)


def _place(connection: Connection, board: Ranking, row: RowMapping) -> int:
    return 1 + people_above(connection, board, row["ordinal"])


def _line(row: RowMapping, place: int) -> Ranked:
    standing = standing_of(row)
    return Ranked(place, PersonId(row["person"]), standing.rating, standing.tally)

"""Places on the leaderboards, counted in blocks so that nobody counts ten million people.

A block is a range of one leaderboard, from its bound up to the next: so many people are in it. A
place is found by adding up the blocks above and counting within one. A block that has grown is
split. A bound is a rating and, among equals, the start of a range of ids that names nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    delete,
    func,
    insert,
    select,
    tuple_,
    update,
)
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import insert as insert_new
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from bot.records.seasons import ALL_TIME, Season
from bot.records.standings import Scope
from bot.storage.dialect import at_most
from bot.storage.schema.record_tables import FULL_BLOCK, MOST_IN_BLOCK, standing_blocks, standings
from bot.storage.values import Prepared, Values

LOWEST: Final = (-1e9, 0)
"""The bound of the lowest block of a leaderboard."""

FULL: Final = Prepared(select(standing_blocks).where(FULL_BLOCK))
"""The query for the blocks that have to be split."""

IDS_TOGETHER: Final = 40
"""Bits of an id that no bound has: of accounts opened within four minutes all or none are in."""

Bound: TypeAlias = tuple[float, int]

_BLOCKS, _ROWS = standing_blocks.c, standings.c
_AT = tuple_(_ROWS.ordinal, _ROWS.person)
_BOUND = tuple_(_BLOCKS.ordinal, _BLOCKS.person)
_ADD_LOWEST = Prepared(insert_new(standing_blocks).on_conflict_do_nothing())
_CHANGE = Prepared(
    sql(
        """UPDATE standing_block SET people = people + :by
        WHERE game = :game AND scope = :scope AND season = :season AND (ordinal, person) = (
            SELECT below.ordinal, below.person FROM standing_block AS below
            WHERE below.game = :game AND below.scope = :scope AND below.season = :season
            AND (below.ordinal, below.person) <= (:ordinal, :person)
            ORDER BY below.ordinal DESC, below.person DESC LIMIT 1)"""
    )
)


class Ranking(NamedTuple):
    """A leaderboard."""

    game: str
    scope: Scope
    season: Season = ALL_TIME

    @property
    def blocks(self) -> ColumnElement[bool]:
        """The condition that a block belongs to the leaderboard."""
        return self._of(_BLOCKS)

    @property
    def rows(self) -> ColumnElement[bool]:
        """The condition that a standing has a place on it: former players have none."""
        return self.standings & (_ROWS.person > 0)

    @property
    def standings(self) -> ColumnElement[bool]:
        """The condition that a standing is of it, be it a former player's."""
        return self._of(_ROWS)

    def below(self, bound: Bound | None) -> ColumnElement[bool]:
        """The condition that a standing is below a bound, if there is one."""
        return self.rows if bound is None else self.rows & (tuple_(*bound) > _AT)

    def _of(self, its: ReadOnlyColumnCollection[str, Column[Any]]) -> ColumnElement[bool]:
        return (its.game == self.game) & (its.scope == self.scope) & (its.season == self.season)


def change(connection: Connection, comings: Iterable[Values]) -> None:
    """Count people who come to a rating (`by` 1), or leave it (-1)."""
    rows = [row for row in comings if row["person"] > 0]
    if not rows:
        return
    lowest = dict(zip(("ordinal", "person"), LOWEST, strict=True), people=0)
    boards = {Ranking(row["game"], row["scope"], row["season"]) for row in rows}
    blocks = ({**board._asdict(), **lowest} for board in boards)
    _ADD_LOWEST.run(connection, *blocks)
    _CHANGE.run(connection, *rows)
    _split_full(connection)


def recount(connection: Connection) -> None:
    """Make the blocks of all leaderboards anew."""
    connection.execute(delete(standing_blocks))
    counted = (
        select(*_boards(_ROWS), *map(sql, map(str, LOWEST)), func.count())
        .where(_ROWS.person > 0)
        .group_by(*_boards(_ROWS))
    )
    names = [*Ranking._fields, "ordinal", "person", "people"]
    connection.execute(insert(standing_blocks).from_select(names, counted))
    _split_full(connection)


def people_on(connection: Connection, board: Ranking) -> int:
    """The number of people with a place on a leaderboard."""
    return connection.execute(select(func.sum(_BLOCKS.people)).where(board.blocks)).scalar() or 0


def people_above(connection: Connection, board: Ranking, ordinal: float) -> int:
    """The number of people with a better rating."""
    above = board.blocks & (_BLOCKS.ordinal > ordinal)
    whole = connection.execute(select(func.sum(_BLOCKS.people)).where(above)).scalar() or 0
    high = _first(connection, above)
    within = board.below(high) & (_ROWS.ordinal > ordinal)
    if high is not None:
        within &= at_most(connection, _ROWS.ordinal, high[0])
    return whole + _count(connection, within)


def start(connection: Connection, board: Ranking, place: int) -> tuple[Bound | None, int]:
    """The bound above a place, the best being 0, and the number of standings to skip below it."""
    best_first = (_BLOCKS.ordinal.desc(), _BLOCKS.person.desc())
    upto = func.sum(_BLOCKS.people).over(order_by=best_first).label("upto")
    before = (
        func.lag(each).over(order_by=best_first) for each in (_BLOCKS.ordinal, _BLOCKS.person)
    )
    added = select(upto, _BLOCKS.people, *before).where(board.blocks).subquery()
    row = connection.execute(
        select(added).where(added.c.upto > place).order_by(added.c.upto).limit(1)
    ).first()
    if row is None:
        return None, place
    total, people, ordinal, person = row
    return (None if ordinal is None else (ordinal, person)), place - (int(total) - people)


def false_counts(connection: Connection) -> Iterator[str]:
    """Sentences about leaderboards whose blocks disagree with the standings."""
    ranked = select(*_boards(_ROWS)).where(_ROWS.person > 0).distinct()
    boards = {Ranking(*row) for row in connection.execute(ranked)}
    boards.update(Ranking(*row) for row in connection.execute(select(*_boards(_BLOCKS))))
    for board in sorted(boards):
        bounds = select(_BLOCKS.ordinal, _BLOCKS.person, _BLOCKS.people).where(board.blocks)
        above: Bound | None = None
        blocks = connection.execute(bounds.order_by(_BLOCKS.ordinal.desc(), _BLOCKS.person.desc()))
        counted = 0
        for ordinal, person, people in blocks.all():
            here = board.below(above) & (tuple_(ordinal, person) <= _AT)
            above, counted = (ordinal, person), counted + people
            if _count(connection, here) != people:
                counted = -1
                break
        if counted != _count(connection, board.rows):
            yield (
                f"The places of {board.game} in scope {board.scope}, season {board.season}, "
                "are not those of the ratings."
            )


def _split_full(connection: Connection) -> None:
    going_on = True
    while going_on:
        going_on = False
        for row in FULL.run(connection).all():
            board, low = Ranking(row.game, row.scope, row.season), (row.ordinal, row.person)
            going_on |= _split(connection, board, low, row.people)


def _split(connection: Connection, board: Ranking, low: Bound, people: int) -> bool:
    """Cut half a full block off the lower end of a block; return whether that could be done."""
    high = _first(connection, board.blocks & (tuple_(*low) < _BOUND))
    here = board.below(high) & (tuple_(*low) <= _AT)
    half = select(_ROWS.ordinal, _ROWS.person).where(here).order_by(_ROWS.ordinal, _ROWS.person)
    ordinal, person = connection.execute(half.offset(MOST_IN_BLOCK // 2).limit(1)).one()
    slot = person >> IDS_TOGETHER
    bound = (ordinal, slot << IDS_TOGETHER)
    if bound <= low:
        bound = (ordinal, (slot + 1) << IDS_TOGETHER)
    below = _count(connection, board.below(bound) & (tuple_(*low) <= _AT))
    if below == people:
        return False
    own = update(standing_blocks).where(board.blocks, tuple_(*low) == _BOUND)
    connection.execute(own.values(people=below))
    row = {"ordinal": bound[0], "person": bound[1], "people": people - below}
    connection.execute(insert(standing_blocks), {**board._asdict(), **row})
    return True


def _boards(its: ReadOnlyColumnCollection[str, Column[Any]]) -> Iterator[ColumnElement[Any]]:
    return (its[name] for name in Ranking._fields)


def _first(connection: Connection, which: ColumnElement[bool]) -> Bound | None:
    lowest = select(_BLOCKS.ordinal, _BLOCKS.person).where(which)
    row = connection.execute(lowest.order_by(_BLOCKS.ordinal, _BLOCKS.person).limit(1)).first()
    return None if row is None else (row.ordinal, row.person)


def _count(connection: Connection, which: ColumnElement[bool]) -> int:
    return (
        connection.execute(select(func.count()).select_from(standings).where(which)).scalar() or 0
    )

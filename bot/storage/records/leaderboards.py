"""Pages of leaderboards, for games and the puzzle's league, with the asking person's place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from sqlalchemy import Column, ColumnElement, Connection, RowMapping, Select, func, select

from bot.records.summaries import PAGE, Leaderboard, Line, last_page, places
from bot.table.seats import PersonId


@dataclass(frozen=True, slots=True)
class RankedTable(Generic[Line]):
    """An SQL table of leaderboards: its `rows`, their `score`, and the `line` made of a row."""

    rows: Select[Any]
    score: Column[Any]
    line: Callable[[RowMapping, int], Line]

    def leaderboard(
        self, connection: Connection, placed: ColumnElement[bool], asking: PersonId, page: int
    ) -> Leaderboard[Line]:
        """A page, the last if `page` is beyond it, and the line of the person who asks.

        `placed` selects the rows that have a place. An index of score and person is enough to find
        the people of a page and their places.
        """
        person = self.score.table.c.person
        count = select(func.count()).select_from(self.score.table).where(placed)

        def place(row: RowMapping) -> int:
            better = self.score > row[self.score.name]
            return 1 + connection.execute(count.where(better)).scalar_one()

        people = connection.execute(count).scalar_one()
        page = min(page, last_page(people))
        best = select(person).where(placed).order_by(self.score.desc(), person.desc())
        shown = connection.execute(best.limit(PAGE).offset(page * PAGE)).scalars().all()
        found = self.rows.where(placed, person.in_([*shown, asking]))
        rows = {row["person"]: row for row in connection.execute(found).mappings()}
        here, own = [rows[each] for each in shown if each in rows], rows.get(asking)
        return Leaderboard(
            page=page,
            people=people,
            lines=self.lines(here, page * PAGE, place(here[0]) if here else 1),
            own=None if own is None else self.line(own, place(own)),
        )

    def lines(
        self, rows: Sequence[RowMapping], before: int = 0, first: int = 1
    ) -> tuple[Line, ...]:
        """The lines of sorted rows after `before` others; `first` is the place of the first."""
        shared = places([row[self.score.name] for row in rows], before, first)
        return tuple(map(self.line, rows, shared))

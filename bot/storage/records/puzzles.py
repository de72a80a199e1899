"""People's answers to the puzzles of the day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from sqlalchemy import Connection, select
from sqlalchemy.dialects.postgresql import insert

from bot.records.puzzle_record import PuzzleAnswer
from bot.storage.schema.choice_tables import puzzle_answers
from bot.storage.values import EPOCH
from bot.table.seats import PersonId
from engine.game import Move

FIRST_DAY: Final = EPOCH.toordinal()


def answers(connection: Connection, person: PersonId) -> Mapping[date, PuzzleAnswer]:
    """A person's answers by their days, the first one first."""
    table = puzzle_answers.c
    own = select(table.day, table.solved, table.first, table.second)
    rows = own.where(table.person == person).order_by(table.day)
    return {
        date.fromordinal(FIRST_DAY + day): PuzzleAnswer(
            solved, tuple(Move(move) for move in tried if move is not None)
        )
        for day, solved, *tried in connection.execute(rows)
    }


def keep(connection: Connection, person: PersonId, day: date, move: Move, *, solved: bool) -> None:
    """Save a person's first try, or a second one with another move; no more."""
    table = puzzle_answers.c
    row = {"person": person, "day": day.toordinal() - FIRST_DAY, "solved": solved, "first": move}
    again = (
        insert(puzzle_answers)
        .values(row)
        .on_conflict_do_update(
            index_elements=[table.person, table.day],
            set_={"solved": solved, "second": move},
            where=~table.solved & (table.first != move) & table.second.is_(None),
        )
    )
    connection.execute(again)

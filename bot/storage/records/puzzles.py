"""People's answers to the puzzles of the day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from sqlalchemy import Connection, select
from sqlalchemy.dialects.postgresql import insert

from bot.storage.schema.choice_tables import puzzle_answers
from bot.storage.values import EPOCH
from bot.table.seats import PersonId

FIRST_DAY: Final = EPOCH.toordinal()


def answers(connection: Connection, person: PersonId) -> Mapping[date, bool]:
    """Whether each of a person's answers was right, by its day, the first one first."""
    own = select(puzzle_answers.c.day, puzzle_answers.c.solved)
    rows = own.where(puzzle_answers.c.person == person).order_by(puzzle_answers.c.day)
    return {date.fromordinal(FIRST_DAY + day): solved for day, solved in connection.execute(rows)}


def keep(connection: Connection, person: PersonId, day: date, *, solved: bool) -> None:
    """Save a person's answer, unless there is one."""
    row = {"person": person, "day": day.toordinal() - FIRST_DAY, "solved": solved}
    connection.execute(insert(puzzle_answers).values(row).on_conflict_do_nothing())

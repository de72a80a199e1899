"""Places on a leaderboard, held against a count by hand."""

from __future__ import annotations

from random import Random

import pytest
from sqlalchemy import Connection, delete, insert, update

from bot.records.standings import EVERYWHERE
from bot.records.summaries import PAGE
from bot.storage.database import Database
from bot.storage.records.statistics import Ranking, leaderboard
from bot.storage.schema.record_tables import standings
from bot.table.seats import PersonId

pytestmark = pytest.mark.both_databases

PEOPLE = 120
BOARD = Ranking("ludo", EVERYWHERE)
Board = dict[int, float]


def stand(connection: Connection, board: Board, person: int, ordinal: float | None) -> None:
    """Has a person stand somewhere else, or nowhere."""
    own = standings.c.person == person
    if ordinal is None:
        connection.execute(delete(standings).where(own))
        del board[person]
        return
    if person in board:
        connection.execute(update(standings).where(own).values(ordinal=ordinal))
    else:
        row = {**BOARD._asdict(), "person": person, "mu": 25.0, "sigma": 8.0, "ordinal": ordinal}
        counts = dict.fromkeys(standings.c.keys() - row.keys(), 0)
        connection.execute(insert(standings), row | counts)
    board[person] = ordinal


def assert_true(connection: Connection, board: Board) -> None:
    """Every page has who it should, with their places, and so does everybody's own line."""
    placed = {person: ordinal for person, ordinal in board.items() if person > 0}
    best = sorted(placed, key=lambda person: (placed[person], person), reverse=True)
    place = {one: 1 + sum(each > placed[one] for each in placed.values()) for one in best}
    for page in range(-(-len(best) // PAGE)):
        asking = PersonId(best[page])
        shown = leaderboard(connection, BOARD, asking, page)
        assert shown.people == len(best)
        here = best[page * PAGE : (page + 1) * PAGE]
        assert [(line.person, line.place) for line in shown.lines] == [
            (person, place[person]) for person in here
        ]
        assert shown.own is not None
        assert shown.own.place == place[asking]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("ordinals", [1, 3, 1000])
async def test_pages_and_places_are_those_of_a_count_as_people_come_move_and_go(
    database: Database, ordinals: int
) -> None:
    """Former players, whose numbers are negative, have no place."""

    def work(connection: Connection) -> None:
        rng, board = Random(ordinals), Board()
        for number in range(PEOPLE):
            person = rng.randrange(1, 1 << 62) * (-1 if number % 10 == 0 else 1)
            stand(connection, board, person, float(rng.randrange(ordinals)))
        assert_true(connection, board)
        for person in rng.sample([*board], PEOPLE // 2):
            moved = None if rng.random() < 0.3 else float(rng.randrange(ordinals))
            stand(connection, board, person, moved)
        assert_true(connection, board)

    await database.run(work)

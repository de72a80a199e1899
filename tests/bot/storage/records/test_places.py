"""Places among many people, held against a count of all of them."""

from __future__ import annotations

from random import Random

import pytest
from sqlalchemy import Connection, delete, insert, literal_column, select, update

from bot.records.standings import EVERYWHERE
from bot.records.summaries import PAGE
from bot.storage.database import Database
from bot.storage.records import places
from bot.storage.records.leaderboard import leaderboard
from bot.storage.records.places import Ranking
from bot.storage.schema.record_tables import standing_blocks, standings
from bot.storage.values import Prepared
from bot.table.seats import PersonId

pytestmark = pytest.mark.both_databases

GAME, PEOPLE, SMALL = "ludo", 120, 8
BOARD = Ranking(GAME, EVERYWHERE)
Board = dict[int, float]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MOST_IN_BLOCK", SMALL)
    full = select(standing_blocks).where(standing_blocks.c.people > literal_column(str(SMALL)))
    monkeypatch.setattr(places, "FULL", Prepared(full))


def stand(connection: Connection, board: Board, person: int, ordinal: float | None) -> None:
    """Has a person stand somewhere else, or nowhere."""
    key = {**BOARD._asdict(), "person": person}
    own = standings.c.person == person
    moves = [{**key, "ordinal": board[person], "by": -1}] if person in board else []
    if ordinal is None:
        connection.execute(delete(standings).where(own))
        del board[person]
    elif person in board:
        connection.execute(update(standings).where(own).values(ordinal=ordinal))
    else:
        counts = dict.fromkeys(("wins", "draws", "losses", "streak", "best_streak"), 0)
        row = {**key, **counts, "mu": 25.0, "sigma": 8.0, "ordinal": ordinal}
        connection.execute(insert(standings), row)
    if ordinal is not None:
        board[person] = ordinal
        moves.append({**key, "ordinal": ordinal, "by": 1})
    places.change(connection, moves)


def assert_true(connection: Connection, board: Board) -> None:
    """Every page has who it should, with their places, and so does everybody's own line."""
    best = sorted(board, key=lambda person: (board[person], person), reverse=True)
    place = {one: 1 + sum(each > board[one] for each in board.values()) for one in best}
    assert [*places.false_counts(connection)] == []
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
async def test_pages_and_places_are_those_of_a_count_whoever_comes_moves_and_goes(
    database: Database, ordinals: int
) -> None:
    def work(connection: Connection) -> None:
        rng, board = Random(ordinals), Board()
        for _ in range(PEOPLE):
            person = rng.randrange(1, 1 << 62)
            stand(connection, board, person, float(rng.randrange(ordinals)))
        assert_true(connection, board)
        sizes = connection.execute(select(standing_blocks.c.people)).scalars().all()
        assert max(sizes) <= SMALL
        assert len(sizes) > PEOPLE // SMALL
        for person in rng.sample([*board], PEOPLE // 2):
            moved = None if rng.random() < 0.3 else float(rng.randrange(ordinals))
            stand(connection, board, person, moved)
        assert_true(connection, board)
        places.recount(connection)
        assert_true(connection, board)

    await database.run(work)


async def test_equals_whose_accounts_are_of_one_moment_share_a_block_that_is_not_split(
    database: Database,
) -> None:
    def work(connection: Connection) -> None:
        board = Board()
        for person in range(1, 4 * SMALL):
            stand(connection, board, person, 1.0)
        assert_true(connection, board)
        bounds = connection.execute(select(standing_blocks.c.person)).scalars().all()
        assert not set(bounds) & set(board), "no bound names anybody"

    await database.run(work)

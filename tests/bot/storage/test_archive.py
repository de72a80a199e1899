"""The finished games of a channel and of a person, as the database lists them."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Select
from sqlalchemy.dialects import sqlite

from bot.storage import tables
from bot.storage.tables import MOST_LISTED, Tables
from bot.table.seats import Absent, Human, Level, Occupant, PersonId
from bot.table.session import Ending, SessionId
from bot.table.table import InteractionId, Place, Table
from engine.games.tictactoe import GAME
from tests.bot.clock import ManualClock
from tests.bot.kit import new_game, table_of

pytestmark = pytest.mark.both_databases

ANN, BEN, CLEO, DAN = (Human(PersonId(number)) for number in (1 << 60, 2, 3, 4))
HERE, THERE = 20, 21


class Games:
    """A store, and games that take a minute each."""

    def __init__(self, store: Tables, clock: ManualClock) -> None:
        self.store, self.clock = store, clock
        self.interactions = count(1)

    async def begun(self, *seats: Occupant, channel: int = HERE, size: int = 3) -> Table:
        self.clock.advance(timedelta(minutes=1))
        session = new_game("tictactoe", ANN, BEN, options={"size": size})
        session = replace(session, host=PersonId(2), seats=seats)
        table = table_of(session, self.clock.now(), Place(10, channel))
        return await self.store.open(table, InteractionId(next(self.interactions)))

    async def ended(self, table: Table, ending: Ending = Ending.RESIGNED) -> SessionId:
        if ending is Ending.CLOSED:
            session = table.session.abandon(ending)
        else:
            session = table.session.finish(ending, (-1.0, 1.0))
        after = replace(table, revision=2, session=session, moved_at=self.clock.now())
        return (await self.store.save(table, after, None)).id

    async def over(self, *seats: Occupant, channel: int = HERE, size: int = 3) -> SessionId:
        return await self.ended(await self.begun(*seats, channel=channel, size=size))

    async def listed(self, channel: int, person: Human) -> list[tuple[int, bool]]:
        found = await self.store.finished(channel, person.person)
        return [(game.id, game.own) for game in found]


@pytest.fixture
def games(store: Tables, clock: ManualClock) -> Games:
    return Games(store, clock)


async def test_a_persons_games_and_a_channels_are_listed_once_the_latest_first(
    games: Games,
) -> None:
    first = await games.over(ANN, BEN)
    second = await games.over(CLEO, DAN)
    third = await games.over(ANN, CLEO, channel=THERE)
    assert await games.listed(HERE, ANN) == [(third, True), (second, False), (first, True)]
    assert await games.listed(THERE, BEN) == [(third, False), (first, True)]
    assert await games.listed(99, DAN) == [(second, True)]
    assert await games.listed(99, Human(PersonId(5))) == []


async def test_the_latest_to_end_comes_before_the_latest_to_begin(games: Games) -> None:
    early, late = await games.begun(ANN, BEN), await games.begun(ANN, BEN)
    await games.ended(late)
    games.clock.advance(timedelta(minutes=1))
    await games.ended(early)
    for person in (ANN, CLEO):
        assert [number for number, _ in await games.listed(HERE, person)] == [early.id, late.id]


async def test_whoever_has_left_a_game_still_has_played_it(games: Games) -> None:
    left = await games.over(Absent(ANN.person, Level.EASY), BEN)
    assert await games.listed(THERE, ANN) == [(left, True)]


async def test_games_that_run_or_were_closed_are_not_listed(games: Games) -> None:
    await games.begun(ANN, BEN)
    await games.ended(await games.begun(ANN, BEN), Ending.CLOSED)
    assert await games.listed(HERE, ANN) == []


async def test_what_was_played_is_told_without_its_moves(games: Games) -> None:
    await games.over(ANN, BEN, size=4)
    (game,) = await games.store.finished(HERE, ANN.person)
    assert game.session.game is GAME
    assert game.session.options == {"size": 4, "line": 4}
    assert game.at == games.clock.now()


async def test_the_latest_hundred_are_listed(games: Games) -> None:
    played = [await games.over(CLEO, DAN) for _ in range(MOST_LISTED + 1)]
    assert await games.listed(HERE, ANN) == [(number, False) for number in played[:0:-1]]
    assert await games.listed(THERE, DAN) == [(number, True) for number in played[:0:-1]]


@pytest.mark.parametrize(
    ("query", "index"),
    [(tables._HERE, "ix_session_finished"), (tables._OWN, "ix_seat_person")],
)
async def test_each_list_is_read_from_an_index_in_its_order(
    games: Games, file: Path, query: Select[Any], index: str
) -> None:
    await games.over(ANN, BEN)
    written = query.compile(dialect=sqlite.dialect())
    values = [written.params[name] or 1 for name in written.positiontup or ()]
    connection = sqlite3.connect(file)
    plan = str(connection.execute(f"EXPLAIN QUERY PLAN {written}", values).fetchall())
    connection.close()
    assert index in plan
    assert "SCAN" not in plan
    assert "TEMP B-TREE" not in plan

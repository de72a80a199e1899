"""Whether people who play alone have left their server: Discord is asked about a few at a time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from bot.service.guilds import ASKED_TOGETHER, DepartedPlayers
from bot.service.ports import Unreachable
from bot.service.tables import TableService
from bot.storage.choices import GuildId
from bot.storage.tables import Tables
from bot.table.seats import Level, PersonId
from bot.table.session import SessionId
from bot.table.table import Place, Table
from tests import samples
from tests.bot.clock import ManualClock
from tests.bot.kit import ANN, new_game

GAMES = 3 * ASKED_TOGETHER


class Asked:
    """Discord, which answers what is set, and the people it was asked about in a round."""

    def __init__(self) -> None:
        self.left: bool | None = False
        self.fails_at = 0
        self.times = 0

    async def __call__(self, _: GuildId, __: PersonId) -> bool | None:
        self.times += 1
        if self.times == self.fails_at:
            raise Unreachable
        return self.left


@pytest.fixture
def players() -> DepartedPlayers:
    """Those of games that have become idle before a start."""
    idle = [[SessionId(number) for number in range(1, GAMES + 1)]]
    session = new_game("tictactoe", Level.EASY, ANN)

    async def stored(*_: object) -> list[SessionId]:
        return idle.pop() if idle else []

    async def table(number: SessionId) -> Table:
        return Table(number, 1, session, Place(1, 2, 3), "en-US", samples.moment(), None)

    tables = cast("TableService", SimpleNamespace(table=table))
    kept = cast("Tables", SimpleNamespace(idle=stored))
    return DepartedPlayers(tables, kept, ManualClock(samples.moment()))


async def nobody(_: Table) -> None:
    raise AssertionError("nobody has left")


async def test_a_round_asks_about_a_few_and_later_ones_about_the_rest(
    players: DepartedPlayers,
) -> None:
    asked = Asked()
    for rounds in range(1, 5):
        await players.run_due(asked, nobody)
        assert asked.times == min(GAMES, rounds * ASKED_TOGETHER)


async def test_after_trouble_the_next_round_goes_on_where_it_was(players: DepartedPlayers) -> None:
    asked = Asked()
    asked.fails_at = ASKED_TOGETHER + 3
    await players.run_due(asked, nobody)
    with pytest.raises(Unreachable):
        await players.run_due(asked, nobody)
    for _ in range(3):
        await players.run_due(asked, nobody)
    assert asked.times == GAMES + 1


async def test_games_of_servers_that_are_not_seen_yet_wait_for_them(
    players: DepartedPlayers,
) -> None:
    asked = Asked()
    asked.left = None
    await players.run_due(asked, nobody)
    asked.left, asked.times = False, 0
    for _ in range(4):
        await players.run_due(asked, nobody)
    assert asked.times == GAMES

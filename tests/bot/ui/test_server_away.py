"""A PostgreSQL server that goes away and comes back: each press is answered, nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.bot.postgres import Server
from tests.bot.ui.conftest import Open, marks

AWAY = "I can't reach my notebook right now."
A, B, C, D, E = (0, 0), (0, 1), (0, 2), (1, 0), (1, 1)


@pytest.fixture
def database(postgres_server: Server) -> Iterator[str]:
    address = postgres_server()
    yield address
    postgres_server.drop(address)


@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_presses_are_answered_with_a_sentence_and_the_game_goes_on_when_it_is_back(
    open_house: Open, postgres_server: Server, mode: str
) -> None:
    async with open_house() as house:
        ann, ben, *_ = house.people
        board = await house.friends()
        await house.play(board, A, D)
        postgres_server.stop(mode)
        try:
            assert AWAY in await house.told(ann, board, B)
            assert AWAY in await house.say(ben, "stats", game="tictactoe")
        finally:
            postgres_server.start()
        await house.play(board, B, E, C)
        assert len(marks(board)) == 5
    async with open_house() as house:
        assert "1\u20110\u20110" in await house.say(ann, "stats", game="tictactoe")

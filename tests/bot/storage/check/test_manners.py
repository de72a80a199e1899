"""`check` holds moves that were taken back, and games that are not rated, against the moves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.bot.databases import NewDatabase, faults, raw

pytestmark = pytest.mark.both_databases


@pytest.fixture
def address(everything: str, new_database: NewDatabase) -> Iterator[str]:
    """A database with two games in which moves were taken back, once and twice."""
    address = new_database(of=everything)
    yield address
    new_database.drop(address)


def change(address: str, statement: str) -> None:
    with raw(address) as connection:
        assert connection.exec_driver_sql(statement).rowcount == 1


def test_what_was_taken_back_as_it_was_played_is_in_order(address: str) -> None:
    assert faults(address) == []


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE taken_back SET move = 9 WHERE number = 2 AND ply = 1", "cannot have been played"),
        ("UPDATE taken_back SET move = 5 WHERE number = 2 AND ply = 1", "cannot have been played"),
        ("DELETE FROM taken_back WHERE number = 2 AND ply = 0", "gaps"),
        ("UPDATE taken_back SET ply = -2 WHERE number = 2 AND ply = 0", "gaps"),
    ],
)
def test_what_cannot_have_been_taken_back_is_told(address: str, statement: str, told: str) -> None:
    change(address, statement)
    (fault,) = faults(address)
    assert told in fault
    assert "the time 2" in fault


def test_a_game_in_which_everybody_moved_twice_is_not_taken_for_short(address: str) -> None:
    change(
        address,
        "UPDATE session SET short = true WHERE id = (SELECT id FROM session "
        "WHERE ending = 'played' AND game = 'tictactoe' AND plies > 4 LIMIT 1)",
    )
    assert any("taken for short" in fault for fault in faults(address))

"""`check` holds moves that were taken back, and games that are not rated, against the moves."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.storage.check.database import check
from bot.storage.database import reading_transaction
from tests.bot.storage.everything import filled


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with two games in which moves were taken back, once and twice."""
    file = tmp_path / "parlour.db"
    filled(file, 4)
    return file


def faults(file: Path) -> list[str]:
    told: list[str] = []
    with reading_transaction(f"sqlite:///{file}") as connection:
        check(connection, told.append, lambda *_: None)
    return told


def change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as raw, raw:
        assert raw.execute(statement).rowcount == 1


def test_what_was_taken_back_as_it_was_played_is_in_order(file: Path) -> None:
    assert faults(file) == []


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE taken_back SET move = 9 WHERE number = 2 AND ply = 1", "cannot have been played"),
        ("UPDATE taken_back SET move = 5 WHERE number = 2 AND ply = 1", "cannot have been played"),
        ("DELETE FROM taken_back WHERE number = 2 AND ply = 0", "gaps"),
    ],
)
def test_what_cannot_have_been_taken_back_is_told(file: Path, statement: str, told: str) -> None:
    change(file, statement)
    (fault,) = faults(file)
    assert told in fault
    assert "the time 2" in fault


def test_a_game_in_which_everybody_moved_twice_is_not_taken_for_short(file: Path) -> None:
    change(
        file,
        "UPDATE session SET short = 1 WHERE id = (SELECT id FROM session "
        "WHERE ending = 'played' AND game = 'tictactoe' AND plies > 4 LIMIT 1)",
    )
    assert any("taken for short" in fault for fault in faults(file))

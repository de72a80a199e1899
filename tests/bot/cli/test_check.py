"""`parlour check`, from the words of the command line to the exit code."""

from __future__ import annotations

import re
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.storage.opening import opened
from tests.bot.storage.random_games import fill


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sound") / "parlour.db"
    fill(f"sqlite:///{file}", 60)
    return file


@pytest.fixture
def database(sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database that is checked."""
    file = tmp_path / "parlour.db"
    shutil.copy(sound, file)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{file}")
    return file


def alter(database: Path, statement: str) -> None:
    with closing(sqlite3.connect(database)) as raw, raw:
        raw.execute(statement)


def standings(database: Path) -> list[Any]:
    with closing(sqlite3.connect(database)) as raw:
        return raw.execute("SELECT * FROM standing").fetchall()


def test_a_sound_database_agrees(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = database.read_bytes()
    assert main(["check"]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first.endswith("records checked.")
    assert last == "Everything agrees."
    assert database.read_bytes() == before


def test_on_a_terminal_it_says_how_far_it_is_and_wipes_that_in_the_end(
    database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    alter(database, "DELETE FROM pairing")
    assert main(["check"]) == 1
    out, errors = capsys.readouterr()
    assert "\033" not in out
    assert re.search(r"\d+ games replayed.*60 games counted", errors)
    assert errors.endswith("\r\033[K")


def test_differences_are_told_and_the_first_hundred_printed(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alter(database, "UPDATE session SET plies = plies + 1 WHERE id = 5")
    alter(database, "DELETE FROM result")
    assert main(["check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Game 5: it should have ")
    assert all(line.endswith("it is missing.") for line in lines[1:100])
    assert lines[100].startswith("… and ")
    assert "differences" in lines[102]


def test_records_are_mended_from_the_games_and_then_agree(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alter(database, "UPDATE standing SET wins = wins + 5, mu = 1, ordinal = 1")
    assert main(["check"]) == 1
    assert "parlour check --repair" in capsys.readouterr().out
    assert main(["check", "--repair"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "The records were made anew from the games."
    assert main(["check"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Everything agrees."


def test_records_are_not_made_anew_from_damaged_games(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alter(database, "UPDATE standing SET wins = wins + 5")
    alter(database, "DELETE FROM move WHERE session = 5 AND ply = 2")
    before = standings(database)
    assert main(["check", "--repair"]) == 1
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith("Game 5: it should have ")
    assert last == "What all records follow from is damaged: put your latest backup in its place."
    assert standings(database) == before


async def test_records_are_not_made_anew_under_a_parlour_that_runs(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alter(database, "DELETE FROM standing")
    async with opened(f"sqlite:///{database}"):
        assert main(["check", "--repair"]) == 2
        assert "Another Parlour is running" in capsys.readouterr().err
    assert standings(database) == []


@pytest.mark.parametrize("words", [["check"], ["check", "--repair"]])
def test_a_database_that_is_not_there_is_named_and_not_made(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'none.db'}")
    assert main(words) == 2
    out, errors = capsys.readouterr()
    assert not out
    assert errors.startswith("parlour: There is no database ")
    assert not [*tmp_path.iterdir()]


def test_what_is_no_database_of_this_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other.db"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{file}")
    alter(file, "CREATE TABLE other (id)")
    assert main(["check"]) == 2
    assert "nothing of Parlour's in it" in capsys.readouterr().err
    file.write_text("not a database at all, " * 100)
    assert main(["check"]) == 2
    assert "is no SQLite database" in capsys.readouterr().err

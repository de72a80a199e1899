"""An export has everything, says it in one way, and is taken back whole or not at all."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, delete, func, insert, select

from bot.service.ports import InteractionId
from bot.storage.database import opened
from bot.storage.errors import StorageError
from bot.storage.export import Counts, WrongExport
from bot.storage.export.chain import Chain, body, unchained
from bot.storage.export.loading import load
from bot.storage.export.writing import write
from bot.storage.filling import filling
from bot.storage.reading import reading
from bot.storage.schema import interactions, metadata, moves, notes, people
from bot.storage.tables import SqlStore
from bot.table.session import SessionId
from tests.bot.clock import ManualClock
from tests.bot.process import ROOT
from tests.bot.storage.everything import filled
from tests.bot.storage.record_tables import dump

GAMES = 500

Line: TypeAlias = dict[str, Any]
Refused: TypeAlias = Callable[[bytes], str]

KEPT = [table for table in metadata.sorted_tables if table not in {interactions, notes}]


def exported(file: Path) -> bytes:
    written = BytesIO()
    with reading(f"sqlite:///{file}") as connection:
        write(connection, written)
    return written.getvalue()


def imported(file: Path, export: bytes) -> Counts:
    with filling(f"sqlite:///{file}") as connection:
        return load(connection, BytesIO(export))


def sealed(lines: list[Line]) -> bytes:
    """Lines as a file, with checks that fit."""
    chain = Chain()
    return b"".join(chain.line(body(line)) for line in lines)


def rows(connection: Connection) -> dict[str, int]:
    """How many rows each table has."""
    return {
        name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for name, table in metadata.tables.items()
    }


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("full") / "parlour.db"
    filled(file, GAMES)
    return file


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An export of few games."""
    file = tmp_path_factory.mktemp("small") / "parlour.db"
    filled(file, 6)
    return exported(file)


@pytest.fixture
def lines(small: bytes) -> list[Line]:
    return [*unchained(BytesIO(small))]


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Refused]:
    """What is said of a file that is refused; of all of them nothing may stay."""
    address = f"sqlite:///{tmp_path_factory.mktemp('empty') / 'parlour.db'}"
    with filling(address):
        pass

    def refused(export: bytes) -> str:
        with pytest.raises(WrongExport) as error, filling(address) as connection:
            load(connection, BytesIO(export))
        sentence = str(error.value)
        assert "\n" not in sentence
        assert sentence.endswith(".")
        return sentence

    yield refused
    with reading(address) as connection:
        assert not any(rows(connection).values())


def test_something_of_everything_is_exported(full: Path) -> None:
    """Or the next test would not notice what an export leaves out."""
    with reading(f"sqlite:///{full}") as connection:
        for column in [column for table in KEPT for column in table.columns]:
            many = connection.execute(select(column).distinct().limit(2)).all()
            assert len(many) == 2, f"{column} has but one value"


def test_what_was_imported_is_exported_again_byte_for_byte(full: Path, tmp_path: Path) -> None:
    export = exported(full)
    copy = tmp_path / "copy.db"
    counts = imported(copy, export)
    assert counts.sessions > GAMES
    assert counts.moves > 10_000
    assert exported(copy) == export
    with (
        reading(f"sqlite:///{full}") as before,
        reading(f"sqlite:///{copy}") as after,
    ):
        assert dump(after) == dump(before)
        for table in KEPT:
            query = select(table).order_by(*table.primary_key)
            assert after.execute(query).all() == before.execute(query).all()


def test_lines_have_the_members_and_checks_that_the_readme_describes(small: bytes) -> None:
    check = b""
    members: dict[str, None] = {}
    for line in small.splitlines():
        said, _, digits = line.rpartition(b',"check":"')
        check = hashlib.sha256(check + said).hexdigest()[:16].encode()
        assert digits == check + b'"}'
        members |= dict.fromkeys(json.loads(line))
    section = (ROOT / "README.md").read_text().split("### The format of an export")[1]
    rows = re.findall(r"^\| (.+?) \|", section.split("\nA person")[0], re.MULTILINE)
    described = re.findall(r"`(\w+)`", " ".join(rows))
    assert set(described) == set(members)
    whole_lines = [json.loads(line) for line in small.splitlines()]
    game = next(line for line in whole_lines if "session" in line)
    start = described.index("session")
    assert described[start : start + len(game) - 1] == [*game][:-1]


async def test_after_an_import_a_number_is_not_given_twice_either(
    small: bytes, lines: list[Line], tmp_path: Path
) -> None:
    imported(tmp_path / "copy.db", small)
    assert lines[0]["next_session"] == lines[-2]["session"] + 2, "the latest table is gone"
    async with opened(f"sqlite:///{tmp_path / 'copy.db'}") as database:
        store = SqlStore(database, ManualClock())
        table = await store.table(SessionId(lines[-2]["session"]))
        assert (await store.open(table, InteractionId(1))).id == lines[0]["next_session"]


def test_choices_that_were_all_taken_back_are_not_exported(tmp_path: Path) -> None:
    with filling(f"sqlite:///{tmp_path / 'parlour.db'}") as connection:
        connection.execute(insert(people), {"id": 5})
    assert exported(tmp_path / "parlour.db") == sealed(
        [
            {"format": "Parlour export", "version": 1, "next_session": 1},
            {"end": {"people": 0, "servers": 0, "sessions": 0, "moves": 0}},
        ]
    )


def test_a_database_that_has_lost_a_move_is_not_exported(tmp_path: Path) -> None:
    file = tmp_path / "parlour.db"
    filled(file, 3)
    with filling(f"sqlite:///{file}") as connection:
        connection.execute(delete(moves).where(moves.c.session == 1, moves.c.ply == 2))
    with pytest.raises(StorageError, match="moves of game 1 are missing"):
        exported(file)


def test_a_database_with_anything_in_it_is_left_as_it_is(small: bytes, tmp_path: Path) -> None:
    file = tmp_path / "parlour.db"
    with filling(f"sqlite:///{file}") as connection:
        connection.execute(insert(people), {"id": 5, "language": "de"})
    before = exported(file)
    with pytest.raises(StorageError, match="not empty"):
        imported(file, small)
    assert exported(file) == before


def test_an_export_cut_off_anywhere_is_refused_with_its_last_whole_line(
    small: bytes, refused: Refused
) -> None:
    whole = small.splitlines(keepends=True)
    assert refused(b"") == "the file is empty."
    end = 0
    for number, line in enumerate(whole, 1):
        for cut in {1, len(line) // 2, len(line) - 1}:
            assert refused(small[: end + cut]) == f"the file ends within line {number}."
        end += len(line)
        if number < len(whole):
            assert refused(small[:end]) == (
                f"the file ends after line {number}, without its last line."
            )
    assert end == len(small)


def test_no_byte_of_an_export_can_be_altered_unseen(lines: list[Line]) -> None:
    few = sealed([*lines[:7], lines[-1]])
    for place, byte in enumerate(few[:-1]):
        altered = few[:place] + bytes([byte ^ 1]) + few[place + 1 :]
        number = few.count(b"\n", 0, place) + 1
        with pytest.raises(WrongExport) as error:
            [*unchained(BytesIO(altered))]
        assert str(error.value) == f"line {number} is not as it was written."


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_an_export_with_an_altered_byte_is_refused_with_the_line(
    small: bytes, refused: Refused, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(small) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != small[place]))
    altered = small[:place] + bytes([byte]) + small[place + 1 :]
    number = small.count(b"\n", 0, place) + 1
    assert refused(altered) == f"line {number} is not as it was written."


def test_lines_that_were_lost_swapped_or_added_are_seen(small: bytes, refused: Refused) -> None:
    lines = small.splitlines(keepends=True)
    written = "line {} is not as it was written.".format
    assert refused(b"".join(lines[:4] + lines[5:])) == written(5)
    assert refused(b"".join([*lines[:4], lines[5], lines[4], *lines[6:]])) == written(5)
    assert refused(b"".join([*lines[:4], lines[3], *lines[4:]])) == written(5)
    assert refused(small + lines[-1]) == written(len(lines) + 1)
    assert refused(small.replace(b"\n", b"\r\n")) == written(1)
    assert refused(b"SQLite format 3\0" * 99 + b"\n") == written(1)
    assert refused(b"\0" * 70_000_000) == written(1)

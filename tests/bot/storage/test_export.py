"""An export has everything, says it in one way, and is taken back whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, select

from bot.storage.export import Counts, WrongExport
from bot.storage.export.chain import Chain, body, unchained
from bot.storage.export.loading import load
from bot.storage.export.writing import write
from bot.storage.filling import filling
from bot.storage.reading import reading
from bot.storage.schema import interactions, metadata, notes
from tests.bot.storage.everything import filled
from tests.bot.storage.record_tables import dump

GAMES = 500


class Undone(Exception):
    """Takes back what a test did with a database."""


def exported(file: Path) -> bytes:
    written = BytesIO()
    with reading(f"sqlite:///{file}") as connection:
        write(connection, written)
    return written.getvalue()


def imported(file: Path, export: bytes) -> Counts:
    with filling(f"sqlite:///{file}") as connection:
        return load(connection, BytesIO(export))


def sealed(lines: list[dict[str, Any]]) -> bytes:
    """Lines as an export with checks that fit."""
    chain = Chain()
    return b"".join(chain.line(body(line)) for line in lines)


def emptied(connection: Connection) -> dict[str, int]:
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
    filled(file, 10)
    return exported(file)


@pytest.fixture
def lines(small: bytes) -> list[dict[str, Any]]:
    return [*unchained(BytesIO(small))]


@pytest.fixture(scope="module")
def refused(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[bytes], str]]:
    """What is said of a file; asserts that nothing of it stays."""
    address = f"sqlite:///{tmp_path_factory.mktemp('empty') / 'parlour.db'}"

    def refused(export: bytes) -> str:
        with pytest.raises(WrongExport) as error, filling(address) as connection:
            load(connection, BytesIO(export))
        sentence = str(error.value)
        assert "\n" not in sentence
        assert sentence.endswith(".")
        return sentence

    yield refused
    with reading(address) as connection:
        assert not any(emptied(connection).values())


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
        assert emptied(after) == emptied(before) | {"interaction": 0}
        for table in metadata.sorted_tables:
            if table not in {interactions, notes}:
                query = select(table).order_by(*table.primary_key)
                assert after.execute(query).all() == before.execute(query).all()

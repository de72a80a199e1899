"""Exports as tests read and forge them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import Any, TypeAlias

from bot.storage.export import Counts, load, write
from bot.storage.opening import reading_transaction, sole_transaction

Row: TypeAlias = dict[str, Any]


@dataclass
class Export:
    """An export's lines as values: the first, and the rows of each table."""

    first: Row
    tables: dict[str, list[Row]]

    @classmethod
    def of(cls, export: bytes) -> Export:
        """An export, read by nothing of Parlour's."""
        first, *lines, _ = map(json.loads, export.splitlines())
        tables: dict[str, list[Row]] = {}
        rows: list[Row] = []
        columns: list[str] = []
        for line in lines:
            if isinstance(line, dict) and "so_far" in line:
                continue
            if isinstance(line, dict):
                rows = tables[line["table"]] = []
                columns = line["columns"]
            else:
                rows.append(dict(zip(columns, line, strict=True)))
        return cls(first, tables)

    def sealed(self) -> bytes:
        """The export with a digest that fits."""
        lines: list[Any] = [self.first]
        for name, rows in self.tables.items():
            if rows:
                lines += [
                    {"table": name, "columns": [*rows[0]]},
                    *([*row.values()] for row in rows),
                ]
        return sealed(*lines)

    def rows(self, table: str, which: Callable[[Row], bool]) -> list[Row]:
        """Rows of a table."""
        return [row for row in self.tables[table] if which(row)]


def sealed(*lines: Any) -> bytes:
    """Lines as an export, with digests that fit."""
    written = bytearray()

    def write(line: Any) -> None:
        written.extend(f"{json.dumps(line, separators=(',', ':'))}\n".encode())

    for number, line in enumerate(lines, 1):
        write(line)
        if number % 1000 == 0:
            write({"so_far": sha256(written).hexdigest()})
    write({"sha256": sha256(written).hexdigest()})
    return bytes(written)


def exported(address: str) -> bytes:
    """The export of a database."""
    written = BytesIO()
    with reading_transaction(address) as connection:
        write(connection, written)
    return written.getvalue()


def imported(address: str, export: bytes) -> Counts:
    """The message about an export that is taken into a database."""
    with sole_transaction(address) as connection:
        return load(connection, BytesIO(export))

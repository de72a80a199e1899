"""Steps of which migrations are made, as most of Parlour's tables need them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op


def required(kind: Any, *names: str) -> list[sa.Column[Any]]:  # noqa: ANN401 - any column's type
    """Columns of one type that are never NULL."""
    return [sa.Column(name, kind, nullable=False) for name in names]


def optional(kind: Any, *names: str) -> list[sa.Column[Any]]:  # noqa: ANN401 - any column's type
    """Columns of one type that may be NULL."""
    return [sa.Column(name, kind, nullable=True) for name in names]


def create(
    table: str,
    *columns: sa.Column[Any] | sa.ForeignKeyConstraint,
    key: tuple[str, ...],
    of: str = "",
) -> None:
    """Create a table; deleting a row of the table `of` deletes the rows that refer to it."""
    owner = [
        sa.ForeignKeyConstraint(
            [of], [f"{of}.id"], name=op.f(f"fk_{table}_{of}_{of}"), ondelete="CASCADE"
        )
    ]
    op.create_table(
        table,
        *columns,
        *(owner if of else ()),
        sa.PrimaryKeyConstraint(*key, name=op.f(f"pk_{table}")),
        sqlite_with_rowid=False,
    )


def index(
    name: str, column: str, where: str, *more: str, table: str = "session", unique: bool = False
) -> None:
    """Create the index of some rows; `{0}` and `{1}` are false and true in each dialect's way."""
    op.create_index(
        f"ix_{table}_{name}",
        table,
        [column, *more],
        unique=unique,
        sqlite_where=sa.text(where.format(0, 1)),
        postgresql_where=sa.text(where.format("false", "true")),
    )


def drop_index(name: str) -> None:
    """Drop an index of sessions."""
    op.drop_index(f"ix_session_{name}", table_name="session")


def add(table: str, *columns: sa.Column[Any]) -> None:
    """Add columns to a table."""
    for column in columns:
        op.add_column(table, column)


def add_flags(table: str, *names: str, default: bool = False) -> None:
    """Add Boolean columns to a table."""
    value = sa.true() if default else sa.false()
    add(table, *(sa.Column(n, sa.Boolean(), nullable=False, server_default=value) for n in names))


def drop(table: str, *columns: str) -> None:
    """Drop columns in place: a batch would drop the table, and with it every seat and move."""
    for column in columns:
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")


def recount() -> None:
    """Have the records of finished games made anew when the bot starts."""
    op.execute("DELETE FROM note WHERE key = 'recount'")
    op.execute(
        "INSERT INTO note (key, value) SELECT 'recount', ''"
        " WHERE EXISTS (SELECT 1 FROM session WHERE finish IS NOT NULL)"
    )

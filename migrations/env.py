"""Runs migrations on the connection it is given, or on DATABASE_URL from the command line."""

from __future__ import annotations

import os
from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from alembic.runtime.migration import MigrationContext
from sqlalchemy import JSON, Column, Connection
from sqlalchemy.sql.elements import False_, True_

from bot.storage.dialect import backend_at
from bot.storage.schema.base import metadata
from bot.storage.values import LeaseEnd, UtcMoment


def rendered(kind: str, item: Any, _: AutogenContext) -> str | Literal[False]:  # noqa: ANN401
    """Parlour's column types as the plain ones they store; truth as each database writes it."""
    if kind == "type" and isinstance(item, UtcMoment | LeaseEnd):
        return "sa.BigInteger()"
    if kind == "server_default" and isinstance(getattr(item, "arg", None), True_ | False_):
        return f"sa.{item.arg}()"
    return False


def default_differs(
    _context: MigrationContext,
    _inspected: Column[Any],
    column: Column[Any],
    stored: str | None,
    _declared: object,
    rendered_default: str | None,
) -> bool | None:
    """Whether a column's default differs: of JSON, which PostgreSQL cannot compare, by its text."""
    if not isinstance(column.type, JSON):
        return None  # Alembic's own comparison decides
    return (stored or "").removesuffix("::json") != (rendered_default or "")


def migrate(connection: Connection) -> None:
    """Run the command's migrations."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_item=rendered,
        render_as_batch=True,
        transactional_ddl=True,
        compare_server_default=default_differs,
    )
    with context.begin_transaction():
        context.run_migrations()


handed: Connection | None = context.config.attributes.get("connection")
if handed is not None:
    migrate(handed)
else:
    engine = backend_at(os.environ.get("DATABASE_URL", "sqlite:///parlour.db")).engine()
    try:
        with engine.begin() as own:
            migrate(own)
    finally:
        engine.dispose()

"""Runs migrations: on the connection it is handed, or, from the command line, on DATABASE_URL."""

from __future__ import annotations

import os
from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

from bot.storage.dialect import backend_at
from bot.storage.schema.base import metadata
from bot.storage.values import UtcMoment


def rendered(kind: str, item: Any, _: AutogenContext) -> str | Literal[False]:  # noqa: ANN401
    """Our own types as the plain ones they are stored as: a migration must not change with ours."""
    return "sa.BigInteger()" if kind == "type" and isinstance(item, UtcMoment) else False


def migrate(connection: Connection) -> None:
    """Carries out what the command asked for."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_item=rendered,
        render_as_batch=True,
        transactional_ddl=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


handed: Connection | None = context.config.attributes.get("connection")
if handed is not None:
    migrate(handed)
else:
    engine = backend_at(os.environ.get("DATABASE_URL", "sqlite:///parlour.db")).engine()
    with engine.begin() as own:
        migrate(own)

"""Values kept under keys, such as the commands that Discord was last told."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from bot.storage.database import Database
from bot.storage.schema.choice_tables import notes


class Notes:
    """Values kept under keys."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, key: str) -> str | None:
        """The value last kept under a key."""
        query = select(notes.c.value).where(notes.c.key == key)
        return await self._database.run(lambda c: c.execute(query).scalar())

    async def write(self, key: str, value: str) -> None:
        """Keep a value under a key, in place of the last one."""
        note = insert(notes).values(key=key, value=value)
        kept = {"value": note.excluded.value}
        upsert = note.on_conflict_do_update(index_elements=[notes.c.key], set_=kept)
        await self._database.run(lambda c: c.execute(upsert))

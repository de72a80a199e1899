"""People's data, as they ask for it, and as it lies in the database's files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select

from bot.sandbox import Message
from bot.storage.schema.base import metadata
from tests.bot.databases import raw
from tests.bot.english import says
from tests.bot.people import Person
from tests.bot.ui import panels
from tests.bot.ui.conftest import RunningBot

Json = dict[str, Any]

FORMER: Final = says("player.former")


async def export(running_bot: RunningBot, person: Person) -> tuple[Message, Json]:
    """The answer to an export, and what is in the file."""
    message = (await panels.use(running_bot, person, "me export")).message
    assert message.ephemeral
    (file,) = message.attachments
    data = gzip.decompress(file.data) if file.filename.endswith(".gz") else file.data
    told: Json = json.loads(data)
    return message, told


async def question(running_bot: RunningBot, person: Person) -> Message:
    """The question of forgetting."""
    message = (await panels.use(running_bot, person, "me forget")).message
    assert message.ephemeral
    assert says("me.forget.title") in message.text, message.text
    assert not message.pinged
    return message


async def forget(running_bot: RunningBot, person: Person) -> Message:
    """The question, answered with yes."""
    asked = await question(running_bot, person)
    await running_bot.press(person, asked, says("control.forget"))
    assert says("me.forgotten") in asked.text
    assert not asked.buttons
    return asked


def rows(database: str) -> list[tuple[str, str]]:
    """Every row of every table, after the table's name."""
    with raw(database) as connection:
        return sorted(
            (table.name, f"({','.join(map(str, row))})")
            for table in metadata.sorted_tables
            for row in connection.execute(select(table))
        )


def tables_with(person: Person, database: str) -> set[str]:
    """The tables where the id of a person stands, as a number or in a text."""
    return {name for name, values in rows(database) if str(person.id) in values}


def is_on_the_disk(person: Person, folder: Path) -> bool:
    """Whether the id is in any byte of the files; to be asked when the database is closed."""
    content = b"".join(file.read_bytes() for file in folder.glob("parlour.db*"))
    number = int(person.id)
    return any(trace in content for trace in (number.to_bytes(8, "big"), str(number).encode()))

"""`parlour person`: what is stored about one person, in the file that `/me` gives them."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from bot.cli import database_url
from bot.locales import ENGLISH, shipped
from bot.storage.backup import new_file
from bot.storage.dialect import backend_at
from bot.storage.opening import reading_transaction
from bot.storage.privacy.read import ABOUT, written
from bot.storage.privacy.store import all_data
from bot.storage.reading import Reader
from bot.table.seats import PersonId


def add_person(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("id", metavar="ID", type=discord_id, help="the person's id on Discord")
    parser.add_argument("file", metavar="FILE", type=Path, help="the file, which is not there yet")
    parser.epilog = "Exit code: 0 if the file is there, 2 if it cannot be written."


def discord_id(word: str) -> PersonId:
    """The Discord id in a word.

    Raises:
        ValueError: It is not a valid Discord id.
    """
    if not 0 < int(word) < 1 << 63:
        raise ValueError
    return PersonId(int(word))


def run_person(arguments: argparse.Namespace) -> int:
    """Write the file while Parlour runs, for its owner to send, and print its size."""
    person, file = arguments.id, arguments.file
    address = database_url()
    with reading_transaction(address) as connection:
        reader = Reader(connection)
        data = all_data(reader, person)
    about = {part: shipped()[ENGLISH].template(f"me.export.about.{part}") for part in ABOUT}
    made = written(data, datetime.now(UTC), about, most=sys.maxsize)
    assert made is not None, "no file is too large for a disk"
    with new_file(file) as draft:
        draft.write_bytes(made.content)
    if data.empty:
        print(f"Nothing is stored about {person} in {backend_at(address)}, and {file} says so.")
    else:
        size, database = len(made.content), backend_at(address)
        print(f"{file} has all that is stored about {person} in {database}, {size} bytes.")
    if reader.unreadable:
        print("Rows that this version cannot read are left out; parlour check names them.")
    return 0

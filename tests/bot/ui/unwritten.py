"""The rooms of the bot of which no test of this folder had a text written."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Final

import bot
from bot.locales import ENGLISH, shipped

BOT: Final = Path(bot.__file__).parent
FILES: Final = [*BOT.glob("screens/*.py"), *BOT.glob("games/*/*.py"), *BOT.glob("games/*/*/*.py")]


def unwritten(written: Set[str]) -> set[str]:
    """The screens and the folders of games that name messages, of which none was written."""
    named: dict[str, set[str]] = {}
    for file in FILES:
        room = file if file.parent.name == "screens" else file.parent
        named.setdefault(str(room.relative_to(BOT)), set()).update(_keys(file))
    return {room for room, keys in named.items() if keys and not keys & written}


def _keys(file: Path) -> Iterator[str]:
    """The messages that a module names, whole or by how they begin."""
    english = shipped()[ENGLISH]
    known = {*english.keys("")}
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.Constant(str(name)) if name.endswith("."):
                yield from english.keys(name)
            case ast.Constant(str(name)) if name in known:
                yield name

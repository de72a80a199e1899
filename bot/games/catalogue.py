"""The games that Parlour hosts, one line each."""

from __future__ import annotations

from typing import Final

from bot.games import ludo, tictactoe
from bot.games.entry import Entry

CATALOGUE: Final[tuple[Entry, ...]] = (tictactoe.ENTRY, ludo.ENTRY)

BY_KEY: Final = {entry.game.key: entry for entry in CATALOGUE}
"""The entries by the key of their game, which is what sessions are stored under."""

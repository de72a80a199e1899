"""The games that Parlour hosts, one line each."""

from __future__ import annotations

from typing import Final

from bot.games import ludo, tictactoe
from bot.games.entry import Entry

CATALOGUE: Final[dict[str, Entry]] = {
    entry.game.key: entry for entry in (tictactoe.ENTRY, ludo.ENTRY)
}
"""The entries by the key of their game, which is what sessions are stored under."""

"""The messages of a table: what everyone in the channel sees, whatever the game.

The game's presenter draws the board; what surrounds it is the same for all games: who plays whom,
whose turn it is and until when, what may be done besides moving, and how it ended.
"""

from __future__ import annotations

from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.message.blocks import Screen, Tone
from bot.screens.board import playing
from bot.screens.challenge import invited, waiting
from bot.screens.lobby import gathering
from bot.screens.over import ended
from bot.table.session import Phase
from bot.table.table import Table

LOOK: Final = "cross 13x17, light yards, Dice"
"""How boards look by now: with another look, those that run are drawn again."""

TONES: Final = {
    Phase.LOBBY: Tone.WAITING,
    Phase.RUNNING: Tone.RUNNING,
    Phase.FINISHED: Tone.OVER,
    Phase.ABANDONED: Tone.OVER,
}


def screen(table: Table) -> Screen:
    """The message of a table, whose board looks as said while it has one."""
    session = table.session
    entry = CATALOGUE[session.game.key]
    match session.phase:
        case Phase.LOBBY if session.gathers:
            blocks = gathering(table, entry)
        case Phase.LOBBY:
            blocks = waiting(table, entry.presenter)
        case Phase.RUNNING:
            blocks = playing(table, entry.presenter, session.board)
        case _:
            blocks = ended(table, entry.presenter, session.board)
    waits = session.phase is Phase.LOBBY and not session.has_former_players
    notifies = invited(session) if waits else ()
    return Screen(blocks, TONES[session.phase], notifies=notifies)

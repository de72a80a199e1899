"""The games of a channel, a few lines each."""

from __future__ import annotations

from bot.catalogue import BY_KEY
from bot.games.lists import enumerated
from bot.presenter import Text, text
from bot.screens.playing import whose_turn
from bot.screens.title import title
from bot.store import Table


def listed(table: Table, link: str) -> Text:
    """A table in a list of games: what is played, where, by whom, and what it waits for."""
    session = table.session
    presenter = BY_KEY[session.game.key].presenter
    what, *sides = title(session, presenter)
    turn = whose_turn(session, presenter) or text("games.waits")
    return text("games.entry", what=what, link=link, sides=enumerated(sides), turn=turn)

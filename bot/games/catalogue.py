"""The games that Parlour hosts, one line each."""

from __future__ import annotations

from typing import Final

from bot.cache import Budgeted
from bot.games import connectfour, ludo, tictactoe
from bot.games.entry import Entry, Explainer, Presenter
from bot.records.badges import Badge, offered
from bot.table.session import Session

CATALOGUE: Final[dict[str, Entry]] = {
    entry.game.key: entry for entry in (tictactoe.ENTRY, connectfour.ENTRY, ludo.ENTRY)
}
"""The entries by the key of their game, which is what sessions are stored under."""


CACHES: Final[tuple[Budgeted, ...]] = tuple(
    cache for entry in CATALOGUE.values() for cache in entry.caches
)
"""The caches of all games; there is one set for the process."""


def badges_of(game: str) -> tuple[Badge, ...]:
    """The badges that can be earned in a kind of game."""
    entry = CATALOGUE[game]
    return offered(entry.badges, max(entry.game.seats), entry.levels)


def presenter_of(session: Session) -> Presenter:
    """The presenter of a session's game."""
    return CATALOGUE[session.game.key].presenter


def explainer_of(session: Session) -> Explainer:
    """The explainer of a session's game."""
    explainer = CATALOGUE[session.game.key].explainer
    assert explainer is not None, "a game that is explained says how"
    return explainer

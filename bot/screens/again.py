"""A table for one reader: in a list to choose from, in words, and as a picture."""

from __future__ import annotations

from bot.catalogue import BY_KEY
from bot.presenter import Text, text
from bot.store import Table


def choice_of(table: Table) -> Text:
    """A table in a list of games: nobody is named there, since names cannot be."""
    session = table.session
    game = text(f"game.{session.game.key}")
    rules = BY_KEY[session.game.key].presenter.rules(session)
    return text("board.choice", number=table.id, game=game, rules=rules)


def board_words(table: Table) -> tuple[Text, ...]:
    """The position, line by line, for somebody who has it read to them."""
    if table.session.position is None:
        return (text("board.not_begun"),)
    return BY_KEY[table.session.game.key].presenter.words(table.session)


def board_picture(table: Table) -> bytes:
    """The position as a PNG."""
    return BY_KEY[table.session.game.key].presenter.picture(table.session)

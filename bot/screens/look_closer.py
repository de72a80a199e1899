"""A table for one reader: in a list to choose from, in words, and as a picture."""

from __future__ import annotations

from bot.games.catalogue import CATALOGUE
from bot.message.text import Text, text
from bot.screens.title import sides
from bot.table.seats import PersonId
from bot.table.session import Phase, Session
from bot.table.table import EndedTable, Table


def choice_of(table: Table) -> Text:
    """A table in a list of games: nobody is named there, since names cannot be."""
    session = table.session
    game = text(f"game.{session.game.key}")
    rules = CATALOGUE[session.game.key].presenter.rules(session)
    return text("board.choice", number=table.id, game=game, rules=rules)


def ended_choice(ended: EndedTable) -> Text:
    """A finished game in such a list."""
    session = ended.session
    return text(
        "replay.choice",
        number=ended.id,
        game=text(f"game.{session.game.key}"),
        date=f"{ended.at:%Y-%m-%d}",
        rules=CATALOGUE[session.game.key].presenter.rules(session),
    )


def asked_again(rematch: Session, by: PersonId, link: str) -> Text:
    """What somebody is told who asks for a rematch that there is already."""
    if rematch.phase is Phase.LOBBY and by == rematch.host:
        return text("rematch.asked", link=link)
    if rematch.phase is Phase.LOBBY:
        return text("rematch.joined", link=link)
    if rematch.phase is Phase.RUNNING:
        return text("rematch.on", link=link)
    return text("rematch.over", link=link)


def board_words(table: Table) -> tuple[Text, ...]:
    """The position, line by line, for somebody who has it read to them."""
    if table.session.position is None:
        return (text("board.not_begun"),)
    return CATALOGUE[table.session.game.key].presenter.words(table.session)


def board_story(table: Table) -> tuple[Text, ...]:
    """What has happened lately, of which a board shows the end, and who plays."""
    session, presenter = table.session, CATALOGUE[table.session.game.key].presenter
    if session.position is None:
        return ()
    return *presenter.story(session), sides(session, presenter)


def board_picture(table: Table) -> bytes:
    """The position as a PNG."""
    return CATALOGUE[table.session.game.key].presenter.picture(table.session)

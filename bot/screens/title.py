"""What stands at the top of every message of a table, and what players can check its dice by."""

from __future__ import annotations

from bot.games.entry import Presenter
from bot.message.text import Text, player, text
from bot.table.seats import Absent, Occupant
from bot.table.session import Session
from bot.table.table import Table
from engine.game import Seat


def what(session: Session, presenter: Presenter) -> Text:
    """What is played, by which rules."""
    name = text(f"game.{session.game.key}")
    return text("board.title", game=name, rules=presenter.rules(session))


def title(session: Session, presenter: Presenter) -> tuple[Text, ...]:
    """What is played, by which rules, who has which side."""
    sides = (
        side(presenter.emblem(session, Seat(index)), occupant)
        for index, occupant in enumerate(session.seats)
    )
    return (what(session, presenter), *sides)


def side(emblem: str, occupant: Occupant) -> Text:
    """Who has a side, and whether the computer plays it for the time being."""
    if isinstance(occupant, Absent):
        level = text(f"choice.level.{occupant.level}")
        return text("board.side.absent", emblem=emblem, player=player(occupant), level=level)
    return text("board.side", emblem=emblem, player=player(occupant))


def promise(table: Table) -> tuple[Text, ...]:
    """The number of the game and what its dice are bound to, if it has dice."""
    if table.dice is None:
        return ()
    return (text("dice.promise", number=table.id, commitment=table.dice.commitment),)

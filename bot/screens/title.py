"""Who plays what at a table: in full where it is offered, and in small print below its board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from bot.games.entry import Presenter
from bot.message.emoji import Cell
from bot.message.lists import enumerated
from bot.message.text import Text, player, text
from bot.table.seats import Absent, Occupant
from bot.table.session import Session
from bot.table.table import Table
from engine.game import Seat

LINES: Final = 3
"""So many lines of what happened are below a board."""
DIGITS: Final = 8
"""So much of what the dice are bound to is shown with a board; all of it behind a button."""


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


def side(emblem: Cell | Text, occupant: Occupant) -> Text:
    """Who has a side, and whether the computer plays it for the time being."""
    if isinstance(occupant, Absent):
        level = text(f"choice.level.{occupant.level}")
        return text("board.side.absent", emblem=emblem, player=player(occupant), level=level)
    return text("board.side", emblem=emblem, player=player(occupant))


def below(table: Table, presenter: Presenter, *, lines: int = LINES) -> Iterator[Text]:
    """What stands below a board and its buttons: what happened, who plays, which game it is."""
    story = presenter.story(table.session, brief=True)
    left_out, kept = len(story[:-lines]), story[-lines:]
    if left_out:
        yield text("board.more", line=kept[0], number=left_out)
        kept = kept[1:]
    yield from kept
    yield from small_print(table, presenter)


def small_print(table: Table, presenter: Presenter) -> tuple[Text, Text]:
    """Who has which side, and the game's number, rules, and what its dice are bound to."""
    sides = text("board.sides", sides=enumerated([*_sides(table.session, presenter)]))
    rules = presenter.rules_in_brief(table.session)
    if table.dice is None:
        return sides, text("board.number", number=table.id, rules=rules)
    digits = table.dice.commitment[:DIGITS]
    return sides, text("dice.promise", number=table.id, rules=rules, digits=digits)


def _sides(session: Session, presenter: Presenter) -> Iterable[Text]:
    """Every side in one line; those that are held alike, such as by computers, together."""
    seats = groupby(enumerate(session.seats), key=lambda seat: seat[1])
    for occupant, held in seats:
        emblems = [presenter.emblem(session, Seat(index)) for index, _ in held]
        joined: Cell | Text = emblems[-1]
        for emblem in reversed(emblems[:-1]):
            joined = text("board.emblems", first=emblem, rest=joined)
        yield side(joined, occupant)

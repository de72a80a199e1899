"""Who plays what at a table: in full where it is offered, and in small print below its board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from bot.games.entry import Presenter
from bot.message.emoji import Cell
from bot.message.text import Joint, Text, TextList, joined, player, text
from bot.table.seats import Absent, Occupant
from bot.table.session import Session
from bot.table.table import Table
from engine.game import Seat

LINES: Final = 3
FEWER_LINES: Final = 1
"""So many lines of what happened are below a board, and with more buttons."""
DIGITS: Final = 8
"""So much of what the dice are bound to is shown with a board; all of it behind a button."""


def what(session: Session, presenter: Presenter) -> Text:
    """What is played, by which rules."""
    return text("board.title", game=_name(session), rules=presenter.rules(session))


def title(session: Session, presenter: Presenter) -> tuple[Text, ...]:
    """What is played, by which rules, who has which side."""
    sides = (
        side(presenter.emblem(len(session.seats), Seat(index)), occupant)
        for index, occupant in enumerate(session.seats)
    )
    return (what(session, presenter), *sides)


def side(emblem: Cell | TextList, occupant: Occupant) -> Text:
    """Who has a side, and whether the computer plays it for the time being."""
    if isinstance(occupant, Absent):
        level = text(f"choice.level.{occupant.level}")
        return text("board.side.absent", emblem=emblem, player=player(occupant), level=level)
    return text("board.side", emblem=emblem, player=player(occupant))


def below(table: Table, presenter: Presenter, lines: int = LINES) -> Iterator[Text]:
    """What stands below a board and its buttons, in so many lines and that of the game's number.

    All has to be seen at once on a phone. Who plays is told where several people do and there is
    room, or where there is nothing else to tell.
    """
    session = table.session
    away = any(isinstance(seat, Absent) for seat in session.seats)
    if not session.gathers or away or (len(session.people) > 1 and lines > FEWER_LINES):
        yield from _happened(session, presenter, max(0, lines - 1))
        yield sides(session, presenter)
    else:
        yield from _happened(session, presenter, lines)
    yield _number(table, presenter)


def _happened(session: Session, presenter: Presenter, lines: int) -> Iterator[Text]:
    """The last lines of what happened, after how many there were before if there is room for it."""
    story = presenter.story(session, brief=True)
    kept = min(lines, len(story))
    if 1 < kept < len(story):
        kept -= 1
        yield text("board.more", number=len(story) - kept)
    yield from story[len(story) - kept :]


def sides(session: Session, presenter: Presenter) -> Text:
    """Who has which side, in small print."""
    return text("board.sides", sides=joined(_sides(session, presenter)))


def _number(table: Table, presenter: Presenter) -> Text:
    """The game and its number, its rules, and what its dice are bound to."""
    game, rules = _name(table.session), presenter.rules_in_brief(table.session)
    if table.dice is None:
        return text("board.number", game=game, number=table.id, rules=rules)
    digits = table.dice.commitment[:DIGITS]
    return text("dice.promise", game=game, number=table.id, rules=rules, digits=digits)


def _name(session: Session) -> Text:
    return text(f"game.{session.game.key}")


def _sides(session: Session, presenter: Presenter) -> Iterable[Text]:
    """Every side in one line; those that are held alike, such as by computers, together."""
    seats = groupby(enumerate(session.seats), key=lambda seat: seat[1])
    for occupant, held in seats:
        yield side(
            emblems(presenter, len(session.seats), [Seat(index) for index, _ in held]), occupant
        )


def emblems(presenter: Presenter, seats: int, held: Sequence[Seat]) -> TextList:
    """The signs of some of so many seats, side by side."""
    return joined([presenter.emblem(seats, seat) for seat in held], Joint.NOTHING)

"""What stands below a table's board: what happened, who plays, the number of the game.

A message is as high as a phone 360 pixels wide shows at once, so that a board is never without its
buttons. Heights are in the pixels of such a phone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.games.entry import Presenter
from bot.message.text import Joint, Text, TextList, joined, side, text
from bot.table.seats import Absent, Computer, Human, Occupant
from bot.table.session import Session
from bot.table.table import Table
from engine.game import Seat

LINES: Final = 3
"""So many lines of what happened are told at most."""
ROOM: Final = 104
ROOM_BESIDE_MANY_BUTTONS: Final = 56
"""How high the texts above and below a board may be together, and with three lines of buttons."""
LINE_HIGH, SMALL_HIGH = 18, 16
LETTERS_IN_SMALL: Final = 42
"""So many letters of small print fit a line of a phone."""
LETTERS: Final[Mapping[type[Occupant], int]] = {Human: 18, Computer: 25, Absent: 45}
"""How many letters it takes to say who has a side; what clients call a person is not known."""
DIGITS: Final = 8
"""So much of what the dice are bound to is shown with a board; all of it behind a button."""


def below(table: Table, room: int = ROOM - LINE_HIGH) -> Iterator[Text]:
    """What stands below a board and its buttons, the game's number last.

    All has to be seen at once on a phone, for which `room` is left. Who plays is told where
    several people do and there is room, or where there is nothing else to tell.
    """
    session, number = table.session, _number(table)
    if session.hints:
        number, room = text("board.with_hints", line=number), room - SMALL_HIGH - 2
    room -= SMALL_HIGH
    away = any(isinstance(seat, Absent) for seat in session.seats)
    left = room - _sides_high(session)
    if (
        not session.gathers
        or (away and left >= 0)
        or (len(session.people) > 1 and left >= LINE_HIGH)
    ):
        yield from _happened(session, left // LINE_HIGH)
        yield sides(session)
    else:
        yield from _happened(session, room // LINE_HIGH)
    yield number


def _happened(session: Session, lines: int) -> Iterator[Text]:
    """The last lines of what happened, after how many there were before if there is room for it."""
    story = CATALOGUE[session.game.key].presenter.story(session, brief=True)
    kept = max(0, min(lines, LINES, len(story)))
    if 1 < kept < len(story):
        kept -= 1
        yield text("board.more", number=len(story) - kept)
    yield from story[len(story) - kept :]


def sides(session: Session) -> Text:
    """Who has which side, in small print."""
    return text("board.sides", sides=joined(_sides(session)))


def _number(table: Table) -> Text:
    """The game and its number, its rules, and what its dice are bound to."""
    session = table.session
    game = text(f"game.{session.game.key}")
    rules = CATALOGUE[session.game.key].presenter.rules_in_brief(session)
    if table.dice is None:
        return text("board.number", game=game, number=str(table.id), rules=rules)
    digits = table.dice.digest[:DIGITS]
    return text("dice.promise", game=game, number=str(table.id), rules=rules, digits=digits)


def _sides_high(session: Session) -> int:
    """How high who has which side may be on a phone."""
    letters = sum(LETTERS.get(type(seat), 0) for seat, _ in groupby(session.seats))
    return SMALL_HIGH * math.ceil(letters / LETTERS_IN_SMALL) + 2


def _sides(session: Session) -> Iterable[Text]:
    """Every side in one line; those that are held alike, such as by computers, together."""
    presenter, seats = CATALOGUE[session.game.key].presenter, len(session.seats)
    for occupant, held in groupby(enumerate(session.seats), key=itemgetter(1)):
        yield side(emblems(presenter, seats, [Seat(index) for index, _ in held]), occupant)


def emblems(presenter: Presenter, seats: int, held: Sequence[Seat]) -> TextList:
    """The signs of some of so many seats, side by side."""
    return joined([presenter.emblem(seats, seat) for seat in held], Joint.NOTHING)

"""The events since the reader's last decision: the line between a board and its buttons."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.games.entry import Happening
from bot.message.text import Separator, Text, TextValue, joined, text
from bot.table.reader import reader, unread
from bot.table.session import Session

ROOM: Final = 2
"""The happenings that fit two lines of a phone, after the words they begin with.

Where there is room for none, the first stands alone after a short word.
"""


def since(session: Session, room: int = ROOM) -> Text:
    """The most important happenings of a game that has begun, each told on one board alone.

    What happened before the reader pressed Roll stood on the board where it was pressed.
    """
    presenter, seat = CATALOGUE[session.game.key].presenter, reader(session)
    first = unread(session, seat)
    pressed = None if seat is None else session.seat_logs[seat].pressed
    if pressed is not None:
        found = presenter.since(session, pressed, seat)
        if found:
            return text("since.now", told=_told(found, room))
        return text("since.rolled")
    found = presenter.since(session, first, seat)
    if found and not room:
        return text("since.moves" if seat is None else "since.alone", told=found[0].told)
    if not found:
        found = presenter.since(session, max(0, first - 1), seat)
        return text("since.now", told=_told(found, room)) if found else text("since.nothing")
    if seat is None:
        return text("since.moves", told=_told(found, room))
    return text("since.turn" if first else "since.start", told=_told(found, room))


def happened(session: Session, ply: int) -> tuple[Text, ...]:
    """The same from a ply on, told for all; nothing of a roll that is yet to be moved."""
    found = CATALOGUE[session.game.key].presenter.since(session, ply, None)
    return (text("since.moves", told=_told(found)),) if found else ()


def _told(found: Sequence[Happening], room: int = ROOM) -> TextValue:
    if len(found) == 1 or not room:
        return found[0].told
    return joined([each.told for each in found[: _fit(found, room)]], Separator.DOT)


def _fit(found: Sequence[Happening], room: int) -> int:
    """The number of happenings that have room, at least one."""
    taken = accumulate(each.room for each in found)
    return max(1, sum(so_far <= room for so_far in taken))

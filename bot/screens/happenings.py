"""The events since the reader's last decision: the words between a board and its buttons."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from operator import attrgetter
from typing import Final

from bot.games.catalogue import CATALOGUE
from bot.games.entry import Happening
from bot.message.blocks import Brief
from bot.message.text import Separator, Text, TextList, joined, text
from bot.table.session import Session
from bot.table.waiting import reader, unread

MOST: Final = 3
"""The happenings told on a board, at most, unless more are grave."""

REPLAYED: Final = 2
"""The same for a stop of a replay."""


def since(session: Session, lines: int) -> Brief:
    """The most important happenings of a game that has begun, each told on one board alone.

    A game that has just begun says so. Beside a roll that was pressed stands what it brought: what
    happened before stood on the board where it was pressed.
    """
    found = news(session)
    if not found:
        begins = (text("since.nothing"),) if not session.moves else ()
        return Brief(begins, lines)
    grave = sum(1 for _ in takewhile(attrgetter("grave"), found))
    told = [each.told for each in found[: max(MOST, grave)]]
    return Brief(tuple(told), lines, kept=max(1, grave))


def since_in_words(session: Session) -> Text:
    """The same as one line that says what it is."""
    found = news(session)
    return text("since.turn", told=_listed(found[:MOST])) if found else text("since.nothing")


def news(session: Session) -> Sequence[Happening]:
    """All happenings that the reader of a board has not seen yet, the most important first.

    Where there are none and no roll was pressed, those of the ply before.
    """
    seat, presenter = reader(session), CATALOGUE[session.game.key].presenter
    pressed = None if seat is None else session.seat_logs[seat].pressed
    if pressed is not None:
        return presenter.since(session, pressed, seat)
    first = unread(session, seat)
    found = presenter.since(session, first, seat)
    return found or presenter.since(session, max(0, first - 1), seat)


def happened(session: Session, ply: int) -> tuple[Text, ...]:
    """The happenings from a ply on, told for all; nothing of a roll that is yet to be moved."""
    found = CATALOGUE[session.game.key].presenter.since(session, ply, None)
    return (text("since.moves", told=_listed(found[:REPLAYED])),) if found else ()


def _listed(found: Sequence[Happening]) -> TextList:
    return joined([each.told for each in found], Separator.DOT)

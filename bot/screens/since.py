"""What happened since the reader's last decision: the line between a board and its buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.games.catalogue import presenter_of
from bot.games.entry import Happening
from bot.message.text import Separator, Text, TextValue, joined, text
from bot.table.reader import reader, unread
from bot.table.session import Session
from engine.game import Seat

TOLD: Final = 2
"""As many happenings fit two lines of a phone, after the words they begin with."""


def since(session: Session, most: int = TOLD) -> Text:
    """The most important happenings of a game that has begun, and how many more there are."""
    presenter, seat = presenter_of(session), reader(session)
    first = unread(session, seat)
    found = presenter.since(session, first, seat)
    if found:
        return text(_key(session, seat), told=_told(found, most))
    found = presenter.since(session, max(0, first - 1), seat)
    return text("since.now", told=_told(found, most)) if found else text("since.nothing")


def happened(session: Session, ply: int, most: int = TOLD) -> Text:
    """The same from a ply on, told for all."""
    found = presenter_of(session).since(session, ply, None)
    return text("since.moves", told=_told(found, most)) if found else text("since.nothing")


def _key(session: Session, seat: Seat | None) -> str:
    if seat is None:
        return "since.moves"
    return "since.turn" if session.seat_logs[seat].unread else "since.start"


def _told(found: Sequence[Happening], most: int) -> TextValue:
    told = [each.told for each in found[:most]]
    seen = {ply for each in found[:most] for ply in each.plies}
    left = {ply for each in found[most:] for ply in each.plies} - seen
    if left:
        told.append(text("since.more", count=len(left)))
    return joined(told, Separator.DOT)

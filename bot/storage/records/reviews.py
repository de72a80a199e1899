"""Reviews of finished games."""

from __future__ import annotations

from statistics import fmean

from sqlalchemy import ColumnElement, Connection, bindparam, select
from sqlalchemy.dialects.postgresql import insert

from bot.records.reviewed import ReviewedGame
from bot.records.summaries import ReviewedPlay
from bot.storage.schema.game_tables import reviews, seats
from bot.storage.schema.record_tables import results
from bot.table.session import SessionId

_FOUND = select(reviews.c.found).where(reviews.c.session == bindparam("session"))


def read(connection: Connection, session: SessionId) -> ReviewedGame | None:
    """The review of a game, if it was made."""
    found = connection.execute(_FOUND, {"session": session}).scalar()
    return None if found is None else ReviewedGame.read(found)


def keep(connection: Connection, session: SessionId, reviewed: ReviewedGame) -> None:
    """Save the review of a game, unless there is one by now."""
    row = {"session": session, "found": reviewed.written()}
    connection.execute(insert(reviews).values(row).on_conflict_do_nothing())


def played_well(connection: Connection, own: ColumnElement[bool]) -> ReviewedPlay | None:
    """A person's accuracy and luck in their reviewed games; None if there is none."""
    query = (
        select(seats.c.seat, reviews.c.found)
        .select_from(results)
        .join(reviews, reviews.c.session == results.c.session)
        .join(seats, (seats.c.session == results.c.session) & (seats.c.person == results.c.person))
        .where(own)
    )
    played = [ReviewedGame.read(found).seats[seat] for seat, found in connection.execute(query)]
    accuracies = [seat.accuracy for seat in played if seat.accuracy is not None]
    if not accuracies:
        return None
    return ReviewedPlay(len(played), fmean(accuracies), fmean(seat.luck for seat in played))

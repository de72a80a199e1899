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

_FOUND = select(reviews.c.found).where(
    reviews.c.session == bindparam("session"), ~reviews.c.outdated
)


def read(connection: Connection, session: SessionId) -> ReviewedGame | None:
    """The review of a game, if there is one that is up to date."""
    found = connection.execute(_FOUND, {"session": session}).scalar()
    return None if found is None else ReviewedGame.read(found)


def keep(connection: Connection, session: SessionId, reviewed: ReviewedGame) -> None:
    """Save the review of a game, unless there is one by now that is up to date."""
    row = {"session": session, "found": reviewed.written(), "outdated": False}
    insertion = insert(reviews).values(row)
    connection.execute(
        insertion.on_conflict_do_update(
            index_elements=[reviews.c.session], set_=row, where=reviews.c.outdated
        )
    )


def outdated(connection: Connection) -> list[SessionId]:
    """The games whose reviews are to be made anew."""
    found = connection.execute(select(reviews.c.session).where(reviews.c.outdated))
    return [SessionId(session) for session in found.scalars()]


def played_well(connection: Connection, own: ColumnElement[bool]) -> ReviewedPlay | None:
    """A person's accuracy and luck in their reviewed games; None if there is none."""
    query = (
        select(seats.c.seat, reviews.c.found)
        .select_from(results)
        .join(reviews, reviews.c.session == results.c.session)
        .join(seats, (seats.c.session == results.c.session) & (seats.c.person == results.c.person))
        .where(own, ~reviews.c.outdated)
    )
    played = [ReviewedGame.read(found).seats[seat] for seat, found in connection.execute(query)]
    accuracies = [seat.accuracy for seat in played if seat.accuracy is not None]
    if not accuracies:
        return None
    return ReviewedPlay(len(played), fmean(accuracies), fmean(seat.luck for seat in played))

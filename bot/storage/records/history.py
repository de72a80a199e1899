"""A person's finished games, read along their own range of the results, the latest first."""

from __future__ import annotations

from sqlalchemy import func, select

from bot.records.results import Outcome
from bot.records.summaries import GAMES_ON_A_PAGE, Finished, History, Remembered, last_page
from bot.storage.reading import Reader
from bot.storage.records.finished import read
from bot.storage.records.statistics import played_by
from bot.storage.schema.game_tables import sessions
from bot.storage.schema.record_tables import results
from bot.table.seats import PersonId, player_of
from engine.game import Seat


def history(
    reader: Reader, person: PersonId, game: str | None, guild: int | None, page: int
) -> History:
    """A page of a person's finished games; the last page if there are not so many."""
    connection, own = reader.connection, played_by(person, game, guild)
    count = select(func.count()).select_from(results).where(own)
    games = connection.execute(count).scalar() or 0
    page = min(page, last_page(games, GAMES_ON_A_PAGE))
    latest = (
        select(results.c.session, results.c.outcome)
        .where(own)
        .order_by(results.c.finish.desc())
        .limit(GAMES_ON_A_PAGE)
        .offset(page * GAMES_ON_A_PAGE)
    )
    outcomes = dict(
        reader.rows(results, latest, lambda row: (row["session"], Outcome(row["outcome"])))
    )
    found = {int(game.session): game for game in read(connection, sessions.c.id.in_(outcomes))}
    return History(
        page=page,
        games=games,
        entries=tuple(
            _remembered(found[session], person, outcome)
            for session, outcome in outcomes.items()
            if session in found
        ),
    )


def _remembered(finished: Finished, person: PersonId, outcome: Outcome) -> Remembered:
    seats = [*zip(finished.occupants, finished.sides, strict=True)]
    own = {side for occupant, side in seats if player_of(occupant) == person}
    opponents = tuple(Seat(seat) for seat, (_, side) in enumerate(seats) if side not in own)
    return Remembered(finished, outcome, opponents)

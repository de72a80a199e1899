"""The records of finished games, as they are asked for."""

from __future__ import annotations

from datetime import date, datetime

from msgspec import convert
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from bot.records.puzzles import LeagueLine, PuzzleRecord
from bot.records.rating import ALL_TIME, Season
from bot.records.results import Outcome
from bot.records.reviewed import ReviewedGame
from bot.records.standings import scope_of
from bot.records.summaries import (
    GAMES_ON_A_PAGE,
    Finished,
    History,
    Leaderboard,
    Ranked,
    Remembered,
    Stats,
    last_page,
)
from bot.storage.database import Database
from bot.storage.reading import Reader
from bot.storage.records import puzzles
from bot.storage.records.finished import read
from bot.storage.records.puzzles import league
from bot.storage.records.statistics import Ranking, has_begun, leaderboard, played_by, stats
from bot.storage.schema.game_tables import reviews, sessions
from bot.storage.schema.record_tables import results
from bot.table.seats import PersonId, player_of
from bot.table.session import SessionId
from engine.game import Move, Seat


class Records:
    """Records of finished games, reviews of games, and answers to puzzles."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def stats(self, person: PersonId, game: str, guild: int | None = None) -> Stats:
        """A person's record in a game; an empty one for a person who has not played it."""
        return await self._database.read(lambda reader: stats(reader, person, game, guild))

    async def leaderboard(
        self,
        game: str,
        guild: int | None = None,
        season: Season = ALL_TIME,
        *,
        asking: PersonId,
        page: int = 0,
    ) -> Leaderboard[Ranked]:
        """A page of a game's leaderboard, by the ordinal of ratings, and the asker's place.

        A `page` beyond the last gives the last.
        """
        board = Ranking(game, scope_of(guild), season)
        return await self._database.run(lambda c: leaderboard(c, board, asking, page))

    async def has_begun(self, game: str, guild: int | None, season: Season) -> bool:
        """Whether a season has enough games to be worth showing."""
        board = Ranking(game, scope_of(guild), season)
        return await self._database.run(lambda c: has_begun(c, board))

    async def history(
        self,
        person: PersonId,
        game: str | None = None,
        guild: int | None = None,
        *,
        page: int = 0,
    ) -> History:
        """A page of a person's finished games, latest first: everywhere or in one guild.

        A `page` beyond the last gives the last.
        """
        return await self._database.read(lambda reader: history(reader, person, game, guild, page))

    async def review(self, session: SessionId) -> ReviewedGame | None:
        """The review of a game, if there is one that is up to date."""
        query = select(reviews).where(reviews.c.session == session, ~reviews.c.outdated)
        found = await self._database.read(
            lambda reader: reader.rows(
                reviews, query, lambda row: convert(row["found"], ReviewedGame)
            )
        )
        return found[0] if found else None

    async def keep_review(self, session: SessionId, reviewed: ReviewedGame) -> None:
        """Save the review of a game, unless an up-to-date one was saved meanwhile."""
        row = {"session": session, "found": reviewed.written(), "outdated": False}
        insertion = insert(reviews).values(row)
        upsert = insertion.on_conflict_do_update(
            index_elements=[reviews.c.session], set_=row, where=reviews.c.outdated
        )
        await self._database.run(lambda c: c.execute(upsert))

    async def outdated_reviews(self) -> list[SessionId]:
        """The games whose reviews are to be made anew."""
        query = select(reviews.c.session).where(reviews.c.outdated)
        found = await self._database.run(lambda c: c.execute(query).scalars().all())
        return [*map(SessionId, found)]

    async def puzzle_record(self, person: PersonId, today: date) -> PuzzleRecord:
        """A person's answers to puzzles, and the frozen days, which break no streak."""
        return await self._database.read(lambda reader: puzzles.record(reader, person, today))

    async def answer_puzzle(
        self, person: PersonId, day: date, move: Move, *, solved: bool, at: datetime
    ) -> None:
        """Save a person's try at a puzzle, unless they have no try left or tried that move."""
        await self._database.run(lambda c: puzzles.keep(c, person, day, move, solved=solved, at=at))

    async def count_puzzle(self, person: PersonId, day: date, guild: int) -> None:
        """Count a person's answer to a puzzle in a server where they have asked for it."""
        await self._database.run(lambda c: puzzles.count_in(c, guild, day, person))

    async def puzzle_is_told(self, person: PersonId, day: date, guild: int | None) -> bool:
        """Whether a puzzle's answer was told in a server, or in any that the person may read."""
        return await self._database.run(lambda c: puzzles.is_told(c, person, day, guild))

    async def puzzle_league(
        self,
        guild: int | None = None,
        season: Season = ALL_TIME,
        *,
        asking: PersonId,
        page: int = 0,
    ) -> Leaderboard[LeagueLine]:
        """A page of the puzzle's league in a season; a `page` beyond the last gives the last."""
        return await self._database.run(lambda c: league(c, guild, season, asking, page))


def history(
    reader: Reader, person: PersonId, game: str | None, guild: int | None, page: int
) -> History:
    """A page of a person's finished games, the last if `page` is beyond it."""
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

"""What the computer explains: a hint for a move, why a move was made, how a game was played.

Each is for one reader. A hint is for a person who plays against computers alone, and marks the game
for good. A review is made once, when it is first asked for, and kept.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from pebble import ProcessExpired

from bot.records.reviewed import ReviewedGame
from bot.service.ports import Reviews, Teacher
from bot.service.search_pool import SearchPool
from bot.service.tables import Service
from bot.table.refusals import NotExplained, NothingToExplain, OnlyAfterTheGame
from bot.table.seats import Human, PersonId
from bot.table.session import Phase, Session, SessionId
from bot.table.table import Table
from engine import review
from engine.game import CHANCE, Move, Options
from engine.review import MoveReview, Review
from engine.search.budget import Budget, OutOfBudget

SECONDS: Final = 8.0
"""For one answer; what takes longer is not explained, and of a game the last plies are."""

NICENESS: Final = 10


@dataclass(frozen=True, slots=True)
class Explanation:
    """A move of a table explained, and the position that it was made in."""

    table: Table
    position: Any
    move: MoveReview


class Lessons:
    """Explains moves and games."""

    def __init__(self, tables: Service, teacher: Teacher, reviews: Reviews) -> None:
        self._tables = tables
        self._teacher = teacher
        self._reviews = reviews

    async def hint(
        self, session: SessionId, by: PersonId, show: Callable[[Table], Awaitable[None]]
    ) -> Explanation:
        """What a person had best play now; `show` draws the table, which is marked by it.

        Raises:
            Refusal: As `Session.hinted`.
            NotExplained: It could not be worked out in time.
        """
        table = await self._tables.hinted(session, by)
        await show(table)
        found = await self._teacher.hint(table.session)
        return Explanation(table, table.session.position, found)

    async def why(self, session: SessionId, by: PersonId, ply: int) -> Explanation:
        """Why the last choice before a ply was made: a computer's as long as the game runs.

        Raises:
            OnlyAfterTheGame: Others play too, and the game is not over.
            NothingToExplain: Nobody has had a choice yet.
            NotExplained: It could not be worked out in time.
        """
        table = await self._tables.table(session)
        played = table.session
        over = played.phase is Phase.FINISHED
        if not over and not (played.solo and by in played.people):
            raise OnlyAfterTheGame
        chosen = _last_choice(played, ply, computers=not over)
        if chosen is None:
            raise NothingToExplain
        before = played.at(chosen)
        found = await self._teacher.why(played.at(chosen + 1))
        return Explanation(table, before.position, found)

    async def review(self, table: Table) -> ReviewedGame:
        """How a finished game was played.

        Raises:
            NotExplained: It could not be worked out in time.
        """
        known = await self._reviews.review(table.id)
        if known is None:
            known = ReviewedGame.of(await self._teacher.review(table.session))
            await self._reviews.keep_review(table.id, known)
        return known


def _last_choice(session: Session, ply: int, *, computers: bool) -> int | None:
    """The last ply before another at which a seat had a choice; only of computers, if so."""
    found, state = None, session.game.start(len(session.seats), session.options)
    for at, move in enumerate(session.moves[:ply]):
        if state.turn != CHANCE and len(state.moves()) > 1:
            by_computer = not isinstance(session.seats[state.turn], Human)
            found = at if by_computer or not computers else found
        state = state.play(move)
    return found


class StudyPool:
    """A `bot.service.ports.Teacher` in a process."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._pool: SearchPool | None = None

    async def hint(self, session: Session) -> MoveReview:
        """See `Teacher`."""
        found: MoveReview = await self._answer(review.hint, session)
        return found

    async def why(self, session: Session) -> MoveReview:
        """See `Teacher`."""
        found: MoveReview = await self._answer(review.why, session)
        return found

    async def review(self, session: Session) -> Review:
        """See `Teacher`."""
        found: Review = await self._answer(review.review, session)
        return found

    def close(self) -> None:
        """Ends the process, and with it what it was asked."""
        if self._pool is not None:
            self._pool.close()

    async def _answer(self, asked: Callable[..., Any], session: Session) -> Any:  # noqa: ANN401
        self._pool = self._pool or SearchPool(1, self._rng, niceness=NICENESS)
        about = session.game.key, len(session.seats), dict(session.options), session.moves
        try:
            return await self._pool.ask(_answered, asked, *about, seconds=SECONDS)
        except (OutOfBudget, TimeoutError, ProcessExpired, BrokenProcessPool, MemoryError):
            raise NotExplained from None


def _answered(
    asked: Callable[..., Any], game: str, seats: int, options: Options, moves: tuple[Move, ...]
) -> Any:  # noqa: ANN401
    budget = Budget(deadline=time.monotonic() + SECONDS, clock=time.monotonic)
    return asked(game, seats, options, moves, budget)

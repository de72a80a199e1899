"""Explanations by the computer: hints, reasons for moves, reviews of games, daily puzzles.

Each is shown to one reader. A hint is for a person who plays against computers alone, and the game
is marked as played with help. A review is made when it is first asked for, and stored. The puzzle
of a day follows from the date: each process makes it once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Any, Final, TypeVar

from pebble import ProcessExpired

from bot.cache import KB, Cache
from bot.clock import Clock
from bot.records.puzzles import PuzzleRecord
from bot.records.reviewed import ReviewedGame
from bot.service.jobs import apart
from bot.service.ports import NewProcesses
from bot.service.search_pool import FairSlots, SearchPool
from bot.service.search_processes import SECONDS, Asked, explain
from bot.service.tables import TableService
from bot.storage.records.queries import Records
from bot.table.refusals import Outdated, Refusal
from bot.table.seats import PersonId
from bot.table.session import Phase, Session, SessionId
from bot.table.table import Table
from bot.table.variation import explained_choice, last_choice
from engine import review
from engine.game import IllegalMove, Move
from engine.review import MoveReview, Puzzle
from engine.search.agent import OutOfBudget

log = logging.getLogger(__name__)

T = TypeVar("T")

NICENESS: Final = 10

MOST_PATIENCE: Final = 120.0
"""Seconds for which a question may wait for its turn, such as those of people before it."""

OPENING: Final = 4
"""The number of plies in which any two games may agree, so that a position tells nothing."""

KEPT: Final = 4
"""The number of puzzles in memory: open ones, and the last with a published answer."""

A_PUZZLE: Final = 32 * KB
"""The estimated bytes of a puzzle."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A move of a table explained, and the position before it."""

    table: Table
    position: Any
    move: MoveReview


class Explanations:
    """Explanations of moves and games."""

    def __init__(self, tables: TableService, study: StudyPool, records: Records) -> None:
        self._tables = tables
        self._study = study
        self._records = records
        self._handing_in: set[PersonId] = set()

    async def hint(self, table: Table, by: PersonId) -> Explanation:
        """The best move for a person now, with the table as marked by giving the hint.

        Raises:
            Refusal: As `rights.learner`, or it could not be found in time.
        """
        found = await self._study.explain(by, table.session, review.hint)
        position, table = (
            table.session.position,
            await self._tables.give_hint(table, by, found.move),
        )
        return Explanation(table, position, found)

    async def why_this(self, table: Table, by: PersonId, ply: int, line: str) -> Explanation:
        """The reasons for the hint that a person was given on the board of a ply.

        Raises:
            Refusal: Others play too, the game has not come to the board of the hint by its `line`,
                as moves were taken back, or time ran out.
        """
        played = table.session
        if not (played.solo and by in played.people and played.hints):
            raise Refusal("hints_against_computers")
        before = played.at(ply)
        if before.line != line:
            raise Outdated("stale_control")
        found = await self._study.explain(by, before, review.hint)
        return Explanation(table, before.position, found)

    async def why(self, table: Table, by: PersonId, ply: int) -> Explanation:
        """The reasons for a move; while the game runs, for the last choice of a computer.

        Raises:
            Refusal: Others play too and the game is not over, there was no choice yet, or time
                ran out.
        """
        played = table.session
        over = played.phase is Phase.FINISHED
        if not over and not (played.solo and by in played.people):
            raise Refusal("only_after_the_game")
        chosen = explained_choice(played, ply) if over else last_choice(played, ply, computers=True)
        if chosen is None:
            raise Refusal("nothing_to_explain")
        before = played.at(chosen)
        found = await self._study.explain(by, played.at(chosen + 1), review.why)
        return Explanation(table, before.position, found)

    async def what_if(
        self, table: Table, by: PersonId, ply: int, instead: Move | None = None
    ) -> Explanation:
        """The worth of the choice that a finished game's board shows, or of `instead` in its place.

        Raises:
            Refusal: The game is not over, there was no choice yet, or time ran out.
            IllegalMove: `instead` was not legal there.
        """
        played = table.session
        if played.phase is not Phase.FINISHED:
            raise Refusal("only_after_the_game")
        chosen = explained_choice(played, ply)
        if chosen is None:
            raise Refusal("nothing_to_explain")
        before, tried = played.at(chosen), played.at(chosen + 1)
        if instead is not None:
            if instead not in before.position.moves():
                raise IllegalMove(instead)
            tried = replace(tried, moves=(*before.moves, instead))
        found = await self._study.explain(by, tried, review.why)
        return Explanation(replace(table, session=played.at(ply)), before.position, found)

    async def paint(self, by: PersonId, picture: Callable[..., bytes], *about: object) -> bytes:
        """A picture that takes long to paint, made for a person in the process that explains games.

        Raises:
            Refusal: It could not be made in time.
        """
        return await self._study.ask(by, picture, *about)

    async def review(self, table: Table, by: PersonId) -> ReviewedGame:
        """The review of a finished game, for a person who waits for it.

        Raises:
            Refusal: It could not be worked out in time.
        """
        known = await self._records.review(table.id)
        if known is None:
            known = ReviewedGame.of(await self._study.explain(by, table.session, review.review))
            await self._records.keep_review(table.id, known)
        return known

    async def review_file(self, session: Session, by: PersonId) -> ReviewedGame:
        """The review of a game in a file that a person has handed in; it is not stored.

        Raises:
            Refusal: Time ran out, another file of theirs is being reviewed, or the game contains
                the present position of one that they play against other people.
        """
        if by in self._handing_in:
            raise Refusal("file_waiting")
        self._handing_in.add(by)
        try:
            path = session.game.path(len(session.seats), session.options, session.moves)
            if any(_is_played(table.session, path) for table in await self._tables.own(by)):
                raise Refusal("still_playing")
            return ReviewedGame.of(await self._study.explain(by, session, review.review))
        finally:
            self._handing_in.discard(by)

    async def renew_reviews(self) -> None:
        """Make outdated reviews anew, one after the other.

        Raises:
            ExceptionGroup: The errors of single reviews.
        """
        with apart() as items:
            for session in await self._records.outdated_reviews():
                await items.do(self._renew(session), session)

    async def _renew(self, session: SessionId) -> None:
        with suppress(Refusal):
            table = await self._tables.table(session)
            await self.review(table, table.session.host)


def _is_played(session: Session, path: Sequence[Any]) -> bool:
    """Whether a running game between people has its position in `path`, after the opening."""
    among_people = session.phase is Phase.RUNNING and not session.solo
    return among_people and session.ply >= OPENING and session.position in path


class Puzzles:
    """The puzzles of days in UTC, and people's answers to them."""

    def __init__(self, study: StudyPool, records: Records, clock: Clock) -> None:
        self._study = study
        self._records = records
        self._clock = clock
        self.cache = Cache[date, Puzzle]("puzzles", KEPT * A_PUZZLE, lambda _: A_PUZZLE)
        self._making = asyncio.Lock()

    @property
    def today(self) -> date:
        """The day of today's puzzle, in UTC."""
        return self._clock.now().date()

    async def of(self, day: date, by: PersonId, guild: int | None) -> Puzzle:
        """The puzzle of today, or of yesterday while its answer is not published.

        That of yesterday can be answered until its answer is told there, or where they have asked
        lately; without news there, as in direct messages, until it is told anywhere.

        Raises:
            Refusal: It is another day, its answer was published, or time ran out.
        """
        yesterday = day == self.today - timedelta(1)
        told = yesterday and await self._records.puzzle_is_told(by, day, guild)
        if told or (day != self.today and not yesterday):
            raise Refusal("puzzle_over")
        return await self.made(day)

    async def made(self, day: date) -> Puzzle:
        """The puzzle of any day.

        Raises:
            Refusal: It could not be made in time.
        """
        async with self._making:
            if day not in self.cache:
                self.cache.keep(day, await self._study.ask(None, review.puzzle, day))
            return self.cache[day]

    async def answer(self, person: PersonId, puzzle: Puzzle, move: Move) -> None:
        """Save a person's try at a puzzle, if they have one left.

        Raises:
            IllegalMove: The move cannot be played there.
        """
        if move not in {choice.move for choice in puzzle.answer.choices}:
            raise IllegalMove(move)
        solved, now = move == puzzle.answer.move, self._clock.now()
        await self._records.answer_puzzle(person, puzzle.day, move, solved=solved, at=now)

    async def count(self, person: PersonId, puzzle: Puzzle, guild: int | None) -> None:
        """Count a person's answer in the guild where they ask for the puzzle, if any."""
        if guild is not None:
            await self._records.count_puzzle(person, puzzle.day, guild)

    async def record(self, person: PersonId) -> PuzzleRecord:
        """A person's answers so far."""
        return await self._records.puzzle_record(person, self.today)


class StudyPool:
    """A process that explains games one after the other, with less priority than searches.

    People take turns, as a process that was given all at once would seem to hang.
    """

    def __init__(self, rng: Random, processes: NewProcesses) -> None:
        self._rng = rng
        self._processes = processes
        self._pool: SearchPool | None = None
        self._slots = FairSlots(1)

    async def explain(self, by: PersonId, session: Session, asked: Asked[T]) -> T:
        """The result of a function of `engine.review` about a game up to now, for a person.

        Raises:
            Refusal: It could not be worked out in time.
        """
        about = session.game.key, len(session.seats), dict(session.options), session.moves
        return await self.ask(by, explain, asked, *about)

    async def ask(self, by: PersonId | None, work: Callable[..., T], *about: object) -> T:
        """The result of `work(*about)`, run in the process when it is the person's turn.

        Without a person it comes before all of theirs.

        Raises:
            Refusal: Its turn did not come within `MOST_PATIENCE`, or it could not be worked out in
                time.
        """
        self._pool = self._pool or SearchPool(self._processes(1, NICENESS), self._rng)
        try:
            async with asyncio.timeout(MOST_PATIENCE) as patience, self._slots.slot(by):
                patience.reschedule(None)
                return await self._pool.ask(work, *about, seconds=SECONDS)
        except (OutOfBudget, TimeoutError, ProcessExpired, BrokenProcessPool, MemoryError):
            raise Refusal("not_explained") from None

    def close(self) -> None:
        """End the process and its work."""
        if self._pool is not None:
            self._pool.close()

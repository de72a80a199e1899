"""Any order of presses, computers, repetitions, time that passes and crashes leaves tables whole.

Moves stay legal and gapless, nobody plays for another, a game has one result, and the records are
what the games give. A crash is the store opened anew, with what was committed and nothing of what a
process remembered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from random import Random, getrandbits
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import Connection, select

from bot.games.catalogue import CATALOGUE
from bot.games.command import Filled, Named, Request
from bot.service.due_work import DueWork
from bot.service.openings import Admission
from bot.service.search_pool import SearchQueue
from bot.service.tables import Press, TableService
from bot.storage.schema.game_tables import moves, sessions
from bot.storage.stores import Stores, stores
from bot.table.actions import Action, move_action
from bot.table.refusals import Refusal
from bot.table.seats import Human, PersonId
from bot.table.session import Phase, Session, SessionId
from bot.table.table import InteractionId, Place, Table
from engine.game import IllegalMove, Move
from tests.bot.clock import ManualClock
from tests.bot.databases import NewDatabase, faults
from tests.bot.service.absences import NeverAway

SOME, MANY = 2, 80
"""The interleavings that are tried, and with `--exhaustive`."""
PEOPLE = [PersonId(number) for number in (1, 2, 3)]
PARLOUR = PersonId(9)
HERE = Place(None, 2)
ACTIONS = (
    *(Action.ACCEPT, Action.JOIN, Action.LEAVE, Action.START, Action.ROLL, Action.RESIGN),
    *(Action.CANCEL, Action.TAKE_BACK, Action.ALLOW_TAKE_BACK, Action.OFFER, Action.AGREE),
    *(Action.CLAIM, Action.COME_BACK, Action.AUTO_ROLL, Action.FILL),
)

Outcome: TypeAlias = Table | Refusal | IllegalMove
person = st.sampled_from(PEOPLE)
move = st.integers(0, 8).map(lambda number: move_action(Move(number)))
action = st.one_of(move, move, move, st.sampled_from(ACTIONS))


class Thoughtful:
    """A thinker whose moves take a turn of the loop, so that anything may come between."""

    def quick(self, _: Session) -> Move | None:
        return None

    async def move(self, session: Session) -> Move:
        await asyncio.sleep(0)
        legal: Sequence[Move] = session.position.moves()
        return legal[-1]


class Interleavings(RuleBasedStateMachine):
    """A service on its database, and what may happen to them."""

    def __init__(self, databases: NewDatabase) -> None:
        super().__init__()
        self.databases, self.address = databases, databases()
        self.runner = asyncio.Runner()
        self.clock, self.numbers = ManualClock(), iter(range(1, 100_000))
        self.tables: list[SessionId] = []
        self.last: Press | None = None
        self.stack = AsyncExitStack()
        self.kept: Stores
        self.service: TableService
        self.due_work: DueWork

    async def open(self) -> None:
        """A process begins."""
        self.stack = AsyncExitStack()
        self.kept = await self.stack.enter_async_context(stores(self.address, self.clock))
        self.service = TableService(
            self.kept.tables,
            Admission(self.kept.people, self.kept.guilds),
            SearchQueue(Thoughtful(), 1),
            self.clock,
            Random(getrandbits(64)),
        )
        self.due_work = DueWork(
            self.service,
            self.kept.tables,
            NeverAway.of(self.kept.database, self.clock),
            self.clock,
        )

    @initialize()
    def begin(self) -> None:
        """The first process begins, on an empty database."""
        self.runner.run(self.open())

    def interaction(self) -> InteractionId:
        """An id that no interaction had before."""
        return InteractionId(next(self.numbers))

    @rule(by=person, other=person, game=st.sampled_from(["friends", "alone", "ludo"]))
    def propose(self, by: PersonId, other: PersonId, game: str) -> None:
        """A command that opens a table."""
        values: dict[str, Filled] = {"opponent": Named(other)} if game == "friends" else {}
        if game == "ludo":
            values = {"rules": "quick", "computers": 1, "player2": Named(other)}
        entry = CATALOGUE["ludo" if game == "ludo" else "tictactoe"]

        async def propose() -> Table:
            return await self.service.openings.propose(
                entry,
                Request(by, PARLOUR, values),
                place=HERE,
                locale="en-US",
                interaction=self.interaction(),
            )

        opened = self.runner.run(outcome(propose()))
        if isinstance(opened, Table):
            self.tables.append(opened.id)

    def press(self, which: int, by: PersonId, action: str, late: int) -> Press:
        """A press on one of the latest tables, as it is or as it was some plies ago."""
        table = self.stored(self.tables[-1 - which % min(3, len(self.tables))])
        ply = max(0, table.session.ply - late)
        return Press(self.interaction(), table, ply, str(action), by)

    @precondition(lambda self: self.tables)
    @rule(which=st.integers(0, 2), by=person, action=action, late=st.sampled_from([0, 0, 0, 1]))
    def one_press(self, which: int, by: PersonId, action: str, late: int) -> None:
        """A press, and all that follows it."""
        press = self.press(which, by, action, late)
        before = self.stored(press.table.id)
        after = self.runner.run(outcome(self.service.press(press)))
        now = self.stored(press.table.id)
        if isinstance(after, Table):
            self.last = press  # one that was refused may count later
        else:
            assert now.session.moves == before.session.moves, "a refused press changes nothing"
        if now.session.ply > before.session.ply and isinstance(before.session.mover, Human):
            assert before.session.mover.person == by, "nobody plays for another"

    @precondition(lambda self: self.tables)
    @rule(data=st.data(), by=st.lists(person, min_size=2, max_size=4))
    def presses_at_once(self, data: st.DataObject, by: Sequence[PersonId]) -> None:
        """Presses on one board that nobody has seen the others of."""
        board = self.press(0, by[0], "", 0)
        presses = [
            Press(self.interaction(), board.table, board.ply, str(data.draw(action)), each)
            for each in by
        ]
        before = self.stored(board.table.id)

        async def together() -> None:
            await asyncio.gather(*(outcome(self.service.press(press)) for press in presses))

        self.runner.run(together())
        now = self.stored(board.table.id)
        if now.session.ply > before.session.ply and isinstance(before.session.mover, Human):
            assert before.session.mover.person in by, "nobody plays for another"

    @precondition(lambda self: self.last)
    @rule()
    def the_last_press_again(self) -> None:
        """Discord delivers a press twice: it counts once."""
        assert self.last is not None
        before = self.stored(self.last.table.id)
        self.runner.run(outcome(self.service.press(self.last)))
        assert self.stored(self.last.table.id).session.moves == before.session.moves

    @rule(minutes=st.sampled_from([1, 6, 200]))
    def time_passes(self, minutes: int) -> None:
        """A round of the bot, some time later."""

        async def shown(_: Table) -> None:
            pass

        self.clock.advance(timedelta(minutes=minutes))
        self.runner.run(self.due_work.run(shown))

    @rule()
    def crash(self) -> None:
        """A process ends in the middle of whatever it does, and another begins."""
        self.runner.run(self.stack.aclose())
        self.runner.run(self.open())

    def stored(self, session: SessionId) -> Table:
        """A table, as the process has it."""
        return self.runner.run(self.service.table(session))

    @invariant()
    def games_are_whole(self) -> None:
        """The moves of each game are legal and gapless, and it has at most one result."""
        if self.tables:
            for number, stored in self.runner.run(self.kept.database.run(every_game)).items():
                examine(self.stored(number).session, stored)

    def teardown(self) -> None:
        """Records are what the games give, also by the next process that looks."""
        said: list[str] = []
        if hasattr(self, "kept"):
            said += self.runner.run(self.kept.database.run(faults))
            self.runner.run(self.stack.aclose())
        self.runner.close()
        self.databases.drop(self.address)
        assert not said, said


async def outcome(asked: object) -> Outcome:
    """The result of a use case, refusals included."""
    try:
        found: Table = await asked  # type: ignore[misc]
    except (Refusal, IllegalMove) as error:
        return error
    return found


def every_game(connection: Connection) -> dict[SessionId, list[tuple[int, int]]]:
    """The plies and moves of each session, as they are on the disk."""
    found: dict[SessionId, list[tuple[int, int]]] = {
        SessionId(number): [] for number in connection.execute(select(sessions.c.id)).scalars()
    }
    rows = select(moves.c.session, moves.c.ply, moves.c.move).order_by(*moves.primary_key)
    for session, ply, played in connection.execute(rows):
        found[SessionId(session)].append((ply, played))
    return found


def examine(session: Session, stored: Sequence[tuple[int, int]]) -> None:
    """Plays a game again from what is on the disk."""
    assert [ply for ply, _ in stored] == list(range(len(stored))), "gapless"
    assert tuple(played for _, played in stored) == session.moves, "as the process has it"
    if stored:
        state = session.game.start(len(session.seats), session.options)
        for _, played in stored:
            assert played in state.moves(), "legal"
            state = state.play(Move(played))
        if state.payoff() is not None:
            assert session.phase is Phase.FINISHED, "a game that is over has its result"
    if session.phase is Phase.FINISHED:
        assert session.payoff is not None
        assert abs(sum(session.payoff)) < 1e-9
        assert list(session.payoff).count(1.0) <= 1, "one winner"


@pytest.mark.both_databases
def test_any_interleaving_leaves_tables_whole(new_database: NewDatabase, exhaustive: bool) -> None:
    class OnThisKind(Interleavings):
        def __init__(self) -> None:
            super().__init__(new_database)

    run_state_machine_as_test(
        OnThisKind,
        settings=settings(
            max_examples=MANY if exhaustive else SOME,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )

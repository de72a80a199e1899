"""The use cases on a real database, with clocks and thinkers of the tests' own."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random, getrandbits
from types import SimpleNamespace
from typing import cast
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import select, update

from bot.games.catalogue import CATALOGUE
from bot.games.command import Filled, Named, Request
from bot.service import due_work
from bot.service.due_work import DueWork
from bot.service.explanations import Explanations, StudyPool
from bot.service.openings import Admission
from bot.service.search_pool import SearchQueue
from bot.service.tables import Press, TableService
from bot.storage.choices import GuildId, Guilds, People
from bot.storage.database import Database
from bot.storage.opening import opened
from bot.storage.records.queries import Records
from bot.storage.schema.game_tables import sessions, taken_back
from bot.storage.tables import Tables
from bot.table.actions import Action, move_action
from bot.table.refusals import ChannelFull, TooManyAlone, UnknownControl
from bot.table.seat_log import BoardLook
from bot.table.seats import Computer, Human, Invited, Level, PersonId
from bot.table.session import Ending, Phase, Session, SessionId
from bot.table.table import InteractionId, Place, Table, made_like
from engine.game import IllegalMove, Move
from tests.bot.clock import ManualClock
from tests.bot.refused import refused
from tests.bot.service.absences import NeverAway
from tests.bot.thinkers import Gated

ANN, BEN, CLEO, PARLOUR = PersonId(1), PersonId(2), PersonId(3), PersonId(9)
PLACE = Place(1, 2)
HERE = GuildId(1)
ENTRY = CATALOGUE["tictactoe"]


class Parlour:
    """A service with its clock, thinker and store, and people who press."""

    def __init__(
        self, database: Database, people: People, servers: Guilds, clock: ManualClock
    ) -> None:
        self.database, self.clock, self.thinker = database, clock, Gated(inline=True)
        self.store = store = Tables(database, clock)
        thinker = self.thinker
        self.people, self.servers = people, servers
        self.service = TableService(
            store,
            Admission(people, servers),
            SearchQueue(thinker, 1),
            clock,
            Random(getrandbits(64)),
        )
        self.due_work = DueWork(self.service, store, NeverAway.of(store.database, clock), clock)
        self.shown: list[Table] = []
        self._interactions = iter(range(100, 10_000))

    def interaction(self) -> InteractionId:
        return InteractionId(next(self._interactions))

    async def type(
        self, by: PersonId, interaction: InteractionId | None = None, **values: Filled
    ) -> Table:
        return await self.service.openings.propose(
            ENTRY,
            Request(by, PARLOUR, {"mark": "x", **values}),
            place=PLACE,
            locale="en-US",
            interaction=interaction or self.interaction(),
        )

    def control(self, table: Table, by: PersonId, action: str) -> Press:
        return Press(self.interaction(), table, table.session.ply, action, by)

    async def press(self, table: Table, by: PersonId, action: str) -> Table:
        return await self.service.press(self.control(table, by, action))

    async def play(self, table: Table, by: PersonId, *cells: int) -> Table:
        for cell in cells:
            table = await self.press(table, by, move_action(Move(cell)))
        return table

    async def ludo(self, by: PersonId, **values: Filled) -> Table:
        return await self.service.openings.propose(
            CATALOGUE["ludo"],
            Request(by, PARLOUR, values),
            place=PLACE,
            locale="en-US",
            interaction=self.interaction(),
        )

    def afresh(self) -> Tables:
        """The store as another process finds it."""
        return Tables(self.database, self.clock)

    async def log_of_take_backs(self, session: SessionId) -> list[tuple[int, ...]]:
        """Moves taken back: which time that was, their ply, and the move."""
        kept = select(taken_back.c.number, taken_back.c.ply, taken_back.c.move)
        own = kept.where(taken_back.c.session == session).order_by(*taken_back.primary_key)
        return [tuple(row) for row in await self.database.run(lambda c: c.execute(own).all())]

    async def show(self, table: Table) -> None:
        self.shown.append(table)

    async def friends(self) -> Table:
        """A running game: Ann has X, Ben has O."""
        challenge = await self.type(ANN, opponent=Named(BEN))
        return await self.press(challenge, BEN, Action.ACCEPT)


@pytest.fixture
async def parlour(tmp_path: Path) -> AsyncIterator[Parlour]:
    clock = ManualClock()
    async with opened(f"sqlite:///{tmp_path}/parlour.db") as database:
        people, servers = await People.loaded(database), await Guilds.loaded(database)
        yield Parlour(database, people, servers, clock)


async def test_without_an_opponent_a_game_against_the_computer_begins_at_once(
    parlour: Parlour,
) -> None:
    table = await parlour.type(ANN)
    assert table.session.seats == (Human(ANN), Computer(Level.MEDIUM))
    assert table.session.phase is Phase.RUNNING


async def test_the_bot_itself_as_opponent_is_the_computer(parlour: Parlour) -> None:
    table = await parlour.type(ANN, opponent=Named(PARLOUR), level="easy")
    assert table.session.seats == (Human(ANN), Computer(Level.EASY))


async def test_with_a_person_as_opponent_a_challenge_waits(parlour: Parlour) -> None:
    table = await parlour.type(ANN, opponent=Named(BEN), mark="o")
    assert table.session.seats == (Invited(BEN), Human(ANN))
    assert table.due == parlour.clock.now() + timedelta(minutes=15)


async def test_a_command_delivered_twice_opens_one_table(parlour: Parlour) -> None:
    interaction = InteractionId(1)
    first = await parlour.type(ANN, interaction)
    assert (await parlour.type(ANN, interaction)).id == first.id


async def test_the_computer_answers_in_the_same_step(parlour: Parlour) -> None:
    table = await parlour.play(await parlour.type(ANN), ANN, 4)
    assert table.session.moves == (Move(4), Move(0))
    assert table.revision == 2


async def test_the_computer_begins_where_it_has_x(parlour: Parlour) -> None:
    assert (await parlour.type(ANN, mark="o")).session.moves == (Move(0),)


async def test_a_slow_computers_answer_comes_with_the_press_too(parlour: Parlour) -> None:
    parlour.thinker.inline = False
    parlour.thinker.allowed.set()
    table = await parlour.play(await parlour.type(ANN), ANN, 4)
    assert table.session.moves == (Move(4), Move(0))


async def test_a_persons_move_is_on_the_disk_before_the_computer_thinks(parlour: Parlour) -> None:
    parlour.thinker.inline = False
    table = await parlour.type(ANN)
    pressing = asyncio.create_task(parlour.play(table, ANN, 4))
    await parlour.thinker.asked.wait()
    assert (await parlour.store.table(table.id)).session.moves == (Move(4),)
    parlour.thinker.allowed.set()
    assert (await pressing).session.ply == 2


async def test_a_computers_turn_is_thought_about_once_however_many_wait_for_it(
    parlour: Parlour,
) -> None:
    parlour.thinker.inline = False
    table = await parlour.type(ANN)
    pressing = asyncio.create_task(parlour.play(table, ANN, 4))
    await parlour.thinker.asked.wait()
    tending = asyncio.create_task(parlour.due_work.run(parlour.show))
    parlour.thinker.allowed.set()
    await asyncio.gather(pressing, tending)
    assert (await parlour.store.table(table.id)).session.moves == (Move(4), Move(0))


async def test_computers_that_think_for_long_hold_no_time_limit_up(parlour: Parlour) -> None:
    slow, running = await parlour.type(ANN), await parlour.friends()
    parlour.thinker.inline = False
    pressing = asyncio.create_task(parlour.play(slow, ANN, 4))
    await parlour.thinker.asked.wait()
    parlour.clock.advance(timedelta(minutes=5))
    await parlour.due_work.run(parlour.show)
    assert [(shown.id, shown.session.lapsed) for shown in parlour.shown] == [(running.id, True)]
    parlour.thinker.allowed.set()
    assert (await pressing).session.moves == (Move(4), Move(0))


async def test_a_round_waits_for_a_turn_left_by_a_crash_no_longer_than_seconds(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due_work, "WAITED", 0.01)
    parlour.thinker.inline = False
    table = await parlour.type(ANN)
    crashed = asyncio.create_task(parlour.play(table, ANN, 4))
    await parlour.thinker.asked.wait()
    restarted = Parlour(parlour.database, parlour.people, parlour.servers, parlour.clock)
    restarted.thinker.inline = False
    await restarted.due_work.run(restarted.show)
    assert not restarted.shown
    assert restarted.service.updates.at_work(table.id)
    restarted.thinker.allowed.set()
    assert (await restarted.service.go_on(table.id)).session.moves == (Move(4), Move(0))
    parlour.thinker.allowed.set()
    await crashed


async def test_a_move_that_cannot_be_saved_when_nobody_waits_for_it_is_left_to_the_next_round(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    unread: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: unread.append(told))
    parlour.thinker.inline = False
    table = await parlour.type(ANN)
    pressing = asyncio.create_task(parlour.play(table, ANN, 4))
    await parlour.thinker.asked.wait()
    pressing.cancel()
    answering = [each for each in asyncio.all_tasks() if each.get_name() == f"answer {table.id}"]
    with monkeypatch.context() as disk:
        disk.setattr(parlour.store, "save", AsyncMock(side_effect=OSError("the disk is full")))
        parlour.thinker.allowed.set()
        await asyncio.wait(answering)
    del pressing, answering
    gc.collect()
    assert unread == []
    await parlour.due_work.run(parlour.show)
    assert (await parlour.store.table(table.id)).session.moves == (Move(4), Move(0))


async def test_a_computers_move_that_comes_after_the_end_is_thrown_away(parlour: Parlour) -> None:
    parlour.thinker.inline = False
    table = await parlour.type(ANN)
    pressing = asyncio.create_task(parlour.play(table, ANN, 4))
    await parlour.thinker.asked.wait()
    thinking = await parlour.service.table(table.id)
    await parlour.press(thinking, ANN, Action.RESIGN)
    parlour.thinker.allowed.set()
    after = await pressing
    assert (after.session.ending, after.session.moves) == (Ending.RESIGNED, (Move(4),))


async def test_a_computers_turn_left_by_a_crash_is_taken_up(parlour: Parlour) -> None:
    parlour.thinker.inline = False
    table = await parlour.type(ANN)
    crashed = asyncio.create_task(parlour.play(table, ANN, 4))
    await parlour.thinker.asked.wait()
    restarted = Parlour(parlour.database, parlour.people, parlour.servers, parlour.clock)
    restarted.thinker.allowed.set()
    await restarted.due_work.run(restarted.show)
    assert [shown.session.moves for shown in restarted.shown] == [(Move(4), Move(0))]
    parlour.thinker.allowed.set()
    assert (await crashed).session.ply == 2


async def test_of_two_simultaneous_presses_one_counts_and_the_other_is_refused(
    parlour: Parlour,
) -> None:
    table = await parlour.friends()
    outcomes = await asyncio.gather(
        parlour.play(table, ANN, 0), parlour.play(table, ANN, 1), return_exceptions=True
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Outdated", "Table"]
    assert (await parlour.service.table(table.id)).session.ply == 1


async def test_a_press_delivered_twice_is_one_move_and_gets_the_same_answer(
    parlour: Parlour,
) -> None:
    table = await parlour.friends()
    press = parlour.control(table, ANN, "m4")
    first = await parlour.service.press(press)
    assert await parlour.service.press(press) == first
    again = await asyncio.gather(parlour.service.press(press), parlour.service.press(press))
    assert list(again) == [first, first]


async def test_a_press_delivered_twice_at_once_is_one_move(parlour: Parlour) -> None:
    table = await parlour.friends()
    press = parlour.control(table, ANN, "m4")
    first, second = await asyncio.gather(parlour.service.press(press), parlour.service.press(press))
    assert first.session.moves == second.session.moves == (Move(4),)


async def test_by_a_clock_ahead_of_discords_no_control_is_older_than_its_table(
    parlour: Parlour, rng: Random
) -> None:
    """A match's table opens without an interaction that would tell Discord's time."""
    table, now = await parlour.friends(), parlour.clock.now()
    board = made_like(now, rng)
    place, ahead = replace(table.place, message=board), now + timedelta(minutes=1)
    table = replace(table, place=place, opened_at=ahead)
    assert table.opened_before(made_like(now + timedelta(seconds=5), rng))
    assert not table.opened_before(made_like(now - timedelta(seconds=5), rng)), (
        "a backup was put back"
    )


async def test_refusals_reach_whoever_pressed_and_change_nothing(parlour: Parlour) -> None:
    table = await parlour.friends()
    with refused("not_your_turn"):
        await parlour.play(table, BEN, 0)
    with refused("not_at_table"):
        await parlour.play(table, CLEO, 0)
    with pytest.raises(IllegalMove):
        await parlour.press(table, ANN, "m77")
    with pytest.raises(UnknownControl):
        await parlour.press(table, ANN, "dance")
    with pytest.raises(UnknownControl):
        await parlour.service.shown_by(None, SessionId(404))
    moved = await parlour.play(table, ANN, 0)
    with refused("stale_control"):
        await parlour.play(table, BEN, 1)
    assert moved.revision == table.revision + 1


async def test_a_table_whose_time_is_up_is_told_so_once(parlour: Parlour) -> None:
    challenge = await parlour.type(ANN, opponent=Named(BEN))
    running = await parlour.friends()
    await parlour.due_work.run(parlour.show)
    assert not parlour.shown
    parlour.clock.advance(timedelta(minutes=5))
    await parlour.due_work.run(parlour.show)
    assert [(t.id, t.session.lapsed) for t in parlour.shown] == [(running.id, True)]
    parlour.clock.advance(timedelta(minutes=10))
    await parlour.due_work.run(parlour.show)
    assert [(t.id, t.session.ending) for t in parlour.shown[1:]] == [(challenge.id, Ending.EXPIRED)]


async def test_what_goes_wrong_at_one_table_holds_no_other_up(parlour: Parlour) -> None:
    broken, sound = await parlour.friends(), await parlour.friends()

    async def show(table: Table) -> None:
        if table.id == broken.id:
            raise LookupError
        await parlour.show(table)

    parlour.clock.advance(timedelta(minutes=5))
    with pytest.raises(ExceptionGroup) as failed:
        await parlour.due_work.run(show)
    assert [table.id for table in parlour.shown] == [sound.id]
    assert [error.__notes__ for error in failed.value.exceptions] == [[f"at {broken.id}"]]


async def test_offering_a_draw_gives_nobody_more_time(parlour: Parlour) -> None:
    table = await parlour.play(await parlour.friends(), ANN, 4)
    parlour.clock.advance(timedelta(minutes=4))
    offered = await parlour.press(table, BEN, Action.OFFER)
    assert offered.due == table.due
    moved = await parlour.play(offered, BEN, 0)
    assert moved.due == parlour.clock.now() + timedelta(minutes=5)


async def test_a_game_against_the_computer_closes_after_three_hours_and_a_relaxed_one_after_30_days(
    parlour: Parlour,
) -> None:
    table = await parlour.type(ANN)
    relaxed = await parlour.type(ANN, pace="relaxed")
    parlour.clock.advance(timedelta(hours=3))
    await parlour.due_work.run(parlour.show)
    assert [(shown.id, shown.session.ending) for shown in parlour.shown] == [
        (table.id, Ending.SILENT)
    ]
    parlour.clock.advance(timedelta(days=30))
    await parlour.due_work.run(parlour.show)
    assert parlour.shown[-1].id == relaxed.id


async def test_the_third_game_against_the_computer_in_a_channel_is_refused_with_the_oldest(
    parlour: Parlour,
) -> None:
    first = await parlour.type(ANN)
    await parlour.type(ANN)
    with pytest.raises(TooManyAlone) as refused:
        await parlour.type(ANN)
    assert refused.value.oldest == first.id
    assert (await parlour.type(BEN)).session.solo
    await parlour.service.close_alone(first.id, ANN)
    assert (await parlour.type(ANN)).session.solo


@pytest.mark.logs_errors
async def test_games_that_this_version_cannot_read_are_offered_to_nobody_for_closing(
    parlour: Parlour,
) -> None:
    for _ in range(2):
        await parlour.type(ANN)
    newer = update(sessions).values(game="chess")
    await parlour.database.run(lambda c: c.execute(newer))
    later = Parlour(parlour.database, parlour.people, parlour.servers, parlour.clock)
    with pytest.raises(ChannelFull):
        await later.type(ANN, InteractionId(10_001))


async def test_a_third_game_against_computers_does_not_begin_from_a_lobby_either(
    parlour: Parlour,
) -> None:
    oldest = await parlour.type(ANN)
    await parlour.type(ANN)
    lobby = await parlour.ludo(ANN)
    lobby = await parlour.press(lobby, ANN, Action.FILL)
    with pytest.raises(TooManyAlone) as refused:
        await parlour.press(lobby, ANN, Action.START)
    assert refused.value.oldest == oldest.id


async def test_games_against_the_computer_take_no_room_from_those_between_people(
    parlour: Parlour,
) -> None:
    await parlour.servers.choose(HERE, games=1)
    await parlour.type(ANN)
    await parlour.type(ANN)
    challenge = await parlour.type(ANN, opponent=Named(BEN))
    assert challenge.session.phase is Phase.LOBBY
    with pytest.raises(ChannelFull) as refused:
        await parlour.type(CLEO, opponent=Named(BEN))
    assert refused.value.games == [challenge.id]


async def test_a_game_against_the_computer_is_closed_by_its_own_person_alone(
    parlour: Parlour,
) -> None:
    table, between = await parlour.type(ANN), await parlour.friends()
    assert (await parlour.service.close_alone(table.id, BEN)).session.phase is Phase.RUNNING
    assert (await parlour.service.close_alone(between.id, ANN)).session.phase is Phase.RUNNING
    assert (await parlour.service.close_alone(table.id, ANN)).session.ending is Ending.CLOSED


async def test_a_game_against_the_computer_left_after_two_moves_each_is_a_loss_in_the_statistics(
    parlour: Parlour,
) -> None:
    silent, closed = await parlour.type(ANN), await parlour.type(ANN)
    for number in (silent.id, closed.id):
        for _ in range(2):
            table = await parlour.service.table(number)
            await parlour.play(table, ANN, table.session.legal[0])
    await parlour.service.close_alone(closed.id, ANN)
    parlour.clock.advance(timedelta(hours=3))
    await parlour.due_work.run(parlour.show)
    ends = [(await parlour.service.table(each.id)).session.ending for each in (silent, closed)]
    assert ends == [Ending.TIME, Ending.RESIGNED]


async def test_a_server_closes_its_own_games_alone(parlour: Parlour) -> None:
    challenge, running = await parlour.type(ANN, opponent=Named(BEN)), await parlour.friends()
    with refused("no_game_here"):
        await parlour.service.close(running.id, guild=999)
    with refused("own_game"):
        await parlour.service.close(running.id, guild=1, by=BEN)
    assert (await parlour.service.close(running.id, guild=1)).session.ending is Ending.CLOSED
    assert (await parlour.service.close(challenge.id, guild=1)).session.ending is Ending.REMOVED
    for over in (running.id, challenge.id):
        with refused("closed"):
            await parlour.service.close(over, guild=1)
    with refused("unknown_control"):
        await parlour.service.close(SessionId(77), guild=1)
    assert (await parlour.afresh().table(challenge.id)).session.position is None


async def test_a_challenge_for_which_nobody_came_is_asked_again_by_its_host(
    parlour: Parlour,
) -> None:
    challenge = await parlour.type(ANN, opponent=Named(BEN))
    parlour.clock.advance(timedelta(minutes=15))
    await parlour.due_work.run(parlour.show)
    (expired,) = parlour.shown
    with refused("not_host"):
        await parlour.service.rematch(parlour.control(expired, BEN, Action.REMATCH), PLACE)
    press = parlour.control(expired, ANN, Action.REMATCH)
    again = await parlour.service.rematch(press, PLACE)
    assert again.new
    assert (again.table.id, again.table.session) != (challenge.id, expired.session)
    assert again.table.session == challenge.session
    second = parlour.control(expired, ANN, Action.REMATCH)
    assert (await parlour.service.rematch(second, PLACE)).table.id == again.table.id


async def test_a_move_against_the_computer_is_taken_back_with_its_answer_and_kept_in_the_log(
    parlour: Parlour,
) -> None:
    table = await parlour.play(await parlour.type(ANN), ANN, 4, 8)
    assert table.session.moves == (4, 0, 8, 1)
    back = await parlour.press(table, ANN, Action.TAKE_BACK)
    assert back.session.moves == (4, 0)
    again = await parlour.play(back, ANN, 2)
    await parlour.press(again, ANN, Action.TAKE_BACK)
    assert (await parlour.afresh().table(table.id)).session.moves == (4, 0)
    assert await parlour.log_of_take_backs(table.id) == [
        (1, 2, 8),
        (1, 3, 1),
        (2, 2, 2),
        (2, 3, 1),
    ]


async def test_a_computer_that_thought_of_a_move_taken_back_meanwhile_does_not_play_it(
    parlour: Parlour,
) -> None:
    table = await parlour.play(await parlour.type(ANN), ANN, 4)
    parlour.thinker.inline = False
    thinking = asyncio.create_task(parlour.play(table, ANN, 8))
    await parlour.thinker.asked.wait()
    waiting = await parlour.service.table(table.id)
    back = await parlour.press(waiting, ANN, Action.TAKE_BACK)
    assert back.session.moves == (4, 0)
    parlour.thinker.allowed.set()
    await thinking
    assert (await parlour.service.table(table.id)).session.moves == (4, 0)
    assert (await parlour.play(back, ANN, 1)).session.moves == (4, 0, 1, 2)


async def test_a_hint_found_after_its_board_was_taken_back_is_not_given_on_another_of_that_ply(
    parlour: Parlour,
) -> None:
    table = await parlour.play(await parlour.type(ANN), ANN, 8)
    asked, allowed = asyncio.Event(), asyncio.Event()

    async def explain(_: PersonId, session: Session, __: object) -> SimpleNamespace:
        asked.set()
        await allowed.wait()
        return SimpleNamespace(move=session.position.moves()[0])

    study, records = SimpleNamespace(explain=explain), Records(parlour.database)
    explanations = Explanations(parlour.service, cast("StudyPool", study), records)
    hint = asyncio.create_task(explanations.hint(table, ANN))
    await asked.wait()
    back = await parlour.press(table, ANN, Action.TAKE_BACK)
    other = await parlour.play(back, ANN, 1)
    assert (other.session.ply, other.session.moves) == (table.session.ply, (1, 0))
    allowed.set()
    with refused("stale_control"):
        await hint
    stored = (await parlour.service.table(table.id)).session
    assert (stored.hint, stored.hints) == (None, False)


async def test_the_servers_way_to_show_boards_holds_unless_a_table_chooses(
    parlour: Parlour,
) -> None:
    await parlour.servers.choose(HERE, board=BoardLook.PICTURE)
    assert (await parlour.ludo(ANN)).session.preferences.board is BoardLook.PICTURE
    assert (await parlour.ludo(ANN, board="emoji")).session.preferences.board is BoardLook.EMOJI
    fresh = await parlour.ludo(BEN)
    assert (await parlour.afresh().table(fresh.id)).session.preferences.board is BoardLook.PICTURE


async def test_a_rematch_between_people_is_a_challenge_that_the_other_takes_up_by_asking_too(
    parlour: Parlour,
) -> None:
    over = await parlour.press(await parlour.friends(), ANN, Action.RESIGN)
    asked = await parlour.service.rematch(parlour.control(over, ANN, Action.REMATCH), PLACE)
    assert asked.new
    assert asked.table.session.seats == (Invited(BEN), Human(ANN))
    again = await parlour.service.rematch(parlour.control(over, ANN, Action.REMATCH), PLACE)
    assert (again.new, again.table.id) == (False, asked.table.id)
    taken = await parlour.service.rematch(parlour.control(over, BEN, Action.REMATCH), PLACE)
    assert (taken.new, taken.table.id) == (False, asked.table.id)
    assert taken.table.session.seats == (Human(BEN), Human(ANN))


async def test_two_who_ask_for_a_rematch_at_once_get_one_table(parlour: Parlour) -> None:
    over = await parlour.press(await parlour.friends(), ANN, Action.RESIGN)
    first, second = await asyncio.gather(
        *(
            parlour.service.rematch(parlour.control(over, by, Action.REMATCH), PLACE)
            for by in (ANN, BEN)
        )
    )
    assert first.table.id == second.table.id
    assert [first.new, second.new].count(True) == 1
    assert (await parlour.service.table(first.table.id)).session.phase is Phase.RUNNING


async def test_a_rematch_that_was_declined_can_be_asked_for_again(parlour: Parlour) -> None:
    over = await parlour.press(await parlour.friends(), ANN, Action.RESIGN)
    asked = await parlour.service.rematch(parlour.control(over, ANN, Action.REMATCH), PLACE)
    await parlour.press(asked.table, BEN, Action.DECLINE)
    again = await parlour.service.rematch(parlour.control(over, ANN, Action.REMATCH), PLACE)
    assert again.new
    assert again.table.id != asked.table.id


async def test_two_who_ask_at_once_for_a_rematch_get_one_even_if_it_takes_the_last_place(
    parlour: Parlour,
) -> None:
    await parlour.servers.choose(HERE, games=1)
    over = await parlour.press(await parlour.friends(), ANN, Action.RESIGN)
    first, second = await asyncio.gather(
        *(
            parlour.service.rematch(parlour.control(over, by, Action.REMATCH), PLACE)
            for by in (ANN, BEN)
        )
    )
    assert first.table.id == second.table.id


async def test_of_many_openings_at_once_as_many_succeed_as_the_server_allows(
    parlour: Parlour,
) -> None:
    outcomes = await asyncio.gather(
        *(parlour.type(ANN, anyone=True) for _ in range(9)), return_exceptions=True
    )
    opened = {outcome.id for outcome in outcomes if isinstance(outcome, Table)}
    refused = [outcome for outcome in outcomes if isinstance(outcome, ChannelFull)]
    assert (len(opened), len(refused)) == (5, 4)
    assert all(set(full.games) < opened for full in refused)


async def test_a_command_delivered_twice_gets_its_table_even_if_that_took_the_last_place(
    parlour: Parlour,
) -> None:
    await parlour.servers.choose(HERE, games=1)
    interaction = parlour.interaction()
    first = await parlour.type(ANN, interaction)
    assert (await parlour.type(ANN, interaction)).id == first.id


async def test_of_a_blocker_and_the_one_blocked_who_join_at_once_no_order_seats_the_blocked_second(
    parlour: Parlour,
) -> None:
    await parlour.people.block(BEN, CLEO)
    for joining in ((BEN, CLEO), (CLEO, BEN)):
        table = await parlour.service.openings.propose(
            CATALOGUE["ludo"],
            Request(ANN, PARLOUR, {}),
            place=PLACE,
            locale="en-US",
            interaction=parlour.interaction(),
        )
        outcomes = await asyncio.gather(
            *(parlour.press(table, by, Action.JOIN) for by in joining), return_exceptions=True
        )
        seated = (await parlour.service.table(table.id)).session.people
        refused = [
            by for by, out in zip(joining, outcomes, strict=True) if str(out) == "not_together"
        ]
        assert seated in {(ANN, BEN), (ANN, CLEO, BEN)}
        assert refused == [person for person in (CLEO,) if person not in seated]


async def test_a_press_read_before_another_change_counts_on_the_table_as_it_is_by_then(
    parlour: Parlour,
) -> None:
    read = await parlour.friends()
    moved = await parlour.press(read, ANN, move_action(Move(0)))
    press = replace(parlour.control(moved, BEN, move_action(Move(4))), table=read)
    after = await parlour.service.press(press)
    assert after.session.moves == (Move(0), Move(4))
    again = replace(press, interaction=parlour.interaction())
    with refused("stale_control"):
        await parlour.service.press(again)


async def test_a_table_to_be_looked_at_after_an_upgrade_is_let_be_where_a_person_decides(
    parlour: Parlour,
) -> None:
    table = await parlour.friends()
    marked = update(sessions).where(sessions.c.id == table.id).values(unattended=True)
    await parlour.database.run(lambda c: c.execute(marked))
    assert await parlour.store.unattended() == [table.id]
    await parlour.due_work.run(parlour.show)
    assert await parlour.store.unattended() == []
    assert parlour.shown == []
    assert await parlour.afresh().table(table.id) == table

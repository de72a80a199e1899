"""Tables in a real SQLite file: what was saved is there, once, and nothing else is."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Connection, delete, event, select

from bot.storage.database import Database
from bot.storage.errors import Conflict, Crowded, Repeated, UnknownTable
from bot.storage.messages import Messages, Posted, Reminders, StandingReminder
from bot.storage.processes import Notes
from bot.storage.schema.game_tables import interactions, seats, sessions
from bot.storage.tables import OVER, TableCache, Tables, weight
from bot.table.actions import Action, press
from bot.table.seats import Computer, Human, Invited, Level, Occupant, Pace, PersonId, Vacant
from bot.table.session import Ending, Phase, Session, SessionId
from bot.table.table import InteractionId, Place, Table
from bot.table.waiting import Occasion, Reminder
from engine.game import Move
from engine.games.ludo import GAME as LUDO
from tests.bot.clock import ManualClock
from tests.bot.databases import raw
from tests.bot.kit import new_game, table_of

pytestmark = pytest.mark.both_databases

ANN, BEN = PersonId(1 << 60), PersonId(2)
PLACE = Place(guild=10, channel=20)

Afresh = Callable[[], Tables]


def draft(clock: ManualClock, *seats: Occupant) -> Table:
    session = new_game("tictactoe", *(seats or (ANN, BEN)), options={"size": 4})
    return table_of(session, clock.now(), PLACE)


def moved(table: Table, move: int) -> Table:
    turn = table.session.turn
    assert turn is not None
    by = table.session.people[turn]
    session = table.session.play(by, Move(move), ply=table.session.ply)
    return replace(table, revision=table.revision + 1, session=session)


@pytest.fixture
def afresh(database: Database, clock: ManualClock) -> Afresh:
    """A store that has nothing in memory yet."""
    return lambda: Tables(database, clock)


async def test_a_number_that_no_column_can_have_is_that_of_no_table(store: Tables) -> None:
    """Somebody types it, or forges it in the id of a control."""
    for number in (0, 1 << 31, 10**18 - 1):
        with pytest.raises(UnknownTable):
            await store.table(SessionId(number))


@pytest.mark.parametrize(
    "seats",
    [
        (Human(ANN), Invited(BEN)),
        (Vacant(), Human(ANN)),
        (Human(ANN), Human(BEN)),
        (Human(ANN), Computer(Level.PERFECT)),
    ],
)
async def test_a_table_is_read_as_it_was_opened(
    store: Tables, afresh: Afresh, clock: ManualClock, seats: tuple[Occupant, ...]
) -> None:
    opened = await store.open(draft(clock, *seats), InteractionId(1))
    assert await afresh().table(opened.id) == opened


def test_only_the_last_tables_whose_game_is_over_stay_in_memory(clock: ManualClock) -> None:
    cache, table = TableCache(), draft(clock)
    running = cache.keep(table)
    closed = table.session.abandon(Ending.CLOSED)
    room = OVER // weight(replace(table, session=closed))
    over = [replace(table, id=SessionId(1 + number), session=closed) for number in range(room + 9)]
    for each in over:
        cache.keep(each)
    assert [each for each in over if cache.get(each.id)] == over[-room:]
    assert cache.get(running.id) == running
    cache.keep(replace(running, session=closed))  # it takes the place of one that was over before
    assert [each for each in over if cache.get(each.id)] == over[-room + 1 :]


async def test_a_move_saved_while_a_stranger_is_forgotten_is_in_the_table_that_is_read_next(
    store: Tables, clock: ManualClock
) -> None:
    """Seed 124 of two days: the table of before stayed in memory, and covered its board."""
    table = await store.open(draft(clock), InteractionId(1))
    saving = asyncio.create_task(store.save(table, moved(table, 5), InteractionId(2)))
    await asyncio.sleep(0)
    store.cache.drop_person(PersonId(99))
    saved = await saving
    assert (await store.table(table.id)).session == saved.session


async def test_a_move_whose_sender_was_cancelled_is_in_the_table_that_is_read_next(
    store: Tables, clock: ManualClock
) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    after = moved(table, 5)
    locked, over = Event(), Event()

    def hold(connection: Connection) -> None:
        connection.execute(select(sessions.c.id).with_for_update())
        locked.set()
        over.wait()

    held = asyncio.create_task(store.database.run(hold))
    await asyncio.to_thread(locked.wait)
    saving = asyncio.create_task(store.save(table, after, InteractionId(2)))
    await asyncio.sleep(0)
    saving.cancel()
    asyncio.get_running_loop().call_soon(over.set)
    with pytest.raises(asyncio.CancelledError):
        await saving
    assert (await store.table(table.id)).session == after.session
    await held


async def test_a_saved_change_is_read_as_it_was_saved(
    store: Tables, afresh: Afresh, clock: ManualClock
) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    table = await store.save(table, moved(table, 5), InteractionId(2))
    offered = press(table.session, Action.OFFER, ANN, ply=1)
    offer = replace(table, revision=3, session=offered, notice=BEN, due=None)
    table = await store.save(table, offer, InteractionId(3))
    assert await afresh().table(table.id) == table
    drawn = press(table.session, Action.AGREE, BEN, ply=1)
    table = await store.save(table, replace(table, revision=4, session=drawn), InteractionId(4))
    read = await afresh().table(table.id)
    assert read == table
    assert read.session.payoff == (0.0, 0.0)


async def test_a_seat_that_was_taken_is_stored_with_its_person(
    store: Tables, afresh: Afresh, clock: ManualClock
) -> None:
    table = await store.open(draft(clock, Human(ANN), Invited(BEN)), InteractionId(1))
    accepted = replace(table, revision=2, session=press(table.session, Action.ACCEPT, BEN))
    await store.save(table, accepted, InteractionId(2))
    assert (await afresh().table(table.id)).session.seats == (Human(ANN), Human(BEN))


async def test_a_table_that_its_only_player_has_left_is_stored_without_seats(
    store: Tables, afresh: Afresh, clock: ManualClock
) -> None:
    gathering = Session(LUDO, LUDO.settled({}), Pace.LIVE, host=ANN, seats=(Human(ANN),))
    table = await store.open(replace(draft(clock), session=gathering), InteractionId(1))
    left = replace(table, revision=2, session=press(table.session, Action.LEAVE, ANN))
    await store.save(table, left, InteractionId(2))
    read = await afresh().table(table.id)
    assert read == left
    assert read.session.seats == ()


async def test_of_two_changes_to_the_same_board_one_is_stored(
    store: Tables, afresh: Afresh, clock: ManualClock
) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    outcomes = await asyncio.gather(
        store.save(table, moved(table, 3), InteractionId(2)),
        store.save(table, moved(table, 4), InteractionId(3)),
        return_exceptions=True,
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "Table"]
    (stored,) = (outcome for outcome in outcomes if isinstance(outcome, Table))
    assert await afresh().table(table.id) == stored
    assert await store.table(table.id) == stored


async def test_an_interaction_is_carried_out_once(
    store: Tables, afresh: Afresh, clock: ManualClock
) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    table = await store.save(table, moved(table, 3), InteractionId(2))
    with pytest.raises(Repeated):
        await store.save(table, moved(table, 4), InteractionId(2))
    assert (await afresh().table(table.id)).session.ply == 1
    assert await store.carried_out(InteractionId(2)) == table.id
    assert await store.carried_out(InteractionId(99)) is None


async def test_a_command_delivered_twice_opens_one_table(store: Tables, clock: ManualClock) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    with pytest.raises(Repeated) as repeated:
        await store.open(draft(clock), InteractionId(1))
    assert repeated.value.table == table.id


async def test_a_refused_change_leaves_nothing_behind_not_even_its_interaction(
    store: Tables, clock: ManualClock
) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    await store.save(table, moved(table, 3), InteractionId(2))
    with pytest.raises(Conflict):
        await store.save(table, moved(table, 4), InteractionId(3))
    assert await store.carried_out(InteractionId(3)) is None


async def test_an_interaction_carried_out_meanwhile_is_a_repeat_and_no_conflict(
    store: Tables, clock: ManualClock
) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    await store.save(table, moved(table, 3), InteractionId(2))
    with pytest.raises(Repeated) as repeated:
        await store.save(table, moved(table, 3), InteractionId(2))
    assert repeated.value.table == table.id


async def test_a_change_of_a_table_that_was_removed_meanwhile_is_a_conflict(
    store: Tables, database: Database, clock: ManualClock
) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    await database.run(lambda c: c.execute(delete(seats)))
    await database.run(lambda c: c.execute(delete(interactions)))
    await database.run(lambda c: c.execute(delete(sessions)))
    with pytest.raises(Conflict):
        await store.save(table, moved(table, 3), InteractionId(2))
    with pytest.raises(UnknownTable):
        await store.table(table.id)


async def test_a_finished_table_gets_one_rematch(store: Tables, clock: ManualClock) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    first = await store.open(draft(clock), InteractionId(2), follows=table)
    assert (await store.table(table.id)).rematch == first.id
    with pytest.raises(Conflict):
        await store.open(draft(clock), InteractionId(3), follows=table)
    assert await store.carried_out(InteractionId(3)) is None


async def test_the_id_of_a_session_is_never_given_twice(
    store: Tables, clock: ManualClock, address: str
) -> None:
    first = await store.open(draft(clock), InteractionId(1))
    with raw(address) as connection:
        for table in ("interaction", "seat", "session"):
            connection.exec_driver_sql(f"DELETE FROM {table}")  # noqa: S608
    assert (await store.open(draft(clock), InteractionId(2))).id > first.id


async def test_a_table_that_is_not_there_is_said_to_be_unknown(store: Tables) -> None:
    with pytest.raises(UnknownTable):
        await store.table(SessionId(404))


async def test_what_is_due_is_found_when_its_time_has_come(
    store: Tables, clock: ManualClock
) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    assert not await store.due(clock.now() + timedelta(minutes=4, seconds=59))
    assert await store.due(clock.now() + timedelta(minutes=5)) == [table.id]


async def test_a_computers_turn_is_found_until_it_has_moved(
    store: Tables, clock: ManualClock
) -> None:
    table = await store.open(draft(clock, Computer(Level.EASY), Human(ANN)), InteractionId(1))
    assert await store.unattended() == [table.id]
    answered = table.session.answer(Move(0), ply=0)
    await store.save(table, replace(table, revision=2, session=answered), None)
    assert not await store.unattended()


async def test_a_message_is_behind_until_it_shows_the_latest_revision(
    store: Tables, clock: ManualClock
) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    assert await Messages(store).behind() == [table.id]
    await Messages(store).save_shown({table.id: 1})
    assert not await Messages(store).behind()
    await store.save(table, moved(table, 0), InteractionId(2))
    assert await Messages(store).behind() == [table.id]
    await Messages(store).save_shown({table.id: 2})
    await Messages(store).save_shown({table.id: 1})
    assert not await Messages(store).behind(), "an older note must not undo a newer one"


async def test_a_person_to_tell_is_told_once_whatever_happens_at_the_table(
    store: Tables, afresh: Afresh, clock: ManualClock
) -> None:
    table = await store.open(replace(draft(clock), notice=BEN), InteractionId(1))
    assert await Reminders(store).due(clock.now()) == [table.id]
    assert await Reminders(store).reminded(table, None)
    assert not await Reminders(store).reminded(table, None)
    saved = await store.save(table, moved(table, 0), InteractionId(2))
    assert saved.notice is None
    assert (await afresh().table(table.id)).notice is None
    assert not await Reminders(store).due(clock.now())


async def test_a_reminder_of_a_deleted_table_holds_up_none_that_is_saved_with_it(
    store: Tables, clock: ManualClock
) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    told, posted = Reminder(BEN, Occasion.TURN), Posted(channel=20, message=30)
    gone, there = (
        StandingReminder(number, told, posted, ply=0) for number in (SessionId(404), table.id)
    )
    await Reminders(store).keep(gone, there)
    assert await Reminders(store).standing() == [there]


async def test_a_reminder_is_put_off_once_and_a_later_change_of_the_table_keeps_that(
    store: Tables, afresh: Afresh, clock: ManualClock
) -> None:
    due, later = clock.now(), clock.now() + timedelta(hours=1)
    table = await store.open(replace(draft(clock), remind_at=due), InteractionId(1))
    assert not await Reminders(store).due(due - timedelta(seconds=1))
    assert await Reminders(store).due(due) == [table.id]
    assert await Reminders(store).reminded(table, later)
    assert not await Reminders(store).reminded(table, None)
    offer = replace(table, revision=2, session=moved(table, 0).session)
    saved = await store.save(table, offer, InteractionId(2))
    assert saved.remind_at == later == (await afresh().table(table.id)).remind_at


async def test_a_message_that_was_deleted_is_not_behind_until_the_table_has_another(
    store: Tables, afresh: Afresh, clock: ManualClock
) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    await Messages(store).save_message(table.id, 77)
    assert await Messages(store).mark_lost(table.place.channel + 1, 77) is None
    assert await Messages(store).mark_lost(table.place.channel, 77) == table.id
    place = (await afresh().table(table.id)).place
    assert (place.message, place.lost) == (None, True)
    assert not await Messages(store).behind()
    await Messages(store).save_message(table.id, 78)
    assert await Messages(store).behind() == [table.id]
    assert not (await afresh().table(table.id)).place.lost


async def test_a_message_that_became_known_during_a_change_is_not_forgotten(
    store: Tables, afresh: Afresh, clock: ManualClock
) -> None:
    table = await store.open(draft(clock), InteractionId(1))
    await Messages(store).save_message(table.id, 77)
    saved = await store.save(table, moved(table, 0), InteractionId(2))
    assert saved.place.message == 77
    assert (await afresh().table(table.id)).place.message == 77


async def test_lost_messages_are_sent_again_for_unfinished_tables_alone(
    store: Tables, afresh: Afresh, clock: ManualClock
) -> None:
    running = await store.open(draft(clock), InteractionId(1))
    over = await store.open(draft(clock), InteractionId(2))
    resigned = replace(
        over, revision=2, session=press(over.session, Action.RESIGN, ANN, ply=0), due=None
    )
    await store.save(over, resigned, InteractionId(3))
    for table in (running, over):
        await Messages(store).save_message(table.id, 77)
    await Messages(store).save_shown({running.id: 1, over.id: 2})
    await Messages(store).forget_all()
    assert await Messages(store).behind() == [running.id]
    assert (await afresh().table(running.id)).place.message is None
    finished = await afresh().table(over.id)
    assert finished.place.message == 77
    assert finished.session.phase is Phase.FINISHED


async def test_interactions_are_forgotten_when_discord_repeats_them_no_more(
    store: Tables, clock: ManualClock
) -> None:
    first, later = InteractionId(1), InteractionId(2 * 3_600_000 << 22)
    table = await store.open(draft(clock), first)
    await store.save(table, moved(table, 0), later)
    await store.forget_interactions(timedelta(hours=1))
    assert await store.carried_out(first) is None
    assert await store.carried_out(later) == table.id


async def test_a_clock_that_is_set_forgets_no_interaction_that_discord_may_repeat(
    store: Tables, clock: ManualClock
) -> None:
    first, later = InteractionId(1), InteractionId(60_000 << 22)
    table = await store.open(draft(clock), first)
    clock.advance(timedelta(hours=2))
    await store.save(table, moved(table, 0), later)
    await store.forget_interactions(timedelta(hours=1))
    assert await store.carried_out(first) == table.id


async def test_a_note_keeps_its_last_value(store: Tables) -> None:
    assert await Notes(store.database).read("commands") is None
    await Notes(store.database).write("commands", "first")
    await Notes(store.database).write("commands", "second")
    assert await Notes(store.database).read("commands") == "second"


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("SELECT id FROM session WHERE due <= 1", "ix_session_due"),
        ("SELECT id FROM session WHERE unattended IS 1", "ix_session_unattended"),
        (
            "SELECT id FROM session WHERE shown < revision AND lost IS 0 AND unreachable IS 0",
            "ix_session_behind",
        ),
        ("SELECT id FROM session WHERE remind_at <= 1", "ix_session_remind_at"),
        ("SELECT id FROM session WHERE nudge IS NOT NULL", "ix_session_nudge"),
        (
            "SELECT id FROM session WHERE phase = 'finished' AND finish IS NULL",
            "ix_session_unrecorded",
        ),
        ("SELECT max(finish) FROM session WHERE finish IS NOT NULL", "ix_session_finish"),
    ],
)
async def test_each_sweep_reads_an_index_of_its_own(
    store: Tables, file: Path, query: str, index: str
) -> None:
    assert not await Messages(store).behind()
    connection = sqlite3.connect(file)
    plan = str(connection.execute(f"EXPLAIN QUERY PLAN {query}").fetchall())
    connection.close()
    assert index in plan


async def test_of_many_tables_opened_at_once_no_more_are_stored_than_may(
    store: Tables, clock: ManualClock
) -> None:
    outcomes = await asyncio.gather(
        *(store.open(draft(clock), InteractionId(number), room=3) for number in range(1, 9)),
        return_exceptions=True,
    )
    opened = [outcome.id for outcome in outcomes if isinstance(outcome, Table)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, Crowded)]
    assert (len(opened), len(refused)) == (3, 5)
    assert all(set(crowded.unfinished) == set(opened) for crowded in refused)
    assert set(await store.unfinished(PLACE.channel)) == set(opened)
    carried_out = [await store.carried_out(InteractionId(number)) for number in range(1, 9)]
    assert {table for table in carried_out if table is not None} == set(opened)
    assert carried_out.count(None) == len(refused)


async def test_tables_that_have_ended_and_those_of_other_channels_take_no_room(
    store: Tables, clock: ManualClock
) -> None:
    over = await store.open(draft(clock), InteractionId(1))
    resigned = press(over.session, Action.RESIGN, ANN, ply=0)
    await store.save(over, replace(over, revision=2, session=resigned), None)
    elsewhere = replace(draft(clock), place=Place(guild=10, channel=21))
    await store.open(elsewhere, InteractionId(2))
    await store.open(draft(clock), InteractionId(3), room=1)
    with pytest.raises(Crowded):
        await store.open(draft(clock), InteractionId(4), room=1)


async def test_an_opening_delivered_twice_is_a_repeat_even_where_it_took_the_last_place(
    store: Tables, clock: ManualClock
) -> None:
    first = await store.open(draft(clock), InteractionId(1), room=1)
    with pytest.raises(Repeated) as repeated:
        await store.open(draft(clock), InteractionId(1), room=1)
    assert repeated.value.table == first.id


async def test_a_rematch_that_somebody_else_opened_is_a_conflict_even_in_a_full_channel(
    store: Tables, clock: ManualClock
) -> None:
    over = await store.open(draft(clock), InteractionId(1))
    resigned = press(over.session, Action.RESIGN, ANN, ply=0)
    over = await store.save(over, replace(over, revision=2, session=resigned), None)
    await store.open(draft(clock), InteractionId(2), follows=over, room=1)
    with pytest.raises(Conflict):
        await store.open(draft(clock), InteractionId(3), follows=over, room=1)


async def test_the_tables_of_a_channel_are_found_by_an_index(
    store: Tables, database: Database, clock: ManualClock, file: Path
) -> None:
    assert file.exists()
    asked: list[str] = []

    def listen(_: Any, __: Any, statement: str, *___: Any) -> None:
        asked.append(statement)

    event.listen(database._engine, "before_cursor_execute", listen)
    await store.open(draft(clock), InteractionId(1), room=1)
    (query,) = [each for each in asked if each.startswith("SELECT") and "channel" in each]
    explained = f"EXPLAIN QUERY PLAN {query}"
    plan = await database.run(lambda c: c.exec_driver_sql(explained, (1,)).all())
    assert "ix_session_unfinished" in plan[0][3]

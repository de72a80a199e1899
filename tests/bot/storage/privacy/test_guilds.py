"""Leaving a server: its tables close at once; removing it leaves the players what is their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, event, select

from bot.service.guilds import DATA_STAYS, Departures
from bot.storage.choices import GuildId, Guilds, GuildSettings
from bot.storage.database import Database
from bot.storage.errors import UnknownTable
from bot.storage.messages import Messages
from bot.storage.opening import opened
from bot.storage.privacy import guilds
from bot.storage.privacy.guilds import GuildData
from bot.storage.privacy.store import forget
from bot.storage.schema.base import metadata
from bot.storage.schema.game_tables import sessions
from bot.storage.schema.record_tables import RECORDS, standings
from bot.storage.shards import Shard
from bot.storage.tables import Tables
from bot.table.actions import Action, press
from bot.table.seats import Human, Invited, PersonId
from bot.table.session import Ending, Phase, Session, SessionId
from bot.table.table import InteractionId, Place, Table
from engine.game import Move
from tests.bot.clock import ManualClock
from tests.bot.databases import NewDatabase, raw
from tests.bot.kit import new_game, table_of
from tests.bot.storage.overtaking import overtaken
from tests.bot.storage.random_games import PEOPLE, played_games
from tests.bot.storage.record_tables import dump, rebuilt

pytestmark = pytest.mark.both_databases

GONE, STAYING = GuildId(987_654_321_000_071), GuildId(987_654_321_000_072)
CHANNEL = 987_654_321_000_005
ANN, BEN = PersonId(101), PersonId(102)
GAMES = 50
FEW = (
    "server",
    "interaction",
    "ix_session_unfinished",
    "ix_session_behind",
    "CONSTANT ROW",
    "reminder",
)
"""The tables that may be read from end to end: interactions are forgotten after an hour."""
WHERE = {"shown", "guild", "channel", "message", "rematch"}


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a removal takes many transactions."""
    for name, size in (("LOOKED_THROUGH", 7), ("PARTED", 3), ("DELETED", 1)):
        monkeypatch.setattr(guilds, name, size)


@pytest.fixture
async def settings(database: Database) -> Guilds:
    return await Guilds.loaded(database)


@pytest.fixture
def guild_data(database: Database, store: Tables, settings: Guilds) -> GuildData:
    return GuildData(database, store, settings)


@pytest.fixture(scope="module")
def games(new_database: NewDatabase) -> tuple[str, datetime]:
    """Games of both kinds in two servers and in direct messages, and challenges that wait."""
    address, clock = new_database(), ManualClock()
    asyncio.run(play(address, clock))
    return address, clock.now()


async def play(address: str, clock: ManualClock) -> None:
    places = (Place(None, 5), Place(GONE, CHANNEL), Place(STAYING, 6))
    async with opened(address) as database:
        store = Tables(database, clock)
        await played_games(store, clock, Random(3), GAMES, places)
        for place in places:
            for number in range(3):
                challenge = replace(
                    draft(clock, new_game("tictactoe", Human(ANN), Invited(BEN))), place=place
                )
                await store.open(challenge, InteractionId(10**8 + 10 * place.channel + number))


@pytest.fixture
def played() -> None:
    """Asks for a copy of the games."""


class Interrupted(Exception):
    """The power failed."""


def draft(clock: ManualClock, session: Session, guild: int | None = GONE) -> Table:
    return table_of(session, clock.now(), Place(guild, CHANNEL))


async def resigned(store: Tables, clock: ManualClock, number: int) -> Table:
    """A game in the server that Ann has given up."""
    begun = draft(clock, new_game("tictactoe", Human(ANN), Human(BEN)))
    table = await store.open(begun, InteractionId(number))
    session = press(table.session, Action.RESIGN, ANN, ply=0)
    after = replace(table, revision=2, session=session, moved_at=clock.now(), due=None)
    return await store.save(table, after, None)


def without(rows: dict[str, list[Any]], server: GuildId) -> dict[str, list[Any]]:
    """Records without those of a server, where games are as if they had been played in none."""
    places = ("guild", "mu_here", "sigma_here")

    def parted(row: Any) -> tuple[Any, ...]:
        taken = places if row.guild == server else ()
        return tuple(None if key in taken else value for key, value in row._mapping.items())

    kept = plain(rows)
    for table in RECORDS:
        if "scope" in table.columns:
            own = [row for row in rows[table.name] if row.scope != server]
            kept[table.name] = [tuple(row) for row in own]
        else:
            kept[table.name] = [parted(row) for row in rows[table.name]]
    return kept


def plain(rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
    return {name: [tuple(row) for row in rows[name]] for name in rows}


def named(address: str) -> bool:
    """Whether the server or its channel is named anywhere."""
    return any(str(number) in whole(address) for number in (GONE, CHANNEL))


def whole(address: str) -> str:
    """Everything in a database."""
    with raw(address) as connection:
        rows = [connection.execute(select(table)).all() for table in metadata.sorted_tables]
        return "\n".join(sorted(str(row) for its in rows for row in its))


async def finished(database: Database) -> list[Any]:
    """The finished games without the places where they were played."""
    columns = [column for column in sessions.c if column.name not in WHERE]
    query = select(*columns).where(sessions.c.phase == "finished").order_by(sessions.c.id)
    return await database.run(lambda c: [tuple(row) for row in c.execute(query)])


async def test_a_table_is_closed_as_the_session_itself_would_be(
    store: Tables, database: Database, guild_data: GuildData, clock: ManualClock
) -> None:
    running = await store.open(
        draft(clock, new_game("tictactoe", Human(ANN), Human(BEN))), InteractionId(1)
    )
    moved = running.session.play(ANN, Move(4), ply=0)
    offered = press(moved, Action.OFFER, ANN, ply=1)
    late = replace(running, revision=2, session=replace(offered, lapsed=True), notice=BEN)
    tables = [
        await store.save(running, late, None),
        await store.open(
            draft(clock, new_game("tictactoe", Human(ANN), Invited(BEN))), InteractionId(2)
        ),
    ]
    for table in tables:
        await Messages(store).save_message(table.id, message=6)
    clock.advance(timedelta(hours=1))
    await guild_data.leave(GONE, clock.now())
    for table in tables:
        waits = table.session.phase is Phase.LOBBY
        closed = replace(
            table,
            revision=table.revision + 1,
            session=table.session.abandon(Ending.EXPIRED if waits else Ending.CLOSED),
            place=Place(GONE, CHANNEL, None),
            moved_at=clock.now(),
            due=None,
            notice=None,
        )
        assert await store.table(table.id) == closed
        assert await Tables(database, clock).table(table.id) == closed
    assert not await Messages(store).behind()
    assert not await store.due(clock.now() + timedelta(days=99))


async def test_a_table_opened_just_before_the_bot_left_is_closed_in_memory_too(
    store: Tables, database: Database, guild_data: GuildData, clock: ManualClock
) -> None:
    running = draft(clock, new_game("tictactoe", Human(ANN), Human(BEN)))
    table = await overtaken(
        database, store.open(running, InteractionId(1)), by=guild_data.leave(GONE, clock.now())
    )
    assert (await store.table(table.id)).session.phase is Phase.ABANDONED


async def test_nobody_is_told_any_more_of_what_ended_in_a_server_just_before(
    store: Tables, guild_data: GuildData, clock: ManualClock
) -> None:
    over = await resigned(store, clock, 1)
    assert await Messages(store).behind() == [over.id]
    await guild_data.leave(GONE, clock.now())
    assert not await Messages(store).behind()
    assert (await store.table(over.id)).session.phase is Phase.FINISHED


async def test_tables_elsewhere_go_on(
    store: Tables, guild_data: GuildData, clock: ManualClock
) -> None:
    challenge = new_game("tictactoe", Human(ANN), Invited(BEN))
    others = [
        await store.open(draft(clock, challenge, guild), InteractionId(number))
        for number, guild in enumerate((STAYING, None))
    ]
    await store.open(draft(clock, challenge), InteractionId(9))
    await guild_data.leave(GONE, clock.now())
    assert await store.unfinished(CHANNEL) == [table.id for table in others]
    accepted = press(challenge, Action.ACCEPT, BEN)
    after = replace(others[0], revision=2, session=accepted)
    assert (await store.save(others[0], after, None)).session.phase is Phase.RUNNING


async def test_the_time_of_leaving_is_that_of_the_first_note(
    store: Tables, guild_data: GuildData, clock: ManualClock
) -> None:
    await resigned(store, clock, 1)
    assert await guild_data.known() == {GONE: None}
    await guild_data.leave(GONE, clock.now())
    await guild_data.leave(GONE, clock.now() + timedelta(days=1))
    assert await guild_data.known() == {GONE: clock.now()}
    await guild_data.come_back(GONE)
    assert await guild_data.known() == {GONE: None}


async def test_a_server_of_which_nothing_is_stored_leaves_no_note(guild_data: GuildData) -> None:
    await guild_data.leave(GONE, datetime.fromisoformat("2026-05-01T00:00+00:00"))
    assert await guild_data.known() == {}


@pytest.mark.usefixtures("played")
async def test_nothing_names_a_server_that_is_removed_and_games_stay_its_players_own(
    address: str,
    database: Database,
    guild_data: GuildData,
    settings: Guilds,
    clock: ManualClock,
) -> None:
    await settings.list_channels(GONE, listed=[CHANNEL])
    await settings.choose(STAYING, games=3)
    before, games = await database.run(dump), await finished(database)
    assert before != without(before, GONE)
    await guild_data.leave(GONE, clock.now())
    assert named(address)
    await guild_data.clear(GONE)
    assert not named(address)
    after = plain(await database.run(dump))
    abandoned = {row[0] for row in before["finish"]} - {row[0] for row in after["finish"]}
    kept = [row for row in without(before, GONE)["finish"] if row[0] not in abandoned]
    assert after == {**without(before, GONE), "finish": kept}
    assert await finished(database) == games
    assert settings.of(GONE) == GuildSettings()
    assert settings.of(STAYING).games == 3
    assert await guild_data.known() == {STAYING: None}


@pytest.mark.usefixtures("played")
async def test_records_made_anew_after_a_removal_are_those_that_were_left(
    database: Database, guild_data: GuildData, clock: ManualClock
) -> None:
    await guild_data.leave(GONE, clock.now())
    await guild_data.clear(GONE)
    left = await database.run(dump)
    assert await database.run(rebuilt) == left


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize(
    "broken",
    [
        ("guild_tables", 3),
        ("drop_records", 0),
        ("part_from", 0),
        ("part_from", 4),
        ("delete_sessions", 0),
        ("delete_settings", 1),
    ],
)
async def test_a_removal_that_was_broken_off_cannot_be_taken_back_and_is_brought_to_its_end(
    database: Database,
    guild_data: GuildData,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    broken: tuple[str, int],
) -> None:
    work, portions = broken
    await guild_data.leave(GONE, clock.now())
    with monkeypatch.context() as patched:
        patched.setattr(guilds, work, failing(getattr(guilds, work), portions))
        with pytest.raises(Interrupted):
            await guild_data.clear(GONE)
    await guild_data.come_back(GONE)
    assert (await guild_data.known())[GONE] == guilds.BEGUN
    await guild_data.clear(GONE)
    assert GONE not in await guild_data.known()
    left = await database.run(dump)
    assert await database.run(rebuilt) == left


@pytest.mark.usefixtures("played")
async def test_whoever_is_forgotten_in_the_midst_of_a_removal_leaves_no_record_there(
    database: Database, guild_data: GuildData, clock: ManualClock
) -> None:
    await guild_data.leave(GONE, clock.now())
    own = await database.run(lambda c: guilds.guild_tables(c, GONE, 0, 10**6))
    await database.run(lambda c: forget(c, PEOPLE[5], PersonId(-7), database.unreadable))
    counted = select(standings.c.person).where(standings.c.scope == GONE)
    before = await database.run(lambda c: c.execute(counted).scalars().all())
    assert -7 in before
    await database.run(lambda c: guilds.drop_records(c, GONE, own))
    assert not await database.run(lambda c: c.execute(counted).scalars().all())


@pytest.mark.usefixtures("played")
async def test_a_server_that_comes_back_while_it_is_removed_begins_as_a_new_one(
    store: Tables,
    database: Database,
    guild_data: GuildData,
    clock: ManualClock,
    exhaustive: bool,
) -> None:
    await guild_data.leave(GONE, clock.now())
    removal = asyncio.create_task(guild_data.clear(GONE))
    while (await guild_data.known())[GONE] != guilds.BEGUN:
        pass
    new: list[SessionId] = []
    while not removal.done():
        new.append((await resigned(store, clock, 10**9 + len(new))).id)
    await removal
    new.append((await resigned(store, clock, 10**9 + len(new))).id)
    assert len(new) > (3 if exhaustive else 1)
    assert (await guild_data.known())[GONE] is None
    query = select(sessions.c.id).where(sessions.c.guild == GONE).order_by(sessions.c.id)
    here = await database.run(lambda c: c.execute(query).scalars().all())
    assert here == new[-len(here) :]
    left = await database.run(dump)
    assert await database.run(rebuilt) == left


@pytest.mark.usefixtures("played")
async def test_settings_chosen_while_a_server_is_removed_stay_in_memory_and_on_the_disk(
    database: Database, guild_data: GuildData, settings: Guilds, clock: ManualClock
) -> None:
    await settings.choose(GONE, language="de")
    await guild_data.leave(GONE, clock.now())

    async def choose() -> None:
        listing = settings.list_channels(GONE, listed=[CHANNEL])
        await asyncio.gather(settings.choose(GONE, games=3), listing)

    await overtaken(database, guild_data.clear(GONE), by=choose())
    assert settings.of(GONE) == GuildSettings(frozenset({CHANNEL}), games=3)
    assert (await Guilds.loaded(database)).of(GONE) == settings.of(GONE)
    assert (await guild_data.known())[GONE] is None


async def test_settings_saved_just_before_a_removal_do_not_stay_in_memory(
    database: Database, guild_data: GuildData, settings: Guilds, clock: ManualClock
) -> None:
    await settings.choose(GONE, language="de")
    await guild_data.leave(GONE, clock.now())
    await overtaken(database, settings.choose(GONE, games=3), by=guild_data.clear(GONE))
    assert settings.of(GONE) == (await Guilds.loaded(database)).of(GONE) == GuildSettings()


@pytest.mark.usefixtures("played")
async def test_a_server_that_the_bot_is_in_is_not_removed(
    address: str, guild_data: GuildData, clock: ManualClock
) -> None:
    await guild_data.leave(GONE, clock.now())
    await guild_data.come_back(GONE)
    before = whole(address)
    await guild_data.clear(GONE)
    assert whole(address) == before


async def test_a_game_of_a_removed_server_is_remembered_as_one_of_no_server(
    store: Tables, guild_data: GuildData, clock: ManualClock
) -> None:
    over = await resigned(store, clock, 1)
    again = await store.open(
        draft(clock, new_game("tictactoe", Human(ANN), Invited(BEN))),
        InteractionId(2),
        follows=over,
    )
    assert (await store.table(over.id)).rematch == again.id
    await guild_data.leave(GONE, clock.now())
    await guild_data.clear(GONE)
    left = await store.table(over.id)
    assert (left.place, left.rematch) == (Place(None, 0, None), None)
    with pytest.raises(UnknownTable):
        await store.table(again.id)


@pytest.mark.usefixtures("played")
async def test_no_statement_of_a_departure_reads_the_whole_of_a_table_that_grows(
    database: Database, guild_data: GuildData, clock: ManualClock, file: Path
) -> None:
    assert file.exists()
    asked: list[tuple[str, Any]] = []
    event.listen(
        database._engine,
        "before_cursor_execute",
        lambda _c, _cursor, statement, values, *_: asked.append((statement, values)),
    )
    await guild_data.leave(GONE, clock.now())
    await guild_data.clear(GONE)
    changes = [each for each in asked if each[0].startswith(("SELECT", "UPDATE", "DELETE"))]
    assert len(changes) > 20

    def plan(connection: Connection, sql: str, values: Any) -> list[str]:
        of_one = values[0] if isinstance(values, list) else values
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", of_one).all()
        return [row[3] for row in rows]

    for sql, values in changes:
        for step in await database.run(partial(plan, sql=sql, values=values)):
            assert not step.startswith("SCAN") or any(name in step for name in FEW), (sql, step)


async def test_only_the_servers_of_a_shard_are_looked_for_in_its_list(
    store: Tables, guild_data: GuildData, clock: ManualClock
) -> None:
    first, second, third = (GuildId(number << 22) for number in (1, 2, 3))
    for guild in (first, second, third):
        challenge = new_game("tictactoe", Human(ANN), Invited(BEN))
        await store.open(draft(clock, challenge, guild), InteractionId(guild))
    asked = []

    async def gone(server: GuildId) -> bool:
        asked.append(server)
        return True

    await Departures(guild_data, clock).compare(Shard(1, 2), {third}, gone)
    left = {server for server, at in (await guild_data.known()).items() if at is not None}
    assert asked == [first]
    assert left == {first}


async def test_nothing_goes_before_it_is_known_which_servers_brought_the_bot_back(
    store: Tables, guild_data: GuildData, clock: ManualClock
) -> None:
    async def gone(_: GuildId) -> bool:
        return True

    for number, guild in enumerate((GONE, STAYING)):
        challenge = new_game("tictactoe", Human(ANN), Invited(BEN))
        await store.open(draft(clock, challenge, guild), InteractionId(number))
        await guild_data.leave(guild, clock.now())
    clock.advance(DATA_STAYS)
    follower = Departures(guild_data, clock)
    await follower.run_due()
    assert len(await guild_data.known()) == 2
    await follower.compare(Shard(0, 1), {STAYING}, gone)
    await follower.run_due()
    assert await guild_data.known() == {STAYING: None}


async def test_data_goes_in_time_although_the_clock_was_ahead_the_last_time(
    store: Tables, guild_data: GuildData, clock: ManualClock
) -> None:
    async def gone(_: GuildId) -> bool:
        return True

    challenge = new_game("tictactoe", Human(ANN), Invited(BEN))
    await store.open(draft(clock, challenge, GONE), InteractionId(1))
    await guild_data.leave(GONE, clock.now() - DATA_STAYS)
    clock.advance(timedelta(days=365))
    follower = Departures(guild_data, clock)
    await follower.compare(Shard(0, 1), {GONE}, gone)
    await follower.run_due()
    clock.advance(-timedelta(days=365))
    await guild_data.leave(GONE, clock.now() - DATA_STAYS)
    await follower.run_due()
    assert await guild_data.known() == {}


def failing(work: Callable[..., Any], portions: int) -> Callable[..., Any]:
    """The same work, which fails after so many portions."""
    left = portions

    def fails(*arguments: Any, **named: Any) -> Any:
        nonlocal left
        if not left:
            raise Interrupted
        left -= 1
        return work(*arguments, **named)

    return fails

"""A person forgotten among random games: gone from every row, while others keep their numbers."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from random import Random, getrandbits
from typing import Any

import pytest
from sqlalchemy import Connection, select

from bot.records.rating import season_of
from bot.records.standings import scope_of
from bot.records.summaries import Opponent, Stats
from bot.service.privacy import Privacy
from bot.storage import sqlite_file
from bot.storage.choices import Choices, People
from bot.storage.database import Database
from bot.storage.errors import Conflict, StillSeated, Unreadable
from bot.storage.export import write
from bot.storage.messages import Messages
from bot.storage.opening import opened, reading_transaction
from bot.storage.privacy.store import PersonalDataStore
from bot.storage.records.queries import Records
from bot.storage.records.statistics import Ranking, podium
from bot.storage.schema.base import metadata
from bot.storage.schema.game_tables import sessions
from bot.storage.tables import Tables
from bot.table import ending
from bot.table.actions import Action, press
from bot.table.refusals import UnknownControl
from bot.table.seats import (
    FORMER_PLAYERS,
    Absent,
    Computer,
    Human,
    Invited,
    Level,
    Occupant,
    Pace,
    PersonId,
    former_player,
)
from bot.table.session import Phase, Session, SessionId
from bot.table.table import InteractionId, Place, Table
from engine.game import Move
from engine.games.ludo import GAME as LUDO
from engine.games.tictactoe import GAME as TICTACTOE
from tests.bot.clock import ManualClock
from tests.bot.databases import NewDatabase, faults, spoil
from tests.bot.kit import after_moves, new_game, table_of
from tests.bot.storage import random_games
from tests.bot.storage.overtaking import overtaken
from tests.bot.storage.random_games import PLACES, played_games
from tests.bot.storage.record_tables import dump, rebuilt

pytestmark = pytest.mark.both_databases

GAMES = 60
PEOPLE = tuple(PersonId(700_000_000_000_000_000 + number) for number in range(12))
"""Ids that no other number of the database is equal to."""
FORGOTTEN, FORMER = PEOPLE[0], PersonId(-(1 << 62))
OTHERS = PEOPLE[1:]
KEYS = ("tictactoe", "ludo")
GUILDS = tuple(place.guild for place in PLACES)
ANN, BEN, CLEO, DAN = PersonId(1098765432101234567), *map(PersonId, (2, 3, 4))
E = Move(4)


@dataclass(frozen=True, slots=True)
class World:
    """A database of games, and all that is in memory of it."""

    database: Database
    store: Tables
    people: People
    records: Records
    personal_data: PersonalDataStore

    async def every_stats(self, person: PersonId) -> list[Stats]:
        return [await self.records.stats(person, game, guild) for game in KEYS for guild in GUILDS]


def everything(connection: Connection) -> dict[str, list[Any]]:
    """Every row of every table."""
    return {
        table.name: [
            tuple(str(value) if isinstance(value, dict) else value for value in row)
            for row in connection.execute(select(table))
        ]
        for table in metadata.sorted_tables
    }


def table(clock: ManualClock, *occupants: Occupant, guild: int | None = 7) -> Table:
    """A table of Ann's; it begins if its seats are taken."""
    game = TICTACTOE if len(occupants) == 2 else LUDO
    session = Session(game, game.settled({}), Pace.LIVE, ANN, occupants)
    session = session if len(occupants) == 1 else session.start()
    return Table(SessionId(0), 1, session, Place(guild, 8, 9), "en-US", clock.now(), due=None)


@pytest.fixture
async def world(database: Database, clock: ManualClock) -> World:
    store, people = Tables(database, clock), await People.loaded(database)
    personal_data = PersonalDataStore(database, store, people)
    return World(database, store, people, Records(database), personal_data)


@pytest.fixture(scope="module")
def games(new_database: NewDatabase) -> tuple[str, datetime]:
    """Games of the people, and the time after them."""
    address, clock = new_database(), ManualClock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(random_games, "PEOPLE", PEOPLE)
        asyncio.run(play(address, clock))
    return address, clock.now()


async def play(address: str, clock: ManualClock) -> None:
    async with opened(address) as database:
        await played_games(Tables(database, clock), clock, Random(23), GAMES)


@pytest.fixture
def played(world: World) -> World:
    """The world after the games."""
    return world


def renamed(stats: Stats) -> Stats:
    """The record as it should be afterwards; the order of equals is by the ids."""

    def named(opponents: tuple[Opponent, ...]) -> tuple[Opponent, ...]:
        return tuple(
            replace(each, person=FORMER) if each.person == FORGOTTEN else each for each in opponents
        )

    return replace(stats, favourites=named(stats.favourites), toughest=named(stats.toughest))


def tallies(opponents: tuple[Opponent, ...]) -> list[object]:
    return [(each.tally.games, each.tally.losses - each.tally.wins) for each in opponents]


async def test_no_row_names_the_person_and_no_other_row_changes(played: World) -> None:
    before = await played.database.run(everything)
    await played.personal_data.forget(FORGOTTEN, FORMER)
    after = await played.database.run(everything)
    assert not any(FORGOTTEN in row for rows in after.values() for row in rows)
    assert any(FORGOTTEN in row for row in before["seat"])
    for name, rows in before.items():
        named = {row for row in rows if FORGOTTEN in row}
        if name not in {"session", "note"}:
            new = {tuple(FORMER if value == FORGOTTEN else value for value in row) for row in named}
            assert set(after[name]) == set(rows) - named | new
    assert not await played.personal_data.knows(FORGOTTEN)


async def test_the_numbers_of_everybody_else_stay_as_they_were(played: World) -> None:
    before = {person: await played.every_stats(person) for person in OTHERS}
    await played.personal_data.forget(FORGOTTEN, FORMER)
    met = 0
    for person in OTHERS:
        for old, new in zip(before[person], await played.every_stats(person), strict=True):
            fewer = replace(old.standing, opponents=new.standing.opponents)
            bare = {"favourites": (), "toughest": (), "standing": fewer}
            assert replace(new, **bare) == replace(old, **bare)  # type: ignore[arg-type]  # ()
            assert new.standing == fewer
            assert old.standing.opponents - fewer.opponents in {0, 1}
            assert tallies(new.favourites) == tallies(old.favourites)
            assert tallies(new.toughest) == tallies(old.toughest)
            met += sum(each.person == FORMER for each in new.favourites)
    assert met
    assert all(
        stats.empty and stats.rating is None for stats in await played.every_stats(FORGOTTEN)
    )


async def test_records_made_anew_afterwards_are_the_same(played: World) -> None:
    await played.personal_data.forget(FORGOTTEN, FORMER)
    rows = await played.database.run(dump)
    assert await played.database.run(rebuilt) == rows


async def test_afterwards_a_check_finds_nothing_wrong_and_an_export_no_id(
    played: World, address: str
) -> None:
    await played.personal_data.forget(FORGOTTEN, FORMER)
    exported = BytesIO()
    with reading_transaction(address) as connection:
        assert faults(connection) == []
        write(connection, exported)
    assert str(FORGOTTEN).encode() not in exported.getvalue()
    assert str(FORMER).encode() in exported.getvalue()


async def test_a_leaderboard_closes_up_over_a_former_player(played: World) -> None:
    boards = {
        (game, guild): await played.records.leaderboard(game, guild, asking=FORGOTTEN)
        for game in KEYS
        for guild in GUILDS
    }
    assert any(board.own for board in boards.values())
    await played.personal_data.forget(FORGOTTEN, FORMER)
    for (game, guild), before in boards.items():
        pages = [
            await played.records.leaderboard(game, guild, asking=FORGOTTEN, page=page)
            for page in range(before.pages)
        ]
        lines = [line for page in pages[: pages[0].pages] for line in page.lines]
        assert pages[0].people == before.people - (before.own is not None) == len(lines)
        assert pages[0].own is None
        assert not any(line.person in FORMER_PLAYERS or line.person == FORGOTTEN for line in lines)
        better = [sum(o.rating.ordinal > line.rating.ordinal for o in lines) for line in lines]
        assert [line.place for line in lines] == [1 + number for number in better]


async def beaten_by_ann(world: World, clock: ManualClock, *rivals: PersonId) -> None:
    """Games that Ann's rivals resign once both have moved twice."""
    for rival in rivals:
        rated = after_moves(new_game("tictactoe", ANN, rival), 0, 3, 1, 4)
        new = table_of(rated, clock.now(), Place(7, 8))
        begun = await world.store.open(new, InteractionId(getrandbits(62)))
        over = press(begun.session, Action.RESIGN, rival, ply=begun.session.ply)
        await world.store.save(begun, replace(begun, revision=2, session=over), None)


async def shown_settled(world: World, clock: ManualClock) -> tuple[bool, bool, bool]:
    """Whether Ann's rating is settled in her statistics and on the leaderboard; and her podium."""
    season, where = season_of(clock.now()), scope_of(7)
    stats = await world.records.stats(ANN, "tictactoe", 7)
    board = await world.records.leaderboard("tictactoe", 7, asking=ANN)
    best = await world.database.run(lambda c: podium(c, Ranking("tictactoe", where, season)))
    assert board.own is not None
    assert board.own in board.lines
    return (
        not stats.standing.provisional(),
        not board.own.provisional,
        any(line.person == ANN for line in best),
    )


async def test_one_who_is_forgotten_and_returns_makes_no_rating_settled(
    world: World, clock: ManualClock
) -> None:
    """The check counts as before, by the games alone."""
    rng = Random(1)
    for _ in range(3):
        await world.personal_data.forget(BEN, former_player(rng))
        await beaten_by_ann(world, clock, *[BEN] * 4)
    assert await shown_settled(world, clock) == (False, False, False)
    await beaten_by_ann(world, clock, CLEO, DAN)
    assert await shown_settled(world, clock) == (True, True, True)
    rows = await world.database.run(dump)
    assert await world.database.run(rebuilt) == rows


async def test_two_who_are_forgotten_stay_apart(played: World) -> None:
    rng = Random(1)
    for person in PEOPLE[:2]:
        await played.personal_data.forget(person, former_player(rng))
    rows = await played.database.run(dump)
    formers = {row.person for row in rows["standing"] if row.person in FORMER_PLAYERS}
    assert len(formers) == 2
    assert await played.database.run(rebuilt) == rows


@pytest.mark.parametrize(
    "occupants", [(Human(ANN), Human(BEN)), (Human(BEN), Invited(ANN)), (Human(ANN),)]
)
async def test_nobody_is_forgotten_who_has_a_seat(
    world: World, clock: ManualClock, occupants: tuple[Occupant, ...]
) -> None:
    opened = await world.store.open(table(clock, *occupants), InteractionId(1))
    assert await world.personal_data.seated(ANN) == [opened.id]
    before = await world.database.run(everything)
    with pytest.raises(StillSeated):
        await world.personal_data.forget(ANN, FORMER)
    assert await world.database.run(everything) == before
    assert await world.store.table(opened.id) == opened


async def left_by_ann(world: World, clock: ManualClock) -> Table:
    """A game of Ann's, Ben's and Cleo's that Ann has given up."""
    three = table(clock, Human(ANN), Human(BEN), Human(CLEO))
    opened = await world.store.open(three, InteractionId(1))
    left = press(opened.session, Action.RESIGN, ANN, ply=0)
    return await world.store.save(opened, replace(opened, revision=2, session=left), None)


async def test_a_seat_that_the_computer_plays_goes_on_under_a_former_player(
    world: World, clock: ManualClock
) -> None:
    saved = await left_by_ann(world, clock)
    await world.personal_data.forget(ANN, FORMER)
    after = await world.store.table(saved.id)
    assert after.session.seats[0] == Absent(FORMER, ending.STAND_IN)
    assert (after.session.host, after.session.phase) == (FORMER, Phase.RUNNING)
    assert after.revision == saved.revision + 1
    assert await Messages(world.store).behind() == [saved.id]


async def test_whoever_saves_what_was_read_before_starts_again(
    world: World, clock: ManualClock
) -> None:
    saved = await left_by_ann(world, clock)
    await world.personal_data.forget(ANN, FORMER)
    stale = replace(saved, revision=3, session=press(saved.session, Action.RESIGN, BEN, ply=0))
    with pytest.raises(Conflict):
        await world.store.save(saved, stale, InteractionId(2))
    assert str(ANN) not in str(await world.database.run(everything))


async def test_a_table_read_before_a_person_is_forgotten_names_them_nowhere_afterwards(
    world: World, clock: ManualClock
) -> None:
    saved = await left_by_ann(world, clock)
    world.store.cache.clear()
    read = await overtaken(
        world.database, world.store.table(saved.id), by=world.personal_data.forget(ANN, FORMER)
    )
    assert read.session.host == FORMER
    assert world.store.cache.get(saved.id) == read


async def test_a_table_saved_before_a_person_is_forgotten_does_not_bring_them_back_to_memory(
    world: World, clock: ManualClock
) -> None:
    saved = await left_by_ann(world, clock)
    resigned = replace(saved, revision=3, session=press(saved.session, Action.RESIGN, BEN, ply=0))
    await overtaken(
        world.database,
        world.store.save(saved, resigned, None),
        by=world.personal_data.forget(ANN, FORMER),
    )
    assert world.store.cache.get(saved.id) is None
    assert (await world.store.table(saved.id)).session.host == FORMER


async def test_a_choice_saved_before_a_person_is_forgotten_does_not_stay_in_memory(
    world: World,
) -> None:
    people = world.people
    await overtaken(
        world.database,
        people.choose(ANN, language="de"),
        by=world.personal_data.forget(ANN, FORMER),
    )
    assert people.of(ANN) == Choices()


async def test_a_block_saved_before_the_blocked_person_is_forgotten_does_not_stay_in_memory(
    world: World,
) -> None:
    people = world.people
    await overtaken(
        world.database, people.block(BEN, ANN), by=world.personal_data.forget(ANN, FORMER)
    )
    assert people.of(BEN) == (await People.loaded(world.database)).of(BEN) == Choices()


async def test_whoever_opened_a_table_and_left_it_is_forgotten_too(
    world: World, clock: ManualClock
) -> None:
    opened = await world.store.open(table(clock, Human(ANN)), InteractionId(1))
    left = press(opened.session, Action.LEAVE, ANN)
    assert not left.seats
    await world.store.save(opened, replace(opened, revision=2, session=left), None)
    assert await world.personal_data.knows(ANN)
    await world.personal_data.forget(ANN, FORMER)
    assert (await world.store.table(opened.id)).session.host == FORMER
    assert not await world.personal_data.knows(ANN)


async def test_a_game_in_direct_messages_keeps_no_place(world: World, clock: ManualClock) -> None:
    own = table(clock, Human(ANN), Computer(Level.EASY), guild=None)
    opened = await world.store.open(own, InteractionId(1))
    over = press(opened.session, Action.RESIGN, ANN, ply=0)
    await world.store.save(opened, replace(opened, revision=2, session=over), None)
    await world.personal_data.forget(ANN, FORMER)
    assert (await world.store.table(opened.id)).place == Place(None, 0, None)
    assert not await Messages(world.store).behind()
    assert not await Messages(world.store).rewritten()


async def test_a_game_that_this_version_has_not_is_closed(world: World, clock: ManualClock) -> None:
    opened = await world.store.open(table(clock, Human(ANN), Human(BEN)), InteractionId(1))
    chess = sessions.update().values(game="chess")
    await world.database.run(lambda c: c.execute(chess))
    assert not await world.personal_data.seated(ANN)
    await world.personal_data.forget(ANN, FORMER)
    (row,) = await world.database.run(lambda c: c.execute(select(sessions)).all())
    assert (row.id, row.phase, row.ending, row.host) == (opened.id, "abandoned", "closed", FORMER)
    assert not await Messages(world.store).rewritten()


@pytest.mark.logs_errors
async def test_a_game_that_cannot_be_read_is_closed_for_who_wants_to_be_forgotten(
    world: World, clock: ManualClock
) -> None:
    opened = await world.store.open(table(clock, Human(ANN), Human(BEN)), InteractionId(1))
    await world.database.run(lambda c: spoil(c, opened.id, "session.pace", "glacial"))
    world.store.cache.clear()

    async def depart(session: SessionId, _: PersonId) -> Table:
        with pytest.raises(Unreadable):
            await world.store.table(session)
        raise UnknownControl

    privacy = Privacy(world.personal_data, depart, nobody_withdraws, Random(1))
    assert await privacy.forget(ANN) == []
    (row,) = await world.database.run(lambda c: c.execute(select(sessions)).all())
    assert (row.id, row.phase, row.ending) == (opened.id, "abandoned", "closed")
    assert not await world.personal_data.knows(ANN)


async def test_choices_and_blocks_of_both_directions_go(world: World) -> None:
    people = world.people
    await people.choose(ANN, language="de")
    await people.block(ANN, BEN)
    await people.block(BEN, ANN)
    await people.block(BEN, CLEO)
    await world.personal_data.forget(ANN, FORMER)
    for known in (people, await People.loaded(world.database)):
        assert known.of(ANN) == Choices()
        assert known.of(BEN) == Choices(blocked=frozenset({CLEO}))
    assert not await world.personal_data.knows(ANN)


async def test_the_message_of_an_old_game_is_rewritten_later_and_that_of_one_just_over_at_once(
    world: World, clock: ManualClock
) -> None:
    for number, shown in enumerate((True, False)):
        opened = await world.store.open(table(clock, Human(ANN), Human(BEN)), InteractionId(number))
        over = press(opened.session, Action.RESIGN, BEN, ply=0)
        saved = await world.store.save(opened, replace(opened, revision=2, session=over), None)
        if shown:
            await Messages(world.store).save_shown({saved.id: saved.revision})
    await world.personal_data.forget(ANN, FORMER)
    assert (await Messages(world.store).rewritten(), await Messages(world.store).behind()) == (
        [1],
        [2],
    )
    for number in (SessionId(1), SessionId(2)):
        await Messages(world.store).save_shown({number: (await world.store.table(number)).revision})
    assert (await Messages(world.store).rewritten(), await Messages(world.store).behind()) == (
        [],
        [],
    )


def files(database: Path) -> bytes:
    """All that lies on the disk."""
    return b"".join(file.read_bytes() for file in sorted(database.parent.glob("parlour.db*")))


async def fill(world: World, clock: ManualClock, games: int) -> None:
    """Finished games of Ann and Ben, some with seats that changed on the way."""
    for number in range(games):
        opened = await world.store.open(
            table(clock, Human(ANN), Human(PersonId(BEN + number % 7))), InteractionId(number)
        )
        session = opened.session.play(ANN, E, ply=0)
        moved = await world.store.save(opened, replace(opened, revision=2, session=session), None)
        over = press(session, Action.RESIGN, (ANN, session.people[1])[number % 2], ply=1)
        await world.store.save(moved, replace(moved, revision=3, session=over), None)
    await world.people.choose(ANN, language="de")
    await world.people.block(ANN, BEN)


def traces(person: PersonId) -> tuple[bytes, ...]:
    """The forms of an id in a file: SQLite's integer, and text."""
    return person.to_bytes(8, "big"), str(person).encode()


async def test_after_the_nightly_round_the_id_is_in_no_byte_of_the_files(
    world: World, clock: ManualClock, file: Path
) -> None:
    await fill(world, clock, 150)
    assert traces(ANN)[0] in files(file)
    await world.personal_data.forget(ANN, FORMER)
    assert traces(ANN)[0] not in log(file)
    assert await world.personal_data.copies_left()
    await world.personal_data.erase()
    assert not await world.personal_data.copies_left()
    assert not any(trace in files(file) for trace in traces(ANN))
    assert FORMER.to_bytes(8, "big", signed=True) in files(file)


async def test_what_an_earlier_process_has_left_goes_too(
    world: World, clock: ManualClock, file: Path
) -> None:
    await fill(world, clock, 150)
    await world.personal_data.forget(ANN, FORMER)
    later = PersonalDataStore(world.database, world.store, world.people)
    await later.forget(BEN, PersonId(-5))
    await later.erase()
    assert not any(trace in files(file) for trace in traces(ANN))
    assert not await later.copies_left()


async def test_copies_are_removed_once_a_day_when_nobody_plays_or_after_a_day(
    world: World, clock: ManualClock, file: Path
) -> None:
    privacy = Privacy(world.personal_data, nobody_departs, nobody_withdraws, Random(1))
    await fill(world, clock, 2)

    async def left_after(wait: timedelta, *, reading: bool = False) -> bool:
        clock.advance(wait)
        with closing(sqlite3.connect(file)) as reader:
            if reading:
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM session").fetchone()
            await privacy.run_due(clock.now())
        return await world.personal_data.copies_left()

    await privacy.forget(ANN)
    assert await left_after(timedelta(seconds=59)), "Ben has just played"
    assert not await left_after(timedelta(seconds=2))
    await privacy.forget(BEN)
    assert await left_after(timedelta(hours=23)), "today it is done"
    assert not await left_after(timedelta(hours=1))
    await privacy.forget(PersonId(5))
    clock.advance(timedelta(days=1))
    for number, hours in enumerate((0, 12, 11)):
        clock.advance(timedelta(hours=hours))
        busy = table(clock, Human(CLEO), Human(BEN))
        await world.store.open(busy, InteractionId(200 + number))
        assert await left_after(timedelta(0)), "somebody plays all the time"
    await world.store.open(table(clock, Human(CLEO), Human(BEN)), InteractionId(300))
    assert not await left_after(timedelta(hours=1))
    await privacy.forget(PersonId(7))
    assert await left_after(timedelta(days=1), reading=True), "a reader is at work"
    assert await left_after(timedelta(minutes=59)), "an hour later it is tried again"
    assert not await left_after(timedelta(minutes=1))
    clock.advance(-timedelta(days=30))
    await privacy.forget(PersonId(6))
    assert await left_after(timedelta(0)), "by this clock somebody has just played"
    assert not await left_after(timedelta(days=1))


async def nobody_departs(session: SessionId, person: PersonId) -> Table:
    raise AssertionError((session, person))


async def nobody_withdraws(person: PersonId) -> None:
    """Nobody is in a tournament."""


def log(database: Path) -> bytes:
    """The bytes of the write-ahead log."""
    return Path(f"{database}-wal").read_bytes()


def test_an_id_is_found_wherever_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "SEARCHED_AT_ONCE", 7)
    file, (number, _) = tmp_path / "file", traces(ANN)
    for before in range(30):
        file.write_bytes(b"." * before + number + b"." * 3)
        assert holds(file)
        file.write_bytes(b"." * before + number[:-1] + b".." + number[1:])
        assert not holds(file)


def holds(file: Path) -> bool:
    """Whether an id of Ann's is found in a file."""
    with file.open("rb") as content:
        return sqlite_file._holds(content.fileno(), traces(ANN))


async def test_what_a_reader_keeps_in_the_log_goes_as_soon_as_they_are_done(
    world: World, clock: ManualClock, file: Path
) -> None:
    await fill(world, clock, 40)
    with sqlite3.connect(file) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM session").fetchone()
        await world.personal_data.forget(ANN, FORMER)
        assert traces(ANN)[0] in files(file)
        reader.rollback()
    reader.close()
    await Messages(world.store).behind()
    assert traces(ANN)[0] not in log(file)

"""Statistics, leaderboards and histories of random games, against a recount from the moves."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import product
from random import Random
from typing import Any, TypeAlias

import pytest
from sqlalchemy import Connection, delete, event, update

from bot.records.rating import ALL_TIME, Rating, Season, settled_with
from bot.records.standings import Standing, Tally, scope_of
from bot.records.summaries import CURVE, GAMES_ON_A_PAGE, OPPONENTS, PAGE, Ranked
from bot.storage.choices import People
from bot.storage.database import Database
from bot.storage.opening import opened
from bot.storage.privacy.store import PersonalDataStore
from bot.storage.records.queries import Records
from bot.storage.records.statistics import Ranking
from bot.storage.records.statistics import podium as best_three
from bot.storage.schema.record_tables import level_records, pairings, results, standings
from bot.storage.tables import Tables
from bot.table.seats import Absent, Human, PersonId
from bot.table.session import SessionId
from tests.bot.clock import ManualClock
from tests.bot.databases import NewDatabase
from tests.bot.storage.random_games import PEOPLE, PLACES, Played, played_games
from tests.bot.storage.record_tables import dump, entered_again, rebuilt
from tests.bot.storage.recount import WEAKEST_FIRST, Count, Key, recount
from tests.samples import Sample

pytestmark = pytest.mark.both_databases

GAMES, MANY = 80, 200
"""The games that are played, and those of an exhaustive run."""
KEYS = ("tictactoe", "ludo")
GUILDS = tuple(place.guild for place in PLACES)
LOOKED_AT = 24
"""The records that a test looks at, of as many people, games and servers as there are."""
NOBODY = PersonId(9)
AN_EVENING = datetime(2026, 5, 31, 23, 30, tzinfo=UTC)
"""The last of a month, so that the games belong to two seasons."""
MAY, JUNE = Season(202605), Season(202606)


Counts: TypeAlias = dict[Season, dict[Key, Count]]


@dataclass(frozen=True, slots=True, repr=False)  # asyncio would write all of it out each time
class World:
    """A database with finished games, their log, and the recount of it, of each season too."""

    database: Database
    records: Records
    log: list[Played]
    counts: dict[Key, Count]
    seasons: Counts


@pytest.fixture(scope="module")
def filled(new_database: NewDatabase) -> str:
    return new_database()


@pytest.fixture(scope="module")
def log(filled: str, pytestconfig: pytest.Config) -> list[Played]:
    many = MANY if pytestconfig.option.exhaustive else GAMES

    async def fill() -> list[Played]:
        async with opened(filled) as database:
            clock = ManualClock(AN_EVENING)
            return await played_games(Tables(database, clock), clock, Random(25), many)

    return asyncio.run(fill())


@pytest.fixture(scope="module")
def counts(log: list[Played]) -> Counts:
    return {
        season: recount(games_of(season, log), settled_with(season))
        for season in (ALL_TIME, MAY, JUNE)
    }


@pytest.fixture
async def world(filled: str, log: list[Played], counts: Counts) -> AsyncIterator[World]:
    async with opened(filled) as database:
        yield World(database, Records(database), log, counts[ALL_TIME], counts)


def tally(ends: list[str]) -> Tally:
    return Tally(ends.count("win"), ends.count("draw"), ends.count("loss"))


def rating(counted: Any) -> Rating:
    return Rating(counted.mu, counted.sigma)


def standing(count: Count) -> Standing:
    """The standing that a count gives."""
    own = rating(count.rating), tally(count.ends), count.streak, count.best_streak
    return Standing(*own, count.rated, len(count.met))


def test_the_games_are_of_every_kind_that_matters(log: list[Played]) -> None:
    assert {played.ending.value for played in log} == {"played", "resigned", "agreed", "time"}
    assert {played.game.key for played in log} == set(KEYS)
    assert any(played.gone for played in log)
    assert any(played.gone and played.options.get("teams") == "yes" for played in log)
    assert any(played.options.get("finish") == "places" for played in log)
    assert [played.session for played in log] != sorted(played.session for played in log)


async def test_statistics_equal_a_recount_from_the_moves(world: World, sample: Sample) -> None:
    for person, game, guild in sample(product(PEOPLE, KEYS, GUILDS), LOOKED_AT):
        count = world.counts.get((person, game, guild), Count())
        stats = await world.records.stats(person, game, guild)
        assert stats.standing == standing(count)
        assert (stats.rating is None) == (not count.ends)
        assert stats.standing.provisional() == (count.rated < 10 or len(count.met) < 3)
        assert [(r.level.value, r.tally) for r in stats.levels] == [
            (level, tally([*count.levels[level].elements()]))
            for level in WEAKEST_FIRST
            if level in count.levels
        ]
        assert [(p.rating.mu, p.rating.sigma) for p in stats.curve] == count.curve[-CURVE:]


async def test_favourite_and_toughest_opponents_equal_a_recount(
    world: World, sample: Sample
) -> None:
    for person, game, guild in sample(product(PEOPLE, KEYS, GUILDS), LOOKED_AT):
        met = world.counts.get((person, game, guild), Count()).met
        stats = await world.records.stats(person, game, guild)
        most = sorted(met, key=lambda other: (-met[other].total(), other))
        assert [opponent.person for opponent in stats.favourites] == most[:OPPONENTS]
        behind = {other: met[other]["loss"] - met[other]["win"] for other in met}
        worst = sorted((o for o in met if behind[o] > 0), key=lambda o: (-behind[o], o))
        assert [opponent.person for opponent in stats.toughest] == worst[:OPPONENTS]
        for opponent in (*stats.favourites, *stats.toughest):
            assert opponent.tally == tally([*met[opponent.person].elements()])


def games_of(season: Season, log: list[Played]) -> list[Played]:
    return [played for played in log if season in {ALL_TIME, 100 * 2026 + played.at.month}]


def test_the_games_are_of_two_seasons(log: list[Played]) -> None:
    assert min(len(games_of(season, log)) for season in (MAY, JUNE)) > GAMES / 3


@pytest.mark.parametrize("season", [ALL_TIME, MAY, JUNE])
async def test_a_leaderboard_is_everybody_by_the_lower_end_of_their_rating(
    world: World, season: Season
) -> None:
    """That of a season is made of its games alone."""
    for game, guild in product(KEYS, GUILDS):
        counted = {
            person: count
            for (person, its, where), count in world.seasons[season].items()
            if (its, where) == (game, guild) and count.ends
        }
        ordinal = {person: counted[person].rating.ordinal() for person in counted}
        expected = [
            Ranked(
                1 + sum(other > ordinal[person] for other in ordinal.values()),
                person,
                standing(counted[person]),
                season,
            )
            for person in sorted(ordinal, key=lambda person: (-ordinal[person], -person))
        ]
        found: list[Ranked] = []
        for page in range(-(-len(expected) // PAGE)):
            board = await world.records.leaderboard(
                game, guild, season, asking=expected[-1].person, page=page
            )
            assert (board.page, board.people) == (page, len(expected))
            assert board.own == expected[-1]
            found += board.lines
        assert found == expected
        settled = [
            line
            for line in expected
            if counted[line.person].rated >= (5 if season else 10)
            and len(counted[line.person].met) >= 3
        ]
        assert [line.provisional for line in found] == [line not in settled for line in found]
        ranking = Ranking(game, scope_of(guild), season)
        podium = await world.database.run(partial(best_three, board=ranking))
        best = settled[:3]
        ordinals = [line.rating.ordinal for line in best]
        best = [
            replace(line, place=1 + sum(each > ordinal for each in ordinals))
            for line, ordinal in zip(best, ordinals, strict=True)
        ]
        assert list(podium) == best


async def test_a_season_has_begun_once_two_people_have_met_ten_times(world: World) -> None:
    for game, guild in product(KEYS, (71, 72)):
        met = sum(
            len(count.ends)
            for (_, its, where), count in world.seasons[MAY].items()
            if (its, where) == (game, guild)
        )
        assert await world.records.has_begun(game, guild, MAY) == (met >= 20)
        assert not await world.records.has_begun(game, guild, Season(202604))


async def test_a_history_is_every_finished_game_latest_first(world: World, sample: Sample) -> None:
    for person, game, guild in sample(product(PEOPLE, (None, *KEYS), GUILDS), LOOKED_AT):
        games = {session for key in KEYS for session, _ in counted(world, person, key, guild)}
        expected = [
            played.session
            for played in reversed(world.log)
            if played.session in games and game in {None, played.game.key}
        ]
        found = []
        for page in range(max(1, -(-len(expected) // GAMES_ON_A_PAGE))):
            history = await world.records.history(person, game, guild, page=page)
            assert (history.page, history.games) == (page, len(expected))
            found += [entry.finished.session for entry in history.entries]
        assert found == expected


def counted(
    world: World, person: PersonId, game: str, guild: int | None
) -> list[tuple[SessionId, str]]:
    return world.counts[person, game, guild].games if (person, game, guild) in world.counts else []


async def test_a_history_says_how_each_game_ended_and_against_whom(world: World) -> None:
    by_session = {played.session: played for played in world.log}
    for person in PEOPLE:
        outcomes = {s: end for key in KEYS for s, end in counted(world, person, key, None)}
        for entry in (await world.records.history(person)).entries:
            played = by_session[entry.finished.session]
            assert entry.outcome == outcomes[played.session]
            assert (entry.finished.at, entry.finished.ending) == (played.at, played.ending)
            own = played.seats.index(Human(person))
            teams = played.options.get("teams") == "yes"
            partner = {(own + 2) % 4} if teams else set()
            rivals = [seat for i, seat in enumerate(played.seats) if i != own and i not in partner]
            met = [entry.finished.occupants[seat] for seat in entry.opponents]
            assert [at_the_start(occupant) for occupant in met] == rivals


def at_the_start(seat: object) -> object:
    return Human(seat.person) if isinstance(seat, Absent) else seat


async def test_a_page_beyond_the_last_is_the_last(world: World) -> None:
    history = await world.records.history(PEOPLE[0], page=10**6)
    assert history.page == history.pages - 1
    assert history.entries
    board = await world.records.leaderboard("ludo", asking=NOBODY, page=10**6)
    assert board.page == board.pages - 1 == 1
    assert board.lines


@pytest.mark.logs_errors
async def test_a_result_that_cannot_be_read_leaves_the_others_on_its_page(world: World) -> None:
    person = PEOPLE[0]
    broken, *others = (await world.records.history(person, page=1)).entries
    row = update(results).where(
        results.c.session == broken.finished.session, results.c.person == person
    )
    await world.database.run(lambda c: c.execute(row.values(outcome="levitated")))
    try:
        found = await world.records.history(person, page=1)
    finally:
        await world.database.run(lambda c: c.execute(row.values(outcome=broken.outcome)))
    assert [*found.entries] == others
    assert others


async def test_somebody_who_has_not_played_has_an_empty_record(world: World) -> None:
    stats = await world.records.stats(NOBODY, "ludo")
    assert stats.empty
    assert stats.tally.win_rate is None
    assert (await world.records.history(NOBODY)).entries == ()
    assert (await world.records.leaderboard("ludo", asking=NOBODY)).own is None
    assert (await world.records.leaderboard("ludo", 404, asking=NOBODY)).lines == ()


async def test_records_that_went_wrong_are_made_anew_from_the_games(world: World) -> None:
    def spoil(connection: Connection) -> None:
        connection.execute(update(standings).values(wins=standings.c.wins + 1, mu=0.0))
        connection.execute(delete(pairings))
        connection.execute(update(level_records).values(draws=7))

    before = await world.database.run(dump)
    await world.database.run(spoil)
    assert await world.database.run(dump) != before
    assert await world.database.run(rebuilt) == before


async def test_games_entered_again_in_the_order_of_their_ends_make_the_same_records(
    world: World,
) -> None:
    before = await world.database.run(dump)
    assert await world.database.run(entered_again) == before


@contextmanager
def statements(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """The queries sent to the database meanwhile, with their values."""
    asked: list[tuple[str, Any]] = []

    def note(_c: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        asked.append((statement, values))

    event.listen(database._engine, "before_cursor_execute", note)
    yield asked
    event.remove(database._engine, "before_cursor_execute", note)


@pytest.mark.sqlite_alone
async def test_no_query_reads_more_than_a_range_of_an_index(world: World) -> None:
    person, session = PEOPLE[0], world.log[0].session
    store = Tables(world.database, ManualClock())
    personal_data = PersonalDataStore(world.database, store, await People.loaded(world.database))
    with statements(world.database) as asked:
        for guild in (None, 71):
            await world.records.stats(person, "ludo", guild)
            await world.records.leaderboard("ludo", guild, asking=person, page=1)
            await world.records.history(person, None, guild)
            await world.records.history(person, "ludo", guild, page=1)
        await store.table(session)
        await store.unfinished(5)
        await store.finished(5, person)
        await personal_data.knows(person)
        await personal_data.seated(person)
        await personal_data.personal_data(person)
    selects = [(sql, values) for sql, values in asked if sql.startswith("SELECT")]
    assert len(selects) > 20

    def plan(connection: Connection, sql: str, values: Any) -> str:
        return str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values).all())

    for sql, values in selects:
        steps = await world.database.run(partial(plan, sql=sql, values=values))
        assert "SEARCH" in steps, sql
        # The person's own tables.
        assert "SCAN" not in re.sub(r"SCAN (anon_1|\(subquery-\d+\))", "", steps), sql
        few = re.compile("FROM (?:pairing|session|seat|puzzle_server|tournament(?:_entry)?)\\b")
        of_few = few.search(sql)
        assert of_few or "TEMP B-TREE" not in steps, sql

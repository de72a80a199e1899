"""Claims of news, the puzzle's league, and what stays of them when a server is removed."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import Connection, func, select

from bot.records.rating import ALL_TIME, season_of_day
from bot.records.standings import EVERYWHERE
from bot.storage.choices import GuildId, Guilds, People
from bot.storage.database import Database
from bot.storage.news import UNREADABLE, Claimed, NewsStore
from bot.storage.privacy.guilds import GuildData
from bot.storage.records.queries import Records
from bot.storage.records.write import rebuild
from bot.storage.schema.choice_tables import frozen_days, news, puzzle_servers
from bot.storage.tables import Tables
from bot.table.seats import PersonId
from engine.game import Move
from tests.bot.databases import faults, raw

pytestmark = pytest.mark.both_databases

HERE, THERE = GuildId(987_654_321_000_071), GuildId(987_654_321_000_072)
ELSEWHERE = GuildId(987_654_321_000_073)
ANN, BEN, CLEO = PersonId(101), PersonId(102), PersonId(103)
SUNDAY = date(2026, 5, 3)
AT = datetime(2026, 5, 3, 9, tzinfo=UTC)


async def answered(
    records: Records, person: PersonId, day: date, tries: str = "+", guild: GuildId | None = HERE
) -> None:
    """A puzzle tried, each time with another move, of which a plus is right."""
    if guild is not None:
        await records.count_puzzle(person, day, guild)
    for move, outcome in enumerate(tries):
        at = AT + timedelta(seconds=move)
        await records.answer_puzzle(person, day, Move(move), solved=outcome == "+", at=at)


async def test_of_many_processes_one_sends_the_news_and_another_goes_on_if_it_dies(
    database: Database, address: str
) -> None:
    store = NewsStore(database)
    for first in (Claimed.FIRST, Claimed.AGAIN):
        claims = await asyncio.gather(*(store.claim(HERE, SUNDAY) for _ in range(8)))
        assert Counter(claims) == {first: 1, Claimed.ELSEWHERE: 7}
        with raw(address) as connection:
            connection.exec_driver_sql("UPDATE news SET claimed_until = 0")
    assert await store.claim(HERE, SUNDAY) is Claimed.AGAIN
    await store.finish(HERE, SUNDAY, (1, 5))
    assert await store.claim(HERE, SUNDAY) is Claimed.DONE
    assert await store.claim(THERE, SUNDAY) is Claimed.FIRST
    assert await store.done(SUNDAY) == {HERE}


async def test_news_claimed_while_the_clock_was_a_month_ahead_are_sent_once_it_is_right(
    database: Database, address: str
) -> None:
    store = NewsStore(database)
    assert await store.claim(HERE, SUNDAY) is Claimed.FIRST
    with raw(address) as connection:
        connection.exec_driver_sql("UPDATE news SET claimed_until = claimed_until + 2592000000")
    assert await store.claim(HERE, SUNDAY) is Claimed.AGAIN
    assert await store.claim(HERE, SUNDAY) is Claimed.ELSEWHERE


async def test_old_news_are_forgotten_when_new_ones_come(database: Database) -> None:
    store = NewsStore(database)
    for ahead in range(20):
        await store.claim(HERE, SUNDAY + timedelta(ahead))
    count = select(func.count()).select_from(news)
    assert await database.run(lambda c: c.execute(count).scalar_one()) <= 8


async def test_points_are_for_the_grade_and_half_of_them_for_the_second_try(
    database: Database,
) -> None:
    records, monday = Records(database), SUNDAY + timedelta(1)
    await answered(records, ANN, SUNDAY)
    await answered(records, ANN, monday, "--")
    await answered(records, BEN, SUNDAY, "-+")
    await answered(records, BEN, monday)
    await answered(records, CLEO, monday + timedelta(2), guild=THERE)
    await answered(records, CLEO, monday, "-+", guild=None)
    here = await records.puzzle_league(HERE, season_of_day(SUNDAY), asking=BEN)
    assert [tuple(line) for line in here.lines] == [(1, ANN, 3.0, 1), (2, BEN, 2.5, 2)]
    assert here.own == here.lines[1]
    assert (await records.puzzle_league(HERE, asking=CLEO)).own is None
    for season in (season_of_day(SUNDAY), ALL_TIME):
        everywhere = await records.puzzle_league(season=season, asking=BEN)
        assert [line.person for line in everywhere.lines] == [ANN, CLEO, BEN]
        assert everywhere.own == (2, BEN, 2.5, 2), "equals share a place"


async def test_points_that_the_answers_do_not_give_are_told_of_and_mended(
    database: Database, address: str
) -> None:
    await answered(Records(database), ANN, SUNDAY)
    await answered(Records(database), BEN, SUNDAY, "-+", guild=THERE)
    board = f"scope {HERE}, season 202605"
    for statement in (
        "UPDATE puzzle_points SET halves = halves + 1",
        "DELETE FROM puzzle_points",
        "UPDATE puzzle_points SET season = 202604",
    ):
        with raw(address) as connection:
            where = f"scope = {HERE} AND season = 202605"
            connection.exec_driver_sql(f"{statement} WHERE {where}")
        told = await database.run(faults)
        assert f"The puzzle's points in {board}, are not those of the answers." in told
        assert {each.partition(", season")[0] for each in told} == {
            f"The puzzle's points in scope {HERE}"
        }
        await database.run(rebuild)
        assert await database.run(faults) == []


async def test_a_puzzle_is_over_once_its_answer_was_told_but_where_the_news_still_ask_it(
    database: Database,
) -> None:
    records, store = Records(database), NewsStore(database)
    monday = SUNDAY + timedelta(1)

    async def told(person: PersonId) -> list[bool]:
        places = (HERE, THERE, ELSEWHERE, None)
        return [await records.puzzle_is_told(person, SUNDAY, at) for at in places]

    await records.count_puzzle(ANN, SUNDAY - timedelta(1), HERE)
    await records.count_puzzle(BEN, SUNDAY - timedelta(30), HERE)
    for guild, day in ((HERE, SUNDAY), (THERE, SUNDAY), (HERE, monday)):
        assert await told(ANN) == await told(BEN) == [False] * 4
        await store.claim(guild, day)
        await store.finish(guild, day, (1, 5))
    assert await told(BEN) == [True, False, True, True], "the hour of the news has not come there"
    assert await told(ANN) == [True] * 4, "she asks where they have come"
    await records.count_puzzle(CLEO, monday, HERE)
    assert await told(CLEO) == [True] * 4, "who asks where they have come, today for the first time"
    await store.claim(THERE, monday)
    assert await told(BEN) == [True] * 4


async def test_yesterday_and_the_streak_of_a_server_are_its_own(database: Database) -> None:
    records, store = Records(database), NewsStore(database)
    for ago in (1, 2, 4):
        await answered(records, ANN, SUNDAY - timedelta(ago))
    await answered(records, BEN, SUNDAY - timedelta(1), "-")
    await answered(records, CLEO, SUNDAY - timedelta(3), guild=THERE)
    edition = await store.edition(HERE, SUNDAY, SUNDAY)
    assert edition.streak == 2
    assert edition.last is not None
    assert edition.last.solvers == [ANN]
    assert {*edition.last.answers} == {ANN, BEN}
    assert not edition.best
    (best,) = (await store.edition(HERE, SUNDAY + timedelta(1), SUNDAY)).best
    assert (best.person, best.solved) == (ANN, 3)
    assert (await store.edition(THERE, SUNDAY, SUNDAY)).streak == 0


async def test_frozen_days_keep_the_streaks_of_a_server_and_of_its_people(
    database: Database,
) -> None:
    """Ann asks for puzzles here, Ben there, and Cleo in no server."""
    records, store = Records(database), NewsStore(database)
    for ago in (1, 2, 7, 8):
        for person, guild in ((ANN, HERE), (BEN, THERE), (CLEO, None)):
            await answered(records, person, SUNDAY - timedelta(ago), guild=guild)
    await store.freeze(HERE, [SUNDAY - timedelta(ago) for ago in (3, 4, 5)])
    for person in (ANN, BEN, CLEO):
        assert (await records.puzzle_record(person, SUNDAY)).streak == (4 if person == ANN else 2)
    await store.freeze(EVERYWHERE, [SUNDAY - timedelta(ago) for ago in (4, 5, 6)])
    assert (await records.puzzle_record(ANN, SUNDAY)).streak == 4
    assert (await records.puzzle_record(BEN, SUNDAY)).streak == 4
    assert (await records.puzzle_record(CLEO, SUNDAY)).streak == 4
    assert (await store.edition(HERE, SUNDAY, SUNDAY)).streak == 4
    assert (await store.edition(THERE, SUNDAY, SUNDAY)).streak == 2
    await store.thaw(HERE, SUNDAY - timedelta(3))
    assert (await store.edition(HERE, SUNDAY, SUNDAY)).streak == 2


async def test_news_are_stale_from_an_answer_there_until_they_show_it(database: Database) -> None:
    records, store = Records(database), NewsStore(database)
    yesterday, ahead = SUNDAY - timedelta(1), SUNDAY + timedelta(30)
    for guild in (HERE, THERE):
        for day in (yesterday, SUNDAY, ahead):  # the clock was ahead for a while
            await store.claim(guild, day)
            await store.finish(guild, day, (1, 7 if guild == HERE else UNREADABLE))
    await records.count_puzzle(ANN, SUNDAY, HERE)
    assert not await store.stale(yesterday), "she has only asked"
    await answered(records, ANN, SUNDAY)
    await answered(records, ANN, yesterday)
    await answered(records, BEN, SUNDAY, guild=THERE)
    (stale,) = await store.stale(yesterday)
    assert (stale.guild, stale.day) == (HERE, SUNDAY), "yesterday's has been replaced"
    edition = await store.edition(HERE, SUNDAY, SUNDAY)
    assert edition.today.solvers == [ANN]
    await answered(records, CLEO, SUNDAY, "-")
    await store.show(HERE, SUNDAY, edition.revision)
    assert await store.stale(SUNDAY) == [stale], "Cleo has answered meanwhile"
    after = (await store.edition(HERE, SUNDAY, SUNDAY)).revision
    await store.show(HERE, SUNDAY, after)
    await answered(records, CLEO, SUNDAY, "-")
    assert not await store.stale(SUNDAY), "the same move is no try"


async def test_a_weeks_best_is_told_by_the_first_news_after_its_end(database: Database) -> None:
    records, store = Records(database), NewsStore(database)
    await answered(records, ANN, SUNDAY)
    told = []
    for day in (SUNDAY, SUNDAY + timedelta(9), SUNDAY + timedelta(10), SUNDAY + timedelta(15)):
        await store.claim(HERE, day)
        told.append([each.person for each in (await store.edition(HERE, day, SUNDAY)).best])
        await store.finish(HERE, day, (1, 7))
    assert told == [[], [ANN], [], []]


async def test_a_person_whose_streak_breaks_is_named_once(database: Database) -> None:
    records, store = Records(database), NewsStore(database)
    people = await People.loaded(database)
    for person, ago in ((ANN, 2), (BEN, 1), (CLEO, 2)):
        for each in range(3):
            await answered(records, person, SUNDAY - timedelta(ago + each))
    for person in (ANN, BEN):
        await people.choose(person, streaks=True)
    found = await store.in_danger(SUNDAY, 10)
    assert [(each.person, each.record.streak, each.guild) for each in found] == [(ANN, 3, HERE)]
    assert await store.in_danger(SUNDAY, 10) == found, "it was not told"
    assert await store.warn(ANN, SUNDAY)
    assert not await store.warn(ANN, SUNDAY), "once a day"
    assert not await store.in_danger(SUNDAY, 10)


async def test_a_removed_server_leaves_no_news_and_answers_to_their_people(
    database: Database, store: Tables
) -> None:
    records, guilds = Records(database), await Guilds.loaded(database)
    await guilds.choose(HERE, news_channel=5, news_since=AT)
    await NewsStore(database).claim(HERE, SUNDAY)
    await NewsStore(database).freeze(HERE, [SUNDAY])
    await answered(records, ANN, SUNDAY)
    data = GuildData(database, store, guilds)
    await data.leave(HERE, AT)
    await data.clear(HERE)
    for table in (news, puzzle_servers, frozen_days):
        count = partial(Connection.scalar, statement=select(func.count()).select_from(table))
        assert await database.run(count) == 0
    assert (await records.puzzle_record(ANN, SUNDAY)).answers[SUNDAY].solved
    assert await database.run(faults) == []

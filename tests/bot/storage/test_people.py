"""People's choices and servers' settings: at hand from memory, and the same after a restart."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DatabaseError

from bot.storage.choices import Choices, Form, GuildId, Guilds, GuildSettings, People
from bot.storage.database import Database
from bot.storage.opening import opened
from tests.bot.kit import ANN, BEN, CLEO

pytestmark = pytest.mark.both_databases

HERE, THERE = GuildId(10), GuildId(20)


def rows(connection: Connection) -> list[int]:
    counts = (
        connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()  # noqa: S608
        for table in ("person", "block", "server", "server_channel")
    )
    return list(counts)


async def test_whoever_has_chosen_nothing_has_no_row(database: Database) -> None:
    people, servers = await People.loaded(database), await Guilds.loaded(database)
    assert people.of(ANN) == Choices()
    assert servers.of(HERE) == GuildSettings()
    assert await database.run(rows) == [0, 0, 0, 0]


async def test_each_choice_leaves_the_others_as_they_are_in_memory_and_on_the_disk(
    database: Database,
) -> None:
    people = await People.loaded(database)
    await people.block(ANN, BEN)
    await people.choose(ANN, form=Form.WORDS)
    await people.choose(ANN, language="de")
    await people.choose(ANN, challenges=False)
    await people.block(ANN, CLEO)
    await people.block(BEN, ANN)
    chosen = Choices(Form.WORDS, "de", challenges=False, blocked=frozenset({BEN, CLEO}))
    for kept in (people, await People.loaded(database)):
        assert kept.of(ANN) == chosen
        assert kept.of(BEN) == Choices(blocked=frozenset({ANN}))
        assert kept.of(CLEO) == Choices()


async def test_choices_can_be_taken_back(database: Database) -> None:
    people = await People.loaded(database)
    for other in (BEN, BEN, CLEO):
        await people.block(ANN, other)
    await people.block(ANN, unblocked=[BEN])
    await people.block(ANN, unblocked=[BEN])
    await people.choose(ANN, language="de")
    await people.choose(ANN, language=None)
    await people.choose(ANN, challenges=False)
    await people.choose(ANN, challenges=True)
    for kept in (people, await People.loaded(database)):
        assert kept.of(ANN) == Choices(blocked=frozenset({CLEO}))


async def test_choices_made_at_once_are_all_kept(database: Database) -> None:
    people = await People.loaded(database)
    await asyncio.gather(
        people.choose(ANN, form=Form.IMAGE),
        people.block(ANN, BEN),
        people.choose(ANN, language="de"),
        people.block(ANN, CLEO),
        people.block(ANN, unblocked=[BEN]),
        people.choose(ANN, challenges=False),
    )
    chosen = Choices(Form.IMAGE, "de", challenges=False, blocked=frozenset({CLEO}))
    for kept in (people, await People.loaded(database)):
        assert kept.of(ANN) == chosen


async def test_choices_and_settings_are_at_hand_without_a_database(address: str) -> None:
    async with opened(address) as database:
        people, servers = await People.loaded(database), await Guilds.loaded(database)
        await people.choose(ANN, language="de")
        await servers.choose(HERE, games=9)
    assert people.of(ANN).language == "de"
    assert servers.of(HERE).games == 9


async def test_each_setting_leaves_the_others_as_they_are_in_memory_and_on_the_disk(
    database: Database,
) -> None:
    servers = await Guilds.loaded(database)
    await servers.list_channels(HERE, listed={1, 2, 3})
    await servers.choose(HERE, games=12)
    await servers.choose(HERE, language="de")
    await servers.list_channels(HERE, listed={3, 4}, delisted={1})
    await servers.list_channels(THERE, listed={1})
    for kept in (servers, await Guilds.loaded(database)):
        assert kept.of(HERE) == GuildSettings(frozenset({2, 3, 4}), 12, "de")
        assert kept.of(THERE) == GuildSettings(frozenset({1}))


async def test_settings_can_be_taken_back(database: Database) -> None:
    servers = await Guilds.loaded(database)
    await servers.list_channels(HERE, listed={1, 2})
    await servers.list_channels(HERE, delisted={1, 2, 3})
    await servers.choose(HERE, language="de")
    await servers.choose(HERE, language=None)
    for kept in (servers, await Guilds.loaded(database)):
        assert kept.of(HERE) == GuildSettings()


async def test_a_channel_that_is_lost_after_another_was_chosen_ends_nothing(
    database: Database,
) -> None:
    old, chosen = 1, 2
    servers = await Guilds.loaded(database)
    await servers.choose(HERE, news_channel=chosen, arena_channel=chosen)
    before = servers.of(HERE)
    await servers.lose_news(HERE, old)
    await servers.lose_arena(HERE, old)
    for kept in (servers, await Guilds.loaded(database)):
        assert kept.of(HERE) == before


async def test_a_channel_that_is_lost_while_another_is_being_chosen_ends_nothing(
    database: Database,
) -> None:
    servers = await Guilds.loaded(database)
    await servers.choose(HERE, news_channel=1, arena_channel=1)
    await asyncio.gather(
        servers.choose(HERE, news_channel=2, arena_channel=2),
        servers.lose_news(HERE, 1),
        servers.lose_arena(HERE, 1),
    )
    for kept in (servers, await Guilds.loaded(database)):
        found = kept.of(HERE)
        assert (found.news_channel, found.arena_channel) == (2, 2)
        assert (found.news_lost, found.arena_lost) == (None, None)


@pytest.mark.parametrize("in_settings", [True, False])
async def test_what_is_lost_while_a_manager_reads_of_something_else_is_still_to_be_told(
    database: Database, in_settings: bool
) -> None:
    servers = await Guilds.loaded(database)
    await servers.choose(HERE, news_channel=1, arena_channel=2)
    await servers.lose_news(HERE, 1)
    seen = servers.of(HERE)
    await servers.lose_arena(HERE, 2)
    await servers.note_told(HERE, seen, in_settings=in_settings)
    for kept in (servers, await Guilds.loaded(database)):
        found = kept.of(HERE)
        assert (found.news_lost, found.news_told) == ((None, False) if in_settings else (1, True))
        assert (found.arena_lost, found.arena_told) == (2, False)


async def test_a_choice_that_could_not_be_stored_is_not_taken_for_made(database: Database) -> None:
    people = await People.loaded(database)
    await database.run(lambda c: c.execute(text("DROP TABLE block")))
    outcomes = await asyncio.gather(people.block(ANN, BEN), return_exceptions=True)
    assert [isinstance(outcome, DatabaseError) for outcome in outcomes] == [True]
    assert people.of(ANN) == Choices()

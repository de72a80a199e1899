"""Several processes of the bot on one PostgreSQL database, each with some of the shards."""

from __future__ import annotations

import asyncio
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import pytest
from sqlalchemy import insert

from bot.cli.run import AWAY
from bot.games.catalogue import CATALOGUE
from bot.sandbox import Channel, Message
from bot.service.news import news_at
from bot.storage.choices import GuildId
from bot.storage.processes import APART
from bot.storage.schema.choice_tables import servers
from bot.storage.values import EPOCH
from tests.bot.conftest import Opening
from tests.bot.databases import faults, raw
from tests.bot.people import Person
from tests.bot.process import give_emoji, kill, outcome, started
from tests.bot.stand_in import Sandbox
from tests.bot.trouble import Exchange, Observed
from tests.bot.ui import panels
from tests.bot.ui.conftest import OFFER, marked

if TYPE_CHECKING:
    from psycopg import AsyncConnection

psycopg = pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")

GUILDS: Final = 6
HANDED_ON_WITHIN: Final = 60
"""Seconds, of which a claim that ends and a round take up to ten where nothing else is done."""
SPRITES: Final = {name for entry in CATALOGUE.values() for name in entry.sprites}
NAMES: Final = ("Ann", "Ben", "Cleo", "Dan")

Start: TypeAlias = Callable[..., Awaitable[Process]]


@pytest.fixture
def sandbox_time() -> Callable[[], float]:
    """The machine's own time, by which shards wait for one another."""
    return time.time


@pytest.fixture
def database(postgres_address: str) -> str:
    return postgres_address


@pytest.fixture
async def discord(open_sandbox: Opening) -> Sandbox:
    """A Discord with several servers, where many shards may identify themselves at once."""
    sandbox = await open_sandbox(guilds=GUILDS)
    sandbox.application.max_concurrency = 16
    give_emoji(sandbox)
    return sandbox


@pytest.fixture
async def start(discord: Sandbox, database: str, tmp_path: Path) -> AsyncIterator[Start]:
    """Starts processes with some of two shards."""
    async with AsyncExitStack() as stack:

        async def start(ids: str, **settings: str) -> Process:
            given = {
                "DISCORD_TOKEN": discord.token,
                "DISCORD_API": discord.url,
                "PARLOUR_SEARCH_WORKERS": "1",
                "DATABASE_URL": database,
                "SHARD_COUNT": "2",
                "SHARD_IDS": ids,
            }
            return await stack.enter_async_context(started(tmp_path, **{**given, **settings}))

        yield start


async def opened(process: Process) -> Process:
    """The process, when it says that it is open."""
    assert process.stdout is not None
    async with asyncio.timeout(60):
        assert b"open" in await process.stdout.readline()
    return process


async def refusal(process: Process, code: int = 2) -> str:
    """The sentence with which a start ends."""
    ended, _, errors = await outcome(process)
    assert ended == code, errors
    assert "Traceback" not in errors
    (line,) = errors.strip().splitlines()
    return line


def channels(sandbox: Sandbox, shard: int) -> list[Channel]:
    """The game channels of the servers on a shard of two."""
    found = [sandbox.channel("games"), *(sandbox.channel(f"games-{n}") for n in range(2, GUILDS))]
    return [each for each in found if ((each.guild_id or 0) >> 22) % 2 == shard]


async def against_computer(person: Person, channel: Channel, level: str) -> Message:
    """A game of one person against the computer, who begins."""
    typed = await person.type(channel, "tictactoe", level=level, size=5, mark="x")
    board = (await typed.answered()).message
    assert board is not None
    return board


async def move(discord: Sandbox, person: Person, board: Message) -> None:
    """A move, answered with the computer's."""
    before = moves(board)
    free = [each for each in board.buttons if OFFER.fullmatch(each.custom_id) and not marked(each)]
    await (await person.press(board, custom_id=free[0].custom_id)).answered()
    await discord.until(lambda: moves(board) > before)  # the press may be deferred first


def moves(board: Message) -> int:
    """Count the marks on a board."""
    return sum(map(marked, board.buttons))


@asynccontextmanager
async def changes(database: str) -> AsyncIterator[AsyncConnection]:
    """A connection that hears of each change of a table."""
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as connection:
        await connection.execute(
            "CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN PERFORM pg_notify('changes', ''); RETURN NULL; END $$"
        )
        await connection.execute(
            "CREATE TRIGGER tell AFTER UPDATE ON session EXECUTE FUNCTION tell()"
        )
        await connection.execute("LISTEN changes")
        yield connection


async def owed(connection: AsyncConnection) -> int:
    """At how many tables a computer owes a move."""
    found = await connection.execute("SELECT count(*) FROM session WHERE unattended")
    row = await found.fetchone()
    assert row is not None
    return int(row[0])


async def test_the_living_answer_and_make_the_turns_of_a_process_that_is_killed(
    discord: Sandbox, start: Start, database: str
) -> None:
    living, dying = await start("0"), await start("1")
    await asyncio.gather(opened(living), opened(dying))
    people = [discord.person(name) for name in NAMES]
    here = [
        (person, await against_computer(person, channel, "easy"))
        for channel in channels(discord, 0)
        for person in people
    ]
    there = [
        (person, await against_computer(person, channel, "perfect"))
        for channel in channels(discord, 1)[:1]
        for person in people
    ]
    async with changes(database) as connection:
        thinking = [asyncio.create_task(move(discord, *each)) for each in there]
        await asyncio.wait(thinking, return_when=asyncio.FIRST_COMPLETED)
        await kill(dying)
        assert await owed(connection) > 0, "the process has died while computers had turns"
        async with asyncio.timeout(HANDED_ON_WITHIN):
            await asyncio.gather(*(move(discord, *each) for each in here))
            while await owed(connection):
                await anext(connection.notifies())
    await asyncio.gather(*(move(discord, *each) for each in here))
    for each in thinking:  # who wait for a process that is dead
        each.cancel()
    await asyncio.gather(*thinking, return_exceptions=True)
    assert faults(database) == []
    before = Counter({board.id: moves(board) for _, board in there})
    await opened(await start("1"))
    await discord.until(lambda: all(moves(board) >= 2 for _, board in there))
    assert sum(moves(board) - before[board.id] for _, board in there) > 0
    await asyncio.gather(*(move(discord, *each) for each in there[:2]))


async def test_commands_and_emoji_are_registered_by_one_process(
    discord: Sandbox, start: Start
) -> None:
    discord.world.emojis.clear()
    counts: Counter[str] = Counter()

    def count(sent: Observed) -> None:
        if isinstance(sent, Exchange) and sent.method in {"PUT", "POST"}:
            counts[sent.path.rpartition("/")[2]] += 1

    discord.observe(count)
    await asyncio.gather(opened(await start("0")), opened(await start("1")))
    await discord.until(lambda: discord.emojis >= len(SPRITES), within=60)
    assert (counts["commands"], counts["emojis"]) == (1, len(SPRITES))


async def test_choices_hold_in_every_process_as_soon_as_they_are_made(
    discord: Sandbox, start: Start
) -> None:
    await asyncio.gather(opened(await start("0")), opened(await start("1")))
    ann, ben = discord.person("Ann"), discord.person("Ben")
    (here, *_), (there, *_) = channels(discord, 0), channels(discord, 1)
    for accept in ("off", "on"):
        panel = (await (await ann.type(here, "me")).answered()).message
        await panels.used(ann, panel, "me challenges", accept)
        challenged = await (await ben.type(there, "tictactoe", opponent=ann)).answered()
        assert challenged.message is not None
        assert challenged.message.ephemeral is (accept == "off")


async def test_the_news_of_each_server_are_posted_once_by_its_process(
    discord: Sandbox, start: Start, database: str
) -> None:
    """They began at midnight, and both processes are killed and started again."""
    places = [*channels(discord, 0), *channels(discord, 1)]
    processes = [await opened(await start(ids)) for ids in ("0", "1")]
    for process in processes:
        await kill(process)
    now = datetime.now(UTC)
    if (now + timedelta(minutes=2)).date() > now.date():
        pytest.skip("the day of the news is about to end")
    with raw(database) as connection:
        for each in places:
            guild = GuildId(each.guild_id or 0)
            begun = news_at(guild, 0, now.date()) <= now
            row = {"id": guild, "news_channel": each.id, "news_hour": 0, "news_since": EPOCH}
            connection.execute(insert(servers), row if begun else row | {"news_channel": None})
    expected = [news_at(GuildId(each.guild_id or 0), 0, now.date()) <= now for each in places]

    def posted() -> list[bool]:
        return [bool(discord.messages(each.name)) for each in places]

    for _ in range(2):
        processes = [await opened(await start(ids)) for ids in ("0", "1")]
        await discord.until(lambda: posted() == expected)
        for process in processes:
            await kill(process)
    assert [len(discord.messages(each.name)) for each in places] == [*map(int, expected)]


async def test_shards_of_different_processes_identify_themselves_in_turn(
    discord: Sandbox, start: Start
) -> None:
    discord.application.max_concurrency = 1
    await asyncio.gather(opened(await start("0")), opened(await start("1")))
    (first, _), (second, _) = discord.application.starts
    assert second - first >= APART / 2, "without turns they come at once"


async def test_a_second_process_with_the_same_shards_is_refused_for_now(start: Start) -> None:
    """The other may have lost its power, of which the server does not know yet: code 1, not 2."""
    await opened(await start("0"))
    assert "has shard 0" in await refusal(await start("0"), AWAY)
    other = await start("1", SHARD_COUNT="3")
    assert "another SHARD_COUNT" in await refusal(other, AWAY)
    assert "Another Parlour is running" in await refusal(await start("0-1"), AWAY)


async def test_a_share_of_the_shards_needs_postgresql(start: Start) -> None:
    process = await start("0", DATABASE_URL="sqlite:///parlour.db")
    assert "needs a PostgreSQL database" in await refusal(process)


async def test_no_process_starts_more_often_than_discord_allows(
    discord: Sandbox, start: Start
) -> None:
    discord.application.starts_a_day = 0
    said = await refusal(await start("0"))
    assert "connect only 0 more times" in said
    assert not discord.application.starts

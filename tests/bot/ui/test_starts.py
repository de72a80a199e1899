"""A start while Discord has trouble: each request that it makes is tried again for ten minutes."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random, getrandbits
from typing import Any, Final

import discord
import pytest
from discord.http import Route

from bot import app
from bot.app import Parlour
from bot.games.catalogue import CATALOGUE
from bot.locales import Language
from bot.settings import read_settings
from bot.ui import registration
from bot.ui.commands import slash
from bot.ui.connection import ConnectionRefused, DiscordAway
from bot.ui.emojis import Sprites
from bot.ui.errors import DiscordTrouble
from bot.ui.retries import Retries
from tests.bot.clock import ManualClock
from tests.bot.stand_in import Sandbox
from tests.bot.thinkers import Gated
from tests.bot.trouble import Event, Exchange, Observed

COMMANDS, EMOJIS = "/applications/*/commands", "/applications/*/emojis"
NEEDED: Final = (
    ("GET", "/gateway"),
    ("GET", "/users/@me"),
    ("GET", "/oauth2/applications/@me"),
    ("GET", "/gateway/bot"),
    ("GET", COMMANDS),
    ("PUT", COMMANDS),
)
"""The requests without which there is no start."""

FEW: Final = dict(sorted(CATALOGUE["tictactoe"].sprites.items())[:2])

each_request = pytest.mark.parametrize(
    ("method", "path"), NEEDED, ids=lambda part: part.strip("/").replace("/", "-")
)


@asynccontextmanager
async def starting(
    sandbox: Sandbox, database: str, sprites: Sprites | None = None, *, directed: bool = True
) -> AsyncIterator[tuple[Parlour, ManualClock, asyncio.Task[None]]]:
    """Parlour, the clock it waits by, and its connection, which has just begun.

    Unless it is `directed` to the sandbox, it looks for Discord where discord.py does.
    """
    given = {"DATABASE_URL": database, "PARLOUR_SEARCH_WORKERS": "1"}
    settings = read_settings(given, dotenv=Path("there is none"))
    clock = ManualClock(sandbox.clock.now())
    async with app.open(
        settings, clock=clock, rng=Random(getrandbits(64)), thinker=Gated(), sprites=sprites or {}
    ) as parlour:
        running = asyncio.create_task(
            parlour.connect(sandbox.token, sandbox.url if directed else None)
        )
        try:
            yield parlour, clock, running
        finally:
            await parlour.client.close()
            with suppress(ConnectionRefused, asyncio.CancelledError):
                await running
            await sandbox.bot_gone()


async def started(sandbox: Sandbox, clock: ManualClock, running: asyncio.Task[None]) -> int:
    """Let time pass in the pauses until the bot is there; return how many there were."""
    ready, pauses = asyncio.create_task(sandbox.bot_ready()), 0
    while not ready.done():
        paused = asyncio.create_task(clock.waited_for())
        await asyncio.wait({ready, paused, running}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        if not ready.done():
            pauses += 1
            clock.advance(timedelta(seconds=30))
        paused.cancel()
    return pauses


@pytest.mark.sampled(6)
@each_request
@pytest.mark.parametrize("times", [1, 3, 20])
async def test_a_start_outlives_answers_of_503(
    sandbox: Sandbox, database: str, method: str, path: str, times: int
) -> None:
    for _ in range(times):
        sandbox.fail_next(method, path, 503)
    async with starting(sandbox, database) as (_, clock, running):
        assert await started(sandbox, clock, running) >= times


@pytest.mark.sampled(4)
@each_request
@pytest.mark.parametrize("carried_out", [False, True])
async def test_a_start_outlives_cut_connections(
    sandbox: Sandbox, database: str, method: str, path: str, carried_out: bool
) -> None:
    for _ in range(3):
        sandbox.cut_next(method, path, carried_out=carried_out)
    async with starting(sandbox, database) as (_, clock, running):
        assert await started(sandbox, clock, running)


@each_request
async def test_a_start_waits_as_long_as_a_rate_limit_says(
    sandbox: Sandbox, database: str, method: str, path: str
) -> None:
    for _ in range(6):
        sandbox.fail_next(method, path, 429, retry_after=0.01)
    async with starting(sandbox, database) as (_, clock, running):
        assert await started(sandbox, clock, running)


@each_request
@pytest.mark.parametrize("status", [401, 403])
async def test_a_start_that_is_refused_ends_at_once(
    sandbox: Sandbox, database: str, method: str, path: str, status: int
) -> None:
    sandbox.fail_next(method, path, status)
    async with starting(sandbox, database) as (_, __, running):
        with pytest.raises(ConnectionRefused) as refused:
            await running
    said = "speaks Discord's" if path == "/gateway" else "token" if status == 401 else "status 403"
    assert said in str(refused.value)
    assert not isinstance(refused.value, DiscordAway), "no later start heals it"


async def test_a_start_ends_with_a_sentence_after_ten_minutes_of_trouble(
    sandbox: Sandbox, database: str
) -> None:
    for _ in range(100):
        sandbox.fail_next("GET", "/users/@me", 503)
    async with starting(sandbox, database) as (_, clock, running):
        begun = clock.now()
        with pytest.raises(DiscordAway, match="status 503"):
            await started(sandbox, clock, running)
        assert timedelta(minutes=9) < clock.now() - begun < timedelta(minutes=11)


async def test_a_start_without_network_says_after_the_second_try_what_is_not_reachable(
    sandbox: Sandbox,
    database: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Then once a minute, and ends with a sentence."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
        monkeypatch.setattr(Route, "BASE", f"http://{address}/api/v10")
        async with starting(sandbox, database, directed=False) as (_, clock, running):
            begun, told, sentences = clock.now(), list[timedelta](), list[str]()
            while not running.done():
                paused = asyncio.create_task(clock.waited_for())
                await asyncio.wait({paused, running}, return_when=asyncio.FIRST_COMPLETED)
                paused.cancel()
                sentences = [each for each in caplog.messages if "cannot be reached" in each]
                told += [clock.now() - begun] * (len(sentences) - len(told))
                clock.advance(timedelta(seconds=1))
            with pytest.raises(DiscordAway, match="connection to the internet"):
                await running
    assert all(f"nothing answers at {address}" in each for each in sentences)
    assert told[0] < timedelta(seconds=5)
    pauses = [later - sooner for sooner, later in pairwise(told)]
    assert len(pauses) >= 5
    assert all(timedelta(minutes=1) <= each <= timedelta(seconds=95) for each in pauses)


@pytest.mark.parametrize("times", [1, 3, 20])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_emoji_are_there_soon_after_trouble(
    sandbox: Sandbox, database: str, method: str, times: int
) -> None:
    failed = asyncio.Queue[None]()

    def listen(seen: Observed) -> None:
        if isinstance(seen, Exchange) and (seen.method, seen.status) == (method, 503):
            failed.put_nowait(None)

    sandbox.observe(listen)
    for _ in range(times):
        sandbox.fail_next(method, EMOJIS, 503)
    async with starting(sandbox, database, FEW) as (parlour, clock, _):
        await sandbox.bot_ready()
        tried_at_start = method == "GET"  # without waiting, so that the start goes on
        for again in range(times):
            await failed.get()
            if again or not tried_at_start:
                await clock.waited_for(by=2)  # the rounds wait too
                clock.advance(timedelta(seconds=30))
        await parlour.client.own_emojis.complete.wait()
    assert sandbox.emojis == len(FEW)


async def test_emoji_whose_upload_was_cut_are_uploaded_once(
    sandbox: Sandbox, database: str
) -> None:
    sandbox.cut_next("POST", EMOJIS, carried_out=True)
    async with starting(sandbox, database, FEW) as (parlour, clock, _):
        await sandbox.bot_ready()
        await clock.waited_for(by=2)
        clock.advance(timedelta(seconds=30))
        await parlour.client.own_emojis.complete.wait()
        assert parlour.client.own_emojis.ids.keys() == FEW.keys()
    assert sandbox.emojis == len(FEW)


class Answer:
    """The answer of a 429, as discord.py keeps it in its error."""

    status, reason = 429, "Too Many Requests"
    headers: Final = {"Retry-After": "90.5"}


async def test_a_pause_is_as_long_as_discord_asks() -> None:
    clock, tries = ManualClock(), 0

    async def request() -> int:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise discord.HTTPException(Answer(), None)
        return tries

    sent = asyncio.create_task(Retries(clock).send(request))
    await clock.waited_for()
    clock.advance(timedelta(seconds=90))
    await asyncio.sleep(0)
    assert tries == 1
    clock.advance(timedelta(seconds=1))
    assert await sent == 2


async def test_pauses_grow() -> None:
    clock, tries = ManualClock(), list[datetime]()

    async def request() -> None:
        tries.append(clock.now())
        raise DiscordTrouble(503)

    sent = asyncio.create_task(Retries(clock).send(request))
    while not sent.done():
        clock.advance(timedelta(seconds=0.5))
        for _ in range(5):
            await asyncio.sleep(0)
    with pytest.raises(DiscordTrouble):
        await sent
    at = [(each - tries[0]).total_seconds() for each in tries]
    assert at[1] <= 2
    assert 560 < at[-1] <= 600
    assert max(later - sooner for sooner, later in pairwise(at)) <= 31


@pytest.mark.usefixtures("connected_at_once")
@pytest.mark.parametrize("forget", [False, True])
async def test_a_start_outlives_a_gateway_that_is_cut_before_the_bot_is_ready(
    sandbox: Sandbox, database: str, forget: bool
) -> None:
    cuts = 0

    def cut(seen: Observed) -> None:
        nonlocal cuts
        if isinstance(seen, Event) and seen.name == "READY" and cuts < 3:
            cuts += 1
            sandbox.drop_gateway(forget=forget)

    sandbox.observe(cut)
    async with starting(sandbox, database) as (parlour, _, __):
        await sandbox.until(lambda: cuts == 3)
        async with asyncio.timeout(60):
            await parlour.client.wait_until_ready()
        ann, games = sandbox.person("Ann"), sandbox.channel("games")
        typed = await (await ann.type(games, "tictactoe", level="easy", mark="x")).answered()
        await sandbox.until(lambda: bool(typed.message.buttons))  # it may be deferred first


def describing(monkeypatch: pytest.MonkeyPatch, description: str) -> None:
    """Describe `/games` otherwise."""
    translated = slash.translated

    def described(payload: Any, languages: Mapping[str, Language]) -> Any:
        commands = translated(payload, languages)
        games = next(each for each in commands if each["name"] == "games")
        games["description"] = description
        return commands

    monkeypatch.setattr(registration, "translated", described)


def too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Describe `/games` in more characters than Discord takes."""
    describing(monkeypatch, "x" * 101)


async def test_commands_that_another_database_has_registered_since_are_registered_again(
    sandbox: Sandbox, database: str, tmp_path: Path
) -> None:
    """Such as a newer version with the same token, before its owner went back to this one."""
    puts: list[Exchange] = []

    def listen(seen: Observed) -> None:
        if isinstance(seen, Exchange) and seen.method == "PUT" and "/commands" in seen.path:
            puts.append(seen)

    async def start(at: str) -> list[tuple[str, str]]:
        async with starting(sandbox, at) as (_, clock, running):
            await started(sandbox, clock, running)
        return [(command.name, command.description) for command in sandbox.world.commands]

    before = await start(database)
    with pytest.MonkeyPatch.context() as newer:
        describing(newer, "Otherwise")
        assert await start(f"sqlite:///{tmp_path}/newer.db") != before
    sandbox.observe(listen)
    assert await start(database) == before
    assert await start(database) == before
    assert len(puts) == 1


async def test_a_first_start_whose_commands_are_refused_ends_with_the_field(
    sandbox: Sandbox, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    too_long(monkeypatch)
    async with starting(sandbox, database) as (_, __, running):
        with pytest.raises(ConnectionRefused, match="/games description: ") as refused:
            await running
    assert "try again" not in str(refused.value)


@pytest.mark.logs_errors
async def test_a_start_goes_on_with_the_commands_before_if_new_ones_are_refused(
    sandbox: Sandbox,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with starting(sandbox, database) as (_, clock, running):
        await started(sandbox, clock, running)
    before = [command.name for command in sandbox.world.commands]
    too_long(monkeypatch)
    for _ in range(2):
        caplog.clear()
        async with starting(sandbox, database) as (_, clock, running):
            await started(sandbox, clock, running)
            ann, games = sandbox.person("Ann"), sandbox.channel("games")
            typed = await (await ann.type(games, "tictactoe", level="easy", mark="x")).answered()
            shown = partial(getattr, typed.message, "buttons")  # it may be deferred first
            await sandbox.until(shown)
        errors = [each.getMessage() for each in caplog.records if each.levelname == "ERROR"]
        assert [error for error in errors if "Discord refuses /games description: " in error]
    assert [command.name for command in sandbox.world.commands] == before

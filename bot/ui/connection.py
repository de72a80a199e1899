"""The connection to Discord, or to a server that speaks its protocol.

Discord lets a number of shards identify themselves in 5 s, one of each bucket
(`shard % max_concurrency`), and a bot 1,000 times a day; a bot that goes on gets a new token.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Final, TypeAlias, TypeVar

import aiohttp
import discord
from yarl import URL

from bot.clock import Clock, ahead
from bot.ui.discord_internals import (
    api,
    api_of,
    gateway_limits,
    shorten_pauses,
    silence_voice,
    use_server,
)
from bot.ui.errors import FIRST_TROUBLE, RATE_LIMITED, UNDELIVERED, DiscordTrouble, unavailable
from bot.ui.retries import Retries

log = logging.getLogger(__name__)

T = TypeVar("T")

AUTHENTICATION_FAILED: Final = 4004
UNAUTHORIZED: Final = 401
REJECTED: Final = (
    "Discord rejects the token in DISCORD_TOKEN or DISCORD_TOKEN_FILE; make a new one on the page "
    "Bot of your application in Discord's developer portal (a sandbox prints its own)."
)
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
"""The names of this machine, to which an unencrypted connection is allowed."""
TOLD_EVERY: Final = timedelta(minutes=1)
"""The time between two log lines that Discord cannot be reached."""

UNREACHABLE: Final = (discord.GatewayNotFound, aiohttp.ClientError, OSError)


class ConnectionRefused(Exception):
    """Discord does not let the bot in; the message is a sentence that says what to do about it."""


class DiscordAway(ConnectionRefused):
    """Discord has trouble or cannot be reached; a later start may succeed."""


class Outage:
    """Tells the owner while a start waits for Discord: after the second try, then once a minute."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failed = 0
        self._again = clock.now()

    async def noted(self, request: Callable[[], Awaitable[T]]) -> T:
        """The result of a request; if it fails, log that, but not too often.

        Raises:
            Whatever the request raises.
        """
        try:
            return await request()
        except (*UNDELIVERED, discord.GatewayNotFound) as error:
            self._failed += 1
            now = self._clock.now()
            told = ahead(self._again, now, TOLD_EVERY)
            if unavailable(error) and self._failed > 1 and not told:
                self._again = now + TOLD_EVERY
                log.warning("Discord cannot be reached: %s; Parlour tries on.", _obstacle(error))
            raise


def _obstacle(error: Exception) -> str:
    """Why a request failed, and what to check."""
    cause = error.__cause__ if isinstance(error, discord.GatewayNotFound) else error
    match cause:
        case aiohttp.ClientConnectorError():
            where = f"nothing answers at {cause.host}:{cause.port} ({cause.os_error})"
            return f"{where}, so check this machine's connection to the internet"
        case discord.HTTPException() | DiscordTrouble():
            return f"it answers with status {cause.status}, so it has trouble of its own"
        case _:
            return f"the connection is lost ({cause!r})"


async def point_at(url: str) -> None:
    """Make discord.py talk to the server at `url`, which speaks Discord's protocol.

    Raises:
        ConnectionRefused: Nothing there speaks it, or its gateway is not encrypted.
        DiscordTrouble: It has trouble, and may answer later.
    """
    address = f"{api_of(url)}/gateway"
    try:
        async with aiohttp.ClientSession() as session, session.get(address) as answer:
            if answer.status == RATE_LIMITED or answer.status >= FIRST_TROUBLE:
                raise DiscordTrouble(answer.status)
            gateway = URL((await answer.json())["url"])
            origin = gateway.origin()
    except (aiohttp.ClientConnectorError, aiohttp.ClientResponseError, KeyError, ValueError):
        raise ConnectionRefused(
            f"Nothing at {url} speaks Discord's protocol; start a sandbox there with "
            "'python -m bot.sandbox', or correct DISCORD_API."
        ) from None
    if gateway.scheme != "wss" and gateway.host not in LOOPBACK:
        raise ConnectionRefused(
            f"The server at {url} names the gateway {origin}, which would be told the "
            "token in the open; have it name one of wss://."
        )
    use_server(url, gateway)


async def connected(
    client: discord.Client, token: str, *, url: str | None, retries: Retries
) -> None:
    """Stay connected to Discord, or to a server at `url`, until the client is closed.

    Raises:
        ConnectionRefused: It cannot be reached, or rejects the token.
    """
    shorten_pauses()
    with _explained():
        async with client:
            if url is not None:
                await retries.send(partial(point_at, url))
            running = asyncio.create_task(client.start(token), name="connection")
            rejected = asyncio.create_task(_rejected(client), name="token")
            try:
                await asyncio.wait({running, rejected}, return_when=asyncio.FIRST_COMPLETED)
                if rejected.done():
                    rejected.result()
                await running
            finally:
                await client.close()  # discord.py may mistake a cancellation for a lost connection
                for task in (running, rejected):
                    task.cancel()
                await asyncio.gather(running, rejected, return_exceptions=True)


async def _rejected(client: discord.Client) -> None:
    """After each lost connection, check whether Discord still accepts the token.

    discord.py would notice that only when it connects again, perhaps after minutes.

    Raises:
        LoginFailure: Discord rejects the token.
    """
    while True:
        await client.wait_for("disconnect")
        try:
            await client.application_info()
        except UNDELIVERED as error:
            if isinstance(error, discord.HTTPException) and error.status == UNAUTHORIZED:
                raise discord.LoginFailure from error


@asynccontextmanager
async def signed_in(token: str, url: str | None = None) -> AsyncIterator[discord.Client]:
    """Log in to Discord, or to a server at `url`, without a connection to a gateway.

    Raises:
        ConnectionRefused: It cannot be reached, or rejects the token.
    """
    silence_voice()
    with _explained():
        if url is not None:
            await point_at(url)
        async with discord.Client(intents=discord.Intents(guilds=True)) as client:
            await client.login(token)
            yield client


async def server_time() -> datetime:
    """Return the server's time, to the second."""
    address = f"{api()}/gateway"
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        return parsedate_to_datetime(answer.headers["Date"])


@contextmanager
def _explained() -> Iterator[None]:
    """Turn errors of connecting into sentences for the owner.

    Raises:
        ConnectionRefused: The bot cannot connect.
    """
    try:
        yield
    except discord.LoginFailure:
        raise ConnectionRefused(REJECTED) from None
    except discord.ConnectionClosed as error:
        if error.code == AUTHENTICATION_FAILED:
            raise ConnectionRefused(REJECTED) from None
        raise ConnectionRefused(
            f"Discord has closed the connection with code {error.code}; start again, and look the "
            "code up in Discord's documentation of the gateway should it come back."
        ) from None
    except (discord.HTTPException, DiscordTrouble) as error:
        if error.status == UNAUTHORIZED:
            raise ConnectionRefused(REJECTED) from None
        why = f"with status {error.status} and code {getattr(error, 'code', 0)}"
        needed = "Discord refuses what the bot needs to start,"
        if unavailable(error):
            raise DiscordAway(f"{needed} {why}; try again in a few minutes.") from None
        raise ConnectionRefused(f"{needed} {why}: {getattr(error, 'text', '')}") from None
    except UNREACHABLE:
        raise DiscordAway(
            "Discord cannot be reached; check this machine's connection to the internet."
        ) from None


APART: Final = 5.0
"""Seconds between two shards of a bucket that identify themselves."""


Turn: TypeAlias = Callable[[int], Awaitable[None]]
"""Waits until a shard of a bucket may identify itself; the next of the bucket can 5 s later."""


class Identification:
    """Lets each shard identify itself in turn; `turn` takes other processes into account."""

    def __init__(self, client: discord.AutoShardedClient, turn: Turn | None) -> None:
        self._client = client
        self._turn = turn or self._own_turn
        self._buckets = 1
        self._free: defaultdict[int, float] = defaultdict(float)

    async def begin(self) -> None:
        """Check that all shards of this process may identify themselves today.

        Raises:
            ConnectionRefused: Too few of the day's identifications are left.
        """
        limits = await self._limits()
        if limits.remaining < len(self._client.shard_ids or (0,)):
            raise ConnectionRefused(_spent(limits))

    async def before_identify(self, number: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may identify itself; discord.py asks again after a minute."""
        if not initial:
            await self._wait_for_another_day()
        await self._turn((number or 0) % self._buckets)

    async def _wait_for_another_day(self) -> None:
        try:
            limits = await self._limits()
        except (*UNDELIVERED, discord.GatewayNotFound) as error:
            log.info("limits of connecting not found out error=%r", error)
            return
        if limits.remaining < self._buckets:  # one shard of each bucket may be about to identify
            log.error("shard waits: %s", _spent(limits))
            await asyncio.sleep(limits.reset_after / 1000)

    async def _limits(self) -> discord.SessionStartLimits:
        shards, limits = await gateway_limits(self._client)
        self._client.shard_count = self._client.shard_count or shards
        self._buckets = max(1, limits.max_concurrency)
        return limits

    async def _own_turn(self, bucket: int) -> None:
        now = asyncio.get_running_loop().time()
        turn = max(now, self._free[bucket])
        self._free[bucket] = turn + APART
        await asyncio.sleep(turn - now)


def _spent(limits: discord.SessionStartLimits) -> str:
    wait = timedelta(seconds=limits.reset_after // 1000)
    return (
        f"Discord lets the bot connect only {limits.remaining} more times in the next {wait} "
        f"({limits.total} a day); find out what makes it start again and again, and start it then."
    )

"""Everything of discord.py that Parlour uses beyond its documentation.

A new release may change any of it without notice. `INTERNALS` names each with its reason, a test
names those that are gone, and no other module touches such things.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import uniform
from typing import Any, Final, Literal

import aiohttp
import discord
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket
from discord.http import INTERNAL_API_VERSION, Route
from yarl import URL

INTERNALS: Final[Mapping[str, str]] = {
    "discord.http.Route.BASE": "The address of the API, so that the sandbox can stand in for it.",
    "discord.http.INTERNAL_API_VERSION": "The version of the API, which is part of that address.",
    "discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY": "The address of the gateway, likewise.",
    "discord.shard.ExponentialBackoff": (
        "The pauses of a shard that finds no gateway. They grow to 17 minutes, and nothing public "
        "bounds them."
    ),
    "client._connection.parsers": (
        "The readers of the gateway's events. The intent that tells of deleted messages tells of "
        "new and edited ones too; to read one takes as long as to answer a press."
    ),
    "client.http.bulk_upsert_global_commands": (
        "The registration of commands with a payload of one's own. `CommandTree.sync` asks a "
        "translator only for the languages of `discord.Locale`, and Arabic is none."
    ),
    "client.http.get_bot_gateway": (
        "The number of shards with the limits of the gateway: `fetch_session_start_limits` leaves "
        "it out, and discord.py would ask once more, in a request that nothing tries again."
    ),
    "client.http.request": (
        "Every request. One that is given up while Discord bids all of them to wait would end that "
        "pause for none: the bot would never send anything again."
    ),
    "client.http._global_over": "Whether that pause is over.",
    "client.http.connector": (
        "The connections of a login that failed. They are closed with its session "
        "(`client.http.close`), of which aiohttp complains else, and the next login needs others."
    ),
    "client.http._HTTPClient__session": (
        "The session of all requests, with the time in which one hears nothing until it counts as "
        "lost: aiohttp's five minutes, for which all who write the same message would wait."
    ),
    "client.http.get_from_cdn": (
        "The file of a form: `Attachment`, which would read it, is made by discord.py alone."
    ),
    "callback.__signature__": (
        "The options of a command whose handler gets a context, or whose options come from the "
        "catalogue: discord.py reads them from the signature of a callback."
    ),
    "discord.VoiceClient.warn_nacl": "A warning at each start that packages for voice are missing.",
    "discord.VoiceClient.warn_dave": "The same of another package.",
}
"""The internals used, each with its reason; `client` is any client, `callback` any command's."""

CONNECTING_AGAIN: Final = (2.0, 4.0)
"""The longest pause before connecting again is drawn from this range, in seconds."""

HEARD_WITHIN: Final = 20.0
"""Seconds without any byte of its answer after which a request counts as lost."""

INTERACTION: Final = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)


class ShortBackoff(ExponentialBackoff[Literal[False]]):
    """The pauses of a shard that cannot connect, short so that presses are soon answered again.

    discord.py's own pauses double up to 17 minutes, and start again after half an hour without.
    """

    def delay(self) -> float:
        """The seconds until the next try."""
        return min(super().delay(), uniform(*CONNECTING_AGAIN))


def api_of(url: str) -> str:
    """The address of the API of a server at `url`."""
    return f"{url}/api/v{INTERNAL_API_VERSION}"


def api() -> str:
    """The address of the API that discord.py talks to."""
    return Route.BASE


def use_server(url: str, gateway: URL) -> None:
    """Make every client talk to the server at `url` and to its gateway."""
    Route.BASE = api_of(url)
    DiscordWebSocket.DEFAULT_GATEWAY = gateway


def shorten_pauses() -> None:
    """Bound the pauses of all shards that lost their gateway."""
    discord.shard.ExponentialBackoff = ShortBackoff  # type: ignore[assignment,attr-defined]


def silence_voice() -> None:
    """Turn off discord.py's warnings about voice, which Parlour does not use."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


def ignore_events(client: discord.Client, events: Iterable[str]) -> None:
    """Have a client ignore the gateway's events of these names."""
    for event in events:
        client._connection.parsers.pop(event, None)  # noqa: SLF001


def set_options(callback: Callable[..., Any], options: Sequence[inspect.Parameter]) -> None:
    """Have discord.py find these options in a callback, whatever its own parameters are."""
    callback.__signature__ = inspect.Signature([INTERACTION, *options])  # type: ignore[attr-defined]


def end_pauses(client: discord.Client) -> None:
    """Have a client end each global rate limit even if the request that met it is cancelled."""
    begin = client.http.request

    def told(request: asyncio.Task[Any]) -> None:
        if not request.cancelled():
            request.exception()  # so that asyncio does not log it as never retrieved

    async def request(*given: Any, **named: Any) -> Any:  # noqa: ANN401
        begun = asyncio.create_task(begin(*given, **named))
        begun.add_done_callback(told)
        try:
            return await asyncio.shield(begun)
        except asyncio.CancelledError:
            if client.http._global_over.is_set():  # noqa: SLF001
                begun.cancel()
            raise

    client.http.request = request  # type: ignore[method-assign]


def lose_silent(client: discord.Client) -> None:
    """Have a logged-in client's requests time out after `HEARD_WITHIN` without any data."""
    session = client.http._HTTPClient__session  # type: ignore[attr-defined]  # noqa: SLF001
    if isinstance(session, aiohttp.ClientSession):  # a stand-in's is none
        usual = session.timeout
        session._timeout = aiohttp.ClientTimeout(  # noqa: SLF001
            total=usual.total, sock_connect=usual.sock_connect, sock_read=HEARD_WITHIN
        )


async def registered_commands(client: discord.Client) -> Sequence[Mapping[str, Any]]:
    """The commands of the application, as Discord has them; a change makes a new `version`."""
    return await client.http.get_global_commands(client.application_id or 0)


async def register_commands(
    client: discord.Client,
    payload: Any,  # noqa: ANN401
) -> Sequence[Mapping[str, Any]]:
    """Replace the commands of the application with those of a payload; return them."""
    return await client.http.bulk_upsert_global_commands(client.application_id or 0, payload)


async def gateway_limits(client: discord.Client) -> tuple[int, discord.SessionStartLimits]:
    """The number of shards that Discord recommends, and how often shards may identify."""
    shards, _, limits = await client.http.get_bot_gateway()
    return shards, discord.SessionStartLimits(**limits)


async def from_cdn(client: discord.Client, url: str) -> bytes:
    """The file at an address of Discord's."""
    return await client.http.get_from_cdn(url)


async def close_session(client: discord.Client, others: aiohttp.BaseConnector) -> None:
    """Close the HTTP session of a failed login; the next login uses the connector `others`."""
    await client.http.close()
    client.http.connector = others

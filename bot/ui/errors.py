"""The errors to expect between Parlour and Discord, and their codes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import aiohttp
import discord

from bot.service.ports import Unreachable

UNDELIVERED: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""The errors that a request to Discord may raise."""

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_GUILD: Final = 10004
UNKNOWN_MEMBER: Final = 10007
UNKNOWN_MESSAGE: Final = 10008
TOKEN_DEAD: Final = 10062
ALREADY_ACKNOWLEDGED: Final = 40060
MISSING_ACCESS: Final = 50001
MISSING_PERMISSIONS: Final = 50013
TOKEN_EXPIRED: Final = 50027
THREAD_ARCHIVED: Final = 50083
THREAD_THERE: Final = 160004

BAD_REQUEST: Final = 400
RATE_LIMITED: Final = 429
FIRST_TROUBLE: Final = 500
"""HTTP statuses: a malformed request, too many requests, and the first of server errors."""

OUT_OF_REACH: Final = frozenset(
    {
        UNKNOWN_CHANNEL,
        MISSING_ACCESS,
        50005,  # another author's message
        50007,  # no direct messages with this person
        MISSING_PERMISSIONS,
        THREAD_ARCHIVED,  # one that the bot cannot open
        50278,  # no direct messages with this person, for want of a server in common
    }
)
"""Codes of errors that will not pass until people change something, such as permissions."""


INVALID_FORM: Final = 50035
INVALID_EMOJI: Final = "Invalid emoji"


class DiscordTrouble(OSError):
    """Discord has answered with a server error, a status from 500 on, or with 429."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}")
        self.status = status


class Unanswered(Exception):
    """Discord did not accept an answer to an interaction; `error` is that of the last try.

    Errors of other requests are not wrapped.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(repr(error))
        self.error = error

    @property
    def code(self) -> int:
        """Discord's code of the error; 0 if Discord did not answer."""
        return self.error.code if isinstance(self.error, discord.HTTPException) else 0


def in_trouble(error: Exception) -> bool:
    """Whether an error means that Discord accepts no requests for now."""
    if isinstance(error, discord.HTTPException):
        return unavailable(error)
    return isinstance(error, aiohttp.ClientError | ConnectionError | DiscordTrouble | Unreachable)


def lost(error: Exception) -> bool:
    """Whether an error only means that it is too late to answer an interaction."""
    return isinstance(error, discord.HTTPException) and error.code in {
        ALREADY_ACKNOWLEDGED,
        TOKEN_DEAD,
        TOKEN_EXPIRED,
    }


def unavailable(error: Exception) -> bool:
    """Whether trying later may help: Discord was not reached, limits the rate, or has trouble."""
    if not isinstance(error, discord.HTTPException):
        return True
    return error.status == RATE_LIMITED or error.status >= FIRST_TROUBLE


@contextmanager
def reaching() -> Iterator[None]:
    """Turn trouble of a request in the block into `Unreachable`.

    Raises:
        Unreachable: Discord has trouble.
        HTTPException: Discord refuses the request.
    """
    try:
        yield
    except UNDELIVERED as error:
        if unavailable(error):
            raise Unreachable from error
        raise


def refuses_files(error: Exception) -> bool:
    """Whether Discord may accept a refused message without its files.

    It has refused edits with a picture as malformed (discord-api-docs 7529), and attaching files in
    a channel needs a permission.
    """
    if not isinstance(error, discord.HTTPException) or lacks_emoji(error) or lost(error):
        return False
    if error.code == THREAD_ARCHIVED:
        return False
    return error.status == BAD_REQUEST or error.code == MISSING_PERMISSIONS


def lacks_emoji(error: discord.HTTPException) -> bool:
    """Whether Discord refused a message because of an emoji that it does not know."""
    return error.code == INVALID_FORM and INVALID_EMOJI in error.text

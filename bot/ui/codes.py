"""What can go wrong between Parlour and Discord: the errors to expect, and their codes."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

import aiohttp
import discord

UNDELIVERED: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What a request to Discord may raise. discord.py itself retries only some of them."""

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
TOKEN_DEAD: Final = 10062
ALREADY_ACKNOWLEDGED: Final = 40060
TOKEN_EXPIRED: Final = 50027


def passing(error: Exception) -> bool:
    """Whether the same request may succeed later: the server's fault, its limits, or the line's.

    What Discord refuses for good is a channel or message that is gone, closed or out of bounds.
    """
    if not isinstance(error, discord.HTTPException):
        return True
    return (
        error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
        or error.status == HTTPStatus.TOO_MANY_REQUESTS
    )

"""The words of the gateway's protocol: operations, intents, reasons to close."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final

HEARTBEAT: Final = 41_250
"""Milliseconds between the client's heartbeats."""


class Op(IntEnum):
    """The purposes of frames."""

    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE = 4
    RESUME = 6
    RECONNECT = 7
    MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Intent(IntFlag):
    """The events that a bot can ask for, as far as the sandbox has them."""

    GUILDS = 1 << 0
    MEMBERS = 1 << 1
    PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED: Final = Intent.MEMBERS | Intent.PRESENCES | Intent.MESSAGE_CONTENT


class Close(IntEnum):
    """Why the gateway closes."""

    UNKNOWN_OP = 4001
    NOT_JSON = 4002
    NOT_AUTHENTICATED = 4003
    WRONG_TOKEN = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SHARD = 4010
    INVALID_VERSION = 4012
    DISALLOWED_INTENTS = 4014


class Closing(Exception):
    """The client has done something for which the gateway closes."""

    def __init__(self, why: Close) -> None:
        super().__init__(why.name)
        self.code = why.value

"""The news of the sandbox: each listener is called after each change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TypeAlias

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message


class MessageEvent(StrEnum):
    """The events of messages, by Discord's names."""

    WRITTEN = "MESSAGE_CREATE"
    REWRITTEN = "MESSAGE_UPDATE"
    DELETED = "MESSAGE_DELETE"
    DISMISSED = ""
    """Put away by its only reader; the bot does not notice."""


@dataclass(frozen=True, slots=True)
class MessageChange:
    """A message is new, changed, or gone."""

    message: Message
    event: MessageEvent


@dataclass(frozen=True, slots=True)
class InteractionChange:
    """A person has just `started` something, or it was answered or given up."""

    interaction: Interaction
    started: bool = False


@dataclass(frozen=True, slots=True)
class AccountChange:
    """A person has other permissions or settings."""

    account: Account


@dataclass(frozen=True, slots=True)
class ChannelChange:
    """A channel is new, changed, or gone with its messages and threads."""

    channel: Channel
    removed: bool = False
    added: bool = False


@dataclass(frozen=True, slots=True)
class BotPresence:
    """The bot has come or gone."""

    online: bool


class Notice(Enum):
    """A change of the commands or the clock, of which there is only one each."""

    COMMANDS = "commands"
    CLOCK = "clock"


Change: TypeAlias = (
    MessageChange | InteractionChange | AccountChange | ChannelChange | BotPresence | Notice
)
Listener: TypeAlias = Callable[[Change], None]


class News:
    """Passes each change on, in order, to all who listen."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._waiting: list[asyncio.Future[None]] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after each change, until the function that this returns is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, change: Change) -> None:
        """Pass on what has changed."""
        for listener in tuple(self._listeners):
            listener(change)
        self.stir()

    def stir(self) -> None:
        """Wake those who wait in `next`, without a change."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def next(self) -> None:
        """Return after the next change, or the next request of the bot."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        await future

"""The news of the sandbox: each listener is called after each change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.guild import Membership
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message


@dataclass(frozen=True, slots=True)
class Written:
    """A message is there that was not."""

    message: Message


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A message says something else."""

    message: Message


@dataclass(frozen=True, slots=True)
class Deleted:
    """A message is gone."""

    message: Message


@dataclass(frozen=True, slots=True)
class Dismissed:
    """An ephemeral message was put away by its reader; the bot does not notice."""

    message: Message


@dataclass(frozen=True, slots=True)
class Started:
    """A person has done something that the bot is told of."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class Progressed:
    """An interaction was answered or given up."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    """The bot has registered, changed or removed commands."""


@dataclass(frozen=True, slots=True)
class AccountChanged:
    """A person may do other things, or has chosen otherwise."""

    account: Account


@dataclass(frozen=True, slots=True)
class ChannelChanged:
    """A channel is another than it was, or the bot may do other things there."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class ChannelRemoved:
    """A channel is gone, with its messages and its threads."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class RoleChanged:
    """The role of everybody is another than it was."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The server is something else to the bot than it was."""

    before: Membership
    now: Membership


@dataclass(frozen=True, slots=True)
class BotPresence:
    """The bot has come or gone."""

    online: bool


@dataclass(frozen=True, slots=True)
class Advanced:
    """The clock was moved on."""


Change: TypeAlias = (
    Written
    | Rewritten
    | Deleted
    | Dismissed
    | Started
    | Progressed
    | CommandsChanged
    | AccountChanged
    | ChannelChanged
    | ChannelRemoved
    | RoleChanged
    | Moved
    | BotPresence
    | Advanced
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
        """Let those who wait look again, though nothing here has changed."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def next(self) -> None:
        """Return after the next change, or the next request of the bot."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        await future

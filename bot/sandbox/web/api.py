"""What the REST API has at hand to carry out a request, and what it looks up most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.sandbox.model.accounts import Account, Permission
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.world import World
from bot.sandbox.rules.bodies import MessageContext
from bot.sandbox.rules.callbacks import Callbacks
from bot.sandbox.rules.interactions import Interactions
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.snowflakes import Snowflake


@dataclass(frozen=True, slots=True)
class Api:
    """The world that requests are about; `gateway` is the address of the websocket."""

    world: World
    interactions: Interactions
    context: MessageContext
    callbacks: Callbacks
    gateway: Callable[[], str]

    def account(self, user: Snowflake, otherwise: Rule = Rule.UNKNOWN_USER) -> Account:
        """The account with that id.

        Raises:
            RequestRefused: There is none.
        """
        account = self.world.accounts.get(user)
        if account is None:
            raise RequestRefused(otherwise)
        return account

    def channel(self, channel_id: Snowflake, *needed: Permission) -> Channel:
        """The channel with that id, where the bot has the permissions that are `needed`.

        Raises:
            RequestRefused: There is none, or the bot may not do that there.
        """
        channel = self.world.channels.get(channel_id)
        if channel is None:
            raise RequestRefused(Rule.UNKNOWN_CHANNEL)
        if not self.world.shown(channel):
            raise RequestRefused(Rule.MISSING_ACCESS)
        if not all(channel.bot_may(permission) for permission in needed):
            raise RequestRefused(Rule.MISSING_PERMISSIONS)
        return channel

"""REST: who the bot is, where its gateway is, and what it can look up."""

from __future__ import annotations

from collections.abc import Callable

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.guild import Membership
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.web.calls import Call, Reply, Route


class GuildRoutes:
    """Looking things up; `gateway` is the address of the websocket, once it is known."""

    def __init__(self, world: World, gateway: Callable[[], str]) -> None:
        self._world = world
        self._gateway = gateway

    def routes(self) -> list[Route]:
        """The routes of this part of the API."""
        guild = "/guilds/{guild_id}"
        return [
            Route("GET", "/gateway", self._gateway_address, open=True),
            Route("GET", "/gateway/bot", self._gateway_for_bots),
            Route("GET", "/users/@me", self._me),
            Route("GET", "/users/{user_id}", self._user),
            Route("POST", "/users/@me/channels", self._direct),
            Route("GET", "/channels/{channel_id}", self._channel),
            Route("GET", guild, self._guild),
            Route("GET", f"{guild}/members/{{user_id}}", self._member),
        ]

    def _gateway_address(self, _: Call) -> Reply:
        return Reply(200, {"url": self._gateway()})

    def _gateway_for_bots(self, _: Call) -> Reply:
        starts = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        found = {"url": self._gateway(), "shards": 1, "session_start_limit": starts}
        return Reply(200, found)

    def _me(self, _: Call) -> Reply:
        bot = self._world.bot
        private: Payload = {"mfa_enabled": True, "locale": "en-US", "verified": True, "email": None}
        return Reply(200, bot.payload() | private)

    def _user(self, call: Call) -> Reply:
        return Reply(200, self._account(call, Rule.UNKNOWN_USER).payload())

    def _account(self, call: Call, otherwise: Rule) -> Account:
        account = self._world.accounts.get(call.id("user_id"))
        if account is None:
            raise RequestRefused(otherwise)
        return account

    def _direct(self, call: Call) -> Reply:
        form = call.form()
        form.require("recipient_id")
        user = form.snowflake("recipient_id")
        form.problems.check()
        account = self._world.accounts.get(user) if user is not None else None
        if account is None:
            raise RequestRefused(Rule.UNKNOWN_USER)
        channel = self._world.direct(account)
        if channel is None:
            raise RequestRefused(Rule.NO_DIRECT_MESSAGES)
        return Reply(200, channel.payload())

    def _channel(self, call: Call) -> Reply:
        channel = self._world.channels.get(call.id("channel_id"))
        if channel is None:
            raise RequestRefused(Rule.UNKNOWN_CHANNEL)
        if not self._world.shown(channel):
            raise RequestRefused(Rule.MISSING_ACCESS)
        return Reply(200, channel.payload())

    def _check_guild(self, call: Call) -> None:
        guild = self._world.guild
        if call.id("guild_id") != guild.id or guild.membership is Membership.LEFT:
            raise RequestRefused(Rule.UNKNOWN_GUILD)

    def _guild(self, call: Call) -> Reply:
        self._check_guild(call)
        return Reply(200, self._world.guild.payload())

    def _member(self, call: Call) -> Reply:
        self._check_guild(call)
        return Reply(200, self._account(call, Rule.UNKNOWN_MEMBER).full_member())

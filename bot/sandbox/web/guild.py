"""REST: the server, its members, and the bot itself."""

from __future__ import annotations

from typing import Final

from bot.sandbox.model.guild import Guild, Membership
from bot.sandbox.payload import Payload
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.web.calls import Api, Call, Routes

routes: Final = Routes()


@routes("GET", "/users/@me")
def show_bot(api: Api, _: Call) -> Payload:
    """The bot itself."""
    private: Payload = {"mfa_enabled": True, "locale": "en-US", "verified": True, "email": None}
    return api.world.bot.payload() | private


@routes("GET", "/guilds/{guild_id}")
def show_guild(api: Api, call: Call) -> Payload:
    """A server."""
    return _guild(api, call).payload()


@routes("GET", "/guilds/{guild_id}/members/{user_id}")
def show_member(api: Api, call: Call) -> Payload:
    """A member of a server."""
    _guild(api, call)
    return api.account(call.id("user_id"), Rule.UNKNOWN_MEMBER).full_member()


@routes("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", status=204)
def give_role(api: Api, call: Call) -> None:
    """A member has a role from now on."""
    guild = _guild(api, call)
    member = api.account(call.id("user_id"), Rule.UNKNOWN_MEMBER)
    role = next((each for each in guild.roles if each.id == call.id("role_id")), None)
    if role is None:
        raise RequestRefused(Rule.UNKNOWN_ROLE)
    if not guild.may_give(api.world.bot, role):
        raise RequestRefused(Rule.MISSING_PERMISSIONS)
    member.roles.add(role.id)
    guild.audit_log.append(call.reason)


def _guild(api: Api, call: Call) -> Guild:
    guild = api.world.guilds.get(call.id("guild_id"))
    if guild is None or guild.membership is Membership.LEFT:
        raise RequestRefused(Rule.UNKNOWN_GUILD)
    return guild

"""REST: the bot, its application with commands and emoji, its server, and where the gateway is."""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Annotated, Final

from pydantic import PlainSerializer

from bot.sandbox.model.accounts import Guild, Membership
from bot.sandbox.model.channels import ChannelKind
from bot.sandbox.model.commands import CommandList
from bot.sandbox.model.components import JsonForm, read
from bot.sandbox.model.news import Notice
from bot.sandbox.payload import Payload, each
from bot.sandbox.refusals import (
    INVALID_FORM,
    UNKNOWN_EMOJI,
    UNKNOWN_GUILD,
    UNKNOWN_MEMBER,
    UNKNOWN_ROLE,
    RequestRefused,
)
from bot.sandbox.web.calls import Api, Call, Routes

routes: Final = Routes()
_COMMANDS: Final = "/applications/{application_id}/commands"
_EMOJIS: Final = "/applications/{application_id}/emojis"
_DATA_URI: Final = re.compile(r"data:image/[\w.+-]+;base64,(.*)", re.DOTALL)


class InstallParams(JsonForm):
    """The scopes and permissions that an install asks for."""

    scopes: tuple[str, ...] = ()
    permissions: Annotated[int, PlainSerializer(str)] = 0


class Install(JsonForm):
    """A kind of install."""

    oauth2_install_params: InstallParams | None = None


class ApplicationForm(JsonForm):
    """The settings that a bot may change."""

    integration_types_config: dict[str, Install] | None = None


class NewEmoji(JsonForm):
    """An emoji to be made; the image is a data URI."""

    name: str
    image: str


@routes("GET", "/gateway")
def show_gateway(api: Api, _: Call) -> Payload:
    """The address of the gateway."""
    return {"url": api.gateway()}


@routes("GET", "/gateway/bot")
def show_gateway_to_bot(api: Api, _: Call) -> Payload:
    """The address of the gateway, and how often the bot may come."""
    limit = api.world.application.start_limit(api.world.clock.now())
    return {"url": api.gateway(), "shards": 1, "session_start_limit": limit}


@routes("GET", _COMMANDS)
def list_commands(api: Api, call: Call) -> list[Payload]:
    """All commands, with their translations if those are asked for."""
    translated = call.wants("with_localizations")
    return [command.payload(translated=translated) for command in api.world.commands]


@routes("PUT", _COMMANDS)
def replace_commands(api: Api, call: Call) -> list[Payload]:
    """The commands as stored in the place of all others."""
    stored = api.world.commands.replace(read(CommandList, call.sent.body).root)
    api.world.news.tell(Notice.COMMANDS)
    return [command.payload() for command in stored]


@routes("GET", _EMOJIS)
def list_emojis(api: Api, _: Call) -> Payload:
    """All emoji."""
    return {"items": [emoji.payload() for emoji in api.world.emojis.values()]}


@routes("POST", _EMOJIS, status=201)
def add_emoji(api: Api, call: Call) -> Payload:
    """A new emoji."""
    new = read(NewEmoji, call.sent.body)
    image = _DATA_URI.fullmatch(new.image)
    try:
        data = b64decode(image[1], validate=True) if image is not None else b""
    except ValueError:
        data = b""
    if not data:
        raise RequestRefused(INVALID_FORM, words="image: no data URI of a picture")
    return api.world.emojis.make(new.name, data, api.world.bot).payload()


@routes("DELETE", f"{_EMOJIS}/{{emoji_id}}")
def remove_emoji(api: Api, call: Call) -> None:
    """Forget an emoji; messages that have it show its name."""
    if api.world.emojis.pop(call.id("emoji_id"), None) is None:
        raise RequestRefused(UNKNOWN_EMOJI)


@routes("GET", "/applications/@me", "/oauth2/applications/@me")
def show_application(api: Api, _: Call) -> Payload:
    """The application whose bot is at work."""
    world = api.world
    servers = [each for each in world.guilds.values() if each.membership is not Membership.LEFT]
    return {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "description": "The bot at this sandbox.",
        "bot": world.bot.payload(),
        "bot_public": True,
        "verify_key": "0" * 64,
        "owner": world.guild.owner.payload(),
        "approximate_guild_count": len(servers),
        **each(0, "approximate_user_install_count approximate_user_authorization_count"),
        **each(None, "icon type role_connections_verification_url team"),
        **each([], "redirect_uris eligible_oauth2_scopes"),
        "explicit_content_filter": 0,
        **world.application.payload(),
    }


@routes("PATCH", "/applications/@me")
def change_application(api: Api, call: Call) -> Payload:
    """The application, installed in other ways; those that are not named are off."""
    installs = read(ApplicationForm, call.sent.body).integration_types_config
    if installs is not None:
        asked = {kind: install.oauth2_install_params for kind, install in installs.items()}
        api.world.application.installs = {
            kind: params.payload() for kind, params in asked.items() if params is not None
        }
    return show_application(api, call)


@routes("GET", "/users/@me")
def show_bot(api: Api, _: Call) -> Payload:
    """The bot itself."""
    private: Payload = {"mfa_enabled": True, "locale": "en-US", "verified": True, "email": None}
    return api.world.bot.payload() | private


@routes("GET", "/guilds/{guild_id}")
def show_guild(api: Api, call: Call) -> Payload:
    """A server."""
    return _guild(api, call).payload()


@routes("GET", "/guilds/{guild_id}/channels")
def show_channels(api: Api, call: Call) -> list[Payload]:
    """The channels of a server, without its threads."""
    guild = _guild(api, call)
    places = (place for place in api.world.channels.values() if place.guild_id == guild.id)
    return [place.payload() for place in places if place.kind is ChannelKind.TEXT]


@routes("GET", "/guilds/{guild_id}/members/{user_id}")
def show_member(api: Api, call: Call) -> Payload:
    """A member of a server."""
    _guild(api, call)
    return api.account(call.id("user_id"), UNKNOWN_MEMBER).full_member()


@routes("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", status=204)
def give_role(api: Api, call: Call) -> None:
    """A member has a role from now on."""
    guild = _guild(api, call)
    member = api.account(call.id("user_id"), UNKNOWN_MEMBER)
    role = next((each for each in guild.roles if each.id == call.id("role_id")), None)
    if role is None:
        raise RequestRefused(UNKNOWN_ROLE)
    member.roles.add(role.id)
    guild.audit_log.append(call.reason)


def _guild(api: Api, call: Call) -> Guild:
    guild = api.world.guilds.get(call.id("guild_id"))
    if guild is None or guild.membership is Membership.LEFT:
        raise RequestRefused(UNKNOWN_GUILD)
    return guild

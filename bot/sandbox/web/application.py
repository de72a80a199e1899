"""REST: the application of the bot, with its commands and emoji, and where its gateway is."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import PlainSerializer, model_validator

from bot.sandbox.model.forms import JsonForm, Number, fault, sized
from bot.sandbox.model.guild import Membership
from bot.sandbox.model.news import Notice
from bot.sandbox.payload import Payload
from bot.sandbox.rules.commands import read_commands
from bot.sandbox.rules.emojis import read_new_emoji
from bot.sandbox.rules.forms import read
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.web.calls import Api, Call, Routes

routes: Final = Routes()


class InstallParams(JsonForm):
    """The scopes and permissions that an install asks for."""

    scopes: Annotated[tuple[str, ...], sized(0, 20)] = ()
    permissions: Annotated[Number, PlainSerializer(str)] = 0

    @model_validator(mode="after")
    def _bots_have_permissions(self) -> Self:
        if self.permissions and "bot" not in self.scopes:
            words = "Permissions need the scope bot."
            raise fault("BASE_TYPE_CHOICES", words, at="permissions")
        return self


class Install(JsonForm):
    """A kind of install."""

    oauth2_install_params: InstallParams | None = None


class ApplicationForm(JsonForm):
    """The settings that a bot may change."""

    integration_types_config: dict[Literal["0", "1"], Install] | None = None


_COMMANDS: Final = "/applications/{application_id}/commands"
_EMOJIS: Final = "/applications/{application_id}/emojis"


@routes("GET", "/gateway", tokenless=True)
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
    stored = api.world.commands.replace(read_commands(call.sent.body))
    api.world.news.tell(Notice.COMMANDS)
    return [command.payload() for command in stored]


@routes("GET", _EMOJIS)
def list_emojis(api: Api, _: Call) -> Payload:
    """All emoji."""
    return {"items": [emoji.payload() for emoji in api.world.emojis.values()]}


@routes("POST", _EMOJIS, status=201)
def add_emoji(api: Api, call: Call) -> Payload:
    """A new emoji."""
    emojis = api.world.emojis
    new = read_new_emoji(call.sent.body, emojis)
    return emojis.make(new.name, new.image, api.world.bot).payload()


@routes("DELETE", f"{_EMOJIS}/{{emoji_id}}")
def remove_emoji(api: Api, call: Call) -> None:
    """Forget an emoji; messages that have it show its name."""
    if api.world.emojis.pop(call.id("emoji_id"), None) is None:
        raise RequestRefused(Rule.UNKNOWN_EMOJI)


@routes("GET", "/applications/@me", "/oauth2/applications/@me")
def show_application(api: Api, _: Call) -> Payload:
    """The application whose bot is under test."""
    world = api.world
    return {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "icon": None,
        "description": "The bot under test.",
        "type": None,
        "bot": world.bot.payload(),
        "bot_public": True,
        "verify_key": "0" * 64,
        "redirect_uris": [],
        "role_connections_verification_url": None,
        "owner": world.guild.owner.payload(),
        "approximate_guild_count": sum(
            guild.membership is not Membership.LEFT for guild in world.guilds.values()
        ),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
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

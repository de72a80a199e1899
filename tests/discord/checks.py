"""What Discord refuses, by route: checked before the sandbox carries a request out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from bot.sandbox.model.accounts import BOT, Permission
from bot.sandbox.model.channels import Channel, ChannelKind
from bot.sandbox.model.components import JsonForm
from bot.sandbox.model.interactions import Act, Answer, Interaction
from bot.sandbox.model.messages import Flag, Message
from bot.sandbox.refusals import UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK, RequestRefused
from bot.sandbox.web.calls import Api, Call
from bot.sandbox.web.messages import message_of
from bot.sandbox.web.webhooks import sent_message
from tests.discord.application import Application
from tests.discord.commands import SuggestionsForm, check_commands
from tests.discord.components import ComponentContext, ModalForm
from tests.discord.emojis import check_emoji
from tests.discord.forms import Id, Number, fault, invalid, read, sized
from tests.discord.messages import check_change, check_new
from tests.discord.rules import (
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    NOT_IN_DIRECT_MESSAGES,
    NOT_IN_THIS_CHANNEL,
    NOT_YOUR_MESSAGE,
    THREAD_ARCHIVED,
    TOO_MANY_FOLLOW_UPS,
    UNAUTHORIZED,
    UNKNOWN_APPLICATION,
)

Check: TypeAlias = Callable[[Api, Call], None]
"""Raises a `RequestRefused` for a request that breaks a rule."""

_checks: Final[dict[tuple[str, str], Check]] = {}
_WITHOUT_TOKEN: Final = ("/interactions/", "/webhooks/")
"""What stands in such paths is secret enough."""

_MESSAGES: Final = "/channels/{channel_id}/messages"
_MESSAGE: Final = f"{_MESSAGES}/{{message_id}}"
_WEBHOOK: Final = "/webhooks/{webhook_id}/{webhook_token}"
_SENT: Final = (f"{_WEBHOOK}/messages/@original", f"{_WEBHOOK}/messages/{{message_id}}")
_MOST_FOLLOW_UPS: Final = 5
"""The most follow-ups of an application that only a person has added."""

_ALLOWED: Final = {
    Act.COMMAND: frozenset({Answer.MESSAGE, Answer.THINKING, Answer.MODAL}),
    Act.COMPONENT: frozenset(Answer) - {Answer.CHOICES},
    Act.AUTOCOMPLETE: frozenset({Answer.CHOICES}),
    Act.MODAL: frozenset({Answer.MESSAGE, Answer.THINKING}),
}
_UPDATES: Final = frozenset({Answer.LATER_UPDATE, Answer.UPDATE})


def check(api: Api, call: Call) -> None:
    """Refuse what Discord refuses.

    Raises:
        RequestRefused: The call has not the bot's token, names another application or no id, or
            breaks a rule of its route.
    """
    application = api.world.application
    assert isinstance(application, Application)
    secret = call.route.path.startswith(_WITHOUT_TOKEN) or call.route.path == "/gateway"
    if not secret and call.token != f"Bot {application.token}":
        raise RequestRefused(UNAUTHORIZED)
    for name, value in call.params.items():
        if name.endswith("_id") and not value.isdecimal():
            raise invalid("NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.', at=(name,))
    if "application_id" in call.params and call.id("application_id") != BOT:
        raise RequestRefused(UNKNOWN_APPLICATION)
    if "webhook_id" in call.params and call.id("webhook_id") != BOT:
        raise RequestRefused(UNKNOWN_WEBHOOK)
    if special := _checks.get((call.route.method, call.route.path)):
        special(api, call)


def _on(method: str, *paths: str) -> Callable[[Check], Check]:
    def add(check: Check) -> Check:
        _checks.update({(method, path): check for path in paths})
        return check

    return add


class Recipient(JsonForm):
    """With whom a channel of direct messages is opened."""

    recipient_id: Id


class NonceForm(JsonForm):
    """The mark by which requests for one message are known, if it is enforced."""

    nonce: Annotated[str, BeforeValidator(str), sized(0, 25)] = ""
    enforce_nonce: bool = False


class ThreadForm(JsonForm):
    """A thread of a message."""

    name: Annotated[str, sized(1, 100)]
    auto_archive_duration: int = 1440


class ThreadChange(JsonForm):
    """What shall become of a thread."""

    archived: bool


class InstallParams(JsonForm):
    """The scopes and permissions that an install asks for."""

    scopes: Annotated[tuple[str, ...], sized(0, 20)] = ()
    permissions: Number = 0

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


class CallbackForm(JsonForm):
    """An answer: its type, and what it says."""

    type: Number
    data: dict[str, object] = Field(default_factory=dict)


class ThinkingForm(JsonForm):
    """The data of an answer that only says that the bot is thinking."""

    flags: Number = 0


@_on("PATCH", "/applications/@me")
def _application(_: Api, call: Call) -> None:
    read(ApplicationForm, call.sent.body)


@_on("PUT", "/applications/{application_id}/commands")
def _commands(_: Api, call: Call) -> None:
    check_commands(call.sent.body)


@_on("POST", "/applications/{application_id}/emojis")
def _emoji(api: Api, call: Call) -> None:
    check_emoji(call.sent.body, api.world.emojis)


@_on("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}")
def _role(api: Api, call: Call) -> None:
    world = api.world
    guild, known = world.guilds.get(call.id("guild_id")), call.id("user_id") in world.accounts
    if guild is None or not known:
        return
    own = [each for each in guild.roles if each.id in world.bot.roles]
    managing = any(Permission.MANAGE_ROLES in each.granted for each in own)
    for role in guild.roles:
        higher = any(each.position > role.position for each in own)
        may_give = managing and higher and not role.managed
        if role.id == call.id("role_id") and not may_give:
            raise RequestRefused(MISSING_PERMISSIONS)


@_on("POST", "/users/@me/channels")
def _direct(_: Api, call: Call) -> None:
    read(Recipient, call.sent.body)


@_on("GET", "/channels/{channel_id}", _MESSAGES)
def _channel(api: Api, call: Call) -> None:
    _reachable(api, call)


@_on("PATCH", "/channels/{channel_id}")
def _change(api: Api, call: Call) -> None:
    channel = _reachable(api, call, Permission.SEND_MESSAGES_IN_THREADS)
    if channel.kind is not ChannelKind.THREAD or channel.locked:  # which moderators change
        raise RequestRefused(MISSING_PERMISSIONS)
    read(ThreadChange, call.sent.body)


@_on("POST", _MESSAGES)
def _write(api: Api, call: Call) -> None:
    channel = _reachable(api, call)
    thread = channel.kind is ChannelKind.THREAD
    sending = Permission.SEND_MESSAGES_IN_THREADS if thread else Permission.SEND_MESSAGES
    files = (Permission.ATTACH_FILES,) if call.sent.uploads else ()
    _reachable(api, call, sending, *files)
    if channel.recipient is not None and not channel.recipient.takes_direct_messages:
        return  # which the sandbox refuses itself
    if channel.locked:  # else the message opens it
        _check_open(channel)
    read(NonceForm, call.sent.body)
    check_new(api.world.emojis, call.sent)


@_on("GET", _MESSAGE)
def _read(api: Api, call: Call) -> None:
    _reachable(api, call, Permission.READ_MESSAGE_HISTORY)


@_on("PATCH", _MESSAGE)
def _edit(api: Api, call: Call) -> None:
    message = _message(api, call)
    if message.author is not api.world.bot:
        raise RequestRefused(NOT_YOUR_MESSAGE)
    _check_open(message.channel)
    check_change(api.world.emojis, call.sent, message.body)


@_on("DELETE", _MESSAGE)
def _delete(api: Api, call: Call) -> None:
    message = _message(api, call)
    if message.author is not api.world.bot:
        direct = message.channel.recipient is not None
        raise RequestRefused(NOT_IN_DIRECT_MESSAGES if direct else MISSING_PERMISSIONS)
    _check_open(message.channel)


@_on("POST", f"{_MESSAGE}/threads")
def _thread(api: Api, call: Call) -> None:
    message = _message(api, call, Permission.CREATE_PUBLIC_THREADS)
    if message.channel.kind is not ChannelKind.TEXT:
        raise RequestRefused(NOT_IN_THIS_CHANNEL)
    read(ThreadForm, call.sent.body)


def _reachable(api: Api, call: Call, *needed: Permission) -> Channel:
    """The channel that the path names, where the bot has the permissions that are `needed`."""
    channel = api.channel(call.id("channel_id"))
    if not api.world.shown(channel):
        raise RequestRefused(MISSING_ACCESS)
    if not all(channel.bot_may(permission) for permission in needed):
        raise RequestRefused(MISSING_PERMISSIONS)
    return channel


def _message(api: Api, call: Call, *needed: Permission) -> Message:
    _reachable(api, call, *needed)
    return message_of(api, call)


def _check_open(channel: Channel) -> None:
    if channel.archived:
        raise RequestRefused(THREAD_ARCHIVED)


@_on("POST", "/interactions/{interaction_id}/{interaction_token}/callback")
def _respond(api: Api, call: Call) -> None:
    token = call.params["interaction_token"]
    interaction = api.interactions.unanswered(call.id("interaction_id"), token)
    form = read(CallbackForm, call.sent.body)
    allowed = _ALLOWED[interaction.act]
    if interaction.act is Act.MODAL and interaction.source is not None:
        allowed |= _UPDATES
    if form.type not in allowed:
        words = f"Value must be one of {set(map(int, allowed))}."
        raise invalid("BASE_TYPE_CHOICES", words, at=("type",))
    sent, at, emojis = replace(call.sent, body=form.data), ("data",), api.world.emojis
    match Answer(form.type):
        case Answer.MESSAGE:
            check_new(emojis, sent, at=at, also=Flag.EPHEMERAL)
        case Answer.THINKING:
            read(ThinkingForm, form.data, at=at)
        case Answer.UPDATE:
            source = interaction.source
            if source is None or source.deleted:
                raise RequestRefused(UNKNOWN_MESSAGE)
            check_change(emojis, sent, source.body, at=at)
        case Answer.MODAL:
            read(ModalForm, form.data, at=at, context=ComponentContext(emojis))
        case Answer.CHOICES:
            read(SuggestionsForm, form.data, at=at)
        case Answer.LATER_UPDATE:
            pass


@_on("POST", _WEBHOOK)
def _follow_up(api: Api, call: Call) -> None:
    interaction = _interaction(api, call)
    original = interaction.original
    if original is not None and original.thinking and not original.deleted:
        check_change(api.world.emojis, call.sent, original.body)
        return
    if interaction.by_user_alone and len(interaction.followups) >= _MOST_FOLLOW_UPS:
        raise RequestRefused(TOO_MANY_FOLLOW_UPS)
    check_new(api.world.emojis, call.sent, also=Flag.EPHEMERAL)


@_on("PATCH", *_SENT)
def _edit_sent(api: Api, call: Call) -> None:
    message = sent_message(call, _interaction(api, call))
    check_change(api.world.emojis, call.sent, message.body)


def _interaction(api: Api, call: Call) -> Interaction:
    return api.interactions.answered(call.params["webhook_token"])

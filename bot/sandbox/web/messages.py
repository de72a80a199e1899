"""REST: channels and their messages, by id, with the bot's own token."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BeforeValidator

from bot.sandbox.model.accounts import Permission
from bot.sandbox.model.channels import Channel, ChannelKind
from bot.sandbox.model.forms import Id, JsonForm, sized
from bot.sandbox.model.messages import Message
from bot.sandbox.payload import Payload
from bot.sandbox.rules.bodies import new_body
from bot.sandbox.rules.forms import read
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.web.calls import Api, Call, Routes
from bot.sandbox.web.views import to_bot

routes: Final = Routes()
_MESSAGES: Final = "/channels/{channel_id}/messages"
_MESSAGE: Final = f"{_MESSAGES}/{{message_id}}"
_NONCE_LASTS: Final = 120.0
"""Seconds; Discord says "the past few minutes"."""


class Recipient(JsonForm):
    """With whom a channel of direct messages is opened."""

    recipient_id: Id


class NonceForm(JsonForm):
    """The mark by which requests for one message are known, if it is enforced."""

    nonce: Annotated[str, BeforeValidator(str), sized(0, 25)] = ""
    enforce_nonce: bool = False


@routes("POST", "/users/@me/channels")
def open_direct(api: Api, call: Call) -> Payload:
    """The channel of direct messages with a person."""
    channel = api.world.direct(api.account(read(Recipient, call.sent.body).recipient_id))
    if channel is None:
        raise RequestRefused(Rule.NO_DIRECT_MESSAGES)
    return channel.payload()


@routes("GET", "/channels/{channel_id}")
def show_channel(api: Api, call: Call) -> Payload:
    """A channel."""
    return api.channel(call.id("channel_id")).payload()


@routes("POST", _MESSAGES)
def write(api: Api, call: Call) -> Payload:
    """A new message, or the one that was made of the same nonce."""
    channel = api.channel(call.id("channel_id"))
    thread = channel.kind is ChannelKind.THREAD
    sending = Permission.SEND_MESSAGES_IN_THREADS if thread else Permission.SEND_MESSAGES
    files = (Permission.ATTACH_FILES,) if call.sent.uploads else ()
    api.channel(channel.id, sending, *files)
    if channel.recipient is not None and not channel.recipient.takes_direct_messages:
        raise RequestRefused(Rule.NO_DIRECT_MESSAGES)
    _check_open(channel)
    form = read(NonceForm, call.sent.body)
    message = _made_before(api, form)
    if message is None:
        body = new_body(call.draft(), api.context)
        message = api.world.write(channel, api.world.bot, body)
        api.world.by_nonce[form.nonce] = message
    return to_bot(message) | ({"nonce": form.nonce} if form.nonce else {})


@routes("GET", _MESSAGES)
def latest(api: Api, call: Call) -> list[Payload]:
    """The latest messages, the newest first."""
    channel = api.channel(call.id("channel_id"), Permission.READ_MESSAGE_HISTORY)
    seen = [each for each in api.world.messages(channel) if not each.ephemeral]
    return [to_bot(each) for each in seen[: -int(call.query.get("limit", "50")) - 1 : -1]]


@routes("GET", _MESSAGE)
def show(api: Api, call: Call) -> Payload:
    """A message."""
    return to_bot(_message(api, call, Permission.READ_MESSAGE_HISTORY))


@routes("PATCH", _MESSAGE)
def edit(api: Api, call: Call) -> Payload:
    """A message of the bot, changed."""
    message = _message(api, call)
    if message.author is not api.world.bot:
        raise RequestRefused(Rule.NOT_YOUR_MESSAGE)
    _check_open(message.channel)
    api.callbacks.edit(message, call.draft())
    return to_bot(message)


@routes("DELETE", _MESSAGE)
def delete(api: Api, call: Call) -> None:
    """Remove a message of the bot."""
    message = _message(api, call)
    if message.author is not api.world.bot:
        direct = message.channel.recipient is not None
        raise RequestRefused(Rule.NOT_IN_DIRECT_MESSAGES if direct else Rule.MISSING_PERMISSIONS)
    _check_open(message.channel)
    api.world.delete(message)


class ThreadForm(JsonForm):
    """A thread of a message."""

    name: Annotated[str, sized(1, 100)]
    auto_archive_duration: int = 1440


@routes("POST", f"{_MESSAGE}/threads", status=201)
def open_thread(api: Api, call: Call) -> Payload:
    """A thread of a message."""
    message = _message(api, call, Permission.CREATE_PUBLIC_THREADS)
    if message.channel.kind is not ChannelKind.TEXT:
        raise RequestRefused(Rule.NOT_IN_THIS_CHANNEL)
    name = read(ThreadForm, call.sent.body).name
    thread = api.world.open_thread(message, name)
    if thread is None:
        raise RequestRefused(Rule.THREAD_THERE)
    return thread.payload()


def _made_before(api: Api, form: NonceForm) -> Message | None:
    message = api.world.by_nonce.get(form.nonce) if form.nonce and form.enforce_nonce else None
    if message is None or message.written + _NONCE_LASTS < api.world.clock.now():
        return None
    if message.deleted:
        raise RequestRefused(Rule.UNKNOWN_MESSAGE)
    return message


def _message(api: Api, call: Call, *needed: Permission) -> Message:
    channel = api.channel(call.id("channel_id"), *needed)
    message = api.world.message(channel, call.id("message_id"))
    if message is None or message.ephemeral:
        raise RequestRefused(Rule.UNKNOWN_MESSAGE)
    return message


def _check_open(channel: Channel) -> None:
    if channel.archived:
        raise RequestRefused(Rule.THREAD_ARCHIVED)

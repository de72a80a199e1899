"""REST: channels and their messages, by id, and what a message shall say.

In a change, a field that is absent stays as it was and one that is null is emptied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Final

from pydantic import BeforeValidator, Field

from bot.sandbox.model.accounts import Account, Permission
from bot.sandbox.model.components import Block, Component, Id, JsonForm, arrange, read, texts
from bot.sandbox.model.files import MessageFile
from bot.sandbox.model.messages import PLAIN, Body, Flag, Message
from bot.sandbox.payload import Payload, Snowflake, is_object
from bot.sandbox.refusals import NO_DIRECT_MESSAGES, THREAD_THERE, UNKNOWN_MESSAGE, RequestRefused
from bot.sandbox.web.calls import Api, Call, Routes, Sent
from bot.sandbox.web.views import to_bot

routes: Final = Routes()
_MESSAGES: Final = "/channels/{channel_id}/messages"
_MESSAGE: Final = f"{_MESSAGES}/{{message_id}}"
_READING: Final = Permission.READ_MESSAGE_HISTORY
_NONCE_LASTS: Final = 120.0
"""Seconds; Discord says "the past few minutes"."""

_CAN_CHANGE: Final = Flag.SUPPRESS_EMBEDS | Flag.COMPONENTS_V2
_CAN_SET: Final = _CAN_CHANGE | Flag.SUPPRESS_NOTIFICATIONS
_CODE: Final = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_USER: Final = re.compile(r"<@!?(\d{1,20})>")
_EVERYONE: Final = re.compile(r"@(everyone|here)\b")
_PAGE: Final = 50
"""The messages that are sent at once, unless the bot asks for another number."""


class AttachmentForm(JsonForm):
    """A file that the message keeps, or one that comes with the request."""

    id: Id
    description: str | None = None


class AllowedMentions(JsonForm):
    """The mentions that notify."""

    kinds: Annotated[frozenset[str], Field(alias="parse")] = frozenset()
    users: tuple[Id, ...] = ()

    def admits(self, user: Snowflake) -> bool:
        """Whether the user may be mentioned."""
        return "users" in self.kinds or user in self.users


_EVERYBODY: Final = AllowedMentions(parse=["users", "everyone"])  # type: ignore[call-arg]


class MessageForm(JsonForm):
    """The fields of a message."""

    content: str = ""
    flags: int | None = None
    attachments: tuple[AttachmentForm, ...] = ()
    allowed_mentions: AllowedMentions = _EVERYBODY
    components: tuple[Block, ...] = ()


def new_body(api: Api, sent: Sent, *, also: Flag = PLAIN) -> Body:
    """The body of a new message; flags in `also` may be set besides the usual ones.

    Raises:
        RequestRefused: The request is no message.
    """
    form = read(MessageForm, sent.body)
    flags = Flag(form.flags or 0) & (_CAN_SET | also)
    return _written(api, form, sent, Body(flags=flags))


def rewrite(api: Api, message: Message, sent: Sent) -> None:
    """Let a message say what a request wants it to say.

    Raises:
        RequestRefused: The request is no message.
    """
    form, before = read(MessageForm, sent.body), message.body
    flags = before.flags & ~Flag.LOADING
    if form.flags is not None:
        flags = flags & ~Flag.SUPPRESS_EMBEDS | Flag(form.flags) & _CAN_CHANGE
    api.world.rewrite(message, _written(api, form, sent, replace(before, flags=flags)))


def _written(api: Api, form: MessageForm, sent: Sent, before: Body) -> Body:
    given: Payload = sent.body if is_object(sent.body) else {}
    listed = form.attachments if "attachments" in given else None
    files = _files(api, listed, sent, before.attachments)
    components: Sequence[Component] = before.components
    if "components" in given:
        components = form.components
        arrange(components, api.world.emojis, {each.filename: each for each in files})
    content = form.content if "content" in given else before.content
    said = (content, *texts(components))
    return Body(content, components, files, before.flags, *_mentioned(api, said, form))


def _files(
    api: Api,
    listed: Sequence[AttachmentForm] | None,
    sent: Sent,
    before: Sequence[MessageFile],
) -> tuple[MessageFile, ...]:
    """The files of a message: those of `before` that are listed, or all without a list, and new."""
    named = {each.id: each.description for each in listed or ()}
    kept = (
        replace(each, description=described)
        if (described := named.get(each.id)) is not None
        else each
        for each in before
        if listed is None or each.id in named
    )
    new = (api.world.keep(each, named.get(Snowflake(each.index)) or "") for each in sent.uploads)
    return (*kept, *new)


def _mentioned(
    api: Api, said: Iterable[str], form: MessageForm
) -> tuple[tuple[Account, ...], bool]:
    """The accounts that the texts mention, in order, and whether everyone is mentioned."""
    plain, allowed = _CODE.sub("", "\n".join(said)), form.allowed_mentions
    accounts: Mapping[Snowflake, Account] = api.world.accounts
    named = dict.fromkeys(Snowflake(int(digits)) for digits in _USER.findall(plain))
    users = (accounts[user] for user in named if user in accounts and allowed.admits(user))
    everyone = "everyone" in allowed.kinds and _EVERYONE.search(plain) is not None
    return tuple(users), everyone


class Recipient(JsonForm):
    """With whom a channel of direct messages is opened."""

    recipient_id: Id


class NonceForm(JsonForm):
    """The mark by which requests for one message are known, if it is enforced."""

    nonce: Annotated[str, BeforeValidator(str)] = ""
    enforce_nonce: bool = False


class ThreadForm(JsonForm):
    """A thread of a message."""

    name: str


class ThreadChange(JsonForm):
    """What shall become of a thread."""

    archived: bool


@routes("POST", "/users/@me/channels")
def open_direct(api: Api, call: Call) -> Payload:
    """The channel of direct messages with a person."""
    channel = api.world.direct(api.account(read(Recipient, call.sent.body).recipient_id))
    if channel is None:
        raise RequestRefused(NO_DIRECT_MESSAGES)
    return channel.payload()


@routes("GET", "/channels/{channel_id}")
def show_channel(api: Api, call: Call) -> Payload:
    """A channel."""
    return api.channel(call.id("channel_id")).payload()


@routes("PATCH", "/channels/{channel_id}")
def change_channel(api: Api, call: Call) -> Payload:
    """A thread, archived or open again."""
    thread = api.channel(call.id("channel_id"))
    api.world.archive(thread, archived=read(ThreadChange, call.sent.body).archived)
    return thread.payload()


@routes("POST", _MESSAGES)
def write(api: Api, call: Call) -> Payload:
    """A new message, or the one that was made with the same nonce."""
    channel = api.channel(call.id("channel_id"))
    if channel.recipient is not None and not channel.recipient.takes_direct_messages:
        raise RequestRefused(NO_DIRECT_MESSAGES)
    form = read(NonceForm, call.sent.body)
    message = _made_before(api, form)
    if message is None:
        message = api.world.write(channel, api.world.bot, new_body(api, call.sent))
        api.world.by_nonce[form.nonce] = message
    return to_bot(message) | ({"nonce": form.nonce} if form.nonce else {})


@routes("GET", _MESSAGES)
def latest(api: Api, call: Call) -> list[Payload]:
    """The latest messages, the newest first; none where the bot may not read them."""
    channel = api.channel(call.id("channel_id"))
    messages = api.world.messages(channel) if channel.bot_may(_READING) else []
    limit = call.query.get("limit", "")
    most = int(limit) if limit.isdecimal() and len(limit) <= 3 else _PAGE
    return [to_bot(each) for each in reversed(messages) if not each.ephemeral][:most]


@routes("GET", _MESSAGE)
def show(api: Api, call: Call) -> Payload:
    """A message."""
    return to_bot(message_of(api, call))


@routes("PATCH", _MESSAGE)
def edit(api: Api, call: Call) -> Payload:
    """A message, changed."""
    message = message_of(api, call)
    rewrite(api, message, call.sent)
    return to_bot(message)


@routes("DELETE", _MESSAGE)
def delete(api: Api, call: Call) -> None:
    """Remove a message."""
    api.world.delete(message_of(api, call))


@routes("POST", f"{_MESSAGE}/threads", status=201)
def open_thread(api: Api, call: Call) -> Payload:
    """A thread of a message."""
    name = read(ThreadForm, call.sent.body).name
    message = message_of(api, call)
    thread = api.world.open_thread(message, name)
    if thread is None:
        raise RequestRefused(THREAD_THERE)
    return thread.payload()


def message_of(api: Api, call: Call) -> Message:
    """The message that the path names.

    Raises:
        RequestRefused: There is none, or one person alone sees it.
    """
    message = api.world.message(api.channel(call.id("channel_id")), call.id("message_id"))
    if message is None or message.ephemeral:
        raise RequestRefused(UNKNOWN_MESSAGE)
    return message


def _made_before(api: Api, form: NonceForm) -> Message | None:
    message = api.world.by_nonce.get(form.nonce) if form.nonce and form.enforce_nonce else None
    if message is None or message.written + _NONCE_LASTS < api.world.clock.now():
        return None
    if message.deleted:
        raise RequestRefused(UNKNOWN_MESSAGE)
    return message

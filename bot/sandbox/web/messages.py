"""REST: the messages of a channel."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Final

from bot.sandbox.model.accounts import Permission
from bot.sandbox.model.channels import Channel, Place
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import World
from bot.sandbox.rules.bodies import Desk, new_body
from bot.sandbox.rules.callbacks import Callbacks
from bot.sandbox.rules.forms import Form
from bot.sandbox.rules.refusals import Refused, Rule
from bot.sandbox.snowflakes import Snowflake
from bot.sandbox.web.calls import NOTHING, Call, Reply, Route
from bot.sandbox.web.views import to_bot

_REPLY: Final = 19


class Messages:
    """What the bot may do with messages by channel and id, with its own token."""

    def __init__(self, world: World, desk: Desk, callbacks: Callbacks) -> None:
        self._world = world
        self._desk = desk
        self._callbacks = callbacks

    def routes(self) -> list[Route]:
        """The routes of this part of the API."""
        all_of_them = "/channels/{channel_id}/messages"
        one = f"{all_of_them}/{{message_id}}"
        return [
            Route("GET", all_of_them, self._list),
            Route("POST", all_of_them, self._create),
            Route("GET", one, self._get),
            Route("PATCH", one, self._edit),
            Route("DELETE", one, self._delete),
            Route("POST", "/channels/{channel_id}/typing", self._type),
        ]

    def _channel(self, call: Call, *needed: Permission) -> Channel:
        channel = self._world.channels.get(call.id("channel_id"))
        if channel is None:
            raise Refused(Rule.UNKNOWN_CHANNEL)
        if not self._world.shown(channel):
            raise Refused(Rule.MISSING_ACCESS)
        if not all(channel.bot_may(permission) for permission in needed):
            raise Refused(Rule.MISSING_PERMISSIONS)
        return channel

    def _writable(self, call: Call) -> Channel:
        channel = self._channel(call)
        thread = channel.place is Place.THREAD
        sending = Permission.SEND_MESSAGES_IN_THREADS if thread else Permission.SEND_MESSAGES
        files = (Permission.ATTACH_FILES,) if call.uploads else ()
        if not all(channel.bot_may(permission) for permission in (sending, *files)):
            raise Refused(Rule.MISSING_PERMISSIONS)
        if channel.recipient is not None and not channel.recipient.takes_direct_messages:
            raise Refused(Rule.NO_DIRECT_MESSAGES)
        return channel

    def _message(self, call: Call, channel: Channel) -> Message:
        message = channel.messages.get(call.id("message_id"))
        if message is None or message.ephemeral:
            raise Refused(Rule.UNKNOWN_MESSAGE)
        return message

    def _list(self, call: Call) -> Reply:
        channel = self._channel(call)
        asked = call.asked()
        limit = asked.number("limit", default=50, least=1, most=100)
        before, after = asked.snowflake("before"), asked.snowflake("after")
        around = asked.snowflake("around")
        asked.problems.check()
        if not channel.bot_may(Permission.READ_MESSAGE_HISTORY):
            return Reply(200, [])
        found = [each for each in channel.messages.values() if not each.ephemeral]
        if around is not None:
            first = bisect_left(found, around, key=_id) - limit // 2
            chosen = found[max(first, 0) :][:limit]
        elif after is not None:
            chosen = found[bisect_right(found, after, key=_id) :][:limit]
        else:
            end = len(found) if before is None else bisect_left(found, before, key=_id)
            chosen = found[max(end - limit, 0) : end]
        return Reply(200, [to_bot(message) for message in reversed(chosen)])

    def _create(self, call: Call) -> Reply:
        channel = self._writable(call)
        if channel.archived:
            raise Refused(Rule.THREAD_ARCHIVED)
        form = call.form()
        replied_to = self._replied_to(form, channel)
        draft = new_body(form, call.uploads, self._desk)
        nonce = form.value("nonce")
        message = self._world.write(
            channel,
            self._world.bot,
            draft.body,
            kind=0 if replied_to is None else _REPLY,
            reply_to=replied_to,
            replied=draft.allowed.replied,
            nonce=nonce if isinstance(nonce, str | int) else None,
        )
        return Reply(200, to_bot(message))

    def _replied_to(self, form: Form, channel: Channel) -> Message | None:
        part = form.part("message_reference")
        if part is None:
            return None
        part.require("message_id")
        message = channel.messages.get(part.snowflake("message_id") or self._world.guild.id)
        if (message is None or message.ephemeral) and part.flag("fail_if_not_exists", default=True):
            form.fail("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return None if message is None or message.ephemeral else message

    def _get(self, call: Call) -> Reply:
        channel = self._channel(call, Permission.READ_MESSAGE_HISTORY)
        return Reply(200, to_bot(self._message(call, channel)))

    def _edit(self, call: Call) -> Reply:
        channel = self._channel(call)
        message = self._message(call, channel)
        if message.author is not self._world.bot:
            raise Refused(Rule.NOT_YOUR_MESSAGE)
        if channel.archived:
            raise Refused(Rule.THREAD_ARCHIVED)
        self._callbacks.edit(message, call.form(), call.uploads)
        return Reply(200, to_bot(message))

    def _delete(self, call: Call) -> Reply:
        channel = self._channel(call)
        message = self._message(call, channel)
        if message.author is not self._world.bot:
            direct = channel.place is Place.DIRECT
            raise Refused(Rule.NOT_IN_DIRECT_MESSAGES if direct else Rule.MISSING_PERMISSIONS)
        if channel.archived:
            raise Refused(Rule.THREAD_ARCHIVED)
        self._world.delete(message)
        return NOTHING

    def _type(self, call: Call) -> Reply:
        self._writable(call)
        return NOTHING


def _id(message: Message) -> Snowflake:
    return message.id

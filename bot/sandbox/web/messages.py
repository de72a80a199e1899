"""REST: the messages of a channel."""

from __future__ import annotations

from bot.sandbox.model.accounts import Permission
from bot.sandbox.model.channels import Channel, ChannelKind
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import World
from bot.sandbox.rules.bodies import MessageContext, new_body
from bot.sandbox.rules.callbacks import Callbacks
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.web.calls import NOTHING, Call, Reply, Route
from bot.sandbox.web.views import to_bot


class MessageRoutes:
    """What the bot may do with messages by channel and id, with its own token."""

    def __init__(self, world: World, context: MessageContext, callbacks: Callbacks) -> None:
        self._world = world
        self._context = context
        self._callbacks = callbacks

    def routes(self) -> list[Route]:
        """The routes of this part of the API."""
        all_of_them = "/channels/{channel_id}/messages"
        one = f"{all_of_them}/{{message_id}}"
        return [
            Route("POST", all_of_them, self._create),
            Route("GET", one, self._get),
            Route("PATCH", one, self._edit),
            Route("DELETE", one, self._delete),
        ]

    def _channel(self, call: Call, *needed: Permission) -> Channel:
        channel = self._world.channels.get(call.id("channel_id"))
        if channel is None:
            raise RequestRefused(Rule.UNKNOWN_CHANNEL)
        if not self._world.shown(channel):
            raise RequestRefused(Rule.MISSING_ACCESS)
        if not all(channel.bot_may(permission) for permission in needed):
            raise RequestRefused(Rule.MISSING_PERMISSIONS)
        return channel

    def _writable(self, call: Call) -> Channel:
        channel = self._channel(call)
        thread = channel.kind is ChannelKind.THREAD
        sending = Permission.SEND_MESSAGES_IN_THREADS if thread else Permission.SEND_MESSAGES
        files = (Permission.ATTACH_FILES,) if call.uploads else ()
        if not all(channel.bot_may(permission) for permission in (sending, *files)):
            raise RequestRefused(Rule.MISSING_PERMISSIONS)
        if channel.recipient is not None and not channel.recipient.takes_direct_messages:
            raise RequestRefused(Rule.NO_DIRECT_MESSAGES)
        return channel

    def _message(self, call: Call, channel: Channel) -> Message:
        message = self._world.message(channel, call.id("message_id"))
        if message is None or message.ephemeral:
            raise RequestRefused(Rule.UNKNOWN_MESSAGE)
        return message

    def _create(self, call: Call) -> Reply:
        channel = self._writable(call)
        if channel.archived:
            raise RequestRefused(Rule.THREAD_ARCHIVED)
        body = new_body(call.form(), call.uploads, self._context)
        return Reply(200, to_bot(self._world.write(channel, self._world.bot, body)))

    def _get(self, call: Call) -> Reply:
        channel = self._channel(call, Permission.READ_MESSAGE_HISTORY)
        return Reply(200, to_bot(self._message(call, channel)))

    def _edit(self, call: Call) -> Reply:
        channel = self._channel(call)
        message = self._message(call, channel)
        if message.author is not self._world.bot:
            raise RequestRefused(Rule.NOT_YOUR_MESSAGE)
        if channel.archived:
            raise RequestRefused(Rule.THREAD_ARCHIVED)
        self._callbacks.edit(message, call.form(), call.uploads)
        return Reply(200, to_bot(message))

    def _delete(self, call: Call) -> Reply:
        channel = self._channel(call)
        message = self._message(call, channel)
        if message.author is not self._world.bot:
            direct = channel.kind is ChannelKind.DIRECT
            raise RequestRefused(
                Rule.NOT_IN_DIRECT_MESSAGES if direct else Rule.MISSING_PERMISSIONS
            )
        if channel.archived:
            raise RequestRefused(Rule.THREAD_ARCHIVED)
        self._world.delete(message)
        return NOTHING

"""The whole of the sandbox's Discord: a server or several, people, channels, all messages.

The ids of what is there from the start are the same at every start, so that a bot with a memory
finds its channels and players again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from bot.sandbox.model.accounts import (
    BOT,
    USUAL,
    Account,
    Application,
    Guild,
    Membership,
    Permission,
    residents,
)
from bot.sandbox.model.channels import Channel, ChannelKind
from bot.sandbox.model.commands import RegisteredCommands
from bot.sandbox.model.files import ApplicationEmojis, MessageFile, Upload
from bot.sandbox.model.messages import Body, Flag, Message
from bot.sandbox.model.news import (
    AccountChange,
    ChannelChange,
    MessageChange,
    MessageEvent,
    News,
    Notice,
)
from bot.sandbox.payload import Mint, Payload, SandboxClock, Snowflake, fixed

# Odd, so that with two shards the server is not on the one of the direct messages.
_GUILD: Final = fixed(1)
_GAMES: Final = fixed(2)
_LOUNGE: Final = fixed(3)
_THREAD: Final = fixed(4)
_ELSEWHERE: Final = fixed(5)
_THEIR_CHANNEL: Final = fixed(6)
_GROUP: Final = fixed(7)
_PAIR: Final = fixed(8)
_FIRST_DIRECT: Final = 20


class World:
    """Everything that is there, and the only place where it is changed.

    `keep` puts a file where it can be fetched, with its description.
    """

    keep: Callable[[Upload, str], MessageFile]

    def __init__(self, clock: SandboxClock, application: Application, locale: str) -> None:
        self.clock = clock
        self.mint = Mint(clock)
        self.news = News()
        self.commands = RegisteredCommands(self.mint)
        self.emojis = ApplicationEmojis(self.mint)
        self.application = application
        self.accounts = {account.id: account for account in residents()}
        self.people = [account for account in self.accounts.values() if not account.bot]
        self.bot = self.accounts[BOT]
        self.guild = Guild(_GUILD, "Parlour", self.people[0], locale)
        robot = next(each for each in self.accounts.values() if each.bot and each.id != BOT)
        elsewhere = Guild(_ELSEWHERE, "Another server", robot, locale, Membership.LEFT)
        self.guilds = {guild.id: guild for guild in (self.guild, elsewhere)}
        self.channels = {channel.id: channel for channel in self._places()}
        self._messages: dict[Channel, dict[Snowflake, Message]] = {}
        self.by_nonce: dict[str, Message] = {}
        self._opened: set[Snowflake] = set()

    def _places(self) -> Iterable[Channel]:
        guild = self.guild.id
        yield Channel(_GAMES, "games", ChannelKind.TEXT, guild)
        yield Channel(_LOUNGE, "lounge", ChannelKind.TEXT, guild, position=1)
        yield Channel(_THREAD, "games-thread", ChannelKind.THREAD, guild, parent_id=_GAMES)
        for number, person in enumerate(self.people, _FIRST_DIRECT):
            name = f"direct messages with {person.name}"
            yield Channel(fixed(number), name, ChannelKind.DIRECT, recipient=person)
        yield Channel(_THEIR_CHANNEL, "another-server", ChannelKind.TEXT, _ELSEWHERE)
        everybody, (first, second, *_) = tuple(self.people), self.people
        yield Channel(_GROUP, "group-chat", ChannelKind.GROUP, between=everybody)
        name = f"{first.name}-and-{second.name}".lower()
        yield Channel(_PAIR, name, ChannelKind.DIRECT, between=(first, second))

    def messages(self, channel: Channel) -> list[Message]:
        """All messages of the channel, oldest first."""
        return list(self._messages.get(channel, {}).values())

    def message(self, channel: Channel, message_id: Snowflake) -> Message | None:
        """The message with that id in the channel."""
        return self._messages.get(channel, {}).get(message_id)

    def open_thread(self, message: Message, name: str) -> Channel | None:
        """The new thread of a message, which has its id; None if there is one already."""
        if message.id in self.channels:
            return None
        of = message.channel
        thread = Channel(message.id, name, ChannelKind.THREAD, of.guild_id, parent_id=of.id)
        self.channels[thread.id] = thread
        self._opened.add(thread.id)
        self.news.tell(ChannelChange(thread, added=True))
        return thread

    def archive(self, thread: Channel, *, archived: bool = True) -> None:
        """Archive the thread, or open it again."""
        thread.archived = archived
        self.news.tell(ChannelChange(thread))

    def direct(self, account: Account) -> Channel | None:
        """The channel of direct messages between the bot and the account."""
        found = (each for each in self.channels.values() if each.recipient is account)
        return next(found, None)

    def write(
        self,
        channel: Channel,
        author: Account,
        body: Body,
        *,
        kind: int = 0,
        reader: Account | None = None,
        origin: Payload | None = None,
        reply_to: Message | None = None,
    ) -> Message:
        """The new message; only a `reader` sees it where there is one.

        One for everybody opens a thread that is archived.
        """
        if reader is None and channel.archived:
            self.archive(channel, archived=False)
        message = Message(
            self.mint(),
            channel,
            author,
            self.clock.now(),
            body,
            kind,
            reader=reader,
            origin=origin or {},
            reference=None if reply_to is None else reply_to.id,
        )
        if reader is None and Flag.SUPPRESS_NOTIFICATIONS not in body.flags:
            message.pinged = self._notified(message)
        if reader is None:
            channel.latest = message.id
        self._messages.setdefault(channel, {})[message.id] = message
        self.news.tell(MessageChange(message, MessageEvent.WRITTEN))
        return message

    def _notified(self, message: Message) -> frozenset[str]:
        everybody = self.people if message.body.everyone else ()
        return frozenset(
            account.name
            for account in (*message.body.mentions, *everybody)
            if message.channel.open_to(account) and account is not message.author
        )

    def rewrite(self, message: Message, body: Body) -> None:
        """Let the message say `body`. Nobody is notified of that."""
        message.rewrite(body, self.clock.now())
        self.news.tell(MessageChange(message, MessageEvent.REWRITTEN))

    def delete(self, message: Message) -> None:
        """Remove the message."""
        message.deleted = True
        del self._messages[message.channel][message.id]
        self.news.tell(MessageChange(message, MessageEvent.DELETED))

    def dismiss(self, message: Message) -> None:
        """Put an ephemeral message out of its reader's sight; the bot does not notice."""
        if message.reader is not None:
            message.reader.dismissed.add(message.id)
            self.news.tell(MessageChange(message, MessageEvent.DISMISSED))

    def change(
        self,
        account: Account,
        *,
        granted: Permission | None = None,
        locale: str | None = None,
        takes_direct_messages: bool | None = None,
        has_app: bool | None = None,
    ) -> None:
        """Let the account have just these permissions in the server, or these settings."""
        account.granted = account.granted if granted is None else granted
        account.locale = locale or account.locale
        if takes_direct_messages is not None:
            account.takes_direct_messages = takes_direct_messages
        account.has_app = account.has_app if has_app is None else has_app
        self.news.tell(AccountChange(account))

    def advance(self, seconds: float) -> None:
        """Move the time of the sandbox on, and that of a bot that has its clock."""
        self.clock.advance(seconds)
        self.news.tell(Notice.CLOCK)

    def clear(self) -> None:
        """Remove every message and its thread, and let the people be as they were at the start."""
        self.by_nonce.clear()
        for channel in self.channels.values():
            for message in self.messages(channel):
                self.delete(message)
        for thread in [each for each in self.channels.values() if each.id in self._opened]:
            self._opened.remove(thread.id)
            self.news.tell(ChannelChange(self.channels.pop(thread.id), removed=True))
        for start in residents():
            self.accounts[start.id].roles = start.roles
            self.change(
                self.accounts[start.id],
                granted=start.granted,
                locale=start.locale,
                takes_direct_messages=start.takes_direct_messages,
            )

    def guild_of(self, channel: Channel) -> Guild | None:
        """The server that a channel is in; direct messages are in none."""
        return None if channel.guild_id is None else self.guilds[channel.guild_id]

    def inside(self, channel: Channel) -> bool:
        """Whether the bot is a member of where the channel is, be there an outage or not."""
        guild = self.guild_of(channel)
        return not channel.between and (guild is None or guild.membership is not Membership.LEFT)

    def shown(self, channel: Channel) -> bool:
        """Whether the bot can see the channel."""
        return self.inside(channel) and channel.bot_may(Permission.VIEW_CHANNEL)

    def permissions(self, account: Account, channel: Channel) -> Permission:
        """The permissions of a person in a channel."""
        own = account.permissions if self.inside(channel) else USUAL
        return own if channel.external_apps else own & ~Permission.USE_EXTERNAL_APPS

    def seen(self, account: Account, channel: Channel) -> list[Message]:
        """The messages of the channel that the account sees, newest last."""
        if not channel.open_to(account):
            return []
        return [each for each in self.messages(channel) if self.sees(account, each)]

    def sees(self, account: Account, message: Message) -> bool:
        """Whether the account sees the message."""
        return (
            not message.deleted
            and message.channel.open_to(account)
            and message.reader in {None, account}
            and message.id not in account.dismissed
        )

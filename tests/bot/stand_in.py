"""The strict Discord as tests use it: what is in it by name, waiting, and trouble on purpose.

```python
async with Sandbox() as sandbox:            # a free port on 127.0.0.1
    ...                                     # start a bot, as in `tests/bot/connection.py`
    await sandbox.bot_ready()
    ann, ben = sandbox.person("Ann"), sandbox.person("Ben")
    games = sandbox.channel("games")
    interaction = await (await ann.type(games, "tictactoe", opponent=ben)).answered()
    await ben.press(interaction.message, "Accept")
    await sandbox.until(lambda: len(interaction.message.buttons) > 9)
```
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TypeVar

from aiohttp import web

import bot.sandbox
from bot.sandbox import Channel, ChannelKind, Interaction, Membership, Message, Payload, Permission
from bot.sandbox.model.accounts import Guild, Role
from bot.sandbox.model.commands import RegisteredCommand
from bot.sandbox.model.news import ChannelChange
from bot.sandbox.payload import SandboxClock, Snowflake, fixed
from bot.sandbox.refusals import RequestRefused
from bot.sandbox.web.calls import Reply
from bot.sandbox.web.gateway import Intent
from bot.sandbox.web.server import response
from bot.sandbox.web.views import guild_event
from tests.bot.people import Person
from tests.bot.portrait import portrait
from tests.bot.trouble import TroubledWire
from tests.discord.application import Application
from tests.discord.gateway import RECONNECT, StrictGateway
from tests.discord.rules import NO_SUCH_ROUTE, WRONG_METHOD

T = TypeVar("T")


_FURTHER_GUILDS, _THEIR_GAMES = 1000, 2000


class Sandbox(bot.sandbox.Sandbox):
    """A strict Discord on this machine; `port` 0 takes a free one.

    Of several `guilds` the second has one channel, "games-2", and so on.
    """

    application_kind = Application
    gateway_kind = StrictGateway
    gateway: StrictGateway

    def __init__(
        self,
        *,
        port: int = 0,
        clock: SandboxClock | None = None,
        locale: str = "en-US",
        guilds: int = 1,
        wire: TroubledWire | None = None,
    ) -> None:
        wire = wire or TroubledWire()
        super().__init__(port=port, clock=clock, locale=locale, wire=wire)
        for number in range(2, guilds + 1):
            self._add_guild(number, locale)
        self._wire = wire
        self._people = {
            account.name: Person(account, self.world, self.interactions)
            for account in self.world.accounts.values()
        }
        self.trouble = wire.trouble
        self.fail_next = wire.fail_next
        self.cut_next = wire.cut_next
        self.hold_next = wire.hold_next
        self.cut_and_delay_next = wire.cut_and_delay_next
        self.observe = wire.observers.append
        self.advance = self.world.advance
        self.end_gateway = self.gateway.close

    def _add_guild(self, number: int, locale: str) -> None:
        owner, name = self.world.people[0], f"games-{number}"
        guild = Guild(fixed(_FURTHER_GUILDS + number), f"Parlour {number}", owner, locale)
        channel = Channel(fixed(_THEIR_GAMES + number), name, ChannelKind.TEXT, guild.id)
        self.world.guilds[guild.id] = guild
        self.world.channels[channel.id] = channel

    def served(self) -> web.Application:
        """All that is served; what the API does not have is refused in Discord's way."""
        app = super().served()
        app.middlewares.append(_refuse_the_unknown)
        return app

    def person(self, name: str) -> Person:
        """Ann, who owns the server, Ben, Cleo or Dan; the bots Robot and Parlour can be named."""
        return self._people[name]

    def channel(self, name: str) -> Channel:
        """The channel "games" or "lounge", or the thread "games-thread".

        The bot is not in "another-server", "group-chat" and "ann-and-ben": only those who have
        added it to their account can type its commands there.
        """
        return next(each for each in self.world.channels.values() if each.name == name)

    def messages(self, channel: str) -> list[Message]:
        """All messages of the channel of that name, ephemeral ones too, oldest first."""
        return self.world.messages(self.channel(channel))

    def interaction(self, interaction_id: int) -> Interaction | None:
        """The interaction with that id, for 15 minutes."""
        return self.interactions.get(Snowflake(interaction_id))

    def command(self, name: str) -> RegisteredCommand:
        """The slash command of that name."""
        return next(each for each in self.world.commands if each.name == name)

    @property
    def application(self) -> Application:
        """The settings of the bot's application, as its owner has them in the developer portal."""
        return self.gateway.application

    @property
    def emojis(self) -> int:
        """The number of the bot's emoji."""
        return len(self.world.emojis)

    def offer_to_everybody(self, name: str) -> None:
        """Let everybody use the command, as those who manage a server can."""
        opened = self.command(name).model_copy(update={"default_member_permissions": None})
        others = (each for each in self.world.commands if not each.same_place(opened))
        self.world.commands.replace([opened, *others])

    @property
    def pending(self) -> list[Interaction]:
        """The interactions that wait for the bot's answer, oldest first."""
        return self.interactions.pending()

    async def until(self, predicate: Callable[[], T], *, within: float = 60) -> T:
        """Wait until `predicate` returns something true, and return it.

        It is asked after each change here and after each request of the bot.

        Raises:
            TimeoutError: It was not true within so many real seconds; the world is shown.
        """
        try:
            async with asyncio.timeout(within):
                while not (found := predicate()):
                    await self.world.news.next()
                return found
        except TimeoutError:
            shown = portrait(self.world)
            raise TimeoutError(f"Not so after {within} s. The world is now:\n{shown}") from None

    @property
    def troubled(self) -> bool:
        """Whether a fault that was asked for has met no request yet."""
        return self._wire.troubled

    @property
    def online(self) -> bool:
        """Whether the bot is connected and has identified itself."""
        return self.gateway.online

    @property
    def sessions(self) -> int:
        """The number of connected shards of the bot."""
        sessions = self.gateway.sessions.values()
        return sum(session.connection is not None for session in sessions)

    @property
    def pages(self) -> int:
        """The number of open pages that hear the news."""
        return len(self.page.streams)

    async def bot_ready(self, *, commands: bool = True) -> None:
        """Return when the bot is connected and (unless `commands` is False) has commands."""
        await self.until(lambda: self.online and (not commands or bool(self.world.commands)))

    async def bot_gone(self) -> None:
        """Return when the bot is not connected."""
        await self.until(lambda: not self.online)

    def redeliver(self, interaction: Interaction) -> None:
        """Send the very same event once more, as after a cut connection."""
        event, guild_id = self._wire.sent(interaction), interaction.channel.guild_id
        self.gateway.dispatch("INTERACTION_CREATE", event, guild_id)

    def drop_gateway(self, *, forget: bool = False, refuse: bool = False) -> None:
        """Cut every connection; what is missed is sent when the client resumes.

        With `forget` it cannot resume and has to identify itself anew, with `refuse` it finds no
        way back at all.
        """
        gateway = self.gateway
        gateway.refusing = refuse
        for connection in tuple(gateway.connections):
            connection.cut()
        if forget:
            gateway.sessions.clear()

    def ask_to_reconnect(self) -> None:
        """Ask every client to come back over a new connection."""
        for connection in self.gateway.connections:
            connection.send_op(RECONNECT)

    def revoke_token(self) -> None:
        """Take no token any more."""
        self.application.token = ""

    def move(self, standing: Membership) -> None:
        """Bring the bot into the first server, take it out, or let Discord have an outage there."""
        guild = self.world.guild
        before, guild.membership = guild.membership, standing
        if before is standing:
            return
        if standing is Membership.JOINED:
            told = guild_event(self.world, guild)
            if before is Membership.LEFT:  # of a new one it is not said that it is available
                del told["unavailable"]
            self._tell_server("GUILD_CREATE", told)
        else:
            outage = standing is Membership.UNAVAILABLE
            gone: Payload = {"id": str(guild.id)}
            self._tell_server("GUILD_DELETE", gone | ({"unavailable": True} if outage else {}))

    def change_roles(self) -> None:
        """Let the roles be told anew."""
        guild = self.world.guild
        for role in guild.all_roles():
            told: Payload = {"guild_id": str(guild.id), "role": role.payload()}
            self._tell_server("GUILD_ROLE_UPDATE", told)

    def delete_role(self, role: Role) -> None:
        """Delete a role, and tell the bot so."""
        guild = self.world.guild
        guild.roles.remove(role)
        gone: Payload = {"guild_id": str(guild.id), "role_id": str(role.id)}
        self._tell_server("GUILD_ROLE_DELETE", gone)

    def _tell_server(self, name: str, told: Payload) -> None:
        self.gateway.dispatch(name, told, self.world.guild.id, Intent.GUILDS)
        self.world.news.stir()

    def deny(self, channel: Channel, *permissions: Permission) -> None:
        """Take just these permissions in the channel from the bot, and give back all others."""
        channel.denied = reduce(or_, permissions, Permission(0))
        self.world.news.tell(ChannelChange(channel))

    def allow_external_apps(self, channel: Channel, *, allowed: bool = True) -> None:
        """Let everybody read what is answered to those who have added an application, or nobody."""
        channel.external_apps = allowed
        self.world.news.tell(ChannelChange(channel))

    def archive(self, thread: Channel, *, archived: bool = True, locked: bool = False) -> None:
        """Archive the thread, or open it again; if it is `locked`, the bot cannot do so."""
        thread.locked = locked
        self.world.archive(thread, archived=archived)

    def remove_channel(self, channel: Channel) -> None:
        """Remove a channel; of its threads and messages the bot is told nothing."""
        channels = self.world.channels
        for each in [each for each in channels.values() if each.parent_id == channel.id]:
            del channels[each.id]
        del channels[channel.id]
        self.world.news.tell(ChannelChange(channel, removed=True))


@web.middleware
async def _refuse_the_unknown(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    try:
        return await handler(request)
    except (web.HTTPNotFound, web.HTTPMethodNotAllowed) as error:
        if not request.path.startswith("/api/"):
            raise
        rule = NO_SUCH_ROUTE if error.status == 404 else WRONG_METHOD
        return response(Reply.to(RequestRefused(rule)))


@dataclass(eq=False, slots=True)
class Alarm:
    """An action that is due at a moment, unless it is cancelled first."""

    due: float
    action: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


class ManualClock:
    """A time of the sandbox that stands still until `advance` is called."""

    def __init__(self, start: float) -> None:
        self._now = start
        self._alarms: list[Alarm] = []

    def now(self) -> float:
        """Seconds since 1970 began, UTC."""
        return self._now

    def after(self, seconds: float, action: Callable[[], None]) -> Alarm:
        """A timer that rings inside an `advance`."""
        alarm = Alarm(self._now + seconds, action)
        self._alarms.append(alarm)
        self._alarms.sort(key=lambda each: each.due)
        return alarm

    def advance(self, seconds: float) -> None:
        """Move the time on, ringing every timer on the way at its own moment."""
        end = self._now + seconds
        while self._alarms and self._alarms[0].due <= end:
            alarm = self._alarms.pop(0)
            self._now = alarm.due
            if not alarm.cancelled:
                alarm.action()
        self._now = end

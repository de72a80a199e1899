"""The sandbox: a Discord on this machine, for one bot, with everything in memory.

```python
async with Sandbox() as sandbox:            # a free port on 127.0.0.1
    ...                                     # start a bot, see below
    await sandbox.bot_ready()
    ann, ben = sandbox.person("Ann"), sandbox.person("Ben")
    games = sandbox.channel("games")
    interaction = await (await ann.type(games, "tictactoe", opponent=ben)).answered()
    await ben.press(interaction.message, "Accept")
    await sandbox.until(lambda: len(interaction.message.buttons) > 9)
```

To point discord.py at it, before the client is made: `discord.http.Route.BASE = sandbox.api`, and
`discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sandbox.gateway_url)`.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Final, Self, TypeVar

from bot.sandbox.clock import BotClock, RealClock, SandboxClock
from bot.sandbox.model.accounts import BOT, NONE, Permission
from bot.sandbox.model.application import Application
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.commands import RegisteredCommand
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import World
from bot.sandbox.person import Person
from bot.sandbox.portrait import portrait
from bot.sandbox.rules.interactions import Interactions
from bot.sandbox.snowflakes import Snowflake
from bot.sandbox.web.site import Site

T = TypeVar("T")

TOKEN: Final = ".".join(
    (
        base64.b64encode(str(BOT).encode()).decode().rstrip("="),
        "sandbx",
        "opens-nothing-outside-of-this-machine",
    )
)
"""The token of the bot, the same at every start: it opens nothing outside this machine."""


class Sandbox:
    """A Discord on this machine; `port` 0 takes a free one.

    Of several `guilds` the second has one channel, "games-2", and so on.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        clock: SandboxClock | None = None,
        locale: str = "en-US",
        guilds: int = 1,
        token: str = TOKEN,
        draw: Callable[[], str] = secrets.token_urlsafe,
    ) -> None:
        self.token = token
        clock = clock or RealClock()
        self.clock = BotClock(clock)
        self._world = World(clock, locale=locale, guilds=guilds)
        self._interactions = Interactions(self._world, draw)
        self._people = {
            account.name: Person(account, self._world, self._interactions)
            for account in self._world.accounts.values()
        }
        self._site = Site(
            self._world, self._interactions, self._people, port=port, token=token, draw=draw
        )
        self.fail_next = self._site.faults.fail_next
        self.cut_next = self._site.faults.cut_next
        self.hold_next = self._site.faults.hold_next
        self.observe = self._site.observers.append
        self.redeliver = self._site.gateway.events.redeliver
        self.drop_gateway = self._site.gateway.drop
        self.end_gateway = self._site.gateway.close
        self.revoke_token = self._site.revoke_token
        self.ask_to_reconnect = self._site.gateway.ask_to_reconnect
        self.advance = self._world.advance
        self.move = self._world.move
        self.remove_channel = self._world.remove_channel
        self.change_roles = self._world.change_roles

    @property
    def url(self) -> str:
        """The address of the sandbox and of its page."""
        return self._site.url

    @property
    def api(self) -> str:
        """The address of the REST API."""
        return self._site.api

    @property
    def gateway_url(self) -> str:
        """The address of the websocket."""
        return self._site.gateway_url

    async def start(self) -> None:
        """Begin to serve.

        Raises:
            OSError: The port is in use.
        """
        await self._site.start()

    async def close(self) -> None:
        """Stop serving; nothing is kept."""
        self._interactions.close()
        await self._site.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def person(self, name: str) -> Person:
        """Ann, who owns the server, Ben, Cleo or Dan; the bots Robot and Parlour can be named."""
        return self._people[name]

    def channel(self, name: str) -> Channel:
        """The channel "games" or "lounge", or the thread "games-thread".

        The bot is not in "another-server", "group-chat" and "ann-and-ben": only those who have
        added it to their account can type its commands there.
        """
        return next(each for each in self._world.channels.values() if each.name == name)

    def messages(self, channel: str) -> list[Message]:
        """All messages of the channel of that name, ephemeral ones too, oldest first."""
        return self._world.messages(self.channel(channel))

    def interaction(self, interaction_id: int) -> Interaction | None:
        """The interaction with that id, for 15 minutes."""
        return self._interactions.get(Snowflake(interaction_id))

    def command(self, name: str) -> RegisteredCommand:
        """The slash command of that name."""
        return next(each for each in self._world.commands if each.name == name)

    @property
    def application(self) -> Application:
        """The settings of the bot's application, as its owner has them in the developer portal."""
        return self._world.application

    @property
    def emojis(self) -> int:
        """How many emoji the bot's application has."""
        return len(self._world.emojis)

    def offer_to_everybody(self, name: str) -> None:
        """Let everybody use the command, as those who manage a server can."""
        opened = self.command(name).model_copy(update={"default_member_permissions": None})
        others = (each for each in self._world.commands if not each.same_place(opened))
        self._world.commands.replace([opened, *others])

    @property
    def pending(self) -> list[Interaction]:
        """The interactions that wait for the bot's answer, oldest first."""
        return self._interactions.pending()

    async def until(self, predicate: Callable[[], T], *, within: float = 10) -> T:
        """What `predicate` returns, as soon as that is true.

        It is asked after each change here and after each request of the bot.

        Raises:
            TimeoutError: It was not true within so many real seconds; the world is shown.
        """
        try:
            async with asyncio.timeout(within):
                while not (found := predicate()):
                    await self._world.news.next()
                return found
        except TimeoutError:
            shown = portrait(self._world)
            raise TimeoutError(f"Not so after {within} s. The world is now:\n{shown}") from None

    @property
    def online(self) -> bool:
        """Whether the bot is connected and has identified itself."""
        return self._site.gateway.online

    @property
    def sessions(self) -> int:
        """How many shards of the bot are connected."""
        return self._site.gateway.sessions

    @property
    def pages(self) -> int:
        """How many pages are open and hear the news."""
        return self._site.page.connected

    async def bot_ready(self, *, commands: bool = True) -> None:
        """Return when the bot is connected and (unless `commands` is False) has commands."""
        await self.until(lambda: self.online and (not commands or bool(self._world.commands)))

    async def bot_gone(self) -> None:
        """Return when the bot is not connected."""
        await self.until(lambda: not self.online)

    def deny(self, channel: Channel, *permissions: Permission) -> None:
        """Take just these permissions in the channel from the bot, and give back all others."""
        self._world.change_channel(channel, denied=reduce(or_, permissions, NONE))

    def allow_external_apps(self, channel: Channel, *, allowed: bool = True) -> None:
        """Let everybody read what is answered to those who have added an application, or nobody."""
        self._world.change_channel(channel, external_apps=allowed)

    def archive(self, thread: Channel, *, archived: bool = True) -> None:
        """Archive the thread, or open it again."""
        self._world.change_channel(thread, archived=archived)

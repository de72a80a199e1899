"""The events of the gateway: what the bot is told of each change."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from bot.sandbox.model.channels import ChannelKind
from bot.sandbox.model.errors import Impossible
from bot.sandbox.model.guild import Membership
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.model.news import (
    Change,
    ChannelChange,
    InteractionChange,
    MembershipChange,
    MessageChange,
    MessageEvent,
    Notice,
)
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.snowflakes import Snowflake
from bot.sandbox.web.gateway_session import GatewaySession
from bot.sandbox.web.protocol import Intent
from bot.sandbox.web.traffic import Event, Observer
from bot.sandbox.web.views import guild_event, guild_gone, in_event, interaction_event

_REMEMBERED: Final = 1000
"""So many interactions can be delivered again."""


class GatewayEvents:
    """Tells the sessions of what happens, each of what is on its shard and in its intents."""

    def __init__(
        self, world: World, sessions: Mapping[str, GatewaySession], observers: Sequence[Observer]
    ) -> None:
        self._world = world
        self._sessions = sessions
        self._observers = observers
        self._recent: deque[tuple[Interaction, Payload]] = deque(maxlen=_REMEMBERED)
        world.news.listen(self._pass_on)

    def redeliver(self, interaction: Interaction) -> None:
        """Send the very same event once more, as after a cut connection.

        Raises:
            Impossible: A thousand others have come since.
        """
        found = (event for each, event in self._recent if each is interaction)
        event = next(found, None)
        if event is None:
            raise Impossible(f"{interaction.name} is too long ago to be sent again.")
        self._dispatch("INTERACTION_CREATE", event, interaction.channel.guild_id)

    def _dispatch(
        self, name: str, data: Payload, guild_id: Snowflake | None, needs: int = 0
    ) -> None:
        """Send an event to each session of its shard that has the intents that it `needs`."""
        for session in self._sessions.values():
            if session.covers(guild_id) and session.intents & needs == needs:
                self.send(session, name, data)

    def send(self, session: GatewaySession, name: str, data: Payload) -> None:
        """Send an event to one session."""
        session.send(name, data)
        for observer in self._observers:
            observer(Event(name, data))

    def _pass_on(self, change: Change) -> None:
        match change:
            case InteractionChange(interaction, started=True):
                self._recent.append((interaction, interaction_event(interaction, self._world)))
                self.redeliver(interaction)
            case MessageChange(message, event):
                self._tell(message, event)
            case MembershipChange(before, Membership.JOINED):
                new = before is Membership.LEFT
                self._tell_servers(
                    "GUILD_CREATE", guild_event(self._world, self._world.guild, new=new)
                )
            case MembershipChange():
                self._tell_servers("GUILD_DELETE", guild_gone(self._world))
            case ChannelChange(channel, removed):
                kind = "THREAD" if channel.kind is ChannelKind.THREAD else "CHANNEL"
                name = f"{kind}_DELETE" if removed else f"{kind}_UPDATE"
                if self._world.inside(channel):
                    self._dispatch(name, channel.payload(), channel.guild_id, Intent.GUILDS)
            case Notice.ROLE:
                guild = self._world.guild
                told: Payload = {"guild_id": str(guild.id), "role": guild.role()}
                self._tell_servers("GUILD_ROLE_UPDATE", told)
            case _:
                pass

    def _tell_servers(self, name: str, told: Payload) -> None:
        self._dispatch(name, told, self._world.guild.id, Intent.GUILDS)

    def _tell(self, message: Message, event: MessageEvent) -> None:
        guild_id = message.channel.guild_id
        needs = Intent.DIRECT_MESSAGES if guild_id is None else Intent.GUILD_MESSAGES
        listening = any(session.intents & needs for session in self._sessions.values())
        if listening and not message.ephemeral and self._world.inside(message.channel):
            gone = event is MessageEvent.DELETED
            told = {"id": str(message.id)} | message.place if gone else in_event(message)
            self._dispatch(event.value, told, guild_id, needs)

"""The events of the gateway: what the bot is told of each change."""

from __future__ import annotations

from collections.abc import Mapping

from bot.sandbox.model.channels import ChannelKind
from bot.sandbox.model.guild import Membership
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
from bot.sandbox.web.views import guild_event, guild_gone, in_event, interaction_event
from bot.sandbox.web.wire import Wire


class GatewayEvents:
    """Tells the sessions of what happens, each of what is on its shard and in its intents."""

    def __init__(self, world: World, sessions: Mapping[str, GatewaySession], wire: Wire) -> None:
        self._world = world
        self._sessions = sessions
        self._wire = wire
        world.news.listen(self._pass_on)

    def dispatch(
        self, name: str, data: Payload, guild_id: Snowflake | None, needs: int = 0
    ) -> None:
        """Send an event to each session of its shard that has the intents that it `needs`."""
        for session in self._sessions.values():
            if session.covers(guild_id) and session.intents & needs == needs:
                self.send(session, name, data)

    def send(self, session: GatewaySession, name: str, data: Payload) -> None:
        """Send an event to one session."""
        session.send(name, data)
        self._wire.told(name, data)

    def _pass_on(self, change: Change) -> None:
        match change:
            case InteractionChange(interaction, started=True):
                told = interaction_event(interaction, self._world)
                self.dispatch("INTERACTION_CREATE", told, interaction.channel.guild_id)
            case MessageChange(message, event):
                self._tell(message, event)
            case MembershipChange(before, Membership.JOINED):
                new = before is Membership.LEFT
                self._tell_servers(
                    "GUILD_CREATE", guild_event(self._world, self._world.guild, new=new)
                )
            case MembershipChange():
                self._tell_servers("GUILD_DELETE", guild_gone(self._world))
            case ChannelChange(channel, removed, added):
                kind = "THREAD" if channel.kind is ChannelKind.THREAD else "CHANNEL"
                name = f"{kind}_{'DELETE' if removed else 'CREATE' if added else 'UPDATE'}"
                if self._world.inside(channel):
                    self.dispatch(name, channel.payload(), channel.guild_id, Intent.GUILDS)
            case Notice.ROLE:
                guild = self._world.guild
                for role in guild.all_roles():
                    told = {"guild_id": str(guild.id), "role": role.payload()}
                    self._tell_servers("GUILD_ROLE_UPDATE", told)
            case _:
                pass

    def _tell_servers(self, name: str, told: Payload) -> None:
        self.dispatch(name, told, self._world.guild.id, Intent.GUILDS)

    def _tell(self, message: Message, event: MessageEvent) -> None:
        guild_id = message.channel.guild_id
        needs = Intent.DIRECT_MESSAGES if guild_id is None else Intent.GUILD_MESSAGES
        listening = any(session.intents & needs for session in self._sessions.values())
        if listening and not message.ephemeral and self._world.inside(message.channel):
            gone = event is MessageEvent.DELETED
            told = {"id": str(message.id)} | message.place if gone else in_event(message)
            self.dispatch(event.value, told, guild_id, needs)

"""What people do: type commands, press buttons, pick from menus, fill in modals.

Tests and the web page both act through this module, so both are bound by what Discord's clients
let a person do: no disabled button, no message that one cannot see, no option that is not there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from bot.sandbox.impossible import Impossible
from bot.sandbox.model.accounts import Account, Permission
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.controls import Button, Control, Kind
from bot.sandbox.model.guild import Standing
from bot.sandbox.model.interactions import Act, Interaction
from bot.sandbox.model.messages import Body, Message
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.rules.interactions import Interactions
from bot.sandbox.rules.options import Typed, Typing
from bot.sandbox.rules.picking import Picking
from bot.sandbox.web.gateway import Gateway
from bot.sandbox.web.views import interaction_event

_REMEMBERED: Final = 1000
"""So many interactions can be delivered again."""


class Deeds:
    """Starts interactions and tells the bot of them."""

    def __init__(self, world: World, interactions: Interactions, gateway: Gateway) -> None:
        self._world = world
        self._interactions = interactions
        self._gateway = gateway
        self._recent: deque[tuple[Interaction, Payload]] = deque(maxlen=_REMEMBERED)

    def command(self, person: Account, channel: Channel, typed: Typed) -> Interaction:
        """A command sent, or (with a focused option) an autocompletion asked for.

        Raises:
            Impossible: The command cannot be typed like that here.
        """
        _check_open(person, channel)
        self._check_bot(channel)
        data = Typing(self._world, person, channel).data(typed)
        act = Act.COMMAND if typed.focused is None else Act.AUTOCOMPLETE
        return self._deliver(self._interactions.start(act, person, channel, data))

    def use(
        self, person: Account, message: Message, control: Control, values: Sequence[object] = ()
    ) -> Interaction:
        """A button pressed, or `values` picked from a menu.

        Raises:
            Impossible: The control is disabled, out of the person's sight, or not to be used so.
        """
        if not self._world.sees(person, message):
            raise Impossible(f"{person.name} does not see that message.")
        if control not in message.controls:
            raise Impossible("The message has changed; that button or menu is gone.")
        if control.disabled:
            raise Impossible(f"{_name(control)} is disabled.")
        self._check_bot(message.channel)
        data = self._used(message.channel, control, values)
        interaction = self._interactions.start(
            Act.COMPONENT, person, message.channel, data, source=message
        )
        return self._deliver(interaction)

    def _check_bot(self, channel: Channel) -> None:
        guild = self._world.guild
        if channel.guild_id is not None and guild.standing is not Standing.JOINED:
            raise Impossible(
                f"Nothing done in {channel.name} reaches the bot: its server is {guild.standing}."
            )

    def _used(self, channel: Channel, control: Control, values: Sequence[object]) -> Payload:
        if not isinstance(control, Button):
            return Picking(self._world, channel).menu(control, values)
        if not control.custom_id:
            raise Impossible(f"{_name(control)} is a link; pressing it tells the bot nothing.")
        return {
            "id": control.id,
            "component_type": Kind.BUTTON.value,
            "custom_id": control.custom_id,
        }

    def fill(
        self, person: Account, opened: Interaction, fields: Mapping[str, object]
    ) -> Interaction:
        """The modal, with which the bot has answered `opened`, sent back.

        Raises:
            Impossible: There is no such modal, or the fields do not allow what is filled in.
        """
        if opened.modal is None or opened.person is not person:
            raise Impossible(f"{person.name} has no modal open from that interaction.")
        data = Picking(self._world, opened.channel).modal(opened.modal, fields)
        interaction = self._interactions.start(
            Act.MODAL, person, opened.channel, data, source=opened.source, trigger=opened
        )
        return self._deliver(interaction)

    def say(self, person: Account, channel: Channel, text: str) -> Message:
        """A plain message of a person.

        Raises:
            Impossible: The person has no access to the channel.
        """
        _check_open(person, channel)
        return self._world.write(channel, person, Body(content=text))

    def delete(self, person: Account, message: Message) -> None:
        """Remove a message for everybody.

        Raises:
            Impossible: It is another's, and the person may not manage messages.
        """
        manages = person.may(Permission.MANAGE_MESSAGES) and message.channel.guild_id is not None
        if not self._world.sees(person, message) or message.ephemeral:
            raise Impossible(f"{person.name} sees no such message that could be deleted.")
        if message.author is not person and not manages:
            raise Impossible(f"{person.name} may not delete messages of others here.")
        self._world.delete(message)

    def permit(self, person: Account, permissions: Permission) -> None:
        """Let a person have just these permissions in the server.

        Raises:
            Impossible: The person owns the server.
        """
        if person is self._world.guild.owner:
            raise Impossible(f"{person.name} owns the server and may do everything.")
        self._world.permit(person, permissions)

    def deliver_again(self, interaction: Interaction) -> None:
        """The very same event once more, as after a cut connection.

        Raises:
            Impossible: A thousand others have come since.
        """
        found = (event for each, event in self._recent if each is interaction)
        event = next(found, None)
        if event is None:
            raise Impossible(f"{interaction.name} is too long ago to be sent again.")
        self._dispatch(interaction, event)

    def _deliver(self, interaction: Interaction) -> Interaction:
        event = interaction_event(interaction, self._world)
        self._recent.append((interaction, event))
        self._dispatch(interaction, event)
        return interaction

    def _dispatch(self, interaction: Interaction, event: Payload) -> None:
        guild_id = interaction.channel.guild_id
        self._gateway.dispatch("INTERACTION_CREATE", event, guild_id)


def _check_open(person: Account, channel: Channel) -> None:
    if not channel.open_to(person):
        raise Impossible(f"{person.name} has no access to {channel.name}.")


def _name(control: Control) -> str:
    if not isinstance(control, Button):
        return f"The menu {control.placeholder or control.custom_id!r}"
    emoji = "" if control.emoji is None else control.emoji.name
    shown = control.label.strip("\u200b") or emoji or control.custom_id
    return f"The button {shown!r}"

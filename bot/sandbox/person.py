"""A person of the sandbox, played by the reader of the page or by a test.

Every act is bound by what Discord's clients let a person do: no disabled button, no message out
of sight, no option that is not there; `Impossible` says why not. An act returns an `Interaction` at
once, before the bot has answered: two acts in a row are simultaneous, and
`await interaction.answered()` waits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.sandbox.client import CommandInput, TypedCommand, control_data, modal_data
from bot.sandbox.model.accounts import Account, Permission
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.components import Control
from bot.sandbox.model.interactions import Act, Interaction
from bot.sandbox.model.messages import Body, Message
from bot.sandbox.model.registry import Interactions
from bot.sandbox.model.world import World
from bot.sandbox.payload import Snowflake
from bot.sandbox.refusals import ActRefused, Impossible


class Person:
    """A person, or a bot, who acts and looks."""

    def __init__(self, account: Account, world: World, interactions: Interactions) -> None:
        self.account = account
        self._world = world
        self._interactions = interactions

    @property
    def id(self) -> Snowflake:
        """The id of the account."""
        return self.account.id

    @property
    def name(self) -> str:
        """The name that others see."""
        return self.account.name

    def permit(self, permissions: Permission) -> None:
        """Let this person have just these permissions in the server, which the owner always has."""
        if self.account is self._world.guild.owner:
            raise Impossible(f"{self.name} owns the server and may do everything.")
        self._world.change(self.account, granted=permissions)

    def have_app(self, *, on: bool) -> None:
        """Add the bot's application to this account, if it offers that, or take it off."""
        if on and "1" not in self._world.application.installs:
            raise ActRefused("refused.not_for_accounts", name=self._world.bot.name)
        self._world.change(self.account, has_app=on)

    def command(self, channel: Channel, typed: TypedCommand) -> Interaction:
        """A command sent, or (with a focused option) an autocompletion asked for."""
        data = self._input(channel).typed(typed)
        act = Act.COMMAND if typed.focused is None else Act.AUTOCOMPLETE
        return self._interactions.start(act, self.account, channel, data)

    def on_person(self, channel: Channel, command: str, target: Account) -> Interaction:
        """A command chosen in the context menu of `target`."""
        data = self._input(channel).in_menu(command, target)
        return self._interactions.start(Act.COMMAND, self.account, channel, data)

    def on_message(self, command: str, target: Message) -> Interaction:
        """A command chosen in the context menu of the message `target`."""
        if not self._world.sees(self.account, target) or target.ephemeral:
            raise Impossible(f"{self.name} has no menu of that message.")
        data = self._input(target.channel).in_menu(command, target)
        return self._interactions.start(Act.COMMAND, self.account, target.channel, data)

    def use(self, message: Message, control: Control, values: Sequence[object] = ()) -> Interaction:
        """A button pressed, or `values` picked from a menu."""
        if not self._world.sees(self.account, message):
            raise Impossible(f"{self.name} does not see that message.")
        if control not in message.controls:
            raise ActRefused("refused.no_control")
        data = control_data(control, values, self._world, message.channel)
        start = self._interactions.start
        return start(Act.COMPONENT, self.account, message.channel, data, source=message)

    def fill_in(self, opened: Interaction, fields: Mapping[str, object]) -> Interaction:
        """Fill in, by custom id, the modal with which the bot answered `opened`, and send it."""
        if opened.modal is None or opened.person is not self.account:
            raise Impossible(f"{self.name} has no modal open from that interaction.")
        data, start = modal_data(opened.modal, fields, self._world), self._interactions.start
        place, source = opened.channel, opened.source
        return start(Act.MODAL, self.account, place, data, source=source, trigger=opened)

    def write(self, channel: Channel, text: str) -> Message:
        """Write a plain message."""
        self._check_open(channel)
        return self._world.write(channel, self.account, Body(content=text))

    def delete(self, message: Message) -> None:
        """Delete a message: one's own, or any as one who may manage messages."""
        manages = self.account.may(Permission.MANAGE_MESSAGES)
        if not self._world.sees(self.account, message) or message.ephemeral:
            raise Impossible(f"{self.name} sees no such message that could be deleted.")
        if message.author is not self.account and not (manages and message.channel.guild_id):
            raise Impossible(f"{self.name} may not delete messages of others here.")
        self._world.delete(message)

    def dismiss(self, message: Message) -> None:
        """Put an ephemeral message of one's own away."""
        if message.reader is not self.account:
            raise Impossible("Only an ephemeral message can be dismissed, by its reader.")
        self._world.dismiss(message)

    def _input(self, channel: Channel) -> CommandInput:
        self._check_open(channel)
        return CommandInput(self._world, self.account, channel)

    def _check_open(self, channel: Channel) -> None:
        if not channel.open_to(self.account):
            raise Impossible(f"{self.name} has no access to {channel.name}.")

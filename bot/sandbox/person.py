"""A person of the sandbox, played by a test or by the reader of the page.

Every act is bound by what Discord's clients let a person do: no disabled button, no message out
of sight, no option that is not there. It returns an `Interaction` at once, before the bot has
answered: two acts in a row are simultaneous, and `await interaction.answered()` waits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TypeAlias

from bot.sandbox.model.accounts import NONE, Account, Permission
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.command_options import OptionChoice
from bot.sandbox.model.controls import ButtonPosition, Control
from bot.sandbox.model.errors import Impossible
from bot.sandbox.model.interactions import Act, Interaction
from bot.sandbox.model.messages import Body, Message
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.rules.command_input import CommandInput, TypedCommand
from bot.sandbox.rules.control_input import control_data, control_name, modal_data
from bot.sandbox.rules.interactions import Interactions
from bot.sandbox.snowflakes import Snowflake

Value: TypeAlias = "str | int | bool | Person | Channel | None"
"""What an option of a command can be given; None leaves it out."""


class Person:
    """A person, or a bot, who acts and looks."""

    def __init__(self, account: Account, world: World, interactions: Interactions) -> None:
        self.account = account
        self._world = world
        self._interactions = interactions

    def __repr__(self) -> str:
        return f"<{self.name}>"

    @property
    def id(self) -> Snowflake:
        """The id of the account."""
        return self.account.id

    @property
    def name(self) -> str:
        """The name that others see."""
        return self.account.name

    @property
    def mention(self) -> str:
        """The text that mentions this person."""
        return f"<@{self.id}>"

    @property
    def locale(self) -> str:
        """The language of this person's Discord; it can be set."""
        return self.account.locale

    @locale.setter
    def locale(self, locale: str) -> None:
        self._world.change(self.account, locale=locale)

    @property
    def dm(self) -> Channel:
        """The direct messages with the bot."""
        channel = self._world.direct(self.account)
        if channel is None:
            raise Impossible(f"{self.name} is a bot and has no direct messages with another.")
        return channel

    @property
    def permissions(self) -> Permission:
        """What this person may do in the server."""
        return self.account.permissions

    def grant(self, *permissions: Permission) -> None:
        """Give this person permissions in the server: `ben.grant(Permission.MANAGE_GUILD)`.

        Raises:
            Impossible: This person owns the server and has them all.
        """
        self._permit(reduce(or_, permissions, self.account.granted))

    def revoke(self, *permissions: Permission) -> None:
        """Take permissions in the server from this person.

        Raises:
            Impossible: This person owns the server.
        """
        self._permit(self.account.granted & ~reduce(or_, permissions, NONE))

    def _permit(self, permissions: Permission) -> None:
        if self.account is self._world.guild.owner:
            raise Impossible(f"{self.name} owns the server and may do everything.")
        self._world.change(self.account, granted=permissions)

    def close_dms(self) -> None:
        """Take no direct messages from now on."""
        self._world.change(self.account, takes_direct_messages=False)

    def open_dms(self) -> None:
        """Take direct messages again."""
        self._world.change(self.account, takes_direct_messages=True)

    def add_app(self) -> None:
        """Add the bot's application to this account, to use it wherever this person is.

        Raises:
            Impossible: The application does not offer that.
        """
        if "1" not in self._world.application.installs:
            raise Impossible("{name} can't be added to an account.", name=self._world.bot.name)
        self._world.change(self.account, has_app=True)

    def remove_app(self) -> None:
        """Take the application off this account."""
        self._world.change(self.account, has_app=False)

    async def type(self, channel: Channel, command: str, /, **options: Value) -> Interaction:
        """Send a command: `await ann.type(games, "settings limit", games=3)`.

        Raises:
            Impossible: There is no such command or option here, or it is not allowed like that.
        """
        return self.command(channel, TypedCommand(command, options))

    async def complete(
        self, channel: Channel, command: str, option: str, text: str, /, **options: Value
    ) -> Sequence[OptionChoice]:
        """What the bot suggests for an option of which `text` is typed so far.

        Raises:
            Impossible: As in `type`.
            NotAnswered: The bot suggests nothing within three seconds.
        """
        typed = TypedCommand(command, {**options, option: text}, focused=option)
        return (await self.command(channel, typed).answered()).choices

    def command(self, channel: Channel, typed: TypedCommand) -> Interaction:
        """A command sent, or (with a focused option) an autocompletion asked for.

        Raises:
            Impossible: The command cannot be typed like that here.
        """
        self._check_open(channel)
        data = CommandInput(self._world, self.account, channel).typed(typed)
        act = Act.COMMAND if typed.focused is None else Act.AUTOCOMPLETE
        return self._interactions.start(act, self.account, channel, data)

    async def choose(self, channel: Channel, command: str, target: Person | Account) -> Interaction:
        """A command chosen in the context menu of `target`: `ann.choose(games, "Stats", ben)`.

        Raises:
            Impossible: There is no such command here, or it is not for this person.
        """
        self._check_open(channel)
        account = target.account if isinstance(target, Person) else target
        data = CommandInput(self._world, self.account, channel).on_person(command, account)
        return self._interactions.start(Act.COMMAND, self.account, channel, data)

    async def press(
        self,
        message: Message,
        label: str | None = None,
        *,
        position: ButtonPosition | None = None,
        custom_id: str | None = None,
    ) -> Interaction:
        """Press the button with that label (or emoji), (row, column), or custom id.

        Raises:
            Impossible: There is not exactly one such button, it is disabled, or it is out of sight.
        """
        return self.use(message, message.button(label, position=position, custom_id=custom_id))

    async def pick(
        self,
        message: Message,
        *values: str,
        placeholder: str | None = None,
        custom_id: str | None = None,
    ) -> Interaction:
        """Pick choices by value or label from the menu that is meant.

        Of several menus that is the one with the placeholder or the custom id.

        Raises:
            Impossible: There is not exactly one such menu, it does not allow these values, it is
                disabled, or it is out of sight.
        """
        return self.use(message, message.select(placeholder, custom_id=custom_id), values)

    def use(self, message: Message, control: Control, values: Sequence[object] = ()) -> Interaction:
        """A button pressed, or `values` picked from a menu.

        Raises:
            Impossible: The control is disabled, out of this person's sight, or not to be used so.
        """
        if not self._world.sees(self.account, message):
            raise Impossible(f"{self.name} does not see that message.")
        if control not in message.controls:
            raise Impossible("The message has changed; that button or menu is gone.")
        if control.disabled:
            raise Impossible(f"{control_name(control)} is disabled.")
        data = control_data(control, values)
        start = self._interactions.start
        return start(Act.COMPONENT, self.account, message.channel, data, source=message)

    def forge(self, message: Message, custom_id: str, *values: str) -> Interaction:
        """A button (or with `values` a menu) used that the message does not have.

        No client of Discord's lets a person do that, but bots have to stand it.
        """
        data: Payload = {"component_type": 3 if values else 2, "custom_id": custom_id}
        data |= {"values": list(values)} if values else {}
        start = self._interactions.start
        return start(Act.COMPONENT, self.account, message.channel, data, source=message)

    async def fill(
        self, opened: Interaction, fields: Mapping[str, object] | None = None, /, **more: object
    ) -> Interaction:
        """Fill in, by custom id, the modal with which the bot answered `opened`, and send it.

        Raises:
            Impossible: There is no modal or no such field, or it does not allow that.
        """
        if opened.modal is None or opened.person is not self.account:
            raise Impossible(f"{self.name} has no modal open from that interaction.")
        data = modal_data(opened.modal, {**(fields or {}), **more})
        return self._interactions.start(
            Act.MODAL, self.account, opened.channel, data, source=opened.source, trigger=opened
        )

    async def say(self, channel: Channel, text: str) -> Message:
        """Write a plain message.

        Raises:
            Impossible: This person has no access to the channel.
        """
        self._check_open(channel)
        return self._world.write(channel, self.account, Body(content=text))

    def delete(self, message: Message) -> None:
        """Delete a message: one's own, or any as one who may manage messages.

        Raises:
            Impossible: This person may not.
        """
        manages = self.account.may(Permission.MANAGE_MESSAGES)
        if not self._world.sees(self.account, message) or message.ephemeral:
            raise Impossible(f"{self.name} sees no such message that could be deleted.")
        if message.author is not self.account and not (manages and message.channel.guild_id):
            raise Impossible(f"{self.name} may not delete messages of others here.")
        self._world.delete(message)

    def sees(self, channel: Channel) -> list[Message]:
        """The messages that this person sees there, ephemeral ones included, newest last."""
        return self._world.seen(self.account, channel)

    def dismiss(self, message: Message) -> None:
        """Put an ephemeral message away.

        Raises:
            Impossible: It is not one, or not this person's.
        """
        if message.reader is not self.account:
            raise Impossible("Only an ephemeral message can be dismissed, by its reader.")
        self._world.dismiss(message)

    def _check_open(self, channel: Channel) -> None:
        if not channel.open_to(self.account):
            raise Impossible(f"{self.name} has no access to {channel.name}.")

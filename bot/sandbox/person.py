"""A person whom a test plays.

Every act returns an `Interaction` at once, before the bot has answered: two acts in a row are
simultaneous, and `await interaction.answered()` waits for the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TypeAlias

from bot.sandbox.deeds import Deeds
from bot.sandbox.impossible import Impossible
from bot.sandbox.model.accounts import NONE, Account, Permission
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.controls import Position
from bot.sandbox.model.interactions import Interaction, Suggestion
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import World
from bot.sandbox.rules.options import Typed
from bot.sandbox.snowflakes import Snowflake

Value: TypeAlias = "str | float | bool | Person | Channel | None"
"""What an option of a command can be given; None leaves it out."""


class Person:
    """Somebody with an account who acts and looks."""

    def __init__(self, account: Account, world: World, deeds: Deeds) -> None:
        self.account = account
        self._world = world
        self._deeds = deeds

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
        self.account.locale = locale

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
        self._deeds.permit(self.account, reduce(or_, permissions, self.account.granted))

    def revoke(self, *permissions: Permission) -> None:
        """Take permissions in the server from this person.

        Raises:
            Impossible: This person owns the server.
        """
        self._deeds.permit(self.account, self.account.granted & ~reduce(or_, permissions, NONE))

    def close_dms(self) -> None:
        """Take no direct messages from now on."""
        self.account.takes_direct_messages = False

    async def type(self, channel: Channel, command: str, /, **options: Value) -> Interaction:
        """Send a command: `await ann.type(games, "settings limit", games=3)`.

        Raises:
            Impossible: There is no such command or option here, or it is not allowed like that.
        """
        return self._deeds.command(self.account, channel, Typed(command, _values(options)))

    async def complete(
        self, channel: Channel, command: str, option: str, text: str, /, **options: Value
    ) -> Sequence[Suggestion]:
        """What the bot suggests for an option of which `text` is typed so far.

        Raises:
            Impossible: As in `type`.
            NotAnswered: The bot suggests nothing within three seconds.
        """
        typed = Typed(command, _values(options) | {option: text}, focused=option)
        interaction = self._deeds.command(self.account, channel, typed)
        return (await interaction.answered()).choices

    async def press(
        self,
        message: Message,
        label: str | None = None,
        *,
        position: Position | None = None,
        custom_id: str | None = None,
    ) -> Interaction:
        """Press the button with that label (or emoji), (row, column), or custom id.

        Raises:
            Impossible: There is not exactly one such button, it is disabled, or it is out of sight.
        """
        button = message.button(label, position=position, custom_id=custom_id)
        return self._deeds.use(self.account, message, button)

    async def pick(
        self,
        message: Message,
        *values: Value,
        placeholder: str | None = None,
        custom_id: str | None = None,
    ) -> Interaction:
        """Pick choices by value or label, or people and channels, from the menu that is meant.

        Of several menus that is the one with the placeholder or the custom id.

        Raises:
            Impossible: There is not exactly one such menu, it does not allow these values, it is
                disabled, or it is out of sight.
        """
        select = message.select(placeholder, custom_id=custom_id)
        picked = [value.account if isinstance(value, Person) else value for value in values]
        return self._deeds.use(self.account, message, select, picked)

    async def fill(
        self, opened: Interaction, fields: Mapping[str, object] | None = None, /, **more: object
    ) -> Interaction:
        """Fill in, by custom id, the modal with which the bot answered `opened`, and send it.

        Raises:
            Impossible: There is no modal or no such field, or it does not allow that.
        """
        filled = {**(fields or {}), **more}
        return self._deeds.fill(self.account, opened, _values(filled))

    async def say(self, channel: Channel, text: str) -> Message:
        """Write a plain message.

        Raises:
            Impossible: This person has no access to the channel.
        """
        return self._deeds.say(self.account, channel, text)

    def delete(self, message: Message) -> None:
        """Delete a message: one's own, or any as one who may manage messages.

        Raises:
            Impossible: This person may not.
        """
        self._deeds.delete(self.account, message)

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


def _values(options: Mapping[str, object]) -> dict[str, object]:
    return {
        name: value.account if isinstance(value, Person) else value
        for name, value in options.items()
    }

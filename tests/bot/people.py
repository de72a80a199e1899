"""The people of the sandbox as tests play them, by what can be read on the screen."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from operator import or_
from random import Random
from typing import TypeAlias
from unittest.mock import patch

from bot.sandbox import Button, Channel, Impossible, Interaction, Message, Payload, Permission
from bot.sandbox.client import TypedCommand
from bot.sandbox.model import registry
from bot.sandbox.model.accounts import Account
from bot.sandbox.model.commands import OptionChoice
from bot.sandbox.model.components import (
    ActionRow,
    ButtonPosition,
    CheckboxGroup,
    Control,
    FileUpload,
    FormMenu,
    Modal,
    RadioGroup,
    SelectMenu,
    TextInput,
)
from bot.sandbox.model.interactions import Act
from bot.sandbox.model.registry import Interactions
from bot.sandbox.model.world import World
from bot.sandbox.person import Person as Resident
from tests.bot.english import like

Value: TypeAlias = "str | int | bool | Person | Channel | None"
"""A value for an option of a command; None leaves it out."""


@contextmanager
def impatient() -> Iterator[None]:
    """Whoever acts meanwhile gives the bot up after a tenth of a second instead of three."""
    with patch.object(registry, "TIME_TO_ANSWER", 0.1):
        yield


def has_won(person: Resident, shown: str, **values: str) -> bool:
    """Whether a text says that a person has won, in whichever way."""
    mention = f"<@{person.id}>"
    ways = ("won.played", "won.resigned", "won.time", "place.first")
    return like(*ways, winner=mention, player=mention, **values).search(shown) is not None


class Person(Resident):
    """A person, or a bot, who acts and looks."""

    def __init__(self, account: Account, world: World, interactions: Interactions) -> None:
        super().__init__(account, world, interactions)
        self._discord = world
        self._started = interactions.start

    def __repr__(self) -> str:
        return f"<{self.name}>"

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
        self._discord.change(self.account, locale=locale)

    @property
    def dm(self) -> Channel:
        """The direct messages with the bot."""
        channel = self._discord.direct(self.account)
        if channel is None:
            raise Impossible(f"{self.name} is a bot and has no direct messages with another.")
        return channel

    @property
    def permissions(self) -> Permission:
        """The permissions of this person in the server."""
        return self.account.permissions

    def grant(self, *permissions: Permission) -> None:
        """Give this person permissions in the server: `ben.grant(Permission.MANAGE_GUILD)`.

        Raises:
            Impossible: This person owns the server and has them all.
        """
        self.permit(reduce(or_, permissions, self.account.granted))

    def revoke(self, *permissions: Permission) -> None:
        """Take permissions in the server from this person.

        Raises:
            Impossible: This person owns the server.
        """
        self.permit(self.account.granted & ~reduce(or_, permissions, Permission(0)))

    def close_dms(self) -> None:
        """Take no direct messages from now on."""
        self._discord.change(self.account, takes_direct_messages=False)

    def add_app(self) -> None:
        """Add the bot's application to this account.

        Raises:
            Impossible: The application does not offer that.
        """
        self.have_app(on=True)

    async def type(self, channel: Channel, command: str, /, **options: Value) -> Interaction:
        """Send a command: `await ann.type(games, "settings limit", games=3)`.

        Raises:
            Impossible: There is no such command or option here, or it is not allowed like that.
        """
        return self.command(channel, TypedCommand(command, _by_id(options)))

    async def complete(
        self, channel: Channel, command: str, option: str, text: str, /, **options: Value
    ) -> Sequence[OptionChoice]:
        """The bot's suggestions for an option of which `text` is typed so far.

        Raises:
            Impossible: As in `type`.
            NotAnswered: The bot suggests nothing within three seconds.
        """
        typed = TypedCommand(command, {**_by_id(options), option: text}, focused=option)
        return (await self.command(channel, typed).answered()).choices

    async def choose(self, channel: Channel, command: str, target: Person) -> Interaction:
        """A command chosen in the context menu of `target`: `ann.choose(games, "Stats", ben)`.

        Raises:
            Impossible: There is no such command here, or it is not for this person.
        """
        return self.on_person(channel, command, target.account)

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
        return self.use(message, button_on(message, label, position=position, custom_id=custom_id))

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
        return self.use(message, _menu(message, placeholder, custom_id), values)

    def forge(self, message: Message, custom_id: str, *values: str) -> Interaction:
        """A button (or with `values` a menu) used that the message does not have.

        No client of Discord's lets a person do that, but bots have to stand it.
        """
        data: Payload = {"component_type": 3 if values else 2, "custom_id": custom_id}
        data |= {"values": list(values)} if values else {}
        return self.send(Act.COMPONENT, message.channel, data, source=message)

    def send(
        self,
        act: Act,
        at: Channel,
        data: Payload,
        source: Message | None = None,
        trigger: Interaction | None = None,
    ) -> Interaction:
        """Data that a person's own program could send, however little of it a client would."""
        return self._started(act, self.account, at, data, source=source, trigger=trigger)

    def press_drawn(self, message: Message, custom_id: str, *values: str) -> Interaction:
        """A button (or with `values` a menu) used that another version of the bot drew there."""
        drawn: Payload = {"type": 2, "style": 2, "label": "Earlier", "custom_id": custom_id}
        if values:
            options = [{"label": value, "value": value} for value in values]
            drawn = {"type": 3, "custom_id": custom_id, "options": options}
        row = ActionRow.model_validate({"type": 1, "components": [drawn]})
        body = message.body
        message.rewrite(replace(body, components=(*body.components, row)), message.written)
        try:
            return self.use(message, row.components[0], values)
        finally:
            message.rewrite(body, message.written)

    async def fill(
        self, opened: Interaction, fields: Mapping[str, object] | None = None, /, **more: object
    ) -> Interaction:
        """Fill in, by custom id, the modal with which the bot answered `opened`, and send it.

        Raises:
            Impossible: There is no modal or no such field, or it does not allow that.
        """
        return self.fill_in(opened, {**(fields or {}), **more})

    async def say(self, channel: Channel, text: str) -> Message:
        """Write a plain message.

        Raises:
            Impossible: This person has no access to the channel.
        """
        return self.write(channel, text)

    def sees(self, channel: Channel) -> list[Message]:
        """The messages that this person sees there, ephemeral ones included, newest last."""
        return self._discord.seen(self.account, channel)


def answers(modal: Modal, word: str = "word", rng: Random | None = None) -> dict[str, object]:
    """Answers to a modal: a word, a file of it, and what stands there, or at random by `rng`."""
    found: dict[str, object] = {}
    for label in modal.components:
        field = label.component
        match field:
            case TextInput():
                found[field.custom_id] = word[: field.max_length]
            case FileUpload():
                found[field.custom_id] = upload(word)
            case CheckboxGroup() if rng is not None:
                lines = [each.value for each in field.choices]
                found[field.custom_id] = rng.sample(lines, rng.randint(0, field.max_values))
            case FormMenu() | RadioGroup() if rng is not None:
                found[field.custom_id] = rng.choice([each.value for each in field.choices])
    return found


def upload(text: str, name: str = "game.txt") -> Payload:
    """A file to hand in."""
    return {"name": name, "data": b64encode(text.encode()).decode()}


def button_on(
    message: Message,
    label: str | None = None,
    *,
    position: ButtonPosition | None = None,
    custom_id: str | None = None,
) -> Button:
    """The only button with that label (or emoji), position or custom id.

    Raises:
        Impossible: There is none, or several.
    """
    found = [
        each
        for each in message.buttons
        if (label is None or label in {each.label, each.emoji and each.emoji.name})
        and (position is None or position == each.position)
        and (custom_id is None or custom_id == each.custom_id)
    ]
    if len(found) != 1:
        shown = [each.label for each in message.buttons]
        raise _unclear("buttons", found, label or position or custom_id, shown)
    return found[0]


def _menu(message: Message, placeholder: str | None, custom_id: str | None) -> SelectMenu:
    found = [
        each
        for each in message.menus
        if placeholder in {None, each.placeholder} and custom_id in {None, each.custom_id}
    ]
    if len(found) != 1:
        shown = [each.placeholder or each.custom_id for each in message.menus]
        raise _unclear("menus", found, placeholder or custom_id or "the only one", shown)
    return found[0]


def _unclear(
    kind: str, found: Sequence[Control], wanted: object, there: Sequence[str]
) -> Impossible:
    shown = ", ".join(map(repr, there)) or "none"
    return Impossible(f"{len(found)} {kind} are {wanted!r}; the message has {shown}.")


def _by_id(options: Mapping[str, Value]) -> dict[str, object]:
    """The options as a client sends them: people and channels by their ids."""
    return {
        name: str(value.id) if isinstance(value, Person | Channel) else value
        for name, value in options.items()
    }

"""The bot's registered commands, as Discord stores them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from bot.sandbox.model.accounts import BOT, Account, Permission
from bot.sandbox.payload import Payload
from bot.sandbox.snowflakes import Mint, Snowflake


class OptionType(IntEnum):
    """Discord's types of command options, as far as the sandbox knows them."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7


class CommandType(IntEnum):
    """Discord's types of commands, as far as the sandbox knows them."""

    SLASH = 1
    USER = 2
    """In the context menu of a person."""


@dataclass(frozen=True, slots=True)
class Names:
    """A name or a description, and its translations by locale."""

    text: str
    localizations: dict[str, str] | None = None

    def longest(self) -> int:
        """The length of the longest of them, which Discord counts."""
        return max(map(len, (self.text, *(self.localizations or {}).values())))

    def payload(self, key: str, *, translated: bool = True) -> Payload:
        """The text as Discord sends it under `key`."""
        if not translated:
            return {key: self.text}
        return {key: self.text, f"{key}_localizations": self.localizations}


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """One of the values of an option that has choices."""

    name: Names
    value: str | int

    def payload(self, *, translated: bool) -> Payload:
        """The choice as Discord sends it."""
        return self.name.payload("name", translated=translated) | {"value": self.value}


@dataclass(frozen=True, slots=True)
class CommandOption:
    """An option of a command; a subcommand or group has `options` of its own."""

    kind: OptionType
    name: Names
    description: Names
    required: bool = False
    autocomplete: bool = False
    choices: tuple[OptionChoice, ...] = ()
    options: tuple[CommandOption, ...] = ()
    least: int | None = None
    """The smallest value, or the fewest characters of a string."""
    most: int | None = None
    """The greatest value, or the most characters of a string."""
    channel_types: tuple[int, ...] = ()

    def payload(self, *, translated: bool) -> Payload:
        """The option as Discord sends it."""
        told: Payload = {"type": self.kind.value}
        told |= self.name.payload("name", translated=translated)
        told |= self.description.payload("description", translated=translated)
        if self.kind in {OptionType.SUBCOMMAND, OptionType.GROUP}:
            inner = [option.payload(translated=translated) for option in self.options]
            return told | {"options": inner}
        told["required"] = self.required
        told |= {"autocomplete": True} if self.autocomplete else {}
        if self.choices:
            told["choices"] = [choice.payload(translated=translated) for choice in self.choices]
        unit = "length" if self.kind is OptionType.STRING else "value"
        bounds = ((f"min_{unit}", self.least), (f"max_{unit}", self.most))
        told |= {key: bound for key, bound in bounds if bound is not None}
        return told | ({"channel_types": list(self.channel_types)} if self.channel_types else {})

    def size(self) -> int:
        """The characters that count towards the 8000 of a command."""
        own = self.name.longest() + self.description.longest()
        chosen = sum(choice.name.longest() + len(str(choice.value)) for choice in self.choices)
        return own + chosen + sum(option.size() for option in self.options)


@dataclass(frozen=True, slots=True)
class RegisteredCommand:
    """A command for every server, its people, and direct messages."""

    id: Snowflake
    version: Snowflake
    kind: CommandType
    name: Names
    description: Names
    options: tuple[CommandOption, ...] = ()
    permissions: Permission | None = None
    """What one needs to use it in a server; None where nothing is needed, zero: administrators."""
    contexts: tuple[int, ...] | None = None
    """Where it can be used: 0 in servers, 1 in direct messages with the bot; None everywhere."""
    integration_types: tuple[int, ...] = (0,)
    nsfw: bool = False

    def payload(self, *, translated: bool = True) -> Payload:
        """The command as Discord sends it."""
        needed = None if self.permissions is None else str(self.permissions.value)
        told: Payload = {
            "id": str(self.id),
            "application_id": str(BOT),
            "version": str(self.version),
            "type": self.kind.value,
            **self.name.payload("name", translated=translated),
            **self.description.payload("description", translated=translated),
            "default_member_permissions": needed,
            "dm_permission": self.contexts is None or 1 in self.contexts,
            "contexts": None if self.contexts is None else list(self.contexts),
            "integration_types": list(self.integration_types),
            "nsfw": self.nsfw,
        }
        if self.options:
            told["options"] = [option.payload(translated=translated) for option in self.options]
        return told

    def allowed_to(self, account: Account) -> bool:
        """Whether the account may use it in a server."""
        return self.permissions is None or account.may(self.permissions or Permission.ADMINISTRATOR)

    def same_place(self, other: RegisteredCommand) -> bool:
        """Whether only one of the two can be registered."""
        return (self.kind, self.name.text) == (other.kind, other.name.text)

    def size(self) -> int:
        """The characters that count towards the 8000 of a command."""
        inner = sum(option.size() for option in self.options)
        return self.name.longest() + self.description.longest() + inner


class RegisteredCommands:
    """All commands that the bot has registered."""

    def __init__(self, mint: Mint) -> None:
        self._mint = mint
        self._stored: list[RegisteredCommand] = []

    def __iter__(self) -> Iterator[RegisteredCommand]:
        return iter(self._stored)

    def named(self, name: str, kind: CommandType) -> RegisteredCommand | None:
        """The command of that name and kind."""
        found = (each for each in self if each.name.text == name and each.kind is kind)
        return next(found, None)

    def replace(self, commands: Sequence[RegisteredCommand]) -> list[RegisteredCommand]:
        """The commands as stored, with all others gone; a known name keeps its id."""
        self._stored = [self._numbered(command) for command in commands]
        return self._stored

    def _numbered(self, command: RegisteredCommand) -> RegisteredCommand:
        old = self.named(command.name.text, command.kind)
        if old is None:
            return replace(command, id=self._mint(), version=self._mint())
        same = replace(command, id=old.id, version=old.version)
        return old if same == old else replace(same, version=self._mint())

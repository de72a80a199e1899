"""The bot's registered commands, as Discord stores them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from bot.sandbox.model.accounts import BOT, Account, Permission
from bot.sandbox.payload import Payload
from bot.sandbox.snowflakes import Mint, Snowflake


class OptionKind(IntEnum):
    """Discord's types of command options."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    MENTIONABLE = 9
    NUMBER = 10
    ATTACHMENT = 11


class CommandKind(IntEnum):
    """Discord's types of commands."""

    SLASH = 1
    USER = 2
    MESSAGE = 3


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
    value: str | int | float

    def payload(self, *, translated: bool) -> Payload:
        """The choice as Discord sends it."""
        return self.name.payload("name", translated=translated) | {"value": self.value}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command; a subcommand or group has `options` of its own."""

    kind: OptionKind
    name: Names
    description: Names
    required: bool = False
    autocomplete: bool = False
    choices: tuple[OptionChoice, ...] = ()
    options: tuple[Option, ...] = ()
    least: float | None = None
    """The smallest value, or the fewest characters of a string."""
    most: float | None = None
    """The greatest value, or the most characters of a string."""
    channel_types: tuple[int, ...] = ()

    def payload(self, *, translated: bool) -> Payload:
        """The option as Discord sends it."""
        told: Payload = {"type": self.kind.value}
        told |= self.name.payload("name", translated=translated)
        told |= self.description.payload("description", translated=translated)
        if self.kind in {OptionKind.SUBCOMMAND, OptionKind.GROUP}:
            inner = [option.payload(translated=translated) for option in self.options]
            return told | {"options": inner}
        told["required"] = self.required
        told |= {"autocomplete": True} if self.autocomplete else {}
        if self.choices:
            told["choices"] = [choice.payload(translated=translated) for choice in self.choices]
        unit = "length" if self.kind is OptionKind.STRING else "value"
        bounds = ((f"min_{unit}", self.least), (f"max_{unit}", self.most))
        told |= {key: bound for key, bound in bounds if bound is not None}
        if self.channel_types:
            told["channel_types"] = list(self.channel_types)
        return told

    def size(self) -> int:
        """The characters that count towards the 8000 of a command."""
        own = self.name.longest() + self.description.longest()
        chosen = sum(choice.name.longest() + len(str(choice.value)) for choice in self.choices)
        return own + chosen + sum(option.size() for option in self.options)


@dataclass(frozen=True, slots=True)
class Command:
    """A command, for everywhere or (with a `guild_id`) for one server."""

    id: Snowflake
    version: Snowflake
    kind: CommandKind
    name: Names
    description: Names
    options: tuple[Option, ...] = ()
    permissions: Permission | None = None
    """What one needs to use it in a server; None where nothing is needed, zero: administrators."""
    contexts: tuple[int, ...] | None = None
    """Where it can be used: 0 in servers, 1 in direct messages with the bot; None everywhere."""
    integration_types: tuple[int, ...] = (0,)
    nsfw: bool = False
    guild_id: Snowflake | None = None

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
        if self.guild_id is not None:
            told["guild_id"] = str(self.guild_id)
        return told

    def allowed_to(self, account: Account) -> bool:
        """Whether the account may use it in a server."""
        return self.permissions is None or account.may(self.permissions or Permission.ADMINISTRATOR)

    def same_place(self, other: Command) -> bool:
        """Whether only one of the two can be registered."""
        return (self.kind, self.name.text) == (other.kind, other.name.text)

    def size(self) -> int:
        """The characters that count towards the 8000 of a command."""
        inner = sum(option.size() for option in self.options)
        return self.name.longest() + self.description.longest() + inner


class Commands:
    """All registered commands, the global ones and those of a server apart."""

    def __init__(self, mint: Mint) -> None:
        self._mint = mint
        self._stored: dict[Snowflake, Command] = {}

    def __iter__(self) -> Iterator[Command]:
        return iter(self._stored.values())

    def within(self, guild_id: Snowflake | None) -> list[Command]:
        """The commands of a server, or the global ones."""
        return [command for command in self if command.guild_id == guild_id]

    def get(self, command_id: Snowflake, guild_id: Snowflake | None) -> Command | None:
        """The command with that id, where it was registered."""
        command = self._stored.get(command_id)
        return command if command is not None and command.guild_id == guild_id else None

    def named(self, name: str) -> Command | None:
        """The slash command of that name; that of the server before a global one."""
        found = [each for each in self if each.name.text == name and each.kind is CommandKind.SLASH]
        return max(found, key=lambda command: command.guild_id is not None, default=None)

    def put(self, command: Command) -> Command:
        """The command as stored; in place of that with the same kind and name, whose id it gets."""
        for old in self.within(command.guild_id):
            if old.same_place(command):
                return self.replace(old, command)
        stored = replace(command, id=self._mint(), version=self._mint())
        self._stored[stored.id] = stored
        return stored

    def replace(self, old: Command, new: Command) -> Command:
        """The command `new` as stored under the id of `old`; a new version if it differs."""
        same = replace(new, id=old.id, version=old.version)
        stored = old if same == old else replace(same, version=self._mint())
        self._stored[old.id] = stored
        return stored

    def put_all(self, commands: Sequence[Command], guild_id: Snowflake | None) -> list[Command]:
        """The commands as stored, with all others of that place gone."""
        stored = [self.put(command) for command in commands]
        kept = {command.id for command in stored}
        for old in self.within(guild_id):
            if old.id not in kept:
                self.remove(old)
        return stored

    def remove(self, command: Command) -> None:
        """Forget the command."""
        del self._stored[command.id]

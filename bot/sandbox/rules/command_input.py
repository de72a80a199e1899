"""Checking what a person types against the registered command, as Discord's clients do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.sandbox.model.accounts import Account
from bot.sandbox.model.channels import Channel, ChannelKind
from bot.sandbox.model.command_options import INNER, CommandOption, OptionType
from bot.sandbox.model.commands import CommandType, RegisteredCommand
from bot.sandbox.model.errors import ActRefused, Impossible
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import World
from bot.sandbox.payload import Payload
from bot.sandbox.rules.resolved import Resolved
from bot.sandbox.snowflakes import Snowflake

_YES_OR_NO: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A command as a person types it: its words, `settings show`, and its options by name."""

    command: str
    options: Mapping[str, object]
    focused: str | None = None
    """The option that is still being typed, of an autocompletion."""


class CommandInput:
    """Makes the data of an interaction of a command that `person` uses in `channel`."""

    def __init__(self, world: World, person: Account, channel: Channel) -> None:
        self._world = world
        self._person = person
        self._channel = channel
        self._resolved = Resolved(channel)

    def typed(self, typed: TypedCommand) -> Payload:
        """The data of a slash command.

        Raises:
            Impossible: The command is not there, or not for this person or place, or an option
                is missing, unknown, or not as it must be.
        """
        name, *path = typed.command.removeprefix("/").split()
        command = self._world.commands.named(name, CommandType.SLASH)
        if command is None:
            raise Impossible(f"There is no command /{name}.")
        return self._data(command, options=self._nested(command.options, path, typed))

    def in_menu(self, name: str, target: Account | Message) -> Payload:
        """The data of a command that is chosen in the context menu of `target`.

        Raises:
            Impossible: The command is not there, or not for this person or place.
        """
        kind = CommandType.USER if isinstance(target, Account) else CommandType.MESSAGE
        command = self._world.commands.named(name, kind)
        if command is None:
            of = "person" if isinstance(target, Account) else "message"
            raise Impossible(f"There is no command {name!r} in the menu of a {of}.")
        self._resolved.add(target)
        return self._data(command, target_id=str(target.id))

    def _data(self, command: RegisteredCommand, **more: object) -> Payload:
        self._check_allowed(command)
        name = command.name
        told: Payload = {"id": str(command.id), "name": name, "type": command.type.value, **more}
        return told | self._resolved.payload()

    def _check_allowed(self, command: RegisteredCommand) -> None:
        name = command.name
        context = self._channel.context
        if command.contexts is not None and context not in command.contexts:
            raise Impossible(f"/{name} cannot be used in {self._channel.name}.")
        by_server = self._world.inside(self._channel) and 0 in command.integration_types
        if not by_server and not (self._person.has_app and 1 in command.integration_types):
            raise Impossible(
                f"/{name} is not offered to {self._person.name} in {self._channel.name}."
            )
        if context == 0 and not command.allowed_to(self._person):
            raise Impossible(f"{self._person.name} may not use /{name} here.")

    def _nested(
        self, options: Sequence[CommandOption], path: list[str], typed: TypedCommand
    ) -> list[Payload]:
        inner = {option.name: option for option in options if option.type in INNER}
        if not inner:
            if path:
                raise Impossible(f"/{typed.command} has no subcommand {path[0]!r}.")
            return list(self._values(options, typed))
        if not path or path[0] not in inner:
            choices = ", ".join(inner)
            raise Impossible(f"/{typed.command} needs one of the subcommands {choices}.")
        chosen = inner[path[0]]
        below = self._nested(chosen.options, path[1:], typed)
        return [{"type": chosen.type.value, "name": path[0], "options": below}]

    def _values(self, options: Sequence[CommandOption], typed: TypedCommand) -> Iterator[Payload]:
        known = {option.name: option for option in options}
        for name in {*typed.options, typed.focused} - {*known, None}:
            raise Impossible(f"/{typed.command} has no option {name!r}.")
        for name, option in known.items():
            value = typed.options.get(name)
            if name == typed.focused:
                yield self._being_typed(option, value)
            elif value is not None:
                told: Payload = {"type": option.type.value, "name": name}
                yield told | {"value": self._value(option, value)}
            elif option.required and typed.focused is None:
                raise Impossible(f"/{typed.command} needs its option {name!r}.")

    def _being_typed(self, option: CommandOption, value: object) -> Payload:
        name = option.name
        if not option.autocomplete:
            raise Impossible(f"The option {name!r} is not autocompleted.")
        text = "" if value is None else str(value)
        return {"type": option.type.value, "name": name, "value": text, "focused": True}

    def _value(self, option: CommandOption, value: object) -> object:
        readers: dict[OptionType, Callable[[CommandOption, object], object]] = {
            OptionType.STRING: _string,
            OptionType.INTEGER: _integer,
            OptionType.BOOLEAN: _boolean,
            OptionType.USER: self._account,
            OptionType.CHANNEL: self._channel_named,
        }
        found = readers[option.type](option, value)
        if option.choices and found not in {choice.value for choice in option.choices}:
            choices = ", ".join(repr(choice.value) for choice in option.choices)
            raise Impossible(f"{option.name!r} must be one of {choices}, not {value!r}.")
        return found

    def _account(self, option: CommandOption, value: object) -> str:
        account = self._world.accounts.get(_snowflake(option, value))
        if account is None:
            raise Impossible(f"{option.name!r} must be a person or bot, not {value!r}.")
        return self._resolved.add(account)

    def _channel_named(self, option: CommandOption, value: object) -> str:
        channel = self._world.channels.get(_snowflake(option, value))
        if channel is None or channel.guild_id is None:
            raise Impossible(f"{option.name!r} must be a channel, not {value!r}.")
        number = 0 if channel.kind is ChannelKind.TEXT else 11
        if option.channel_types and number not in option.channel_types:
            raise ActRefused("refused.channel_kind", option=option.name)
        return self._resolved.add(channel)


def _snowflake(option: CommandOption, value: object) -> Snowflake:
    if isinstance(value, int | str) and str(value).isdecimal():
        return Snowflake(int(value))
    raise Impossible(f"{option.name!r} must be given by its id, not {value!r}.")


def _string(option: CommandOption, value: object) -> str:
    if not isinstance(value, str):
        raise Impossible(f"{option.name!r} must be text, not {value!r}.")
    if not _is_within(option, len(value)):
        about = {"option": option.name, "bounds": _bounds(option), "size": len(value)}
        raise ActRefused("refused.length", **about)
    return value


def _integer(option: CommandOption, value: object) -> int:
    if isinstance(value, str) and value.lstrip("-").isdecimal():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Impossible(f"{option.name!r} must be a whole number, not {value!r}.")
    if not _is_within(option, value):
        about = {"option": option.name, "bounds": _bounds(option), "size": value}
        raise ActRefused("refused.bounds", **about)
    return value


def _boolean(option: CommandOption, value: object) -> bool:
    found = _YES_OR_NO.get(str(value).lower())
    if found is None:
        raise Impossible(f"{option.name!r} must be true or false, not {value!r}.")
    return found


def _is_within(option: CommandOption, size: int) -> bool:
    least, most = option.bounds
    return (least is None or size >= least) and (most is None or size <= most)


def _bounds(option: CommandOption) -> str:
    least, most = option.bounds
    if least is None or most is None:
        return f"≤ {most}" if least is None else f"≥ {least}"
    return f"{least}–{most}"

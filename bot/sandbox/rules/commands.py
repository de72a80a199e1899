"""Reading the commands that a bot registers, with Discord's rules for all of them together."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, RootModel

from bot.sandbox.model.commands import CommandType, RegisteredCommand
from bot.sandbox.model.forms import fault
from bot.sandbox.rules.forms import read
from bot.sandbox.rules.refusals import RequestRefused, Rule

_MOST_COMMANDS: Final = {CommandType.SLASH: 100, CommandType.USER: 15, CommandType.MESSAGE: 15}


def _named_once(commands: tuple[RegisteredCommand, ...]) -> tuple[RegisteredCommand, ...]:
    for index, command in enumerate(commands):
        if any(map(command.same_place, commands[:index])):
            words = "Application command names must be unique"
            raise fault("APPLICATION_COMMANDS_DUPLICATE_NAME", words, at=f"{index}.name")
    return commands


class CommandList(RootModel[Annotated[tuple[RegisteredCommand, ...], AfterValidator(_named_once)]]):
    """All commands of the application."""


def read_commands(data: object) -> tuple[RegisteredCommand, ...]:
    """The commands of a request that replaces those registered before.

    Raises:
        RequestRefused: A rule is broken, by one of them or by all together.
    """
    commands = read(CommandList, data).root
    for kind, most in _MOST_COMMANDS.items():
        if sum(command.type is kind for command in commands) > most:
            words = f"Maximum number of application commands reached ({most})"
            raise RequestRefused(Rule.TOO_MANY_COMMANDS, words=words)
    return commands

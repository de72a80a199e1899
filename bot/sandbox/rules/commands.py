"""Reading the commands that a bot registers, with Discord's rules for them."""

from __future__ import annotations

from typing import Final

from bot.sandbox.model.accounts import Permission
from bot.sandbox.model.commands import CommandType, Names, RegisteredCommand
from bot.sandbox.rules.command_options import read_names, read_options
from bot.sandbox.rules.forms import JsonForm, Problems
from bot.sandbox.rules.refusals import RequestRefused, Rule
from bot.sandbox.snowflakes import Snowflake

_MOST_COMMANDS: Final = {CommandType.SLASH: 100, CommandType.USER: 15}
_MOST_CHARACTERS: Final = 8000
_CONTEXTS: Final = frozenset({0, 1, 2})
_INSTALLS: Final = frozenset({0, 1})
_NOWHERE: Final = Snowflake(0)


def read_commands(data: object) -> list[RegisteredCommand]:
    """The commands of a request that replaces those registered before.

    Raises:
        RequestRefused: A rule is broken, by one of them or by all together.
    """
    problems = Problems()
    items = JsonForm({"commands": data}, problems).items("commands", most=130)
    forms = [JsonForm(item, problems, (str(index),)) for index, item in enumerate(items)]
    commands = [_command(form) for form in forms]
    for index, command in enumerate(commands):
        if any(map(command.same_place, commands[:index])):
            words = "Application command names must be unique"
            forms[index].fail("name", "APPLICATION_COMMANDS_DUPLICATE_NAME", words)
    problems.check()
    for kind, most in _MOST_COMMANDS.items():
        if sum(command.kind is kind for command in commands) > most:
            words = f"Maximum number of application commands reached ({most})"
            raise RequestRefused(Rule.TOO_MANY_COMMANDS, words=words)
    return commands


def _command(form: JsonForm) -> RegisteredCommand:
    kind = CommandType(form.one_of("type", tuple(CommandType), default=CommandType.SLASH))
    command = RegisteredCommand(
        id=_NOWHERE,
        version=_NOWHERE,
        kind=kind,
        name=read_names(form, "name", longest=32, plain=kind is CommandType.USER),
        description=_description(form, kind),
        options=read_options(form),
        permissions=_permissions(form),
        contexts=_contexts(form),
        integration_types=_numbers(form, "integration_types", _INSTALLS) or (0,),
        nsfw=form.flag("nsfw"),
    )
    if command.size() > _MOST_CHARACTERS:
        words = f"Command exceeds maximum size ({_MOST_CHARACTERS})"
        form.fail("", "APPLICATION_COMMAND_TOO_LARGE", words)
    return command


def _description(form: JsonForm, kind: CommandType) -> Names:
    if kind is CommandType.SLASH:
        return read_names(form, "description", longest=100, plain=True)
    if form.text("description", longest=100):
        words = "Context menu commands cannot have description"
        form.fail("description", "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", words)
    return Names("")


def _permissions(form: JsonForm) -> Permission | None:
    if not form.given("default_member_permissions"):
        return None
    return Permission(form.number("default_member_permissions", default=0, most=2**54 - 1))


def _contexts(form: JsonForm) -> tuple[int, ...] | None:
    in_direct_messages = form.flag("dm_permission", default=True)
    return _numbers(form, "contexts", _CONTEXTS) or (None if in_direct_messages else (0,))


def _numbers(form: JsonForm, key: str, allowed: frozenset[int]) -> tuple[int, ...] | None:
    if not form.given(key):
        return None
    values = form.items(key, fewest=1, most=len(allowed))
    numbers = [value for value in values if isinstance(value, int) and value in allowed]
    if len(set(numbers)) != len(values):
        choices = ", ".join(map(str, sorted(allowed)))
        form.fail(key, "BASE_TYPE_CHOICES", f"Value must be one of {{{choices}}}, each once.")
    return tuple(numbers)

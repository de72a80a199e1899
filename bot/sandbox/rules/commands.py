"""Reading the commands that a bot registers, with Discord's rules for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.sandbox.model.accounts import Permission
from bot.sandbox.model.commands import Command, CommandKind, Names
from bot.sandbox.rules.command_options import read_names, read_options
from bot.sandbox.rules.forms import Form, Problems
from bot.sandbox.rules.refusals import Refused, Rule
from bot.sandbox.snowflakes import Snowflake

_MOST_COMMANDS: Final = {CommandKind.SLASH: 100, CommandKind.USER: 15, CommandKind.MESSAGE: 15}
_MOST_CHARACTERS: Final = 8000
_CONTEXTS: Final = frozenset({0, 1, 2})
_INSTALLS: Final = frozenset({0, 1})
_NOWHERE: Final = Snowflake(0)


def read_command(data: object, guild_id: Snowflake | None, old: Command | None = None) -> Command:
    """The command in a request; with `old`, what the request changes of it.

    Raises:
        Refused: A rule is broken.
    """
    problems = Problems()
    command = _command(Form(data, problems), guild_id, old)
    problems.check()
    return command


def read_commands(data: object, guild_id: Snowflake | None) -> list[Command]:
    """All the commands of a request that replaces those registered before.

    Raises:
        Refused: A rule is broken, by one of them or by all together.
    """
    problems = Problems()
    items = Form({"commands": data}, problems).items("commands", most=130)
    forms = [Form(item, problems, (str(index),)) for index, item in enumerate(items)]
    commands = [_command(form, guild_id, None) for form in forms]
    for index, command in enumerate(commands):
        if any(map(command.same_place, commands[:index])):
            words = "Application command names must be unique"
            forms[index].fail("name", "APPLICATION_COMMANDS_DUPLICATE_NAME", words)
    problems.check()
    check_count(commands)
    return commands


def check_count(commands: Sequence[Command]) -> None:
    """Go on only if there are not too many commands.

    Raises:
        Refused: There are.
    """
    for kind, most in _MOST_COMMANDS.items():
        if sum(command.kind is kind for command in commands) > most:
            words = f"Maximum number of application commands reached ({most})"
            raise Refused(Rule.TOO_MANY_COMMANDS, words=words)


def _command(form: Form, guild_id: Snowflake | None, old: Command | None) -> Command:
    kind = _kind(form, old)
    command = Command(
        id=_NOWHERE,
        version=_NOWHERE,
        kind=kind,
        name=_name(form, kind, old),
        description=_description(form, kind, old),
        options=read_options(form) if old is None or "options" in form else old.options,
        permissions=_permissions(form, old),
        contexts=_contexts(form, old),
        integration_types=_installs(form, old),
        nsfw=form.flag("nsfw", default=old is not None and old.nsfw),
        guild_id=guild_id,
    )
    if command.size() > _MOST_CHARACTERS:
        words = f"Command exceeds maximum size ({_MOST_CHARACTERS})"
        form.fail("", "APPLICATION_COMMAND_TOO_LARGE", words)
    return command


def _kind(form: Form, old: Command | None) -> CommandKind:
    if old is not None:
        return old.kind
    return CommandKind(form.one_of("type", tuple(CommandKind), default=CommandKind.SLASH))


def _name(form: Form, kind: CommandKind, old: Command | None) -> Names:
    if old is not None and "name" not in form:
        return old.name
    return read_names(form, "name", longest=32, plain=kind is not CommandKind.SLASH)


def _description(form: Form, kind: CommandKind, old: Command | None) -> Names:
    if old is not None and "description" not in form:
        return old.description
    if kind is CommandKind.SLASH:
        return read_names(form, "description", longest=100, plain=True)
    if form.text("description", longest=100):
        words = "Context menu commands cannot have description"
        form.fail("description", "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", words)
    return Names("")


def _permissions(form: Form, old: Command | None) -> Permission | None:
    if "default_member_permissions" not in form:
        return None if old is None else old.permissions
    if not form.given("default_member_permissions"):
        return None
    return Permission(form.number("default_member_permissions", default=0, most=2**54 - 1))


def _contexts(form: Form, old: Command | None) -> tuple[int, ...] | None:
    if form.given("contexts"):
        return _numbers(form, "contexts", _CONTEXTS)
    if form.given("dm_permission"):
        return None if form.flag("dm_permission") else (0,)
    return None if old is None else old.contexts


def _installs(form: Form, old: Command | None) -> tuple[int, ...]:
    if form.given("integration_types"):
        return _numbers(form, "integration_types", _INSTALLS)
    return (0,) if old is None else old.integration_types


def _numbers(form: Form, key: str, allowed: frozenset[int]) -> tuple[int, ...]:
    values = form.items(key, fewest=1, most=len(allowed))
    numbers = [value for value in values if isinstance(value, int) and value in allowed]
    if len(set(numbers)) != len(values):
        choices = ", ".join(map(str, sorted(allowed)))
        form.fail(key, "BASE_TYPE_CHOICES", f"Value must be one of {{{choices}}}, each once.")
    return tuple(numbers)

"""Discord's rules for commands and their options, as forms that refuse."""

from __future__ import annotations

import json
import unicodedata
from typing import Annotated, Final, Self, TypeAlias

from pydantic import (
    AfterValidator,
    Field,
    PlainValidator,
    RootModel,
    StrictBool,
    ValidationInfo,
    field_validator,
    model_validator,
)

from bot.sandbox.model.commands import INNER, LOCALES, CommandType, OptionType
from bot.sandbox.model.components import JsonForm
from bot.sandbox.refusals import RequestRefused
from tests.discord.forms import Number, Whole, fault, length_fault, read, sized, some_of
from tests.discord.rules import TOO_MANY_COMMANDS

_MOST_CHARACTERS: Final = 8000
_MOST_COMMANDS: Final = {CommandType.SLASH: 100, CommandType.USER: 15, CommandType.MESSAGE: 15}
_right: Final[set[int]] = set()
"""The hashes of requests that break no rule."""

_WITH_CHOICES: Final = frozenset({OptionType.STRING, OptionType.INTEGER})
_IN_OPTION: Final = {
    OptionType.SUBCOMMAND: frozenset(OptionType) - INNER,
    OptionType.GROUP: frozenset({OptionType.SUBCOMMAND}),
}


def check_command_name(text: str, *, at: str = "") -> str:
    """The name of a slash command or of an option, which is in small letters and has no spaces."""
    if text != text.lower() or not all(map(_is_name_character, text)):
        raise fault("APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid", at=at)
    return text


def _is_name_character(character: str) -> bool:
    # Devanagari and Thai write vowels as marks, which are neither letters nor numbers.
    marks = "\u0900" <= character <= "\u097f" or "\u0e00" <= character <= "\u0e7f"
    return character in "-_'" or marks or unicodedata.category(character)[0] in "LN"


def _known_locale(locale: str) -> str:
    if locale not in LOCALES:
        raise fault("APPLICATION_COMMAND_INVALID_LOCALE", f'Unknown locale "{locale}"')
    return locale


def _choice_value(value: object) -> str | int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and 1 <= len(value) <= 100:
        return value
    raise fault("BASE_TYPE_CONVERT", "Must be a whole number or 1 to 100 characters.")


Text = Annotated[str, sized(1, 100)]
Name = Annotated[str, sized(1, 32)]
Locale = Annotated[str, AfterValidator(_known_locale)]


class OptionChoice(JsonForm):
    """A value to choose, and what it is called: of an option, or suggested by the bot."""

    name: Text
    name_localizations: dict[Locale, Text] | None = None
    value: Annotated[str | int, PlainValidator(_choice_value)]

    def size(self) -> int:
        """The characters that count towards the 8000 of a command."""
        return longest(self.name, self.name_localizations) + len(str(self.value))


class SuggestionsForm(JsonForm):
    """The data of an answer to an autocompletion."""

    choices: Annotated[tuple[OptionChoice, ...], sized(0, 25)]


def longest(text: str, translations: dict[str, str] | None) -> int:
    """The length of the longest of the translations, which Discord counts."""
    return max(map(len, (text, *(translations or {}).values())))


def _named_once(choices: tuple[OptionChoice, ...]) -> tuple[OptionChoice, ...]:
    for index, choice in enumerate(choices):
        if any(choice.name == other.name for other in choices[:index]):
            code = "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS"
            raise fault(code, "Option choice name already exists", at=f"{index}.name")
    return choices


def _in_order(options: tuple[CommandOption, ...]) -> tuple[CommandOption, ...]:
    if len({option.type in INNER for option in options}) > 1:
        code = "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"
        words = "Sub-command and sub-command group option types are mutually exclusive to others"
        raise fault(code, words)
    for index, option in enumerate(options):
        before = options[:index]
        if any(option.name == other.name for other in before):
            code = "APPLICATION_COMMAND_OPTIONS_NAME_INVALID"
            raise fault(code, "Option names must be unique", at=f"{index}.name")
        if option.required and not all(other.required for other in before):
            code = "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"
            raise fault(code, "Required options must be placed before non-required options")
    return options


OptionName = Annotated[Name, AfterValidator(check_command_name)]
TextLength = Annotated[Number, Field(le=6000)]
IntegerBound = Annotated[Whole, Field(ge=-(2**53), le=2**53)]


class CommandOption(JsonForm):
    """An option of a command; a subcommand or group has `options` of its own."""

    type: OptionType
    name: OptionName
    name_localizations: dict[Locale, OptionName] | None = None
    description: Text
    description_localizations: dict[Locale, Text] | None = None
    required: StrictBool = False
    autocomplete: StrictBool = False
    choices: Annotated[tuple[OptionChoice, ...], sized(0, 25), AfterValidator(_named_once)] = ()
    options: Options = ()
    min_length: TextLength | None = None
    max_length: TextLength | None = None
    min_value: IntegerBound | None = None
    max_value: IntegerBound | None = None
    channel_types: Annotated[tuple[int, ...], sized(0, 20)] = ()

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the most characters of a string, or the bounds of a number."""
        if self.type is OptionType.STRING:
            return self.min_length, self.max_length
        return self.min_value, self.max_value

    @model_validator(mode="after")
    def _bounds_agree(self) -> Self:
        least, most = self.bounds
        if least is not None and most is not None and least > most:
            key = "max_length" if self.type is OptionType.STRING else "max_value"
            raise fault("NUMBER_TYPE_MIN", f"Must not be less than {least}.", at=key)
        return self

    @model_validator(mode="after")
    def _choices_fit(self) -> Self:
        value_type = str if self.type is OptionType.STRING else int
        if self.choices and self.type not in _WITH_CHOICES:
            words = "Choices are only available for string, integer and number options"
            raise fault("APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", words, at="choices")
        for index, choice in enumerate(self.choices):
            if not isinstance(choice.value, value_type):
                words = f"Must be a value of type {self.type.name.lower()}."
                raise fault("BASE_TYPE_CONVERT", words, at=f"choices.{index}.value")
        if self.autocomplete and (self.choices or self.type not in _WITH_CHOICES):
            code = "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID"
            words = "Autocomplete cannot be set here or beside choices"
            raise fault(code, words, at="autocomplete")
        return self

    @model_validator(mode="after")
    def _options_fit(self) -> Self:
        allowed = _IN_OPTION.get(self.type, frozenset())
        for index, option in enumerate(self.options):
            if option.type not in allowed:
                words = f"Value must be one of {set(map(int, allowed))}."
                raise fault("BASE_TYPE_CHOICES", words, at=f"options.{index}.type")
        return self

    def size(self) -> int:
        """The characters that count towards the 8000 of a command."""
        return (
            longest(self.name, self.name_localizations)
            + longest(self.description, self.description_localizations)
            + sum(choice.size() for choice in self.choices)
            + sum(option.size() for option in self.options)
        )


Options: TypeAlias = Annotated[tuple[CommandOption, ...], sized(0, 25), AfterValidator(_in_order)]
"""The options of a command, or of an option."""


class CommandForm(JsonForm):
    """A command to be registered."""

    type: CommandType = CommandType.SLASH
    name: Name
    name_localizations: dict[Locale, Name] | None = None
    description: Annotated[str, Field(validate_default=True)] = ""
    description_localizations: dict[Locale, Text] | None = None
    options: Options = ()
    default_member_permissions: Number | None = None
    dm_permission: StrictBool = True
    contexts: Annotated[tuple[int, ...], some_of(0, 1, 2)] | None = None
    integration_types: Annotated[tuple[int, ...], some_of(0, 1)] = (0,)
    nsfw: StrictBool = False

    @field_validator("description")
    @classmethod
    def _described(cls, text: str, info: ValidationInfo) -> str:
        in_menu = info.data.get("type") in {CommandType.USER, CommandType.MESSAGE}
        if in_menu and text:
            words = "Context menu commands cannot have description"
            raise fault("APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", words)
        if not in_menu and not 1 <= len(text) <= 100:
            raise length_fault(1, 100)
        return text

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.type is CommandType.SLASH:
            check_command_name(self.name, at="name")
            for locale, name in (self.name_localizations or {}).items():
                check_command_name(name, at=f"name_localizations.{locale}")
        names = longest(self.name, self.name_localizations)
        described = longest(self.description, self.description_localizations)
        if names + described + sum(option.size() for option in self.options) > _MOST_CHARACTERS:
            words = f"Command exceeds maximum size ({_MOST_CHARACTERS})"
            raise fault("APPLICATION_COMMAND_TOO_LARGE", words)
        return self

    def same_place(self, other: CommandForm) -> bool:
        """Whether only one of the two can be registered."""
        return (self.type, self.name) == (other.type, other.name)


def _every_named_once(commands: tuple[CommandForm, ...]) -> tuple[CommandForm, ...]:
    for index, command in enumerate(commands):
        if any(map(command.same_place, commands[:index])):
            words = "Application command names must be unique"
            raise fault("APPLICATION_COMMANDS_DUPLICATE_NAME", words, at=f"{index}.name")
    return commands


class CommandList(RootModel[Annotated[tuple[CommandForm, ...], AfterValidator(_every_named_once)]]):
    """All commands of the application."""


def check_commands(data: object) -> None:
    """Check a request that replaces the commands registered before.

    Every test that starts the bot registers the same: what was found right is known again.

    Raises:
        RequestRefused: A rule is broken, by one of them or by all together.
    """
    known = hash(json.dumps(data))
    if known not in _right:
        _check(data)
        _right.add(known)


def _check(data: object) -> None:
    commands = read(CommandList, data).root
    for kind, most in _MOST_COMMANDS.items():
        if sum(command.type is kind for command in commands) > most:
            words = f"Maximum number of application commands reached ({most})"
            raise RequestRefused(TOO_MANY_COMMANDS, words=words)

"""The options of a command, and names with their translations."""

from __future__ import annotations

import unicodedata
from enum import IntEnum
from typing import Annotated, Final, Self, TypeAlias

from pydantic import AfterValidator, Field, PlainValidator, StrictBool, model_validator

from bot.sandbox.model.forms import SPARSE, JsonForm, Number, Whole, fault, sized

# fmt: off
LOCALES: Final = frozenset({
    "ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi",
    "hr", "hu", "id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th",
    "tr", "uk", "vi", "zh-CN", "zh-TW",
})
# fmt: on
"""The languages of Discord's clients."""


class OptionType(IntEnum):
    """Discord's types of command options, as far as the sandbox knows them."""

    SUBCOMMAND = 1
    GROUP = 2
    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7


INNER: Final = frozenset({OptionType.SUBCOMMAND, OptionType.GROUP})
"""The types of options that have options of their own."""

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

    def translated(self, locale: str) -> OptionChoice:
        """The choice as people with that language read it."""
        name = (self.name_localizations or {}).get(locale, self.name)
        return OptionChoice(name=name, value=self.value)

    def size(self) -> int:
        """The characters that count towards the 8000 of a command."""
        return longest(self.name, self.name_localizations) + len(str(self.value))


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
BOUND = Field(exclude_if=lambda value: value is None)


class CommandOption(JsonForm):
    """An option of a command; a subcommand or group has `options` of its own."""

    type: OptionType
    name: OptionName
    name_localizations: dict[Locale, OptionName] | None = None
    description: Text
    description_localizations: dict[Locale, Text] | None = None
    required: StrictBool = False
    autocomplete: Annotated[StrictBool, SPARSE] = False
    choices: Annotated[
        tuple[OptionChoice, ...], sized(0, 25), AfterValidator(_named_once), SPARSE
    ] = ()
    options: Options = ()
    min_length: Annotated[TextLength | None, BOUND] = None
    max_length: Annotated[TextLength | None, BOUND] = None
    min_value: Annotated[IntegerBound | None, BOUND] = None
    max_value: Annotated[IntegerBound | None, BOUND] = None
    channel_types: Annotated[tuple[int, ...], sized(0, 20), SPARSE] = ()

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


Options: TypeAlias = Annotated[
    tuple[CommandOption, ...], sized(0, 25), AfterValidator(_in_order), SPARSE
]
"""The options of a command, or of an option."""
